"""The application's only entry to players' matches: adding those that have ended, and reading them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import NamedTuple

import msgspec
import structlog

from service.domain.catalog import GAMES
from service.domain.room.model.ids import Millis, PlayerId, RoomKey
from service.player_matches.access import MatchAccess, room_of_match
from service.player_matches.rows import MATCH, Position, against, position_of, row_of
from service.rooms.access.policy import knows_all_matches
from service.rooms.errors import ServiceError
from service.rooms.loading.nicknames import name_match
from service.rooms.match_index import MatchEntry, PlayedMatch
from service.rooms.service import RoomService
from service.store.contract import Store
from service.store.integrity import BrokenHistory
from service.store.projections.player_matches import Tally
from service.streams.outboxes import Arrival, Arrivals

log = structlog.get_logger()

ENTRY = msgspec.json.Decoder(MatchEntry)

BATCH = 100
"""How many rows are read at a time."""

MOST_WORK = 2_000
"""How many rows are read for one page, besides the other ones of the last minute; so a page may be short."""


class Wanted(NamedTuple):
    """The filters of a player's matches; None admits all."""

    game: str | None = None
    rated: bool | None = None
    opponent: PlayerId | None = None
    since: Position | None = None
    """The position after which matches are wanted."""

    def admits(self, played: PlayedMatch) -> bool:
        """Return whether a match is wanted."""
        return (
            (self.game is None or played.game == self.game)
            and (self.rated is None or played.kind.rated == self.rated)
            and (self.opponent is None or self.opponent in played.opponents)
        )


class FoundMatch(NamedTuple):
    """A match of a player, and its entry in the index of its room."""

    key: RoomKey
    played: PlayedMatch
    entry: MatchEntry


class Page(NamedTuple):
    """A page of a player's matches."""

    matches: list[FoundMatch]
    next: Position | None
    """The position after which the next page begins; None at the end."""
    work: int
    """How many rows were read for the page; a room that was loaded counts as several."""


class Part(NamedTuple):
    """A part of an export, with the work that it took; it may have no matches."""

    matches: list[FoundMatch]
    work: int


class GameResults(NamedTuple):
    """A player's results in a game."""

    game: str
    tally: Tally

    @property
    def matches(self) -> int:
        """How many matches have a result."""
        return sum(self.tally)


