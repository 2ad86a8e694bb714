"""Sends what is due to endpoints: challenges to new ones, and to active ones their owner's events in order."""

import asyncio
import base64
from collections.abc import Callable

import msgspec
import structlog

from service.domain.ids import Millis, PlayerId, Version
from service.domain.streams import Record
from service.domain.webhooks.decide import Sent
from service.domain.webhooks.model import Attempt, Webhook
from service.people.fetching.fetcher import Fetcher, FetchFailed, Response
from service.people.webhooks.messages import (
    KeyLostError,
    Message,
    challenge_message,
    event_message,
    headers_of,
    is_echo,
    type_of,
)
from service.people.webhooks.service import WebhookService
from service.runtime import metrics
from service.store.stream_keys import KindKey
from service.streams.errors import ServiceError

log = structlog.get_logger()

PAGE = 50
"""How many events of an owner are read at a time."""

PASSED = 100
"""How many events that a webhook does not want are read again before that is recorded."""

LONGEST = Millis(5_000)
"""How long events are sent to one webhook before the others of its owner get their turn."""

RETRY_BUSY = Millis(1_000)
"""After how long a webhook is tried again if its host has the maximum number of requests."""


NO_PUBLIC_ADDRESS = "no_public_address"
"""The failure of a host that is unknown or not public; owners cannot see which, nor which names exist inside."""


class Left(msgspec.Struct, frozen=True):
    """What remains to be done for a webhook after it was served."""

    webhook: Webhook
    """The webhook as it was then."""
    seen: Version | None = None
    """The version of the owner's stream up to which nothing is left; None if new events do not matter."""
    due: Millis | None = None
    """When to continue."""


