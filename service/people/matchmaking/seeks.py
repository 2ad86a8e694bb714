"""The application's only entry to seeks: making and showing them, and opening rooms for players who were paired."""

import asyncio
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

import msgspec
import structlog
from msgspec.structs import replace

from service.contests.rating_service import RatingOf
from service.domain.game import Event, Rejected, Seat
from service.domain.ids import Millis, NameRef, Player, PlayerId, RoomKey, rfc3339
from service.domain.room.model.clock import Clock
from service.domain.room.model.settings import OpenRoom
from service.domain.room.model.state import Table
from service.domain.seeks import decide
from service.domain.seeks.decide import AFTER_SOCKET, LIFETIME, SeekContext, SeekRequest
from service.domain.seeks.evolve import IN_A_ROW
from service.domain.seeks.kind import SEEKS
from service.domain.seeks.model import (
    GivenOptions,
    Pairing,
    PairingId,
    PlayersPaired,
    Seek,
    SeekExpiryChanged,
    SeekId,
    SeekMade,
)
from service.domain.seeks.queue import Seeks, UnknownBlocks, agreed_clock
from service.domain.streams import Record
from service.domain.structs import copied
from service.people.matchmaking.arranged_rooms import ArrangedRooms, CannotEnter, agreed_settings
from service.people.matchmaking.blocks import BlockLists
from service.rooms.commands.requests import Environment
from service.rooms.match_index import is_aborted_by, stored_match
from service.rooms.service import RoomService
from service.store.contract import Store, StoreFailed
from service.store.stream_keys import KindKey
from service.streams.errors import ServiceError
from service.streams.processor import StreamProcessor
from service.streams.repository import StreamRepository


class OwnSeek(msgspec.Struct, frozen=True):
    """A seek of the caller."""

    id: SeekId
    """The id of the seek."""
    game: str
    options: GivenOptions
    """The options that you insist on."""
    clock: Clock | None
    """The clock that you insist on; null for any."""
    seat: Seat | None
    """The seat that you insist on; null for any."""
    rated: bool
    """Whether the match is rated."""
    rating_range: int | None
    """By how many points the ratings of others may differ from yours at first; null for any number."""
    bots: bool
    """Whether you also want to play with bots."""
    made: str
    """When the seek was made."""
    expires: str
    """When it ends unless the same request is sent again."""
    paired: bool
    """Whether others were found immediately; then the seek has ended, and your own feed names the room."""


def own_seek(seek: Seek, *, is_paired: bool) -> OwnSeek:
    """Return a seek as its player sees it."""
    return copied(OwnSeek, seek, made=rfc3339(seek.made), expires=rfc3339(seek.expires), paired=is_paired)


log = structlog.get_logger()

KEY = KindKey("seeks")

AT_ONCE = 8
"""How many pairings a worker processes at the same time."""


TRIES = 32
"""How often a decision is tried if other players arrive while the block lists are read."""


