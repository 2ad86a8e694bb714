"""The application's only entry to notable matches: finding them when they have ended, and reading them."""

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
import structlog

from service.domain.catalog import GAMES
from service.domain.notation.positions import MatchPositions, PlyPosition
from service.domain.room.model.ids import Epoch, Millis, RoomKey, RoomName, Version
from service.notable.facts import FACTS, PERIODS, Fact, Period, board_of, facts_of, rows_of
from service.rooms.errors import ServiceError
from service.rooms.loading.nicknames import name_match
from service.rooms.match_index import MatchEntry, can_be_notable
from service.rooms.service import RoomService
from service.store.contract import Store
from service.store.integrity import BrokenHistory
from service.streams.outboxes import Arrivals

log = structlog.get_logger()

ENTRY = msgspec.json.Decoder(MatchEntry)
MATCH_ID = msgspec.json.Decoder(str)


class NotableMatch(NamedTuple):
    """A match on a board."""

    fact: Fact
    period: Period
    value: int
    key: RoomKey
    entry: MatchEntry


class NotableService:
    """The notable matches of a store, as one process serves them."""

    def __init__(self, store: Store, rooms: RoomService, now: Callable[[], Millis]) -> None:
        """Take the rooms, and what returns the service's time."""
        self._store = store
        self._rooms = rooms
        self._now = now

    async def best(self, games: Sequence[str], limit: int) -> list[NotableMatch]:
        """Return the best matches of each board of some games for the current day and week, and for all time."""
        boards = [(game, fact, period) for game in games for fact in FACTS for period in PERIODS]
        found = await asyncio.gather(*(self._board(*board, limit) for board in boards))
        return [match for matches in found for match in matches]

    async def _board(self, game: str, fact: Fact, period: Period, limit: int) -> list[NotableMatch]:
        board = board_of(fact, period, self._now())
        rows = await self._store.notable_matches.best(game, board, limit)
        entries = await asyncio.gather(*(self._entry(match) for match, _ in rows))
        return [
            NotableMatch(fact, period, abs(score), room_of_match(match)[0], entry)
            for (match, score), entry in zip(rows, entries, strict=True)
            if entry is not None
        ]

    async def _entry(self, match: str) -> MatchEntry | None:
        key, number = room_of_match(match)
        try:
            [data] = await self._store.matches(key, [number])
        except BrokenHistory:
            return None
        return None if data is None else await name_match(self._store.player_names, ENTRY.decode(data))

    # Serve as a worker

    async def receive(self, arrivals: Arrivals) -> None:
        """Look at the matches that outboxes deliver: the ids of ended matches, by game.

        Raises what `look_at` raises.
        """
        for ended in arrivals.values():
            for arrival in ended:
                match_id = MATCH_ID.decode(arrival.event)
                key, number = room_of_match(match_id)
                try:
                    [data] = await self._store.matches(key, [number])
                except BrokenHistory as broken:  # what else is delivered must not wait for it
                    log.warning("match_not_looked_at", match=match_id, error=str(broken))
                    continue
                if data is not None:
                    await self.look_at(key, ENTRY.decode(data))

    async def look_at(self, key: RoomKey, entry: MatchEntry) -> bool:
        """Put a match on the boards if it is notable, and return whether it could be.

        Raises `StoreUnavailable`, and `ServiceError` (`newer_events`) for events that only a newer release can read.
        """
        if not can_be_notable(entry) or entry.result is None or entry.ended is None:
            return False
        try:
            positions = await self._positions(key, entry)
        except ServiceError as refused:
            if refused.problem.code == "newer_events":
                raise
            # its events are damaged, or no longer stored
            log.info("match_not_looked_at", match=entry.id, code=refused.problem.code)
            return False
        found = list(facts_of(entry.result, positions))
        await self._store.notable_matches.add(entry.game, rows_of(entry.id, entry.ended, found))
        return True

    async def _positions(self, key: RoomKey, entry: MatchEntry) -> list[PlyPosition]:
        live = await self._rooms.by_key(key)
        found = MatchPositions(await self._rooms.at(live, Version(entry.first - 1)))
        async for page in self._rooms.pages(live, Version(entry.first - 1), entry.last or entry.first):
            found.add(page)
            await asyncio.sleep(0)
        return list(found.all())

    async def discard_all(self) -> None:
        """Delete the boards of all time, and those of the current day and week."""
        for game in GAMES:
            for fact in FACTS:
                for period in PERIODS:
                    await self._store.notable_matches.discard(game, board_of(fact, period, self._now()))


def room_of_match(match_id: str) -> tuple[RoomKey, int]:
    """Return the room of a match, and its number there."""
    room, epoch, number = match_id.split(".")
    return RoomKey(RoomName(room), Epoch(epoch)), int(number)
