"""The application's only entry to seeks: making them, and opening rooms for players who were paired."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable
from typing import NamedTuple

import structlog
from msgspec.structs import replace

from service.domain.game import Event
from service.domain.room.model.clock import Clock
from service.domain.room.model.ids import Millis, NameRef, PlayerId, RoomKey
from service.domain.room.model.opening import OpenRoom
from service.domain.room.model.settings import RequestedSettings
from service.domain.room.model.state import Table
from service.domain.seeks import decide
from service.domain.seeks.decide import AFTER_SOCKET, LIFETIME, SeekContext, SeekRequest
from service.domain.seeks.kind import SEEKS
from service.domain.seeks.matching import UnknownBlocks, agreed_clock
from service.domain.seeks.model import Pairing, PairingId, PlayersPaired, Seek, SeekExpiryChanged, SeekId, SeekMade
from service.domain.seeks.queue import Seeks
from service.domain.streams import Record
from service.matchmaking.arranged_rooms import ArrangedRooms, CannotEnter
from service.matchmaking.blocks import BlockLists
from service.rooms.commands.requests import Environment
from service.rooms.errors import ServiceError
from service.rooms.player import Player
from service.rooms.service import RoomService
from service.store.contract import Store
from service.store.stream_keys import KindKey
from service.streams.processor import StreamProcessor
from service.streams.repository import StreamRepository

log = structlog.get_logger()

KEY = KindKey("seeks")

AT_ONCE = 8
"""How many pairings a worker processes at the same time."""


TRIES = 32
"""How often a decision is tried if other players arrive while the block lists are read."""


RatingOf = Callable[[PlayerId, str, Clock], Awaitable[int | None]]
"""Returns a player's rating in a game with a clock, in points; None if there are none for this clock."""


class MadeSeek(NamedTuple):
    """The result of making a seek."""

    seek: Seek
    is_paired: bool
    """Whether it was paired immediately; then it has ended."""


