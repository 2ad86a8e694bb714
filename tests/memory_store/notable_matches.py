"""The boards of notable matches in the memory of one process."""

from collections import defaultdict
from collections.abc import Sequence

from service.store.projections.notable_matches import MOST_MATCHES, BestMatches, NotableRow


class MemoryNotableMatches:
    """The contract `NotableMatches`; no board is deleted automatically."""

    def __init__(self) -> None:
        """Start without boards."""
        self._boards: defaultdict[tuple[str, str], dict[str, int]] = defaultdict(dict)

    async def add(self, game: str, rows: Sequence[NotableRow]) -> None:
        """Add matches to boards of a game."""
        for row in rows:
            self._boards[game, row.board][row.match] = row.score
            self._boards[game, row.board] = dict((await self.best(game, row.board, MOST_MATCHES)).matches)

    async def best(self, game: str, board: str, limit: int) -> BestMatches:
        """Return the best matches of a board with their scores."""
        return BestMatches(sorted(self._boards[game, board].items(), key=lambda each: (-each[1], each[0]))[:limit])

    async def remove(self, game: str, board: str, match: str) -> None:
        """Delete a match from a board."""
        self._boards[game, board].pop(match, None)

    async def discard(self, game: str, board: str) -> None:
        """Delete a board."""
        self._boards.pop((game, board), None)
