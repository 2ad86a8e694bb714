"""One connection to one server. It logs in and passes on each reply as soon as it is complete."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

import hiredis

from service.store.redis.client.address import Address
from service.store.redis.client.resp import NOT_COMPLETE, new_parser

BROKEN = (hiredis.HiredisError, OSError, EOFError)
"""The errors that end a connection."""

CLOSED_BY_SERVER = "the store closed the connection"

CONNECT_PATIENCE = 1.0
PROBE_PATIENCE = 0.4
"""Seconds until a connection is open and ready, and until a server that is connected answers a probe."""

OnReplies = Callable[[list[Any]], None]
"""Takes replies, errors as `hiredis.ReplyError`. Raises `hiredis.ProtocolError` for a reply without a command."""


class Connection(asyncio.Protocol):
    """A connection to a server. Commands may be written once it is `ready`."""

    def __init__(self, greeting: list[bytes], on_replies: OnReplies, on_writable: Callable[[], None]) -> None:
        """Send `greeting` when connected; the server has to answer each of its commands without an error.

        `on_replies` gets the replies to all later commands. `on_writable` is called when the write buffer was full and
        has space again.
        """
        loop = asyncio.get_running_loop()
        self.ready: asyncio.Future[Exception | None] = loop.create_future()
        """Resolved with None when the greeting is answered, or with the error that ended the connection before that."""
        self.ended: asyncio.Future[Exception] = loop.create_future()
        """Resolved with the reason when the connection ends."""
        self.is_writable = True
        """Whether the write buffer has space."""
        self._closed: asyncio.Future[None] = loop.create_future()
        self._greeting = greeting
        self._unanswered = len(greeting)
        self._on_replies: OnReplies = self._check_greeting
        self._on_later_replies = on_replies
        self._on_writable = on_writable
        self._parser = new_parser()
        self._transport: asyncio.Transport
        self.write: Callable[[bytes], object]
        """Writes packed commands, once there is a connection."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the greeting."""
        self._transport = cast("asyncio.Transport", transport)
        self.write = self._transport.write
        self._transport.write(b"".join(self._greeting))

    def data_received(self, data: bytes) -> None:
        """Pass on the replies that these bytes complete."""
        try:
            self._parser.feed(data)
            self._on_replies(list(iter(self._parser.gets, NOT_COMPLETE)))
        except hiredis.HiredisError as error:
            self._end(error)
            self._transport.abort()

    def _check_greeting(self, replies: list[Any]) -> None:
        """Check the replies to the greeting. Raises an error reply, or `ProtocolError` for one reply too many."""
        for reply in replies:
            if isinstance(reply, hiredis.ReplyError):
                raise reply
        self._unanswered -= len(replies)
        if self._unanswered < 0:
            raise hiredis.ProtocolError("the server sent a reply without a command")
        if not self._unanswered:
            self._on_replies = self._on_later_replies
            if not self.ready.done():  # else nobody waits for it any longer
                self.ready.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Record that the connection is closed."""
        self._end(exc or EOFError(CLOSED_BY_SERVER))
        self._closed.set_result(None)

    def _end(self, reason: Exception) -> None:
        """Record why the connection ends. No reply is passed on after this."""
        self.is_writable, self._on_replies = False, lambda _replies: None
        for future in (self.ready, self.ended):
            if not future.done():
                future.set_result(reason)

    def pause_writing(self) -> None:
        """Stop writing: the write buffer is full."""
        self.is_writable = False

    def resume_writing(self) -> None:
        """Continue writing: the write buffer has space again."""
        self.is_writable = not self.ended.done()
        self._on_writable()

    async def close(self) -> None:
        """Close the connection, also a broken one, and wait until it is closed."""
        self._end(EOFError(CLOSED_BY_SERVER))
        self._transport.abort()
        await self._closed


async def open_connection(address: Address, on_replies: OnReplies, on_writable: Callable[[], None]) -> Connection:
    """Return an open connection, whose greeting is not answered yet. Raises `OSError`."""
    connection = Connection(address.greeting(), on_replies, on_writable)
    await address.connect(lambda: connection)
    return connection


async def wait_until_ready(connection: Connection) -> None:
    """Wait until the greeting is answered. If it is not, close the connection and raise one of `BROKEN`."""
    try:
        error = await connection.ready
    except asyncio.CancelledError:
        await connection.close()
        raise
    if error is not None:
        await connection.close()
        raise error


async def connect(address: Address, on_replies: OnReplies, on_writable: Callable[[], None]) -> Connection:
    """Return a connection that is ready. Raises one of `BROKEN`, after `CONNECT_PATIENCE` at the latest."""
    async with asyncio.timeout(CONNECT_PATIENCE):
        connection = await open_connection(address, on_replies, on_writable)
        await wait_until_ready(connection)
    return connection


async def is_silent(address: Address) -> bool:
    """Return whether a server does not answer a new connection.

    It is silent if no connection can be opened within `CONNECT_PATIENCE`, or if it does not answer the greeting within
    `PROBE_PATIENCE` after that. A server that refuses the connection or the greeting is not silent.
    """
    try:
        async with asyncio.timeout(CONNECT_PATIENCE):
            connection = await open_connection(address, lambda _replies: None, lambda: None)
        async with asyncio.timeout(PROBE_PATIENCE):
            await wait_until_ready(connection)
    except TimeoutError:
        return True
    except BROKEN:
        return False
    await connection.close()
    return False