class SeekService:
    """The seeks of a store, as one process serves them."""

    def __init__(
        self,
        store: Store,
        environment: Environment,
        rooms: RoomService,
        block_lists: BlockLists,
        rating_of: RatingOf,
        new_id: Callable[[], str],
    ) -> None:
        """Take the rooms, whom players have blocked, and their ratings; `new_id` returns an unused id."""
        self._rating_of = rating_of
        self._names = store.player_names
        self._block_lists = block_lists
        self._environment = environment
        self._rooms = rooms
        self._arranged = ArrangedRooms(rooms)
        self._new_id = new_id
        self._repository: StreamRepository[Seeks] = StreamRepository(store, SEEKS, size=1)
        self._processor = StreamProcessor(self._repository, environment.now)

    async def seek(self, request: SeekRequest, by: Player) -> MadeSeek:
        """Make a seek or renew the same one. Raises `Rejected`, `Invalid` and `ServiceError` (`busy`).

        A pairing whose match has begun does not prevent this, although a worker ends it only at its deadline.
        """
        await self._end_begun(by.id)
        rating = None if request.clock is None else await self._rating_of(by.id, request.game, request.clock)
        name_ref = await self._names.refer(by.id, by.nickname)
        context = replace(self._context(by.id, name_ref, bot=by.bot), rating=rating)
        records = await self._execute_pairing(context, lambda state, current: decide.seek(state, request, current))
        made = next(record.event.seek for record in records if isinstance(record.event, SeekMade))
        return MadeSeek(made, any(isinstance(record.event, PlayersPaired) for record in records))

    async def _end_begun(self, player: PlayerId) -> None:
        """End the pairing of a player if its match has begun."""
        _, pairing = await self.of(player)
        if pairing is None or pairing.room is None or pairing.epoch is None:
            return
        live = await self._rooms.find(RoomKey(pairing.room, pairing.epoch))
        if live is not None and live.room.table.matches:
            await self._end(pairing.id, ())

    async def withdraw(self, seek_id: SeekId, by: PlayerId) -> None:
        """Withdraw a seek. Raises `Rejected` (`no_such_seek`)."""
        await self._execute(lambda state, _: decide.withdraw(state, seek_id, by))

    async def keep(self, ids: Collection[SeekId]) -> Collection[SeekId]:
        """Let seeks last as long as if they were made now, and return those that have not ended."""
        records = await self._execute(lambda state, now: decide.change_expiry(state, ids, Millis(now + LIFETIME)))
        changed = (record.event for record in records)
        return {seek for event in changed if isinstance(event, SeekExpiryChanged) for seek in event.seeks}

    async def end_soon(self, ids: Collection[SeekId]) -> None:
        """Let seeks end in a few seconds unless they are renewed."""
        await self._execute(lambda state, now: decide.change_expiry(state, ids, Millis(now + AFTER_SOCKET)))

    async def of(self, player: PlayerId) -> tuple[list[Seek], Pairing | None]:
        """Return the open seeks of a player, and the pairing that waits for them."""
        state = await self._state()
        paired = [pairing for pairing in state.pairings.values() if player in pairing.players]
        return state.seeks.of(player), next(iter(paired), None)

    async def open_seeks(self) -> list[Seek]:
        """Return all open seeks, the oldest first, without nicknames; see `with_names`."""
        return list((await self._state()).seeks.values())

    async def with_names(self, seeks: Iterable[Seek]) -> list[Seek]:
        """Return seeks with the nicknames of their players."""
        return [replace(seek, nickname=(await self._player_of(seek)).nickname) for seek in seeks]

    async def _player_of(self, seek: Seek) -> Player:
        """Return who made a seek."""
        return Player(seek.player, await self._names.shown(seek.player, seek.nickname, seek.name_ref), seek.bot)

    # Serve as a worker

    async def proceed(self, _: KindKey = KEY) -> None:
        """End seeks that expired, open rooms for pairings, and check who appeared in them."""
        await self._execute(decide.expire)
        while await self._pair_again(decide.widen):
            pass
        state, now = await self._state(), self._environment.now()
        due = [pairing for pairing in state.pairings.values() if pairing.deadline is None or pairing.deadline <= now]
        limit = asyncio.Semaphore(AT_ONCE)
        await asyncio.gather(*(self._serve(pairing, limit) for pairing in due))
        await self._processor.proceed(KEY)

    async def _serve(self, pairing: Pairing, limit: asyncio.Semaphore) -> None:
        async with limit:
            if pairing.room is None or pairing.epoch is None:
                await self._open(pairing)
            else:
                await self._settle(pairing, RoomKey(pairing.room, pairing.epoch))

    async def _open(self, pairing: Pairing) -> None:
        """Open the room of a pairing, and admit its players; the same room if that was interrupted before."""
        settings = RequestedSettings(clock=agreed_clock(pairing.seats), rated=pairing.rated)
        request = OpenRoom(pairing.game, options=dict(pairing.options), settings=settings)
        players = [await self._player_of(seek) for seek in pairing.seats]
        try:
            key = await self._arranged.open(f"pairing {pairing.id}", request, players)
        except CannotEnter as refused:
            log.info("pairing_refused", pairing=pairing.id, player=refused.player, code=refused.code)
            await self._end(pairing.id, [refused.player], is_refused=True)
            return
        await self._execute(lambda state, now: decide.opened(state, pairing.id, key.name, key.epoch, now))

    async def _settle(self, pairing: Pairing, key: RoomKey) -> None:
        """End a pairing whose time is up: with its match, or with a closed room."""
        live = await self._rooms.find(key)
        gone = list(pairing.players) if live is None else absent(live.room.table, pairing)
        if gone and live is not None and live.room.table.status != "closed":
            await self._arranged.close(key.name, await self._player_of(pairing.seats[0]))
        await self._end(pairing.id, gone)

    async def _end(self, pairing: PairingId, gone: Iterable[PlayerId], *, is_refused: bool = False) -> None:
        """End a pairing, and pair the seeks that wait again."""
        missing = tuple(gone)
        waiting = [seek.id for seek in await self._waiting_again(pairing, missing)] if missing else []
        await self._execute(lambda state, _: decide.settle(state, pairing, missing, refused=is_refused))
        while waiting and await self._pair_again(lambda state, current: decide.pair_again(state, waiting, current)):
            pass

    async def _pair_again(self, decision: Callable[[Seeks, SeekContext], list[Event]]) -> bool:
        """Execute a decision that may pair seeks that wait; return whether it did."""
        records = await self._execute_pairing(self._context(PlayerId(""), NameRef("")), decision)
        return any(isinstance(record.event, PlayersPaired) for record in records)

    async def _execute_pairing(
        self, context: SeekContext, decision: Callable[[Seeks, SeekContext], list[Event]]
    ) -> list[Record]:
        """Execute a decision that may pair players, with the block lists that it needs.

        Raises what it raises, and `ServiceError` (`busy`).
        """
        for _ in range(TRIES):
            current = context
            try:
                return await self._execute(lambda state, now: decision(state, replace(current, now=now)))  # noqa: B023 - called at once
            except UnknownBlocks as unknown:
                lists = await self._block_lists.blocked_by(unknown.players)
                context = replace(context, blocks={**context.blocks, **lists})
        raise ServiceError("busy")

    async def _waiting_again(self, pairing_id: PairingId, missing: tuple[PlayerId, ...]) -> list[Seek]:
        pairing = (await self._state()).pairings.get(pairing_id)
        return [] if pairing is None else [seek for seek in pairing.seeks if seek.player not in missing]

    async def _execute(self, decision: Callable[[Seeks, Millis], list[Event]]) -> list[Record]:
        return await self._processor.decide(KEY, decision)

    async def _state(self) -> Seeks:
        return (await self._repository.current(KEY)).state

    def _context(self, player: PlayerId, name_ref: NameRef, *, bot: bool = False) -> SeekContext:
        return SeekContext(player, name_ref, self._environment.now(), self._new_id(), self._environment.seed(), bot)

    async def close(self) -> None:
        """Finish all background work."""
        await self._processor.close()


def absent(table: Table, pairing: Pairing) -> list[PlayerId]:
    """Return the players of a pairing who are not ready for its first match; none if that has begun."""
    if table.matches:
        return []
    members = table.members
    return [player for player in pairing.players if player not in members or not members[player].ready]
