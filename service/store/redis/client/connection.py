"""One connection to one node, as little of redis-py's client as a batching layer needs.

redis-py dials and authenticates. It would read line by line and wait at each, so its transport is taken over then.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol, cast

import hiredis
from redis.asyncio.connection import Connection, parse_url
from redis.exceptions import RedisError

from service.store.resp import Replies

CLIENT_NAME = "turnstream"

BROKEN = (hiredis.HiredisError, RedisError, OSError, EOFError)
"""What a connection that has ended raises."""

HUNG_UP = "the store hung up"


class Dialled(Protocol):
    """The part of redis-py's connection that is used here."""

    _reader: asyncio.StreamReader | None
    _writer: asyncio.StreamWriter | None

    async def connect(self) -> None:
        """Connect and introduce oneself."""

    async def disconnect(self, nowait: bool = False) -> None:  # noqa: FBT001, FBT002 - redis-py's signature
        """Close the connection, and wait until it is closed."""


Dial = Callable[[], Dialled]

Take = Callable[[list[Any]], None]
"""Takes replies, errors as `hiredis.ReplyError`, and raises `hiredis.ProtocolError` for one too many."""


def nobody_asked(_replies: list[Any]) -> None:
    """Take replies that come too late."""


def nobody_waits() -> None:
    """Write nothing more."""


def dial(url: str) -> Dialled:
    """Return a connection to a `redis://`, `rediss://` or `unix://` URL, not yet connected. Raises `ValueError`.

    It speaks RESP 2, which every server speaks and whose replies have one shape. How long to wait is the caller's.
    """
    given: dict[str, Any] = dict(parse_url(url))
    kind = given.pop("connection_class", Connection)
    settings = {**given, "protocol": 2, "socket_timeout": None, "client_name": CLIENT_NAME}
    try:
        return cast("Dialled", kind(**settings))
    except TypeError as error:
        raise ValueError(f"the store's URL has a part that is not known: {error}") from error


class Wire(asyncio.Protocol):
    """A connection that is ready: what comes is handed on at once."""

    def __init__(self, connection: Dialled, take: Take, go_on: Callable[[], None]) -> None:
        """Take over a connection that redis-py has dialled. Raises `EOFError` for one that has ended since.

        `take` gets the replies; `go_on` is called when there was too much to write and the connection takes more again.
        """
        reader, writer = connection._reader, connection._writer  # noqa: SLF001 - redis-py shows nobody its transport
        if reader is None or writer is None or reader.at_eof() or writer.is_closing():
            raise EOFError(HUNG_UP)
        self.ended: asyncio.Future[Exception] = asyncio.get_running_loop().create_future()
        """Why the connection has ended."""
        self.takes_more = True
        self._connection = connection
        self._take = take
        self._go_on = go_on
        self._replies = Replies()
        self._transport = writer.transport
        self._transport.set_protocol(self)

    def write(self, commands: bytes) -> None:
        """Write packed commands."""
        self._transport.write(commands)

    def data_received(self, data: bytes) -> None:
        """Hand on the replies that end within these bytes."""
        try:
            self._take(self._replies.of(data))
        except hiredis.HiredisError as error:
            self.connection_lost(error)
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell that the connection has ended; nothing is handed on any more."""
        self.takes_more, self._take = False, nobody_asked
        if not self.ended.done():
            self.ended.set_result(exc or EOFError(HUNG_UP))

    def pause_writing(self) -> None:
        """Let what is asked wait."""
        self.takes_more = False

    def resume_writing(self) -> None:
        """Ask for what waits."""
        self.takes_more = not self.ended.done()
        self._go_on()

    async def hang_up(self) -> None:
        """Close the connection, which may be broken already."""
        self.connection_lost(None)
        self._transport.abort()
        with suppress(*BROKEN):
            await self._connection.disconnect(nowait=True)  # only the transport knows when it is closed


async def connected(make: Dial, patience: float, take: Take, go_on: Callable[[], None]) -> Wire:
    """Return a connection that is ready within `patience` seconds, or raise one of `BROKEN`."""
    connection = make()
    try:
        async with asyncio.timeout(patience):
            await connection.connect()
        return Wire(connection, take, go_on)
    except BaseException:
        with suppress(*BROKEN):
            await connection.disconnect()
        raise


async def is_silent(make: Dial, patience: float) -> bool:
    """Return whether a node leaves a new connection without an answer for `patience` seconds.

    A node that refuses the connection has answered.
    """
    try:
        wire = await connected(make, patience, nobody_asked, nobody_waits)
    except TimeoutError:
        return True
    except BROKEN:
        return False
    await wire.hang_up()
    return False
