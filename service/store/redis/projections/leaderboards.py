"""The leaderboards in Redis: per board hashes of rows, matches and points, and a sorted set of places."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from service.domain.room.model.ids import PlayerId, Version
from service.store.projections.leaderboards import REBUILD_PAUSE, BoardRow, RatingPoint, Rebuild, Stretch, points_in
from service.store.redis.client.cluster import Cluster
from service.store.redis.keys import Keys, PartitionKeys
from service.store.redis.scripts import BEGIN_BOARD, PUBLISH_BOARD, UPDATE_BOARD

PARTS = (b"standings", b"places", b"rated", b"points", b"projected")
"""The keys of a board; the last one has its version, and as staged the number of the rebuild under way."""


class BoardKeys(NamedTuple):
    """The keys of a board: rows, places, matches, points and version."""

    rows: bytes
    places: bytes
    matches: bytes
    points: bytes
    version: bytes


class RedisLeaderboards:
    """The contract `Leaderboards` in Redis."""

    def __init__(self, cluster: Cluster, keys: Keys) -> None:
        """Use `cluster`."""
        self._cluster = cluster
        self._keys = keys

    async def version(self, board: str) -> Version:
        """Return the version of its stream up to which a board has everything."""
        where, keys = self._of(board)
        return Version(int(await self._cluster.ask(where, b"GET", keys.version) or 0))

    async def update(
        self, board: str, since: Version, until: Version, rows: Sequence[BoardRow], stretch: Stretch
    ) -> bool:
        """Write what changed from a version on; return whether it was written."""
        where, keys = self._of(board)
        versions = (b"%d" % since, b"%d" % until, b"")
        return bool(await self._cluster.run(where, UPDATE_BOARD, keys, (*versions, *contents(rows, stretch))))

    async def begin(self, board: str, *, take_over: bool) -> Rebuild | None:
        """Begin to rebuild a board; None if another rebuild is under way."""
        where, keys = self._of(board, b":staged")
        begun = b"%b:rebuilds:%b" % (where.tag, board.encode())
        arguments = (b"1" if take_over else b"", b"%d" % REBUILD_PAUSE)
        return Rebuild(int(await self._cluster.run(where, BEGIN_BOARD, (*keys, begun), arguments))) or None

    async def stage(self, board: str, rebuild: Rebuild, rows: Sequence[BoardRow], stretch: Stretch) -> bool:
        """Write a part of a board that is rebuilt; return whether it was written."""
        where, keys = self._of(board, b":staged")
        arguments = (b"", b"%d" % rebuild, b"%d" % REBUILD_PAUSE, *contents(rows, stretch))
        return bool(await self._cluster.run(where, UPDATE_BOARD, keys, arguments))

    async def publish(self, board: str, rebuild: Rebuild, until: Version) -> bool:
        """Replace a board by what was staged for it; return whether that was done."""
        (where, keys), (_, staged) = self._of(board), self._of(board, b":staged")
        arguments = (b"%d" % rebuild, b"%d" % until)
        return bool(await self._cluster.run(where, PUBLISH_BOARD, (*keys, *staged), arguments))

    async def page(self, board: str, start: int, limit: int) -> list[tuple[PlayerId, bytes]]:
        """Return rows in the order of their places."""
        where, keys = self._of(board)
        found = await self._cluster.ask(where, b"ZRANGE", keys.places, b"%d" % start, b"%d" % (start + limit - 1))
        players = [PlayerId(player.decode()) for player in found]
        rows = await self.rows(board, players)
        return [(player, row) for player, row in zip(players, rows, strict=True) if row is not None]

    async def places(self, board: str) -> int:
        """Return how many players have a place."""
        where, keys = self._of(board)
        return int(await self._cluster.ask(where, b"ZCARD", keys.places))

    async def place(self, board: str, player: PlayerId) -> int | None:
        """Return the place of a player."""
        where, keys = self._of(board)
        found = await self._cluster.ask(where, b"ZRANK", keys.places, player.encode())
        return None if found is None else int(found)

    async def rows(self, board: str, players: Sequence[PlayerId]) -> list[bytes | None]:
        """Return the rows of players."""
        if not players:
            return []
        where, keys = self._of(board)
        return list(await self._cluster.ask(where, b"HMGET", keys.rows, *(player.encode() for player in players)))

    async def match(self, board: str, match: str) -> Version | None:
        """Return the version of a rated match."""
        where, keys = self._of(board)
        found = await self._cluster.ask(where, b"HGET", keys.matches, match.encode())
        return None if found is None else Version(int(found))

    async def points(self, board: str, player: PlayerId) -> list[RatingPoint]:
        """Return points of a player, the oldest first."""
        where, keys = self._of(board)
        return points_in(await self._cluster.ask(where, b"HGET", keys.points, player.encode()))

    def _of(self, board: str, staged: bytes = b"") -> tuple[PartitionKeys, BoardKeys]:
        """Return the partition of a board, which is that of its stream, and its keys there."""
        where = self._keys.partition_of(board)
        return where, BoardKeys(*(b"%b:%b:%b%b" % (where.tag, part, board.encode(), staged) for part in PARTS))


def contents(rows: Sequence[BoardRow], stretch: Stretch) -> Iterator[bytes]:
    """Yield rows, matches and points as arguments of a script; negative scores sort the highest first."""
    yield b"%d" % len(rows)
    for row in rows:
        yield from (row.player.encode(), row.data, b"" if row.score is None else b"%d" % -row.score)
    yield b"%d" % len(stretch.matches)
    for match, version in stretch.matches:
        yield from (match.encode(), b"%d" % version)
    for player, version, (time, value, deviation) in stretch.points:
        yield from (player.encode(), b"%d" % version, b"%d" % (time // 1000), b"%d" % value, b"%d" % deviation)
