"""The index of players' matches in Redis: per player a sorted set of matches and a hash of results."""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from service.domain.room.model.ids import Millis, PlayerId
from service.store.projections.player_matches import FirstMatches, MatchRow, PlayersPage, Tallies, unpacked
from service.store.redis.client.cluster import Cluster
from service.store.redis.keys import Keys
from service.store.redis.scripts import ADD_MATCHES

FIRST_PUBLIC = b"."
"""The field of the results with the time of the first public match; no name of results."""


class Scan(Protocol):
    """Finds keys of the store."""

    async def __call__(self, pattern: bytes, cursor: str | None) -> tuple[list[bytes], str | None]:
        """Return what follows the second colon of a page of keys, and the next cursor."""


class RedisPlayerMatches:
    """The contract `PlayerMatches` in Redis."""

    def __init__(self, cluster: Cluster, keys: Keys, scan: Scan) -> None:
        """Use `cluster`; `scan` finds keys."""
        self._cluster = cluster
        self._keys = keys
        self._scan = scan

    async def add(self, player: PlayerId, rows: Sequence[MatchRow]) -> int:
        """Add matches of a player; return how many were new."""
        where, keys = self._keys.partition_of(player), (self._keys.played(player), self._keys.results(player))
        return int(await self._cluster.run(where, ADD_MATCHES, keys, tuple(arguments(rows))))

    async def page(
        self, player: PlayerId, at: Millis | None, start: int, limit: int, *, oldest_first: bool = False
    ) -> list[tuple[Millis, bytes]]:
        """Return matches from a time on, the latest one first, or the oldest."""
        bound = b"%d" % at if at is not None else b"-inf" if oldest_first else b"+inf"
        order = (b"ZRANGEBYSCORE", bound, b"+inf") if oldest_first else (b"ZREVRANGEBYSCORE", bound, b"-inf")
        part = (b"WITHSCORES", b"LIMIT", b"%d" % start, b"%d" % limit)
        found: Any = await self._ask(player, order[0], self._keys.played(player), *order[1:], *part)
        return [(Millis(int(float(ended))), data) for data, ended in zip(found[::2], found[1::2], strict=True)]

    async def results(self, player: PlayerId, names: Sequence[str]) -> list[Tallies]:
        """Return the results of a player under some names."""
        if not names:
            return []
        found = await self._ask(player, b"HMGET", self._keys.results(player), *(name.encode() for name in names))
        return [unpacked(data) for data in found]

    async def first(self, player: PlayerId) -> FirstMatches:
        """Return when the first matches of a player ended."""
        oldest = await self.page(player, None, 0, 1, oldest_first=True)
        public = await self._ask(player, b"HGET", self._keys.results(player), FIRST_PUBLIC)
        return FirstMatches(oldest[0][0] if oldest else None, None if public is None else Millis(int(public)))

    async def discard(self, player: PlayerId) -> None:
        """Delete everything about a player's matches."""
        await self._ask(player, b"DEL", self._keys.played(player), self._keys.results(player))

    async def players(self, cursor: str | None = None) -> PlayersPage:
        """Return a page of the players with matches. Raises `ValueError` for an invalid cursor."""
        found, following = await self._scan(b"{p*}:played:*", cursor)
        return PlayersPage(tuple(PlayerId(player.decode()) for player in found), following)

    async def _ask(self, player: PlayerId, *parts: bytes) -> Any:
        return await self._cluster.ask(self._keys.partition_of(player), *parts)


def arguments(rows: Sequence[MatchRow]) -> Iterator[bytes]:
    """Yield rows as arguments of the script."""
    for row in rows:
        public = b"1" if row.is_public else b""
        yield from (row.match.encode(), b"%d" % row.ended, row.data, public, b"%d" % len(row.results))
        for name, outcome in row.results:
            yield from (name.encode(), b"%d" % outcome)
