"""The leaderboards in Redis: per board hashes of rows, matches and points, and sorted sets of its two orders.

Each row has its MAC at its end. Those of points are in the hash of points, under `mac:<player>`.
"""

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from service.domain.ids import PlayerId, Version
from service.store.contract import StoreDamaged
from service.store.projections.leaderboards import (
    REBUILD_PAUSE,
    BoardRow,
    BoardSize,
    PlacedRow,
    RatingPoint,
    Rebuild,
    Stretch,
    is_points,
    points_in,
    with_point,
)
from service.store.redis.keys import PartitionKeys
from service.store.redis.parts import ProtectedPart
from service.store.redis.scripts import BEGIN_BOARD, PUBLISH_BOARD, UPDATE_BOARD
from service.store.stream_keys import KindKey

PARTS = (b"standings", b"places", b"everybody", b"rated", b"points", b"projected")
"""The keys of a board; the last one has its version, and as staged the number of the rebuild under way."""

FORM = b":2"
"""The end of these keys, because an earlier release has boards with other places, beside these in a rolling update."""


class BoardKeys(NamedTuple):
    """The keys of a board: rows, the order of places and that of everybody, matches, points and version."""

    rows: bytes
    places: bytes
    everybody: bytes
    matches: bytes
    points: bytes
    version: bytes


