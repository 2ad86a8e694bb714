"""The boards of notable matches in Redis: a sorted set each, by negative scores, so that equal ones are by match.

Beside it is a hash of the MACs of scores by match.
"""

import asyncio
from collections.abc import Sequence

from service.store.projections.notable_matches import MOST_MATCHES, BestMatches, NotableRow
from service.store.redis.client.resp import whole
from service.store.redis.parts import ProtectedPart
from service.store.redis.scripts import ADD_NOTABLE
from service.store.stream_keys import KindKey


class RedisNotableMatches(ProtectedPart):
    """The contract `NotableMatches` in Redis."""

    async def add(self, game: str, rows: Sequence[NotableRow]) -> None:
        """Add matches to boards of a game."""
        if rows:
            arguments, keys = [b"%d" % MOST_MATCHES], list[bytes]()
            for row in rows:
                until, score = b"" if row.until is None else b"%d" % row.until, b"%d" % -row.score
                mac = self._protection.sign(board_key(game, row.board), row.match.encode(), score)
                arguments += (score, row.match.encode(), mac, until)
                keys += self._of(game, row.board)
            await self._cluster.run(self._keys.partition_of(game), ADD_NOTABLE, keys, arguments)

    async def best(self, game: str, board: str, limit: int) -> BestMatches:
        """Return the best matches of a board with their scores."""
        where, (key, macs_key) = self._keys.partition_of(game), self._of(game, board)
        found, signed = await asyncio.gather(
            self._cluster.ask(where, b"ZRANGE", key, b"0", b"%d" % (MOST_MATCHES - 1), b"WITHSCORES"),
            self._cluster.ask(where, b"HGETALL", macs_key),
        )
        scores = {match: whole(score) for match, score in zip(found[::2], found[1::2], strict=True)}
        macs = dict(zip(signed[::2], signed[1::2], strict=True))
        intact, damaged = await self._protection.check(board_key(game, board), scores, macs)
        wrong = [*damaged, *(match for match, score in intact.items() if not is_row(match, score))]
        best = [(match.decode(), -int(score)) for match, score in intact.items() if is_row(match, score)]
        return BestMatches(best[:limit], [match.decode(errors="backslashreplace") for match in wrong])

    async def remove(self, game: str, board: str, match: str) -> None:
        """Delete a match from a board."""
        where, (key, macs_key) = self._keys.partition_of(game), self._of(game, board)
        await self._cluster.ask(where, b"ZREM", key, match.encode())
        await self._cluster.ask(where, b"HDEL", macs_key, match.encode())

    async def discard(self, game: str, board: str) -> None:
        """Delete a board."""
        await self._cluster.ask(self._keys.partition_of(game), b"DEL", *self._of(game, board))

    def _of(self, game: str, board: str) -> tuple[bytes, bytes]:
        """Return the keys of a board and of its MACs."""
        return self._keys.of("notable", game, board), self._keys.of("notable_macs", game, board)


def is_row(match: bytes, score: bytes) -> bool:
    """Return whether an id is ASCII and a score a number, which those without a MAC may not be."""
    return match.isascii() and score.removeprefix(b"-").isdigit()


def board_key(game: str, board: str) -> KindKey:
    """Return the key of a board in its MACs."""
    return KindKey("notable", f"{game}:{board}")
