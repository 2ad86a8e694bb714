"""The rooms of a tournament's tables: opening them with all players seated, and closing those that take too long."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import structlog

from service.domain.game import Event, Rejected, Seat
from service.domain.ids import Player, PlayerId
from service.domain.room.model.commands import Shut
from service.domain.room.model.names import numbered_nickname, skeleton
from service.domain.room.model.opening import OpenTable, SeatedEntrant
from service.domain.room.model.settings import RequestedSettings, TournamentTable
from service.domain.streams import Change
from service.domain.tournaments import rounds
from service.domain.tournaments.model import TableEnded, Terms, TournamentId
from service.domain.tournaments.results import table_ended
from service.domain.tournaments.state import Entry, Table, Tournament
from service.rooms.commands.requests import CommandRequest, with_fingerprint
from service.rooms.service import RoomService
from service.store.contract import Store
from service.streams.errors import ServiceError, unless_damaged

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