class RedisLeaderboards(ProtectedPart):
    """The contract `Leaderboards` in Redis."""

    async def version(self, board: str) -> Version:
        """Return the version of its stream up to which a board has everything."""
        where, keys = self._of(board)
        return version_of(await self._cluster.ask(where, b"GET", keys.version) or b"0")

    async def update(
        self, board: str, since: Version, until: Version, rows: Sequence[BoardRow], stretch: Stretch
    ) -> bool:
        """Write what changed from a version on; return whether it was written."""
        where, keys = self._of(board)
        arguments = (b"%d" % since, b"%d" % until, b"", *await self._contents(board, where, keys, rows, stretch))
        return bool(await self._cluster.run(where, UPDATE_BOARD, keys, arguments))

    async def begin(self, board: str, *, take_over: bool) -> Rebuild | None:
        """Begin to rebuild a board; None if another rebuild is under way."""
        where, keys = self._of(board, b":staged")
        begun = b"%b:rebuilds:%b" % (where.tag, board.encode())
        arguments = (b"1" if take_over else b"", b"%d" % REBUILD_PAUSE)
        return Rebuild(int(await self._cluster.run(where, BEGIN_BOARD, (*keys, begun), arguments))) or None

    async def stage(self, board: str, rebuild: Rebuild, rows: Sequence[BoardRow], stretch: Stretch) -> bool:
        """Write a part of a board that is rebuilt; return whether it was written."""
        where, keys = self._of(board, b":staged")
        parts = await self._contents(board, where, keys, rows, stretch)
        arguments = (b"", b"%d" % rebuild, b"%d" % REBUILD_PAUSE, *parts)
        return bool(await self._cluster.run(where, UPDATE_BOARD, keys, arguments))

    async def publish(self, board: str, rebuild: Rebuild, until: Version) -> bool:
        """Replace a board by what was staged for it; return whether that was done."""
        (where, keys), (_, staged) = self._of(board), self._of(board, b":staged")
        arguments = (b"%d" % rebuild, b"%d" % until)
        return bool(await self._cluster.run(where, PUBLISH_BOARD, (*keys, *staged), arguments))

    async def page(self, board: str, start: int, limit: int, *, everybody: bool = False) -> list[PlacedRow]:
        """Return rows in the order of those who have a place, or of everybody."""
        where, keys = self._of(board)
        order, last = keys.everybody if everybody else keys.places, b"%d" % (start + limit - 1)
        found = await self._cluster.ask(where, b"ZRANGE", order, b"%d" % start, last, b"WITHSCORES")
        players = [PlayerId(player.decode(errors="backslashreplace")) for player in found[::2]]
        rows = await self.rows(board, players)
        return [
            PlacedRow(player, row or b"", -float(score))
            for player, row, score in zip(players, rows, found[1::2], strict=True)
        ]

    async def size(self, board: str) -> BoardSize:
        """Return how many players are in the two orders."""
        where, keys = self._of(board)
        orders = (keys.places, keys.everybody)
        return BoardSize(*await asyncio.gather(*(self._cluster.ask(where, b"ZCARD", order) for order in orders)))

    async def place(self, board: str, player: PlayerId, *, everybody: bool = False) -> int | None:
        """Return the place of a player in an order."""
        where, keys = self._of(board)
        order = keys.everybody if everybody else keys.places
        found = await self._cluster.ask(where, b"ZRANK", order, player.encode())
        return None if found is None else int(found)

    async def rows(self, board: str, players: Sequence[PlayerId]) -> list[bytes | None]:
        """Return the rows of players."""
        if not players:
            return []
        where, keys = self._of(board)
        fields = [player.encode() for player in players]
        found = await self._cluster.ask(where, b"HMGET", keys.rows, *fields)
        key = KindKey("standings", board)
        return [
            None if row is None else await self._protection.checked_row(key, field, row)
            for field, row in zip(fields, found, strict=True)
        ]

    async def match(self, board: str, match: str) -> Version | None:
        """Return the version of a rated match."""
        where, keys = self._of(board)
        found = await self._cluster.ask(where, b"HGET", keys.matches, match.encode())
        return None if found is None else version_of(found)

    async def points(self, board: str, player: PlayerId) -> list[RatingPoint]:
        """Return points of a player, the oldest first."""
        where, keys = self._of(board)
        return points_in((await self._points(board, where, keys, [player.encode()]))[player.encode()])

    async def _points(
        self, board: str, where: PartitionKeys, keys: BoardKeys, players: Sequence[bytes]
    ) -> dict[bytes, bytes | None]:
        """Return the points of players in their stored form. Raises `StoreDamaged`."""
        fields = (*players, *map(mac_field, players))
        found = await self._cluster.ask(where, b"HMGET", keys.points, *fields)
        points, macs = dict(zip(players, found, strict=False)), dict(zip(players, found[len(players) :], strict=True))
        stored = {player: data for player, data in points.items() if data is not None}
        await self._protection.require(points_key(board), stored, {each: mac for each, mac in macs.items() if mac})
        if not all(is_points(data) for data in stored.values()):
            raise StoreDamaged(f"the points of {board}")
        return points

    async def _contents(
        self, board: str, where: PartitionKeys, keys: BoardKeys, rows: Sequence[BoardRow], stretch: Stretch
    ) -> list[bytes]:
        """Return rows, matches and points as arguments of a script; negative scores sort the highest first."""
        parts = [b"%d" % len(rows)]
        for row in rows:
            signed = self._protection.signed_row(KindKey("standings", board), row.player.encode(), row.data)
            score = b"" if row.score is None else b"%d" % -row.score
            parts += (row.player.encode(), signed, score, score if row.has_place else b"")
        parts.append(b"%d" % len(stretch.matches))
        for match, version in stretch.matches:
            parts += (match.encode(), b"%d" % version)
        players = list(dict.fromkeys(added.player.encode() for added in stretch.points))
        points = await self._points(board, where, keys, players) if players else {}
        for added in stretch.points:
            points[added.player.encode()] = with_point(points[added.player.encode()], added)
        for player, data in points.items():
            mac = self._protection.sign(points_key(board), player, data or b"")
            parts += (player, data or b"", *((mac_field(player), mac) if mac else ()))
        return parts

    def _of(self, board: str, staged: bytes = b"") -> tuple[PartitionKeys, BoardKeys]:
        """Return the partition of a board, which is that of its stream, and its keys there."""
        where = self._keys.partition_of(board)
        end = board.encode() + FORM + staged
        return where, BoardKeys(*(b"%b:%b:%b" % (where.tag, part, end) for part in PARTS))


def mac_field(player: bytes) -> bytes:
    """Return the field of the MAC of a player's points."""
    return b"mac:" + player


def points_key(board: str) -> KindKey:
    """Return the key of the points of a board in their MACs."""
    return KindKey("points", board)


def version_of(stored: bytes) -> Version:
    """Return a stored version. Raises `StoreDamaged`."""
    if not stored.isdigit():
        raise StoreDamaged(f"{stored!r} is not a version")
    return Version(int(stored))