class WebhookSender:
    """Serves webhooks that are due."""

    def __init__(self, webhooks: WebhookService, fetcher: Fetcher, wall_clock: Callable[[], float]) -> None:
        self._webhooks = webhooks
        self._players = webhooks.players
        self._fetcher = fetcher
        self._environment = webhooks.environment
        self._wall_clock = wall_clock

    async def proceed(self, key: KindKey) -> None:
        """Do what is due for the webhooks of an owner, and set when something is due again.

        Raises `StoreUnavailable` and `ServiceError`; then nothing is lost, and what was not recorded is repeated.
        """
        owner = PlayerId(key.id)
        await self._webhooks.read_turns(owner)
        version = await self._players.version(owner)
        state = await self._webhooks.state(owner)
        serving = (self._serve(owner, webhook) for webhook in state.webhooks.values())
        left: list[Left] = []
        for result in await asyncio.gather(*serving, return_exceptions=True):
            if isinstance(result, BaseException):
                raise result
            left.append(result)
        seen = [each.seen for each in left if each.seen is not None]
        due = [each.due for each in left if each.due is not None]
        served = {each.webhook.id: each.webhook for each in left}
        await self._webhooks.settle(owner, served, min(seen, default=version), min(due, default=None))

    async def _serve(self, owner: PlayerId, webhook: Webhook) -> Left:
        """Do what is due for a webhook, and return what is left."""
        due, now = webhook.due, self._environment.now()
        if due is None or due > now:
            return Left(webhook, due=due)
        if self._fetcher.is_busy(webhook.url):
            return Left(webhook, due=Millis(now + RETRY_BUSY))
        try:
            if webhook.status == "unverified":
                await self._challenge(owner, webhook)
                challenged = await self._current(owner, webhook)
                return Left(challenged, due=challenged.due)
            return await self._send_all(owner, webhook)
        except KeyLostError:
            log.warning("webhook_key_lost", webhook=webhook.id)
            await self._webhooks.stop(owner, webhook.id, "no_secret")
            return Left(await self._current(owner, webhook))

    async def _challenge(self, owner: PlayerId, webhook: Webhook) -> None:
        """Send a challenge, and record whether the endpoint echoed it."""
        now = self._environment.now()
        head = await self._players.version(owner)
        challenge = base64.urlsafe_b64encode(self._environment.seed()[:24]).decode()
        message = challenge_message(webhook.id, challenge, now)
        attempt, body = await self._attempt(owner, webhook, message)
        if attempt.failure is None and not is_echo(body, challenge):
            attempt = msgspec.structs.replace(attempt, failure="not_echoed")
        count("challenge", attempt)
        await self._webhooks.record(owner, Sent(webhook.id, webhook.url, head, message.type, attempt), challenge=True)

    async def _send_all(self, owner: PlayerId, webhook: Webhook) -> Left:
        """Send replays, then all events after the cursor that are wanted, until one fails."""
        began = self._environment.now()
        for version in webhook.replays:
            await self._replay(owner, webhook, version)
        webhook = await self._current(owner, webhook)
        if webhook.due is None or webhook.due > began:
            return Left(webhook, due=webhook.due)
        cursor = webhook.cursor
        while self._environment.now() - began <= LONGEST:
            records, end = await self._next_events(owner, webhook, cursor)
            if not records:
                await self._remember(owner, webhook, end)
                return Left(webhook, seen=end)
            for record in records:
                if webhook.wants(type_of(record)):
                    await self._send(owner, webhook, record)
                    webhook = await self._current(owner, webhook)
                    if webhook.cursor != record.version or webhook.status != "active":
                        return Left(webhook, due=webhook.due)
                cursor = record.version
        return Left(webhook, due=self._environment.now())

    async def _current(self, owner: PlayerId, webhook: Webhook) -> Webhook:
        """Return the current state of a webhook; a deleted one as disabled."""
        found = (await self._webhooks.state(owner)).webhooks.get(webhook.id)
        return found or msgspec.structs.replace(webhook, status="disabled")

    async def _next_events(
        self, owner: PlayerId, webhook: Webhook, after: Version | None
    ) -> tuple[list[Record], Version]:
        """Return the next events after a version, and the version of the owner's stream."""
        try:
            page = await self._players.page(owner, after, PAGE)
        except ServiceError as refused:
            if refused.problem.code != "trimmed":
                raise
            log.warning("webhook_events_lost", webhook=webhook.id, after=after)
            page = await self._players.page(owner, None, PAGE)
            first = page.records[0].version if page.records else page.version + 1
            await self._webhooks.pass_to(owner, webhook.id, Version(first - 1))
        return page.records, page.version

    async def _remember(self, owner: PlayerId, webhook: Webhook, end: Version) -> None:
        """Record that nothing up to a version is wanted, if that is many events, or if the store has lost events."""
        if webhook.cursor is None or not 0 <= end - webhook.cursor < PASSED:
            await self._webhooks.pass_to(owner, webhook.id, end)

    async def _replay(self, owner: PlayerId, webhook: Webhook, version: Version) -> None:
        """Send an event again; if it is no longer stored, record that."""
        record = await self._players.event(owner, version)
        if record is not None:
            await self._send(owner, webhook, record, replay=True)
            return
        now = self._environment.now()
        missing = Sent(webhook.id, webhook.url, version, "", Attempt(now, Millis(0), failure="trimmed"), replay=True)
        await self._webhooks.record(owner, missing)

    async def _send(self, owner: PlayerId, webhook: Webhook, record: Record, *, replay: bool = False) -> None:
        """Send an event, and record what the endpoint answered."""
        message = event_message(webhook, record)
        attempt, _ = await self._attempt(owner, webhook, message)
        count("replay" if replay else "event", attempt)
        sent = Sent(webhook.id, webhook.url, record.version, message.type, attempt, replay)
        await self._webhooks.record(owner, sent)

    async def _attempt(self, owner: PlayerId, webhook: Webhook, message: Message) -> tuple[Attempt, bytes]:
        """Send a message; return the attempt and the body of the response. Raises `KeyLostError`."""
        began = self._environment.now()
        headers = headers_of(message, self._webhooks.secrets(owner, webhook, began), self._wall_clock())
        response: Response | None = None
        try:
            response = await self._fetcher.fetch("POST", webhook.url, headers, message.body)
            failure = None if 200 <= response.status < 300 else "status"
        except FetchFailed as failed:
            failure = NO_PUBLIC_ADDRESS if failed.code in ("unknown_host", "address_refused") else failed.code
        took = Millis(max(0, self._environment.now() - began))
        metrics.WEBHOOK_SECONDS.observe(took / 1000)
        status, body = (response.status, response.body) if response else (None, b"")
        return Attempt(began, took, status, failure), body


def count(kind: str, attempt: Attempt) -> None:
    """Count a request in the metrics."""
    metrics.WEBHOOK_REQUESTS.labels(kind, "failed" if attempt.failure else "accepted").inc()
