"""The application's only entry to the list of bots that others run."""

from collections.abc import Callable

from service.domain import bot_list
from service.domain.bot_list import BOT_LIST, BotList, BotListed, BotRegistration, ListedBot
from service.domain.game import Event
from service.domain.room.model.ids import Millis, PlayerId
from service.domain.streams import Record
from service.rooms.player import Player
from service.store.contract import Store
from service.store.stream_keys import KindKey
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
