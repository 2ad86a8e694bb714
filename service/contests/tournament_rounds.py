"""The rounds of tournaments as workers run them: each step is decided from the tournament's stream.

The rooms of a round's tables are opened with all players seated, and closed if they take too long.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import structlog

from service.contests.pairing.process import PairingFailed
from service.contests.tournament_feed import key_of
from service.domain.game import Event, Rejected, Seat
from service.domain.ids import Millis, Player, PlayerId
from service.domain.room.model.commands import Shut
from service.domain.room.model.names import numbered_nickname, skeleton
from service.domain.room.model.settings import OpenTable, RequestedSettings, SeatedEntrant, TournamentTable
from service.domain.streams import Change, Record
from service.domain.tournaments import rounds
from service.domain.tournaments.model import TableEnded, Terms, TournamentId
from service.domain.tournaments.pairings import BadPairing, Pairing, PairingRequest, plain_pairing
from service.domain.tournaments.results import table_ended
from service.domain.tournaments.state import Entry, Table, Tournament
from service.rooms.commands.requests import CommandRequest, Environment, with_fingerprint
from service.rooms.service import RoomService
from service.store.contract import Store
from service.store.stream_keys import KindKey
from service.streams.errors import ServiceError, unless_damaged
from service.streams.processor import StreamProcessor

log = structlog.get_logger()

AT_ONCE = 8
"""How many rooms of a tournament are opened at a time."""

Opened = Callable[[TournamentId, Callable[[Tournament], list[Event]]], Awaitable[None]]
"""Records in a tournament that a room was opened."""


class Tables:
    """Opens and closes the rooms of tables."""

    def __init__(self, store: Store, rooms: RoomService) -> None:
        self._store = store
        self._names = store.player_names
        self._rooms = rooms

    async def open(self, state: Tournament, tables: Sequence[Table], opened: Opened) -> None:
        """Open the rooms of tables, and record each; after an interruption, the same rooms are used.

        Raises the first failure after all others were tried.
        """
        terms, limit = state.terms, asyncio.Semaphore(AT_ONCE)
        if terms is None:
            return
        jobs = (self._open_one(state, terms, table, opened, limit) for table in tables)
        for failure in await asyncio.gather(*jobs, return_exceptions=True):
            if failure is not None:
                raise failure

    async def _open_one(
        self, state: Tournament, terms: Terms, table: Table, opened: Opened, limit: asyncio.Semaphore
    ) -> None:
        async with limit:
            place = TournamentTable(state.id, terms.title, table.round, table.number)
            settings = RequestedSettings(clock=terms.clock, rated=True, start="full", restart=None, hints="off")
            entrants = await self._entrants([state.entries[player] for player in table.players])
            request = OpenTable(terms.game, options=terms.options, settings=settings, table=place, entrants=entrants)
            creator = Player(PlayerId(f"tournament {state.id}"), terms.title)
            key = with_fingerprint(f"table {state.id} {table.number}", place)  # players may have new nicknames by now
            room = (await self._rooms.open(request, creator, key)).room.table.key
            await opened(state.id, lambda current: rounds.opened(current, table.number, room))
            await self._store.forget_room(creator.id, room)

    async def _entrants(self, entries: Sequence[Entry]) -> tuple[SeatedEntrant, ...]:
        """Return the players of a table with their nicknames, which differ within a room."""
        names = await self._names.find(entry.name_ref for entry in entries)
        seated: list[SeatedEntrant] = []
        for seat, entry in enumerate(entries):
            nickname, ref = names[entry.name_ref], entry.name_ref
            if skeleton(nickname) in {skeleton(each.nickname) for each in seated}:
                nickname = numbered_nickname(nickname, Seat(seat))
                ref = await self._names.refer(entry.player, nickname)
            seated.append(SeatedEntrant(entry.player, nickname, ref, entry.bot))
        return tuple(seated)

    async def close(self, tables: Sequence[Table]) -> list[Change]:
        """Close the rooms of tables that take too long. Return the results of rooms that will not report them."""
        return [change for table in tables if (change := await self._close_one(table)) is not None]

    async def _close_one(self, table: Table) -> Change | None:
        live = None if table.key is None else await unless_damaged(self._rooms.find(table.key))
        if live is None:
            log.warning("table_lost", table=table.number, room=table.room)
            return Change(TableEnded(table.number, "", (1,) * len(table.players)))
        if live.state.playing is not None:
            try:
                await self._rooms.execute(live, CommandRequest(Shut(), None))
            except (Rejected, ServiceError) as refused:
                log.info("table_not_closed", room=live.key.name, error=str(refused))
            return None
        ended = table_ended(live.state)
        return None if ended is None else Change(ended)


Pair = Callable[[PairingRequest], Awaitable[Pairing]]
"""Computes a pairing. Raises `PairingFailed`."""

RETRY_AFTER = Millis(5_000)
"""Milliseconds until a pairing without matches is tried again, and an arena whose time is up is looked at again."""


class Rounds:
    """Runs the rounds of tournaments."""

    def __init__(
        self, processor: StreamProcessor[Tournament], environment: Environment, pair: Pair, tables: Tables
    ) -> None:
        self._processor = processor
        self._repository = processor.repository
        self._environment = environment
        self._pair = pair
        self._tables = tables

    async def proceed(self, key: KindKey) -> None:
        """Begin and end a tournament, pair its players, and open and close rooms, each when it is due.

        Interrupted work is continued: every step is decided again from the tournament's stream.
        """
        if self._environment.is_stale():
            await self._environment.refreshed()
        outages = self._environment.outages(self._environment.now())
        await self._processor.decide(key, lambda state, _: rounds.extend_deadlines(state, outages))
        await self._processor.decide(key, rounds.advance)
        await self._serve_rooms(key)
        not_before = await self._pair_now(key)
        await self._serve_rooms(key)
        await self._processor.proceed(key, not_before)

    async def _serve_rooms(self, key: KindKey) -> None:
        """Close the rooms whose time is up, and open those of new tables."""
        state, now = (await self._repository.current(key)).state, self._environment.now()
        for change in await self._tables.close(rounds.overdue(state, now)):
            await self._processor.execute(key, lambda state, _, change=change: rounds.receive(state, [change]))  # type: ignore[misc]  # a default argument
        await self._tables.open(state, rounds.to_open(state, now), self._opened)

    async def _pair_now(self, key: KindKey) -> Millis:
        """Pair players if it is time, and return when the tournament should be looked at again at the earliest."""
        now = self._environment.now()
        state = (await self._repository.current(key)).state
        request = rounds.pairing_request(state, now)
        if request is None:
            return Millis(now + RETRY_AFTER) if rounds.is_too_late(state, now) else Millis(0)
        try:
            records = await self._begin_round(key, request, await self._pair(request))
        except (PairingFailed, BadPairing) as failure:
            log.error("pairing_failed", tournament=key.id, round=request.round, why=str(failure))  # noqa: TRY400 - one line is enough
            records = await self._begin_round(key, request, plain_pairing(request))
        return Millis(0) if records else Millis(now + RETRY_AFTER)

    async def _begin_round(self, key: KindKey, request: PairingRequest, pairing: Pairing) -> list[Record]:
        records = await self._processor.decide(key, lambda state, now: rounds.pair(state, request, pairing, now))
        if records:
            log.info("round_paired", tournament=key.id, round=request.round, tables=len(pairing.tables))
        return records

    async def _opened(self, tournament: TournamentId, opened: Callable[[Tournament], list[Event]]) -> None:
        await self._processor.decide(key_of(tournament), lambda state, _: opened(state))
