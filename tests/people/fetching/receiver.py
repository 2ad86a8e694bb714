"""A local HTTP server that answers as a test says, and remembers what it received."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple


class Received(NamedTuple):
    """A request as it arrived."""

    line: str
    headers: dict[str, str]
    body: bytes


Answer = Callable[[Received, asyncio.StreamWriter], Awaitable[None]]
"""Writes the answer to a request."""


class Receiver:
    """A server on 127.0.0.1."""

    def __init__(self, answer: Answer) -> None:
        """Answer every request like this."""
        self.answer = answer
        self.received: list[Received] = []
        self.port = 0
        self.open = 0
        self.most_open = 0
        """How many requests were answered at the same time."""
        self._serving: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a connection in a task of its own."""
        task = asyncio.create_task(self.serve(reader, writer))
        self._serving[task] = writer
        task.add_done_callback(self._serving.pop)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection with one request."""
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            line, *lines = head.strip().split("\r\n")
            headers = {name.lower(): value for name, _, value in (each.partition(": ") for each in lines)}
            request = Received(line, headers, await reader.readexactly(int(headers.get("content-length", "0"))))
            self.received.append(request)
            await self.answer(request, writer)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            self.open -= 1
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def close(self) -> None:
        """Close all connections, also those whose tasks have not begun."""
        for task, writer in self._serving.items():
            task.cancel()
            writer.transport.abort()
        await asyncio.gather(*self._serving, return_exceptions=True)


@asynccontextmanager
async def receiving(answer: Answer, context: ssl.SSLContext | None = None) -> AsyncIterator[Receiver]:
    """Run a receiver while the context lasts, with TLS if a context is given."""
    receiver = Receiver(answer)
    server = await asyncio.start_server(receiver.accept, "127.0.0.1", 0, ssl=context)
    receiver.port = server.sockets[0].getsockname()[1]
    try:
        yield receiver
    finally:
        server.close()
        await receiver.close()


def status(code: int, body: bytes = b"", *headers: str) -> Answer:
    """Return an answer with this status."""

    async def write(_request: Received, writer: asyncio.StreamWriter) -> None:
        lines = [f"HTTP/1.1 {code} Some", f"Content-Length: {len(body)}", *headers]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)

    return write
