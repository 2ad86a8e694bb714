"""The application's only entry to players' matches: adding those that have ended, and reading them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import NamedTuple, TypeVar

import msgspec
import structlog
from msgspec.structs import replace

from service.domain.catalog import GAMES
from service.domain.ids import DAY, Millis, PlayerId, RoomKey
from service.domain.ratings.model import MatchId
from service.domain.ratings.state import day_of
from service.people.player_matches.rated import NotRated, RatedMatches, StateIn
from service.people.player_matches.rows import (
    MATCH,
    UNREADABLE,
    Position,
    against,
    is_elsewhere,
    position_of,
    rebuild,
    row_of,
)
from service.rooms.access.policy import is_member, knows_all_matches
from service.rooms.match_index import (
    MatchEntry,
    PlayedMatch,
    is_match_id,
    played_matches,
    room_of_match,
    stored_match,
)
from service.rooms.service import RoomService
from service.store.contract import Store, StoreDamaged
from service.store.projections.player_matches import Tally
from service.streams.errors import ServiceError
from service.streams.outboxes import Arrival, Arrivals

log = structlog.get_logger()

Read = TypeVar("Read")

DAMAGE = (StoreDamaged, *UNREADABLE)
"""The exceptions raised by reading a damaged index."""

BATCH = 100
"""How many rows are read at a time."""

MOST_WORK = 2_000
"""How many rows are read for one page, besides the other ones of the last minute; so a page may be short."""


LATEST = 10
"""How many rows are read to find out as whom to show a player."""


class Wanted(NamedTuple):
    """The filters of a player's matches; None admits all."""

    game: str | None = None
    rated: bool | None = None
    """Whether it counts for ratings, which `admits` does not look up."""
    opponent: PlayerId | None = None
    since: Position | None = None
    """The position after which matches are wanted."""

    def admits(self, played: PlayedMatch) -> bool:
        """Return whether a match is wanted, whether it counts for ratings or not."""
        return (self.game is None or played.game == self.game) and (
            self.opponent is None or self.opponent in played.opponents
        )


class FoundMatch(NamedTuple):
    """A match of a player, and its entry in the index of its room."""

    key: RoomKey
    played: PlayedMatch
    entry: MatchEntry
    not_rated: NotRated | None
    """Why it does not count for ratings; None if it does."""


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