PairingDecision = Callable[[Seeks, SeekContext], list[Event]]
"""A decision that may pair players."""


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
        self._store = store
        self._rating_of = rating_of
        self._names = store.player_names
        self._block_lists = block_lists
        self._environment = environment
        self._rooms = rooms
        self._arranged = ArrangedRooms(rooms)
        self._new_id = new_id
        self._repository: StreamRepository[Seeks] = StreamRepository(store, SEEKS, size=1)
        self._processor = StreamProcessor(self._repository, environment.now)
        self.close = self._processor.close

    async def seek(self, request: SeekRequest, by: Player) -> MadeSeek:
        """Make a seek or renew the same one. Raises `Rejected`, `Invalid` and `ServiceError` (`busy`).

        A pairing whose match has begun does not prevent this, although a worker ends it only at its deadline.
        """
        return await self._make(request, by, lambda state, current: decide.seek(state, request, current))

    async def accept(self, seek_id: SeekId, by: Player) -> MadeSeek:
        """Make the same seek as another player's, and pair the two. Raises `Rejected`, `Invalid` and `ServiceError`."""
        wanted = (await self._state()).seeks.get(seek_id)
        if wanted is None:
            raise Rejected("no_such_seek")
        return await self._make(wanted, by, lambda state, current: decide.accept(state, seek_id, current))

    async def _make(self, wish: SeekRequest | Seek, by: Player, decision: PairingDecision) -> MadeSeek:
        await self._end_begun(by.id)
        rating = None if wish.clock is None else await self._rating_of(by.id, wish.game, wish.clock, bot=by.bot)
        name_ref = await self._names.refer(by.id, by.nickname)
        aborted = await self._aborted_in_a_row(by.id)
        context = replace(self._context(by.id, name_ref, bot=by.bot), rating=rating, aborted=aborted)
        records = await self._execute_pairing(context, decision)
        made = next(record.event.seek for record in records if isinstance(record.event, SeekMade))
        return MadeSeek(made, any(isinstance(record.event, PlayersPaired) for record in records))

    async def _aborted_in_a_row(self, player: PlayerId) -> Millis | None:
        """Return when the latest match that was found for a player ended; None unless they aborted enough in a row."""
        found = (await self._state()).found.get(player)
        if found is None or len(found.matches) < IN_A_ROW:
            return None
        entries = await asyncio.gather(*(stored_match(self._store, each) for each in found.matches))
        ends = [each.ended for each in entries if each and each.ended and is_aborted_by(each, player)]
        return max(ends) if len(ends) == IN_A_ROW else None

    async def _end_begun(self, player: PlayerId) -> None:
        """End the pairing of a player if its match has begun."""
        _, pairing = await self.of(player)
        if pairing is None or pairing.room is None or pairing.epoch is None:
            return
        live = await self._rooms.find(RoomKey(pairing.room, pairing.epoch))
        if live is not None and live.state.table.matches:
            await self._end(pairing.id, ())

    async def decline(self, player: PlayerId, key: RoomKey) -> None:
        """End the pairing of a player who has left its room before the match, as if they had not appeared.

        Nothing if there is none. If the store fails, the pairing ends at its deadline.
        """
        try:
            _, pairing = await self.of(player)
            if pairing is not None and (pairing.room, pairing.epoch) == (key.name, key.epoch):
                live = await self._rooms.find(key)
                if live is not None and not live.state.table.matches:
                    await self._end(pairing.id, [player])
                    await self._close(live.state.table)
        except (StoreFailed, ServiceError) as failure:
            log.warning("pairing_not_ended", room=key.name, error=str(failure))

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
        return list((await self._state()).seeks.by_id.values())

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
        settings = agreed_settings(agreed_clock(pairing.seats), rated=pairing.rated)
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
        gone = list(pairing.players) if live is None else absent(live.state.table, pairing)
        if gone and live is not None:
            await self._close(live.state.table)
        await self._end(pairing.id, gone)

    async def _close(self, table: Table) -> None:
        """Close the room of a pairing, unless it was closed meanwhile."""
        if table.status != "closed" and table.creator in table.members:
            await self._arranged.close(table.key.name, Player(table.creator, table.members[table.creator].nickname))

    async def _end(self, pairing: PairingId, gone: Iterable[PlayerId], *, is_refused: bool = False) -> None:
        """End a pairing, and pair the seeks that wait again."""
        missing = tuple(gone)
        waiting = [seek.id for seek in await self._waiting_again(pairing, missing)] if missing else []
        await self._execute(lambda state, _: decide.settle(state, pairing, missing, refused=is_refused))
        while waiting and await self._pair_again(lambda state, current: decide.pair_again(state, waiting, current)):
            pass

    async def _pair_again(self, decision: PairingDecision) -> bool:
        """Execute a decision that may pair seeks that wait; return whether it did."""
        records = await self._execute_pairing(self._context(PlayerId(""), NameRef("")), decision)
        return any(isinstance(record.event, PlayersPaired) for record in records)

    async def _execute_pairing(self, context: SeekContext, decision: PairingDecision) -> list[Record]:
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


def absent(table: Table, pairing: Pairing) -> list[PlayerId]:
    """Return the players of a pairing who are not ready for its first match; none if that has begun."""
    if table.matches:
        return []
    members = table.members
    return [player for player in pairing.players if player not in members or not members[player].ready]
