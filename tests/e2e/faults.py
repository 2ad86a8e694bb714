"""A way to the store that a test can slow down, cut into pieces, reset and close."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Coroutine
from typing import Any, Literal, TypeVar
from urllib.parse import urlsplit

Fault = Literal["", "delay", "halve", "reset", "drop"]
"""Nothing; each piece comes late; pieces are cut in two; connections are reset in the middle; nothing passes."""

DELAY = 0.1
"""Seconds by which `delay` and `halve` hold a piece back."""

PIECE = 64 * 1024

END_WITHIN = 5.0
"""Seconds in which the connections of a line that ends are closed."""

T = TypeVar("T")

Address = tuple[str, int] | str
"""A host and port, or the path of a Unix socket."""


class FaultyLine:
    """Listens on a local port and passes everything on to a store, with whatever `fault` is set.

    It runs in a thread of its own: clients that keep the tests' loop busy are no fault of the line.
    """

    def __init__(self, store_url: str) -> None:
        """Lead to the store at this URL."""
        self.fault: Fault = ""
        self.url = ""
        self._target = address_of(store_url)
        self._open: set[asyncio.StreamWriter] = set()
        self._pieces = 0
        self._loop = asyncio.new_event_loop()

    @contextlib.asynccontextmanager
    async def listening(self) -> AsyncIterator["FaultyLine"]:
        """Listen for as long as it is needed."""
        thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        thread.start()
        try:
            server = await self._there(asyncio.start_server(self._serve, "127.0.0.1", 0))
            self.url = f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            yield self
            await self._there(self._end(server))
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            await asyncio.to_thread(thread.join)
            self._loop.close()

    async def _there(self, work: Coroutine[Any, Any, T]) -> T:
        """Await something in the line's own loop."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    async def _end(self, server: asyncio.Server) -> None:
        server.close()
        self._abort_all()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        if tasks:
            await asyncio.wait(tasks, timeout=END_WITHIN)

    def lead_to(self, store_url: str) -> None:
        """Lead to another store from now on, and cut what leads to the one before."""
        self._target = address_of(store_url)
        self.cut()

    def cut(self) -> None:
        """Reset every connection."""
        self._loop.call_soon_threadsafe(self._abort_all)

    def _abort_all(self) -> None:
        for writer in self._open:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await opened(self._target)
        except OSError:
            writer.transport.abort()
            return
        self._open |= {writer, back}
        try:
            await asyncio.gather(self._pass(reader, back), self._pass(there, writer))
        except OSError:
            pass
        finally:
            self._open -= {writer, back}
            writer.transport.abort()
            back.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await reader.read(PIECE):
            self._pieces += 1
            match self.fault:
                case "reset" if self._pieces % 20 == 0:
                    writer.write(piece[: len(piece) // 2])
                    raise ConnectionResetError
                case "drop":
                    continue
                case "delay":
                    await asyncio.sleep(DELAY)
                case "halve":
                    writer.write(piece[: len(piece) // 2])
                    await asyncio.sleep(DELAY)
                    piece = piece[len(piece) // 2 :]
            writer.write(piece)
            await writer.drain()
        raise ConnectionResetError


def address_of(url: str) -> Address:
    """Return where a store's URL leads."""
    parts = urlsplit(url)
    return parts.path if parts.scheme == "unix" else (parts.hostname or "127.0.0.1", parts.port or 6379)


async def opened(address: Address) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to a store."""
    if isinstance(address, str):
        return await asyncio.open_unix_connection(address)
    return await asyncio.open_connection(*address)
