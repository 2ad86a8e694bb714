"""Recounts the index of players' matches from the indexes of rooms, to add what it lacks and to compare it."""

from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Sequence

import msgspec

from service.domain.room.model.ids import PlayerId, RoomKey
from service.player_matches.rows import MATCH, against, results_of, row_of
from service.rooms.match_index import MatchEntry, PlayedMatch, played_matches
from service.store.contract import Store
from service.store.projections.player_matches import FirstMatches, Tallies, Tally

ENTRY = msgspec.json.Decoder(MatchEntry)

PAGE = 200
"""How many entries or rows are read at a time."""


async def entries_of(store: Store, key: RoomKey) -> list[MatchEntry]:
    """Return the index of a room's matches. Raises `BrokenHistory` for an invalid MAC."""
    found: list[MatchEntry] = []
    while True:
        page = await store.matches(key, range(len(found) + 1, len(found) + PAGE + 1))
        known = [ENTRY.decode(data) for data in page if data is not None]
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
    """Yield all matches in the index of a player, the oldest first."""
    start = 0
    while page := await store.player_matches.page(player, None, start, PAGE, oldest_first=True):
        for _, data in page:
            yield MATCH.decode(data)
        start += len(page)


async def every_player(store: Store) -> list[PlayerId]:
    """Return all players with matches in the index, each once."""
    page = await store.player_matches.players()
    found = set(page.players)
    while page.next is not None:
        page = await store.player_matches.players(page.next)
        found |= set(page.players)
    return sorted(found)


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
