"""The index of players' matches in the memory of one process."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from service.domain.ids import Millis, PlayerId
from service.store.projections.player_matches import FirstMatches, MatchRow, Tallies, Tally

OUTCOMES = range(3)


@dataclass(slots=True)
class MatchesOfPlayer:
    """The matches of one player."""

    rows: dict[str, MatchRow] = field(default_factory=dict)
    """By the id of the match."""
    all: Counter[tuple[str, int]] = field(default_factory=Counter)
    public: Counter[tuple[str, int]] = field(default_factory=Counter)

    def add(self, row: MatchRow) -> None:
        """Add a match that is not there yet."""
        self.rows[row.match] = row
        self.all.update(row.results)
        self.public.update(row.results if row.is_public else ())


class MemoryPlayerMatches:
    """The contract `PlayerMatches`."""

    def __init__(self) -> None:
        """Start without matches."""
        self._players: dict[PlayerId, MatchesOfPlayer] = {}

    async def add(self, player: PlayerId, rows: Sequence[MatchRow]) -> int:
        """Add matches of a player; return how many were new."""
        known = self._players.setdefault(player, MatchesOfPlayer())
        added = [row for row in {row.match: row for row in rows}.values() if row.match not in known.rows]
        for row in added:
            known.add(row)
        return len(added)

    async def replace(self, player: PlayerId, count: int, rows: Sequence[MatchRow]) -> bool:
        """Replace all matches and results of a player, if there are so many; return whether that was done."""
        if len(self._of(player).rows) != count:
            return False
        await self.discard(player)
        await self.add(player, rows)
        return True

    async def page(
        self, player: PlayerId, at: Millis | None, start: int, limit: int, *, oldest_first: bool = False
    ) -> list[tuple[Millis, bytes]]:
        """Return matches from a time on, the latest one first, or the oldest."""
        order = sorted((row.ended, row.data) for row in self._of(player).rows.values())
        if not oldest_first:
            order.reverse()
        found = [each for each in order if at is None or (each[0] >= at if oldest_first else each[0] <= at)]
        return found[start : start + limit]

    async def results(self, player: PlayerId, names: Sequence[str]) -> list[Tallies]:
        """Return the results of a player under some names."""
        known = self._of(player)
        return [
            Tallies(*(Tally(*(counts[name, outcome] for outcome in OUTCOMES)) for counts in (known.all, known.public)))
            for name in names
        ]

    async def first(self, player: PlayerId) -> FirstMatches:
        """Return when the first matches of a player ended."""
        rows = self._of(player).rows.values()
        public = min((row.ended for row in rows if row.is_public), default=None)
        return FirstMatches(min((row.ended for row in rows), default=None), public)

    async def discard(self, player: PlayerId) -> None:
        """Delete everything about a player's matches."""
        self._players.pop(player, None)

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """The players with matches."""
        return tuple(player for player, known in self._players.items() if known.rows)

    def _of(self, player: PlayerId) -> MatchesOfPlayer:
        return self._players.get(player, MatchesOfPlayer())
