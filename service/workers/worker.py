"""The worker: issues commands for rooms, and delivers what outboxes contain."""

import asyncio
from collections.abc import Awaitable, Callable

from service.domain.room.due import due, needs_human
from service.domain.room.model.ids import RoomKey
from service.erasure.service import ErasureService, PlayerServices
from service.rooms.loading.room import LoadedRoom
from service.rooms.service import RoomService
from service.store.stream_keys import TOURNAMENT_LIST, TOURNAMENTS, DueKey, KindKey, OutboxKey
from service.streams.outboxes import Outboxes
from service.workers.bots import Bots, requester_of
from service.workers.claims import Claims
from service.workers.loop import WorkLoop
from service.workers.shares import Shares

MAX_IN_PROGRESS = 1024
"""How many rooms may be in progress, most of them waiting for bots; `Shares` limits those of one owner."""


class Worker:
    """One of any number of workers; if one is killed, another claims its rooms."""

    def __init__(
        self,
        rooms: RoomService,
        bots: Bots,
        outboxes: Outboxes,
        services: PlayerServices,
        erasure: ErasureService,
    ) -> None:
        """Take the rooms and their bots, the deliverer, the services of players, and the erasure service."""
        self._rooms = rooms
        self._outboxes = outboxes
        self._proceed_in: dict[str, Callable[[KindKey], Awaitable[None]]] = {
            "player": services.players.proceed,
            "account": erasure.proceed,
            "seeks": services.matchmaking.seeks.proceed,
            "challenges": services.matchmaking.challenges.proceed,
            "bots": services.matchmaking.bots.proceed,
            TOURNAMENTS: services.tournaments.proceed,
            TOURNAMENT_LIST: services.tournaments.proceed_list,
        }
        """The services that do what is due, by kind of stream."""
        self._bots = bots
        self._claims = Claims(rooms)
        self._shares = Shares()
        self._loop = WorkLoop(self._claims, self._serve, MAX_IN_PROGRESS)

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set, then hand back unfinished rooms."""
        await self._loop.run(stop)

    async def _serve(self, key: DueKey) -> None:
        """Do what is due in a room, for a player or in an outbox."""
        match key:
            case OutboxKey():
                await self._outboxes.drain(key)
            case KindKey(kind):
                await self._proceed_in[kind](key)
            case RoomKey():
                await self._do_what_is_due(key)

    async def _do_what_is_due(self, key: RoomKey) -> None:
        live = await self._rooms.by_key(key)
        owed, now, human_present = due(live.room), self._rooms.now(), False
        if owed is not None and owed.at <= now and needs_human(live.room, owed.why):
            human_present = await self._rooms.is_someone_present(key)
            owed = due(live.room, human_present=human_present)
            if not human_present and owed is not None and owed.at > now:
                await self._claims.postpone(key, owed.at)
                return
        if owed is None or owed.why != "bot" or owed.at > now:
            await self._rooms.proceed(key, human_present=human_present)
            return
        await self._think(key, live)

    async def _think(self, key: RoomKey, live: LoadedRoom) -> None:
        """Issue the bots' moves that are due, or postpone the room if its owner has too many in progress."""
        requester = requester_of(live.room)
        if self._shares.is_full(requester):
            await self._claims.postpone(key, self._shares.later(requester, self._rooms.now()))
            return
        with self._shares.held(requester):
            await self._bots.play(live)
        owed = due(live.room)
        if owed is not None and owed.at <= self._rooms.now():
            await self._rooms.repair_due(live)