class PlayerMatchService:
    """The players' matches of a store, as one process serves them."""

    def __init__(self, store: Store, rooms: RoomService, is_erased: Callable[[PlayerId], Awaitable[bool]]) -> None:
        """Take the rooms, and what returns whether a player was erased."""
        self._store = store
        self._index = store.player_matches
        self._rooms = rooms
        self._is_erased = is_erased

    # Read

    async def page(
        self, player: PlayerId, caller: PlayerId | None, wanted: Wanted, after: Position | None, limit: int
    ) -> Page:
        """Return matches of a player that a caller may know of, the latest first. Raises `StoreUnavailable`.

        A next page is announced if the caller may know of a match on it, or if finding that out would take too many
        reads. Its position names no match of which the caller may not know.
        """
        found: list[PlayedMatch] = []
        access = MatchAccess(self._rooms, player, caller)
        last: Millis | None = None
        async for played in self._played(player, after, oldest_first=False):
            if wanted.since is not None and position_of(played) <= wanted.since:
                break
            following = None if last is None else Position.before_minute_of(last)
            if access.work >= MOST_WORK and following is not None and position_of(played) < following:
                return Page(await self._found(found), following, access.work)
            last = played.ended
            if not await access.admits(played):
                continue
            if len(found) == limit:
                return Page(await self._found(found), position_of(found[-1]), access.work)
            if wanted.admits(played):
                found.append(played)
        return Page(await self._found(found), None, access.work)

    async def export(self, player: PlayerId, caller: PlayerId | None, wanted: Wanted) -> AsyncIterator[Part]:
        """Yield all matches of a player that a caller may know of, the oldest first. Raises `StoreUnavailable`."""
        access, found, done = MatchAccess(self._rooms, player, caller), list[PlayedMatch](), 0
        async for played in self._played(player, wanted.since, oldest_first=True):
            if await access.admits(played) and wanted.admits(played):
                found.append(played)
            if access.work - done >= BATCH:
                yield Part(await self._found(found), access.work - done)
                found, done = [], access.work
        yield Part(await self._found(found), access.work - done)

    async def results(self, player: PlayerId, caller: PlayerId | None) -> list[GameResults]:
        """Return the results of a player that a caller may know of, the game with the most matches first."""
        found = await self._results(player, list(GAMES), list(GAMES), knows_all=knows_all_matches(caller, player))
        return sorted(found, key=lambda each: -each.matches)

    async def against(self, player: PlayerId, other: PlayerId, caller: PlayerId | None) -> list[GameResults]:
        """Return the results of a player against another player that a caller may know of."""
        names = [against(game, other) for game in GAMES]
        return await self._results(player, list(GAMES), names, knows_all=knows_all_matches(caller, player, other))

    async def since(self, player: PlayerId, caller: PlayerId | None) -> Millis | None:
        """Return when the first match of a player that a caller may know of ended."""
        first = await self._index.first(player)
        return first.all if knows_all_matches(caller, player) else first.public

    async def _results(
        self, player: PlayerId, games: Sequence[str], names: Sequence[str], *, knows_all: bool
    ) -> list[GameResults]:
        tallies = await self._index.results(player, names)
        found = [
            GameResults(game, each.all if knows_all else each.public) for game, each in zip(games, tallies, strict=True)
        ]
        return [each for each in found if each.matches]

    async def _played(
        self, player: PlayerId, after: Position | None, *, oldest_first: bool
    ) -> AsyncIterator[PlayedMatch]:
        """Yield the matches of a player after a position, in one direction."""
        at, start = (after.ended if after else None), 0
        while True:
            rows = await self._index.page(player, at, start, BATCH, oldest_first=oldest_first)
            for _, data in rows:
                played = MATCH.decode(data)
                if after is None or (position_of(played) > after if oldest_first else position_of(played) < after):
                    yield played
            if len(rows) < BATCH:
                return
            last = rows[-1][0]
            at, start = last, (start if last == at else 0) + sum(ended == last for ended, _ in rows)

    async def _found(self, matches: Sequence[PlayedMatch]) -> list[FoundMatch]:
        """Return matches with their entries, without those of rooms that were lost."""
        found = await asyncio.gather(*map(self._find, matches))
        return [each for each in found if each is not None]

    async def _find(self, played: PlayedMatch) -> FoundMatch | None:
        key, number = room_of_match(played.id)
        try:
            [data] = await self._store.matches(key, [number])
        except BrokenHistory:
            return None
        if data is None:
            return None
        return FoundMatch(key, played, await name_match(self._store.player_names, ENTRY.decode(data)))

    # Serve as a worker

    async def receive(self, arrivals: Arrivals) -> None:
        """Add the matches that outboxes deliver: ended matches, by player.

        Raises `StoreUnavailable`, and `ServiceError` (`newer_events`) for data that only a newer release can read.
        """
        await asyncio.gather(*(self._add(PlayerId(player), ended) for player, ended in arrivals.items()))

    async def _add(self, player: PlayerId, ended: Sequence[Arrival]) -> None:
        try:
            rows = [row_of(MATCH.decode(arrival.event)) for arrival in ended]
        except msgspec.ValidationError as misfit:
            raise ServiceError("newer_events", params={"event": str(misfit)}) from misfit
        if not await self._is_erased(player):
            await self._index.add(player, rows)

    async def discard(self, player: PlayerId) -> None:
        """Delete the index of a player's matches; the matches stay."""
        await self._index.discard(player)
