"""One connection to one server: it introduces itself, and hands on what it reads at once."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

import hiredis

from service.store.redis.client.address import Address
from service.store.redis.client.resp import Replies

BROKEN = (hiredis.HiredisError, OSError, EOFError)
"""What a connection that has ended raises."""

HUNG_UP = "the store hung up"

CONNECT_PATIENCE = 1.0
PROBE_PATIENCE = 0.4
"""Seconds for a connection to be made and be ready; and for a server to answer a probe once it is connected."""

Take = Callable[[list[Any]], None]
"""Takes replies, errors as `hiredis.ReplyError`, and raises `hiredis.ProtocolError` for one too many."""


def nobody_asked(_replies: list[Any]) -> None:
    """Take replies that come too late."""


def nobody_waits() -> None:
    """Write nothing more."""


class Wire(asyncio.Protocol):
    """A connection to a server. It may be written to when its greeting was answered, see `ready`."""

    def __init__(self, greeting: list[bytes], take: Take, go_on: Callable[[], None]) -> None:
        """Greet the server with these commands once connected, each of which has to be answered without an error.

        `take` gets later replies; `go_on` is called when there was too much to write and the connection takes more
        again.
        """
        loop = asyncio.get_running_loop()
        self.ready: asyncio.Future[Exception | None] = loop.create_future()
        """Resolved when the greeting was answered, with an exception if the connection ended instead."""
        self.ended: asyncio.Future[Exception] = loop.create_future()
        """Why the connection has ended."""
        self.takes_more = True
        self._closed: asyncio.Future[None] = loop.create_future()
        self._greeting = greeting
        self._unanswered = len(greeting)
        self._take: Take = self._take_greeting
        self._take_later = take
        self._go_on = go_on
        self._replies = Replies()
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the greeting."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(b"".join(self._greeting))

    def write(self, commands: bytes) -> None:
        """Write packed commands."""
        self._transport.write(commands)

    def data_received(self, data: bytes) -> None:
        """Hand on the replies that end within these bytes."""
        try:
            self._take(self._replies.of(data))
        except hiredis.HiredisError as error:
            self._end(error)
            self._transport.abort()

    def _take_greeting(self, replies: list[Any]) -> None:
        """Take the replies to the greeting. Raises the first error among them, and `ProtocolError` for one too many."""
        for reply in replies:
            if isinstance(reply, hiredis.ReplyError):
                raise reply
        self._unanswered -= len(replies)
        if self._unanswered < 0:
            raise hiredis.ProtocolError("a reply that nobody asked for")
        if not self._unanswered:
            self._take = self._take_later
            self.ready.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the connection is closed."""
        self._end(exc or EOFError(HUNG_UP))
        self._closed.set_result(None)

    def _end(self, reason: Exception) -> None:
        """Note why the connection ends; from now on nothing is handed on."""
        self.takes_more, self._take = False, nobody_asked
        for future in (self.ready, self.ended):
            if not future.done():
                future.set_result(reason)

    def pause_writing(self) -> None:
        """Let what is asked wait."""
        self.takes_more = False

    def resume_writing(self) -> None:
        """Ask for what waits."""
        self.takes_more = not self.ended.done()
        self._go_on()

    async def hang_up(self) -> None:
        """Close the connection, which may be broken already, and return when it is closed."""
        self._end(EOFError(HUNG_UP))
        self._transport.abort()
        await self._closed


async def dialled(address: Address, take: Take, go_on: Callable[[], None]) -> Wire:
    """Return a connection whose greeting is on its way. Raises `OSError`."""
    wire = Wire(address.greeting(), take, go_on)
    await address.connect(lambda: wire)
    return wire


async def greeted(wire: Wire) -> None:
    """Wait until a connection is ready. Raises one of `BROKEN` and closes it if it ends instead, or if cancelled."""
    try:
        error = await wire.ready
    except asyncio.CancelledError:
        await wire.hang_up()
        raise
    if error is not None:
        await wire.hang_up()
        raise error


async def connected(address: Address, take: Take, go_on: Callable[[], None]) -> Wire:
    """Return a connection that is ready within `CONNECT_PATIENCE`, or raise one of `BROKEN`."""
    async with asyncio.timeout(CONNECT_PATIENCE):
        wire = await dialled(address, take, go_on)
        await greeted(wire)
    return wire


async def is_silent(address: Address) -> bool:
    """Return whether a server leaves a new connection without an answer.

    One that can't be reached within `CONNECT_PATIENCE` is silent, and so is one that was reached and does not answer
    the greeting within `PROBE_PATIENCE`. A server that refuses the connection or the greeting has answered.
    """
    try:
        async with asyncio.timeout(CONNECT_PATIENCE):
            wire = await dialled(address, nobody_asked, nobody_waits)
        async with asyncio.timeout(PROBE_PATIENCE):
            await greeted(wire)
    except TimeoutError:
        return True
    except BROKEN:
        return False
    await wire.hang_up()
    return False
