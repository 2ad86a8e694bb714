"""The contract of the index of players' matches: a projection of all rooms, which can be deleted and rebuilt.

It has each match that has ended under each person who played it, sorted by the time of its end, and counts results. A
match and its results are written in one atomic step, and no match twice, so the counts are those of the matches. What
it contains does not depend on the order in which it was written.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from service.domain.ids import Millis, PlayerId


class MatchRow(NamedTuple):
    """A match of a player."""

    match: str
    """The id of the match, with which `data` begins: it is a JSON array."""
    ended: Millis
    data: bytes
    is_public: bool
    """Whether non-members of its room may see it; results are also counted for these matches alone."""
    results: Sequence[tuple[str, int]]
    """The results to increment: the name, and a win (0), a draw (1) or a loss (2)."""


class Tally(NamedTuple):
    """How often a player won, drew and lost."""

    wins: int = 0
    draws: int = 0
    losses: int = 0


class Tallies(NamedTuple):
    """The results under a name: of all matches, and of the public ones."""

    all: Tally = Tally()
    public: Tally = Tally()


class FirstMatches(NamedTuple):
    """When the first match of a player ended, and the first public one."""

    all: Millis | None
    public: Millis | None


class PlayerMatches(Protocol):
    """The index of players' matches. Every method may raise `StoreUnavailable`.

    What reads results, and `add`, also raise `StoreDamaged`: then the index of the player has to be rebuilt.
    """

    async def add(self, player: PlayerId, rows: Sequence[MatchRow]) -> int:
        """Add matches of a player; return how many were new."""

    async def replace(self, player: PlayerId, count: int, rows: Sequence[MatchRow]) -> bool:
        """Replace all matches and results of a player, if there are so many; return whether that was done."""

    async def page(
        self, player: PlayerId, at: Millis | None, start: int, limit: int, *, oldest_first: bool = False
    ) -> list[tuple[Millis, bytes]]:
        """Return matches with the times of their ends, the latest one first, or the oldest.

        Those from the time `at` on in this direction (None for no limit), without the first `start` of them.
        Matches that ended at the same time are sorted by their ids.
        """

    async def results(self, player: PlayerId, names: Sequence[str]) -> list[Tallies]:
        """Return the results of a player under some names."""

    async def first(self, player: PlayerId) -> FirstMatches:
        """Return when the first matches of a player ended."""

    async def discard(self, player: PlayerId) -> None:
        """Delete everything about a player's matches."""


def unpacked(data: bytes | None) -> Tallies:
    """Return results from their stored form: six numbers."""
    if data is None:
        return Tallies()
    numbers = [int(each) for each in data.split()]
    return Tallies(Tally(*numbers[:3]), Tally(*numbers[3:]))
