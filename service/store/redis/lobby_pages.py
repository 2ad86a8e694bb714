"""The lobby in Redis, read in pages: one order over all partitions, though each keeps its own."""

import asyncio
import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice

from service.store.contract import LobbyPage
from service.store.lobby_order import Place, cursor_behind, place_before, room_at
from service.store.redis.client.cluster import Cluster
from service.store.redis.keys import Keys, PartitionKeys
from service.store.redis.scripts import LOBBY

SPARE = 4
"""How many cards more than its even share are read from each partition at first; then twice as many each time."""

Row = tuple[Place, bytes]
"""A room's place and its card, which is empty where a damaged store has none."""


@dataclass(slots=True)
class Part:
    """What was read of one partition's lobby so far, newest room first."""

    home: PartitionKeys
    start: bytes
    """Where to go on, as a bound of ZREVRANGEBYLEX."""
    rows: list[Row] = field(default_factory=list)
    ended: bool = False

    def add(self, rows: Sequence[Row], asked: int) -> None:
        """Take what was read, of so many rows that were asked for."""
        self.rows += rows
        self.ended = len(rows) < asked
        if rows:
            self.start = b"(" + rows[-1][0]

    def may_lack(self, page: Sequence[Row], wanted: int) -> bool:
        """Tell whether a row that was not read yet may belong on a page of the newest rows read."""
        return not self.ended and (len(page) < wanted or self.rows[-1][0] > page[-1][0])


class LobbyPages:
    """Reads little more from the partitions than a page shows, however many rooms there are."""

    def __init__(self, cluster: Cluster, keys: Keys) -> None:
        """Read from this cluster."""
        self._cluster = cluster
        self._keys = keys

    async def page(self, cursor: str | None, limit: int) -> LobbyPage:
        """Return a page of the lobby, newest room first. Raises `ValueError` for a bad cursor."""
        start = b"+" if cursor is None else b"(" + place_before(cursor)
        ahead = await self._newest(start, limit + 1)
        page = ahead[:limit]
        cards = tuple((room_at(place), card) for place, card in page)
        return LobbyPage(cards, cursor_behind(page[-1][0]) if page and len(ahead) > limit else None)

    async def _newest(self, start: bytes, wanted: int) -> list[Row]:
        """Return the newest rows behind a place: an even share of each partition, then more where that falls short."""
        parts = [Part(home, start) for home in self._keys.all]
        short, count, newest = parts, -(-wanted // len(parts)) + SPARE, list[Row]()
        while short:
            await asyncio.gather(*(self._read(part, count) for part in short))
            newest = list(islice(heapq.merge(*(part.rows for part in parts), reverse=True), wanted))
            short = [part for part in parts if part.may_lack(newest, wanted)]
            count *= 2
        return newest

    async def _read(self, part: Part, count: int) -> None:
        """Read the next rows of one partition."""
        home = part.home
        found = await self._cluster.run(home, LOBBY, [home.lobby, home.cards], [part.start, b"%d" % count])
        rows = [(Place(place), (card or b"")[16:]) for place, card in zip(found[::2], found[1::2], strict=True)]
        part.add(rows, count)
