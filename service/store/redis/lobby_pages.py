"""Pages of the lobby in Redis, in one order over all partitions, each of which has its own part."""

import asyncio
import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice

from service.store.contract import LobbyPage, Place, cursor_after, place_before, room_at
from service.store.redis.keys import PartitionKeys
from service.store.redis.parts import StorePart
from service.store.redis.scripts import LOBBY

SPARE = 4
"""How many entries more than an even share are first read from each partition; then twice as many each time."""

Row = tuple[Place, bytes]
"""A room's place and its lobby entry, which is empty if a damaged store has none."""


@dataclass(slots=True)
class Part:
    """The rows of one partition's lobby that were read so far, newest room first."""

    partition: PartitionKeys
    start: bytes
    """Where to continue, as a bound of ZREVRANGEBYLEX."""
    rows: list[Row] = field(default_factory=list)
    ended: bool = False

    def add(self, rows: Sequence[Row], asked: int) -> None:
        """Add the rows that were read; `asked` is how many were requested."""
        self.rows += rows
        self.ended = len(rows) < asked
        if rows:
            self.start = b"(" + rows[-1][0]

    def may_lack(self, page: Sequence[Row], wanted: int) -> bool:
        """Return whether a row that was not read yet may belong on a page of the newest rows."""
        return not self.ended and (len(page) < wanted or self.rows[-1][0] > page[-1][0])


class LobbyPages(StorePart):
    """Reads pages of the lobby, reading little more from the partitions than a page shows."""

    async def page(self, cursor: str | None, limit: int) -> LobbyPage:
        """Return a page of the lobby, newest room first. Raises `ValueError` for an invalid cursor."""
        start = b"+" if cursor is None else b"(" + place_before(cursor)
        ahead = await self._newest(start, limit + 1)
        page = ahead[:limit]
        rows = tuple((room_at(place), card) for place, card in page)
        return LobbyPage(rows, cursor_after(page[-1][0]) if page and len(ahead) > limit else None)

    async def _newest(self, start: bytes, wanted: int) -> list[Row]:
        """Return the newest rows after a place: an even share of each partition, then more where needed."""
        parts = [Part(partition, start) for partition in self._keys.all]
        short, count, newest = parts, -(-wanted // len(parts)) + SPARE, list[Row]()
        while short:
            await asyncio.gather(*(self._read(part, count) for part in short))
            newest = list(islice(heapq.merge(*(part.rows for part in parts), reverse=True), wanted))
            short = [part for part in parts if part.may_lack(newest, wanted)]
            count *= 2
        return newest

    async def _read(self, part: Part, count: int) -> None:
        """Read the next rows of one partition."""
        partition = part.partition
        found = await self._cluster.run(
            partition, LOBBY, [partition.lobby, partition.lobby_entries], [part.start, b"%d" % count]
        )
        rows = [(Place(place), (card or b"")[16:]) for place, card in zip(found[::2], found[1::2], strict=True)]
        part.add(rows, count)
