"""The services by which players find each other, in one process."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection

import structlog

from service.contests.rating_service import RatingOf
from service.domain import bot_list
from service.domain.bot_list import BOT_LIST, BotList, BotListed, BotRegistration, ListedBot
from service.domain.game import Event
from service.domain.ids import Millis, Player, PlayerId
from service.domain.seeks.decide import LIFETIME
from service.domain.seeks.model import SeekId
from service.domain.streams import Record
from service.people.matchmaking.blocks import Asking
from service.people.matchmaking.challenges import ChallengeService
from service.people.matchmaking.seeks import SeekService
from service.rooms.commands.requests import Environment
from service.rooms.service import RoomService
from service.store.contract import Store, StoreFailed
from service.store.stream_keys import KindKey
from service.streams.background import BackgroundTasks
from service.streams.errors import ServiceError
from service.streams.processor import StreamProcessor
from service.streams.repository import StreamRepository

KEY = KindKey("bots")


class BotListService:
    """The list of bots of a store, as one process serves it."""

    def __init__(self, store: Store, now: Callable[[], Millis]) -> None:
        self._now = now
        self._names = store.player_names
        self._repository: StreamRepository[BotList] = StreamRepository(store, BOT_LIST, size=1)
        self._processor = StreamProcessor(self._repository, now)
        self.close = self._processor.close

    async def register(self, asked: BotRegistration, by: Player) -> ListedBot:
        """List a player's bot for a day. Raises `ServiceError` (`not_a_bot_token`, `busy`), `Rejected`, `Invalid`."""
        if not by.bot:
            raise ServiceError("not_a_bot_token")
        ref = await self._names.refer(by.id, by.nickname)
        records = await self._execute(lambda state, now: bot_list.register(state, asked, by.id, ref, now))
        listed = next(record.event.bot for record in records if isinstance(record.event, BotListed))
        return await self._names.named(listed)

    async def remove(self, player: PlayerId) -> None:
        """Remove a player's bot from the list, if it is there."""
        await self._execute(lambda state, _: bot_list.remove(state, player))

    async def listed(self) -> list[ListedBot]:
        """Return the bots that are listed, the latest first."""
        state, now = (await self._repository.current(KEY)).state, self._now()
        return [await self._names.named(bot) for bot in reversed(state.bots.values()) if bot.until > now]

    async def proceed(self, key: KindKey) -> None:
        """Remove bots whose time has expired, as a worker."""
        await self._execute(bot_list.expire)
        await self._processor.proceed(key)

    async def _execute(self, decision: Callable[[BotList, Millis], list[Event]]) -> list[Record]:
        return await self._processor.decide(KEY, decision)


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
        except (ServiceError, StoreFailed) as failure:
            log.warning("seeks_not_renewed", error=str(failure))
            return
        for seek in held:
            if seek not in known:
                del self._held[seek]


class Matchmaking:
    """Seeks, challenges and the list of bots."""

    def __init__(
        self,
        store: Store,
        environment: Environment,
        rooms: RoomService,
        asking: Asking,
        rating_of: RatingOf,
        new_id: Callable[[], str],
    ) -> None:
        """Open rooms for players who agree; see `ChallengeService` and `SeekService`. `new_id` returns an unused id."""
        self.seeks = SeekService(store, environment, rooms, asking.block_lists, rating_of, new_id)
        self.held_seeks = HeldSeeks(self.seeks)
        self.bots = BotListService(store, environment.now)
        self.challenges = ChallengeService(store, environment, rooms, asking, new_id)

    async def close(self) -> None:
        """Finish all background work."""
        await self.held_seeks.close()
        await self.seeks.close()
        await self.challenges.close()
        await self.bots.close()
