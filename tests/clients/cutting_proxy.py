"""A proxy in front of the service that cuts each connection after a random number of bytes."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from random import Random
from urllib.parse import urlsplit

CHUNK = 64 * 1024

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class CuttingProxy:
    """Forwards connections; each is reset after a random number of bytes, in the middle of a frame or not."""

    def __init__(self, cuts: int, most: int, seed: int) -> None:
        """Cut this many connections, each after at most so many bytes in both directions together."""
        self.cuts = 0
        """How many connections were cut."""
        self.url = ""
        self.enough = asyncio.Event()
        """Set when all cuts were made; from then on connections last."""
        self._wanted = cuts
        self._most = most
        self._chance = Random(seed)
        self._target = ("", 0)
        self._open: set[asyncio.StreamWriter] = set()
        self._handlers: set[asyncio.Task[None]] = set()

    @contextlib.asynccontextmanager
    async def serve(self, url: str) -> AsyncIterator["CuttingProxy"]:
        """Listen in front of the service at `url` during a block."""
        parts = urlsplit(url)
        self._target = (parts.hostname or "", parts.port or 80)
        server = await asyncio.start_server(self._forward_both, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            server.close()
            await server.wait_closed()
            self.cut()
            await asyncio.gather(*self._handlers, return_exceptions=True)

    def cut(self) -> None:
        """Reset all connections now."""
        for writer in self._open:
            writer.transport.abort()

    async def _forward_both(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward a connection until it is over."""
        handler = asyncio.current_task()
        assert handler is not None
        self._handlers.add(handler)
        handler.add_done_callback(self._handlers.discard)
        self._open.add(writer)
        upstream = await asyncio.open_connection(*self._target)
        self._open.add(upstream[1])
        try:
            await self._forward_until_cut((reader, writer), upstream)
        finally:
            for each in (writer, upstream[1]):
                each.transport.abort()
                self._open.discard(each)

    async def _forward_until_cut(self, client: Streams, upstream: Streams) -> None:
        budget = [self._chance.randint(1, self._most)]
        ways = [self._forward(client[0], upstream[1], budget), self._forward(upstream[0], client[1], budget)]
        tasks = [asyncio.create_task(way) for way in ways]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, budget: list[int]) -> None:
        """Forward one direction until it ends or the budget of both is used up."""
        while chunk := await reader.read(CHUNK):
            is_last = len(chunk) >= budget[0] and not self.enough.is_set()
            if is_last:
                chunk = chunk[: budget[0]]
            budget[0] -= len(chunk)
            writer.write(chunk)
            await writer.drain()
            if is_last:
                self._count()
                return

    def _count(self) -> None:
        self.cuts += 1
        if self.cuts >= self._wanted:
            self.enough.set()
