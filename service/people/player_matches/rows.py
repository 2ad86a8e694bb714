"""The rows of the index of a player's matches: how they are made from matches, and the order in which they are read.

A recount makes them from the indexes of rooms, to add what the index lacks and to compare it.
"""

import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple, Self, get_args

import msgspec
import structlog
from msgspec.structs import replace

from service.domain.ids import Millis, PlayerId, RoomKey
from service.domain.validation import Invalid
from service.rooms.match_index import (
    ENTRY,
    MatchEntry,
    Outcome,
    PlayedMatch,
    played_matches,
    stored_match,
)
from service.store.contract import Store, StoreDamaged, every
from service.store.integrity import BrokenHistory
from service.store.projections.player_matches import FirstMatches, MatchRow, Tallies, Tally

MATCH = msgspec.json.Decoder(PlayedMatch)

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
"""In the order in which the store counts them."""

MINUTE = 60_000
"""In milliseconds."""

CURSOR = re.compile(r"(?P<ended>[0-9]{1,15})\.(?P<match>[a-z0-9.-]{1,80})", re.ASCII)


class Position(NamedTuple):
    """The position of a match among those of a player, which are sorted by the times of their ends, then by id."""

    ended: Millis
    match: str

    @property
    def cursor(self) -> str:
        """The position as clients send it."""
        return f"{self.ended}.{self.match}"

    @classmethod
    def before_minute_of(cls, time: Millis) -> Self:
        """Return the position before all matches that ended in the minute of a time: every id is greater than `-`."""
        return cls(Millis(time - time % MINUTE), "-")

    @classmethod
    def parse(cls, cursor: str, parameter: str) -> Self:
        """Return the position of a cursor. Raises `Invalid`."""
        found = CURSOR.fullmatch(cursor)
        if found is None:
            raise Invalid("Expected the `cursor` of a match", parameter=parameter)
        return cls(Millis(int(found["ended"])), found["match"])


def position_of(played: PlayedMatch) -> Position:
    """Return the position of a match."""
    return Position(played.ended, played.id)


def row_of(played: PlayedMatch) -> MatchRow:
    """Return the row of a match."""
    is_public = not played.kind.members_only
    return MatchRow(played.id, played.ended, msgspec.json.encode(played), is_public, tuple(results_of(played)))


def results_of(played: PlayedMatch) -> Iterator[tuple[str, int]]:
    """Yield the results that a match counts for: those in its game, and those against each opponent."""
    if not played.kind.counts:
        return
    if played.outcome is not None:
        yield played.game, OUTCOMES.index(played.outcome)
    for opponent, outcome in played.opponents.items():
        if outcome is not None:
            yield against(played.game, opponent), OUTCOMES.index(outcome)


def against(game: str, opponent: PlayerId) -> str:
    """Return the name under which the results against an opponent are counted."""
    return f"{game} {opponent}"


log = structlog.get_logger()


ROW_ID = re.compile(rb'\["([a-z0-9.-]+)"')
"""The beginning of a row."""

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError)
"""The exceptions raised by reading a damaged entry or row."""

PAGE = 200
"""How many entries or rows are read at a time."""


async def entries_of(store: Store, key: RoomKey) -> list[MatchEntry]:
    """Return the index of a room's matches. Raises `BrokenHistory` for an invalid MAC."""
    found: list[MatchEntry] = []
    while True:
        page = await store.matches(key, range(len(found) + 1, len(found) + PAGE + 1))
        try:
            known = [ENTRY.decode(data) for data in page if data is not None]
        except UNREADABLE as fault:
            raise BrokenHistory(f"the index entries from match {len(found) + 1} on cannot be read: {fault}") from None
        found += known
        if len(known) < PAGE:
            return found


async def add_matches(store: Store, entries: Iterable[MatchEntry], erased: Collection[PlayerId] = ()) -> int:
    """Add matches to the indexes of their players, except erased ones; return how many were new there."""
    added = 0
    for entry in entries:
        for player, played in played_matches(entry):
            if player not in erased:
                added += await store.player_matches.add(player, [row_of(played)])
    return added


async def rows_of(store: Store, player: PlayerId) -> AsyncIterator[PlayedMatch]:
    """Yield all matches in the index of a player, the oldest first. Raises `StoreDamaged` for one at another time."""
    start = 0
    while page := await store.player_matches.page(player, None, start, PAGE, oldest_first=True):
        for time, data in page:
            played = MATCH.decode(data)
            if played.ended != time:
                raise StoreDamaged(f"{played.id} is not where it ended")
            yield played
        start += len(page)


