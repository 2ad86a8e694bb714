"""The boards of notable matches in Redis: a sorted set each, by negative scores, so that equal ones are by match."""

from collections.abc import Sequence
from typing import Any

from service.store.projections.notable_matches import MOST_MATCHES, NotableRow
from service.store.redis.client.cluster import Cluster
from service.store.redis.keys import Keys
from service.store.redis.scripts import ADD_NOTABLE


class RedisNotableMatches:
    """The contract `NotableMatches` in Redis."""

    def __init__(self, cluster: Cluster, keys: Keys) -> None:
        """Use `cluster`."""
        self._cluster = cluster
        self._keys = keys

    async def add(self, game: str, rows: Sequence[NotableRow]) -> None:
        """Add matches to boards of a game."""
        if rows:
            arguments = [b"%d" % MOST_MATCHES]
            for row in rows:
                until = b"" if row.until is None else b"%d" % row.until
                arguments += (b"%d" % -row.score, row.match.encode(), until)
            keys = [self._keys.notable(game, row.board) for row in rows]
            await self._cluster.run(self._keys.partition_of(game), ADD_NOTABLE, keys, arguments)

    async def best(self, game: str, board: str, limit: int) -> list[tuple[str, int]]:
        """Return the best matches of a board with their scores."""
        key, end = self._keys.notable(game, board), b"%d" % (limit - 1)
        found: Any = await self._cluster.ask(self._keys.partition_of(game), b"ZRANGE", key, b"0", end, b"WITHSCORES")
        return [(match.decode(), -int(float(score))) for match, score in zip(found[::2], found[1::2], strict=True)]

    async def discard(self, game: str, board: str) -> None:
        """Delete a board."""
        await self._cluster.ask(self._keys.partition_of(game), b"DEL", self._keys.notable(game, board))
