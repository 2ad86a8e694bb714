"""The contract of the boards of notable matches: a projection of rooms, which can be deleted and rebuilt.

A board has the best few matches of a game by a score. What it contains does not depend on the order in which they were
written, and a repetition changes nothing.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from service.domain.ids import Millis

MOST_MATCHES = 10
"""How many matches a board keeps."""


class NotableRow(NamedTuple):
    """A match on a board."""

    board: str
    match: str
    score: int
    """The sort key, the highest first, and equal ones by match."""
    until: Millis | None = None
    """When the board may be deleted; None for never."""


class BestMatches(NamedTuple):
    """The best matches of a board with their scores."""

    matches: list[tuple[str, int]]
    damaged: Sequence[str] = ()
    """The matches whose scores are not what was written; they are not among the best."""


class NotableMatches(Protocol):
    """The boards of notable matches. Every method may raise `StoreUnavailable`."""

    async def add(self, game: str, rows: Sequence[NotableRow]) -> None:
        """Add matches to boards of a game, of which the best are kept."""

    async def best(self, game: str, board: str, limit: int) -> BestMatches:
        """Return the best matches of a board with their scores."""

    async def remove(self, game: str, board: str, match: str) -> None:
        """Delete a match from a board."""

    async def discard(self, game: str, board: str) -> None:
        """Delete a board."""
