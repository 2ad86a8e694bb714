"""The contract of the leaderboards: a projection of the streams of rating lists, which can be deleted and rebuilt.

A board has the rows of all players of a list, the order of those who have a place and that of everybody, the history of
their ratings, and the position of each rated match in the stream. It is written after the stream, together with the
version up to which it is complete. A writer that was killed in between leaves a board behind its stream, and the next
one continues from the board's version.
"""

import struct
from collections.abc import Iterator, Sequence
from typing import NamedTuple, NewType, Protocol

from service.domain.ids import Millis, PlayerId, Version


class BoardRow(NamedTuple):
    """A player's row."""

    player: PlayerId
    data: bytes
    score: int | None
    """The sort key, the highest first, and equal ones by player; None for a player who is in neither order."""
    has_place: bool = False
    """Whether the player is also in the order of those who have a place."""


class BoardSize(NamedTuple):
    """How many players are in the two orders of a board."""

    places: int
    """How many have a place."""
    players: int
    """How many there are with and without a place."""


class PlacedRow(NamedTuple):
    """A row of a player in an order."""

    player: PlayerId
    data: bytes
    """Empty if the player has no row, which is damage."""
    score: float
    """A whole number unless it is damaged."""


class RatedMatch(NamedTuple):
    """Where a match is in the stream."""

    match: str
    version: Version


class RatingPoint(NamedTuple):
    """A player's rating after a match."""

    time: Millis
    """When it was rated; the store keeps whole seconds."""
    value: int
    deviation: int


class BoardPoint(NamedTuple):
    """A point that is added to the points of a player."""

    player: PlayerId
    version: Version
    """The version of the match in the stream."""
    point: RatingPoint


class Stretch(NamedTuple):
    """What a part of the stream adds to a board."""

    matches: Sequence[RatedMatch] = ()
    points: Sequence[BoardPoint] = ()
    """In the order of the stream."""


Rebuild = NewType("Rebuild", int)
"""The number of a rebuild of a board, from 1: what belongs to an earlier one is not written any longer."""

REBUILD_PAUSE = Millis(60_000)
"""How long a rebuild may pause; after that another one may begin, because its process was probably killed."""

MOST_POINTS = 500
"""How many points of a player a board keeps. When there are more, it keeps every second one, then and later."""

POINTS_HEADER = struct.Struct(">III")
"""The total number of points, the interval at which they are kept, and the version of the latest one."""

STORED_POINT = struct.Struct(">IiH")
"""The time in seconds, the rating and the deviation."""


class Leaderboards(Protocol):
    """The leaderboards of a store. Every method may raise `StoreUnavailable`.

    What reads also raises `StoreDamaged` for what is not what was written: then the board has to be rebuilt.
    """

    async def version(self, board: str) -> Version:
        """Return the version of its stream up to which a board has everything, 0 for one that does not exist."""

    async def update(
        self, board: str, since: Version, until: Version, rows: Sequence[BoardRow], stretch: Stretch
    ) -> bool:
        """Write what changed from a version on, if the board has that version and not `until`.

        The rows are as of `until`. Return whether they were written.
        """

    async def begin(self, board: str, *, take_over: bool) -> Rebuild | None:
        """Begin to rebuild a board: delete what was staged for it, and return the number of the rebuild.

        Return None if another rebuild is under way, unless this one takes over. A rebuild is under way until it is
        published, overtaken, or pauses for `REBUILD_PAUSE`.
        """

    async def stage(self, board: str, rebuild: Rebuild, rows: Sequence[BoardRow], stretch: Stretch) -> bool:
        """Write a part of a board that is rebuilt, beside the present one, if this rebuild is under way.

        Return whether it was written.
        """

    async def publish(self, board: str, rebuild: Rebuild, until: Version) -> bool:
        """Replace a board by what was staged for it, if this rebuild is under way; return whether that was done.

        The new board has everything up to a version.
        """

    async def page(self, board: str, start: int, limit: int, *, everybody: bool = False) -> list[PlacedRow]:
        """Return rows in the order of those who have a place, or of everybody; `start` 0 is the first one."""

    async def size(self, board: str) -> BoardSize:
        """Return how many players are in the two orders."""

    async def place(self, board: str, player: PlayerId, *, everybody: bool = False) -> int | None:
        """Return the place of a player in an order, 0 for the first one; None for a player who is not in it."""

    async def rows(self, board: str, players: Sequence[PlayerId]) -> list[bytes | None]:
        """Return the rows of players, None for one who is not in the list."""

    async def match(self, board: str, match: str) -> Version | None:
        """Return the version of a rated match, None if it is not in the list."""

    async def points(self, board: str, player: PlayerId) -> list[RatingPoint]:
        """Return points of a player, the oldest first: evenly spread over the matches, including the latest one."""


def is_points(data: bytes) -> bool:
    """Return whether the stored form of points is complete."""
    return len(data) >= POINTS_HEADER.size and not (len(data) - POINTS_HEADER.size) % STORED_POINT.size


def points_in(data: bytes | None) -> list[RatingPoint]:
    """Return points from their stored form."""
    found: Iterator[tuple[int, int, int]] = STORED_POINT.iter_unpack((data or b"")[POINTS_HEADER.size :])
    return [RatingPoint(Millis(seconds * 1000), value, deviation) for seconds, value, deviation in found]


def with_point(data: bytes | None, added: BoardPoint) -> bytes:
    """Return the points of a player in their stored form with one more, unless they have it.

    The first point that is kept is the very first one, and those after it are `stride` apart. The latest one is also
    kept.
    """
    count, stride, version = POINTS_HEADER.unpack_from(data or POINTS_HEADER.pack(0, 1, 0))
    if data is not None and added.version <= version:
        return data
    points = list(STORED_POINT.iter_unpack((data or b"")[POINTS_HEADER.size :]))
    if count and (count - 1) % stride:  # the latest one is no longer kept
        points.pop()
    points.append((added.point.time // 1000, added.point.value, added.point.deviation))
    if len(points) > MOST_POINTS:
        points, stride = points[::2], 2 * stride
    packed = b"".join(STORED_POINT.pack(*point) for point in points)
    return POINTS_HEADER.pack(count + 1, stride, added.version) + packed
