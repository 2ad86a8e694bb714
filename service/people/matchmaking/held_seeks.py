"""The seeks that sockets of this process hold: they last as long as the socket, and a few seconds more."""

import asyncio
from collections import Counter
from collections.abc import Collection

import structlog

from service.domain.seeks.decide import LIFETIME
from service.domain.seeks.model import SeekId
from service.people.matchmaking.seeks import SeekService
from service.store.contract import StoreUnavailable
from service.streams.background import BackgroundTasks
from service.streams.errors import ServiceError

log = structlog.get_logger()

RENEWAL_SECONDS = LIFETIME / 1000 / 3
"""Seconds between renewals. If the process is killed, its seeks end within their usual lifetime."""


class HeldSeeks:
    """Renews the seeks of all sockets together, by one event."""

    def __init__(self, seeks: SeekService) -> None:
        """Start without any."""
        self._seeks = seeks
        self._held: Counter[SeekId] = Counter()
        """How many sockets hold each seek."""
        self._background = BackgroundTasks("seeks_not_released")
        self.close = self._background.close

    def hold(self, seek: SeekId) -> None:
        """Keep a seek until it is released by all sockets that hold it."""
        self._held[seek] += 1

    def release(self, seeks: Collection[SeekId]) -> None:
        """Let seeks end in a few seconds, because their socket has closed."""
        self._held.subtract(seek for seek in seeks if seek in self._held)
        ended = [seek for seek in seeks if self._held[seek] <= 0]
        for seek in ended:
            del self._held[seek]
        if ended:
            self._background.start(self._seeks.end_soon(ended))

    async def run(self) -> None:
        """Renew the held seeks until cancelled."""
        while True:
            await asyncio.sleep(RENEWAL_SECONDS)
            await self.renew()

    async def renew(self) -> None:
        """Renew the held seeks, and drop those that have ended; if the store fails, the next renewal is in time."""
        held = tuple(self._held)
        if not held:
            return
        try:
            known = await self._seeks.keep(held)
        except (ServiceError, StoreUnavailable) as failure:
            log.warning("seeks_not_renewed", error=str(failure))
            return
        for seek in held:
            if seek not in known:
                del self._held[seek]
