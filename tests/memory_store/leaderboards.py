"""The leaderboards of a store in the memory of one process."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from service.domain.ids import Millis, PlayerId, Version
from service.store.contract import NOT_BEGUN
from service.store.projections.leaderboards import (
    REBUILD_PAUSE,
    BoardRow,
    BoardSize,
    PlacedRow,
    RatingPoint,
    Rebuild,
    Stretch,
    points_in,
    with_point,
)


@dataclass(slots=True)
class Board:
    """One board."""

    version: Version = NOT_BEGUN.version
    rows: dict[PlayerId, BoardRow] = field(default_factory=dict)
    matches: dict[str, Version] = field(default_factory=dict)
    points: dict[PlayerId, bytes] = field(default_factory=dict)

    def add(self, rows: Sequence[BoardRow], stretch: Stretch) -> None:
        """Add rows, matches and points."""
        self.rows.update({row.player: row for row in rows})
        self.matches.update(stretch.matches)
        for added in stretch.points:
            self.points[added.player] = with_point(self.points.get(added.player), added)

    def in_order(self, *, everybody: bool = False) -> list[BoardRow]:
        """Return the rows with a place, or all that are in an order, in order."""
        placed = [row for row in self.rows.values() if row.score is not None and (everybody or row.has_place)]
        return sorted(placed, key=lambda row: (-(row.score or 0), row.player))


@dataclass(slots=True)
class Staged:
    """A board that is rebuilt."""

    rebuild: Rebuild
    until: Millis
    """When another rebuild may begin, unless this one goes on before."""
    board: Board = field(default_factory=Board)


class MemoryLeaderboards:
    """The contract `Leaderboards`."""

    def __init__(self, now: Callable[[], Millis]) -> None:
        """Start without boards; `now` returns the store's time."""
        self._now = now
        self._boards: dict[str, Board] = {}
        self._staged: dict[str, Staged] = {}
        self._rebuilds = Counter[str]()
        """How many rebuilds of each board have begun."""

    async def version(self, board: str) -> Version:
        """Return the version of its stream up to which a board has everything."""
        return self._of(board).version

    async def update(
        self, board: str, since: Version, until: Version, rows: Sequence[BoardRow], stretch: Stretch
    ) -> bool:
        """Write what changed from a version on; return whether it was written."""
        known = self._boards.setdefault(board, Board())
        if not since <= known.version < until:
            return False
        known.add(rows, stretch)
        known.version = until
        return True

    async def begin(self, board: str, *, take_over: bool) -> Rebuild | None:
        """Begin to rebuild a board; None if another rebuild is under way."""
        known = self._staged.get(board)
        if not take_over and known is not None and self._now() < known.until:
            return None
        self._rebuilds[board] += 1
        self._staged[board] = Staged(Rebuild(self._rebuilds[board]), Millis(self._now() + REBUILD_PAUSE))
        return self._staged[board].rebuild

    async def stage(self, board: str, rebuild: Rebuild, rows: Sequence[BoardRow], stretch: Stretch) -> bool:
        """Write a part of a board that is rebuilt; return whether it was written."""
        staged = self._of_rebuild(board, rebuild)
        if staged is None:
            return False
        staged.board.add(rows, stretch)
        staged.until = Millis(self._now() + REBUILD_PAUSE)
        return True

    async def publish(self, board: str, rebuild: Rebuild, until: Version) -> bool:
        """Replace a board by what was staged for it; return whether that was done."""
        staged = self._of_rebuild(board, rebuild)
        if staged is None:
            return False
        self._boards[board] = self._staged.pop(board).board
        self._boards[board].version = until
        return True

    async def page(self, board: str, start: int, limit: int, *, everybody: bool = False) -> list[PlacedRow]:
        """Return rows in the order of those who have a place, or of everybody."""
        page = self._of(board).in_order(everybody=everybody)[start : start + limit]
        return [PlacedRow(row.player, row.data, row.score or 0) for row in page]

    async def size(self, board: str) -> BoardSize:
        """Return how many players are in the two orders."""
        known = self._of(board)
        return BoardSize(len(known.in_order()), len(known.in_order(everybody=True)))

    async def place(self, board: str, player: PlayerId, *, everybody: bool = False) -> int | None:
        """Return the place of a player in an order."""
        order = [row.player for row in self._of(board).in_order(everybody=everybody)]
        return order.index(player) if player in order else None

    async def rows(self, board: str, players: Sequence[PlayerId]) -> list[bytes | None]:
        """Return the rows of players."""
        known = self._of(board).rows
        return [known[player].data if player in known else None for player in players]

    async def match(self, board: str, match: str) -> Version | None:
        """Return the version of a rated match."""
        return self._of(board).matches.get(match)

    async def points(self, board: str, player: PlayerId) -> list[RatingPoint]:
        """Return points of a player, the oldest first."""
        return points_in(self._of(board).points.get(player))

    def _of_rebuild(self, board: str, rebuild: Rebuild) -> Staged | None:
        staged = self._staged.get(board)
        is_under_way = staged is not None and staged.rebuild == rebuild and self._now() < staged.until
        return staged if is_under_way else None

    def _of(self, board: str) -> Board:
        return self._boards.get(board, Board())