Complete = Callable[[MatchEntry], Awaitable[MatchEntry]]
"""Returns the index entry of a match with how it ended, which earlier releases did not store."""


async def rebuild(store: Store, player: PlayerId, complete: Complete) -> None:
    """Replace the index of a player by what the indexes of the rooms say about the matches that it has.

    A row whose match cannot be read from it is found again in the player's rooms, unless it is in none of them; then
    `turnstream player-matches rebuild` finds it. Nothing is done if a match is added meanwhile.
    """
    rows: dict[str, MatchRow] = {}
    count = 0
    while page := await store.player_matches.page(player, None, count, PAGE, oldest_first=True):
        count += len(page)
        for _, data in page:
            with suppress(ValueError):
                played = await played_by(store, player, data, complete)
                rows[played.id] = row_of(played)
    if len(rows) < count:
        for key in await store.rooms_of(player):
            with suppress(BrokenHistory):
                for each in await entries_of(store, key):
                    entry = await complete(each)
                    rows |= {played.id: row_of(played) for who, played in played_matches(entry) if who == player}
    if await store.player_matches.replace(player, count, list(rows.values())):
        log.warning("player_matches_rebuilt", player=player, matches=len(rows), before=count)


async def played_by(store: Store, player: PlayerId, data: bytes, complete: Complete) -> PlayedMatch:
    """Return a match of a player from the index of its room, or from a row of the player's if that has nothing of it.

    Raises `ValueError` for a row that cannot be read.
    """
    begins = ROW_ID.match(data)
    entry = None if begins is None else await stored_match(store, begins[1].decode())
    entry = None if entry is None else await complete(entry)
    if entry is None or entry.kind is msgspec.UNSET:
        known = MATCH.decode(data)
        if entry is None and await is_elsewhere(store, player, known):
            raise ValueError(f"{known.id} is the id of another match")
        return replace(known, kind=replace(known.kind, aborted=bool(known.kind.aborted)))
    found = dict(played_matches(entry)).get(player)
    if found is None:
        raise ValueError(f"{player} has not played {entry.id}")
    return found


async def is_elsewhere(store: Store, player: PlayerId, played: PlayedMatch) -> bool:
    """Return whether a match of a player, which is not where its id says, is in another room, because the id is wrong.

    It is the match that ended at the same time; if there is none, the room of the match was lost.
    """
    for key in await store.rooms_of(player):
        with suppress(BrokenHistory):
            for entry in await entries_of(store, key):
                if entry.ended == played.ended and player in entry.players:
                    return True
    return False


async def every_player(store: Store) -> list[PlayerId]:
    """Return all players with matches in the index, each once."""
    return sorted(await every(store.admin_store.matched_players))


def counted(matches: Sequence[PlayedMatch]) -> dict[str, Tallies]:
    """Return the results of matches by name, counted one by one."""
    everything, public = Counter[tuple[str, int]](), Counter[tuple[str, int]]()
    for played in matches:
        everything.update(results_of(played))
        public.update(() if played.kind.members_only else results_of(played))
    names = {name for name, _ in everything}
    return {name: Tallies(tally(everything, name), tally(public, name)) for name in names}


def tally(counts: Counter[tuple[str, int]], name: str) -> Tally:
    """Return what was counted under a name."""
    return Tally(*(counts[name, outcome] for outcome in range(3)))


def first_of(matches: Sequence[PlayedMatch]) -> FirstMatches:
    """Return when the first of some matches ended, and the first public one."""
    public = min((played.ended for played in matches if not played.kind.members_only), default=None)
    return FirstMatches(min((played.ended for played in matches), default=None), public)


def names_of(matches: Sequence[PlayedMatch]) -> Iterator[str]:
    """Yield all names under which results of some matches can be counted."""
    for played in matches:
        yield played.game
        yield from (against(played.game, opponent) for opponent in played.opponents)


async def result_problems(store: Store, player: PlayerId, matches: Sequence[PlayedMatch]) -> list[str]:
    """Return how the results of a player differ from these matches, which are all that the index has."""
    names = sorted(set(names_of(matches)))
    expected = counted(matches)
    found = dict(zip(names, await store.player_matches.results(player, names), strict=True))
    problems = [
        f"the results {name!r} are {found[name]}, counted {expected.get(name, Tallies())}"
        for name in names
        if found[name] != expected.get(name, Tallies())
    ]
    first = await store.player_matches.first(player)
    return [*problems, *([] if first == first_of(matches) else ["the time of the first match differs"])]
