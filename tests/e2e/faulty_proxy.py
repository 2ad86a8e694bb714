"""A proxy in front of the store that a test can slow down, and whose connections it can split, reset and close."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from typing import Any, Literal, TypeVar
from urllib.parse import urlsplit

Fault = Literal["", "delay", "halve", "reset", "drop", "cut"]
"""None; each chunk is delayed; chunks are split; connections are reset in the middle; everything is dropped; there are
no connections except those that were subscribed to notifications before, see `FaultyProxy.cut_commands`.
"""

DELAY = 0.1
"""Seconds by which `delay` and `halve` delay a chunk."""

CHUNK = 64 * 1024

END_WITHIN = 5.0
"""Seconds within which the connections of a stopped proxy are closed."""

T = TypeVar("T")

Address = tuple[str, int] | str
"""A host and port, or the path of a Unix socket."""


class FaultyProxy:
    """Listens on a local port and forwards everything to a store, subject to `fault`.

    It runs in a thread of its own, so that clients that occupy the tests' event loop do not delay it.
    """

    def __init__(self, store_url: str) -> None:
        """Forward to the store at this URL."""
        self.fault: Fault = ""
        self.url = ""
        self._target = address_of(store_url)
        self._open: set[asyncio.StreamWriter] = set()
        self._subscribed: set[asyncio.StreamWriter] = set()
        """Both ends of the connections on which notifications arrive."""
        self._chunks = 0
        self._loop = asyncio.new_event_loop()

    @contextlib.asynccontextmanager
    async def serve(self) -> AsyncIterator["FaultyProxy"]:
        """Listen during a block."""
        thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        thread.start()
        try:
            server = await self._run_in_thread(asyncio.start_server(self._serve, "127.0.0.1", 0))
            self.url = f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            yield self
            await self._run_in_thread(self._stop(server))
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            await asyncio.to_thread(thread.join)
            self._loop.close()

    async def _run_in_thread(self, work: Coroutine[Any, Any, T]) -> T:
        """Await something in the proxy's own event loop."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    async def _stop(self, server: asyncio.Server) -> None:
        server.close()
        self._abort_all()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        if tasks:
            await asyncio.wait(tasks, timeout=END_WITHIN)

    def redirect(self, store_url: str) -> None:
        """Forward to another store from now on, and reset the connections to the previous one."""
        self._target = address_of(store_url)
        self.reset()

    def reset(self) -> None:
        """Reset every connection."""
        self._loop.call_soon_threadsafe(self._abort_all)

    def _abort_all(self) -> None:
        for writer in self._open:
            writer.transport.abort()

    @contextlib.contextmanager
    def cut_commands(self) -> Iterator[None]:
        """Close all connections during a block, and refuse new ones; only notifications still arrive."""
        self.fault = "cut"
        self._loop.call_soon_threadsafe(self._abort_commands)
        try:
            yield
        finally:
            self.fault = ""

    def _abort_commands(self) -> None:
        for writer in self._open - self._subscribed:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if self.fault == "cut":
                raise ConnectionRefusedError
            upstream_reader, upstream_writer = await connect(self._target)
        except OSError:
            writer.transport.abort()
            return
        self._open |= {writer, upstream_writer}
        try:
            ends = (writer, upstream_writer)
            await asyncio.gather(self._forward(reader, upstream_writer, ends), self._forward(upstream_reader, writer))
        except OSError:
            pass
        finally:
            self._open -= {writer, upstream_writer}
            self._subscribed -= {writer, upstream_writer}
            writer.transport.abort()
            upstream_writer.transport.abort()

    async def _forward(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, ends: tuple[asyncio.StreamWriter, ...] = ()
    ) -> None:
        """Forward what arrives; `ends` are those of the connection if it comes from the client."""
        while chunk := await reader.read(CHUNK):
            self._chunks += 1
            if b"SUBSCRIBE" in chunk:
                self._subscribed.update(ends)
            match self.fault:
                case "reset" if self._chunks % 20 == 0:
                    writer.write(chunk[: len(chunk) // 2])
                    raise ConnectionResetError
                case "drop":
                    continue
                case "delay":
                    await asyncio.sleep(DELAY)
                case "halve":
                    writer.write(chunk[: len(chunk) // 2])
                    await asyncio.sleep(DELAY)
                    chunk = chunk[len(chunk) // 2 :]
            writer.write(chunk)
            await writer.drain()
        raise ConnectionResetError


def address_of(url: str) -> Address:
    """Return the address of a store's URL."""
    parts = urlsplit(url)
    return parts.path if parts.scheme == "unix" else (parts.hostname or "127.0.0.1", parts.port or 6379)


async def connect(address: Address) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to a store."""
    if isinstance(address, str):
        return await asyncio.open_unix_connection(address)
    return await asyncio.open_connection(*address)
