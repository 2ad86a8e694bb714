"""The worker that sends to webhooks. It needs access to the internet, which other workers do not."""

from service.people.webhooks.sender import WebhookSender
from service.people.webhooks.service import WebhookService
from service.store.stream_keys import DueKey, KindKey
from service.workers.claims import Claims
from service.workers.loop import WorkLoop

MAX_IN_PROGRESS = 128
"""The number of owners to whose webhooks requests are made at the same time."""

IDLE_AFTER = 5.0
"""Seconds without anything due after which such a worker is idle; a message has more time than a bot's move."""

IDLE_PAUSE = 1.0
"""Seconds between reads of what is due when it is idle."""


class SendingWorker:
    """One of any number of such workers; if one is killed, another claims what it was sending."""

    def __init__(self, webhooks: WebhookService, sender: WebhookSender) -> None:
        self._sender = sender
        self._loop = WorkLoop(Claims(webhooks), self._serve, MAX_IN_PROGRESS, IDLE_AFTER, IDLE_PAUSE)
        self.run = self._loop.run
        """Works until `stop` is set, then hands back unfinished webhooks."""

    async def _serve(self, key: DueKey) -> None:
        if isinstance(key, KindKey):  # nothing else is claimed
            await self._sender.proceed(key)