class ShownAs(NamedTuple):
    """A player as a match shows them."""

    nickname: str | None = None
    """None without a match, or if it can no longer be read."""
    is_bot: bool = False
    """Whether the player was declared a bot."""


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

    def __init__(
        self, store: Store, rooms: RoomService, is_erased: Callable[[PlayerId], Awaitable[bool]], state_in: StateIn
    ) -> None:
        self._store = store
        self._index = store.player_matches
        self._rooms = rooms
        self._is_erased = is_erased
        self._rated = RatedMatches(state_in, self._on, rooms.now)
        self.discard = self._index.discard
        """Deletes the index of a player's matches; the matches stay."""

    # Read

    async def page(
        self, player: PlayerId, caller: PlayerId | None, wanted: Wanted, after: Position | None, limit: int
    ) -> Page:
        """Return matches of a player that a caller may know of, the latest first. Raises `StoreUnavailable`.

        Damaged rows are replaced before. A next page is announced if the caller may know of a match on it, or if
        finding that out would take too many reads. Its position names no match of which the caller may not know.
        """
        return await self._intact(player, lambda: self._page(player, caller, wanted, after, limit))

    async def _page(
        self, player: PlayerId, caller: PlayerId | None, wanted: Wanted, after: Position | None, limit: int
    ) -> Page:
        found: list[PlayedMatch] = []
        access = MatchAccess(self._rooms, player, caller)
        last: Millis | None = None
        async for played in self._played(player, after, oldest_first=False):
            if wanted.since is not None and position_of(played) <= wanted.since:
                break
            following = None if last is None else Position.before_minute_of(last)
            if access.work >= MOST_WORK and following is not None and position_of(played) < following:
                return Page(await self._found(player, found), following, access.work)
            last = played.ended
            if not await access.admits(played):
                continue
            if len(found) == limit:
                return Page(await self._found(player, found), position_of(found[-1]), access.work)
            if await self._is_wanted(player, played, wanted):
                found.append(played)
        return Page(await self._found(player, found), None, access.work)

    async def export(self, player: PlayerId, caller: PlayerId | None, wanted: Wanted) -> AsyncIterator[Part]:
        """Yield all matches of a player that a caller may know of, the oldest first. Raises `StoreUnavailable`."""
        await self._intact(player, lambda: self._read_all(player))
        access, found, done = MatchAccess(self._rooms, player, caller), list[PlayedMatch](), 0
        async for played in self._played(player, wanted.since, oldest_first=True):
            if await access.admits(played) and await self._is_wanted(player, played, wanted):
                found.append(played)
            if access.work - done >= BATCH:
                yield Part(await self._found(player, found), access.work - done)
                found, done = [], access.work
        yield Part(await self._found(player, found), access.work - done)

    async def _is_wanted(self, player: PlayerId, played: PlayedMatch, wanted: Wanted) -> bool:
        if not wanted.admits(played):
            return False
        return wanted.rated is None or await self._rated.counts(player, played) == wanted.rated

    async def _read_all(self, player: PlayerId) -> None:
        async for _ in self._played(player, None, oldest_first=True):
            pass

    async def _intact(self, player: PlayerId, read: Callable[[], Awaitable[Read]]) -> Read:
        """Return what is read from the index of a player, which is rebuilt before if it is damaged.

        Raises `ServiceError` (`history_damaged`) if it still is, because a match was added meanwhile.
        """
        try:
            return await read()
        except DAMAGE as found:
            log.warning("player_matches_damaged", player=player, why=str(found))
        await rebuild(self._store, player, self._rooms.completed_match)
        try:
            return await read()
        except DAMAGE as found:
            raise ServiceError("history_damaged") from found

    async def results(self, player: PlayerId, caller: PlayerId | None) -> list[GameResults]:
        """Return the results of a player that a caller may know of, the game with the most matches first."""
        found = await self._results(player, list(GAMES), list(GAMES), knows_all=knows_all_matches(caller, player))
        return sorted(found, key=lambda each: -each.matches)

    async def against(self, player: PlayerId, other: PlayerId, caller: PlayerId | None) -> list[GameResults]:
        """Return the results of a player against another player that a caller may know of."""
        names = [against(game, other) for game in GAMES]
        return await self._results(player, list(GAMES), names, knows_all=knows_all_matches(caller, player, other))

    async def have_met(self, player: PlayerId, other: PlayerId) -> bool:
        """Return whether two players have played a match with each other that has a result."""
        return bool(await self.against(player, other, player))

    async def shown_as(self, player: PlayerId, known: MatchId = "") -> ShownAs:
        """Return a player as in the latest of their matches that everybody may see.

        `known` is such a match, in case the latest `LATEST` ones are for members only; empty if there is none.
        """

        async def read() -> MatchId:
            rows = await self._index.page(player, None, 0, LATEST)
            latest = (MATCH.decode(data) for _, data in rows)
            return next((played.id for played in latest if not played.kind.members_only), known)

        latest = await self._intact(player, read)
        entry = await stored_match(self._store, latest) if latest else None
        if entry is None or player not in entry.players:
            return ShownAs()
        named, seat = await self._rooms.named_match(entry), entry.players.index(player)
        return ShownAs(named.nicknames[seat], named.has_bot(seat))

    async def since(self, player: PlayerId, caller: PlayerId | None) -> Millis | None:
        """Return when the first match of a player that a caller may know of ended."""
        first = await self._intact(player, lambda: self._index.first(player))
        return first.all if knows_all_matches(caller, player) else first.public

    async def _results(
        self, player: PlayerId, games: Sequence[str], names: Sequence[str], *, knows_all: bool
    ) -> list[GameResults]:
        tallies = await self._intact(player, lambda: self._index.results(player, names))
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
            for ended, data in rows:
                played = MATCH.decode(data)
                if played.ended != ended or not is_match_id(played.id):
                    raise StoreDamaged(f"{played.id} is not in its place, or not a match")
                if played.kind.aborted is None:
                    raise StoreDamaged(f"{played.id} was added by an earlier release")
                if after is None or (position_of(played) > after if oldest_first else position_of(played) < after):
                    yield played
            if len(rows) < BATCH:
                return
            last = rows[-1][0]
            at, start = last, (start if last == at else 0) + sum(ended == last for ended, _ in rows)

    async def _on(self, player: PlayerId, day: int) -> list[PlayedMatch]:
        """Return the matches of a player that ended on a day."""

        async def read() -> list[PlayedMatch]:
            found = list[PlayedMatch]()
            async for played in self._played(player, Position(Millis(day * DAY), ""), oldest_first=True):
                if day_of(played.ended) != day:
                    break
                found.append(played)
            return found

        return await self._intact(player, read)

    async def why_not_rated(self, entry: MatchEntry) -> NotRated | None:
        """Return why a match does not count for ratings; None if it does."""
        player, played = next(played_matches(entry), (None, None))
        if player is None or played is None:
            return "pending" if entry.ended is None else "bot"
        return await self._intact(player, lambda: self._rated.why_not(player, played))

    async def _found(self, player: PlayerId, matches: Sequence[PlayedMatch]) -> list[FoundMatch]:
        """Return matches with their entries, without those of rooms that were lost. Raises `StoreDamaged`."""
        found = await asyncio.gather(*(self._find(player, played) for played in matches))
        return [each for each in found if each is not None]

    async def _find(self, player: PlayerId, played: PlayedMatch) -> FoundMatch | None:
        entry = await stored_match(self._store, played.id)
        if entry is None:
            if await is_elsewhere(self._store, player, played):
                raise StoreDamaged(f"{played.id} is the id of another match")
            return None
        kind = entry.kind or played.kind
        complete = replace(entry, kind=kind.with_ending(played.kind) if entry.lacks_ending else kind)
        if entry.kind is not msgspec.UNSET and dict(played_matches(complete)).get(player) != played:
            raise StoreDamaged(f"{played.id} is not what its room says")
        key, not_rated = room_of_match(played.id)[0], await self._rated.why_not(player, played)
        return FoundMatch(key, played, await self._rooms.named_match(complete), not_rated)

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
            await self._intact(player, lambda: self._index.add(player, rows))


WORK_PER_ROOM = 20
"""How many rows a room counts as that is loaded to find out whether the caller is a member."""


class MatchAccess:
    """Decides which matches of a player a caller may know of, and counts the work for that."""

    def __init__(self, rooms: RoomService, player: PlayerId, caller: PlayerId | None) -> None:
        self._rooms = rooms
        self._caller = caller
        self._knows_all = knows_all_matches(caller, player)
        self._is_member: dict[RoomKey, bool] = {}
        self.work = 0
        """How many matches were checked; a room that was loaded counts as several."""

    async def admits(self, played: PlayedMatch) -> bool:
        """Return whether the caller may know of a match."""
        self.work += 1
        if self._knows_all or not played.kind.members_only:
            return True
        if self._caller is None:
            return False
        key, _ = room_of_match(played.id)
        if key not in self._is_member:
            self.work += WORK_PER_ROOM
            self._is_member = {key: await self._belongs_to(key)}  # matches of a room often follow each other
        return self._is_member[key]

    async def _belongs_to(self, key: RoomKey) -> bool:
        try:
            live = await self._rooms.find(key)
        except ServiceError:  # its events are damaged, or no longer stored
            return False
        return live is not None and is_member(live.state.table, self._caller)
