"""One connection to one node, as little of redis-py's client as a batching layer needs.

redis-py dials, authenticates and writes. It would read line by line, so what it reads from is read here.
"""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Protocol, cast

from redis.asyncio.connection import Connection, parse_url
from redis.exceptions import RedisError

from service.streams.replies import Replies

CLIENT_NAME = "turnstream"

BROKEN = (RedisError, OSError, EOFError)
"""What a connection that has ended raises."""

PIECE = 2**18
"""Bytes that are read at once at most."""


class Dialled(Protocol):
    """The part of redis-py's connection that is used here."""

    _reader: asyncio.StreamReader | None

    async def connect(self) -> None:
        """Connect and introduce oneself."""

    async def send_packed_command(self, command: Iterable[bytes], check_health: bool = True) -> None:  # noqa: FBT001, FBT002 - redis-py's signature
        """Write these bytes."""

    async def disconnect(self) -> None:
        """Close the connection."""


Dial = Callable[[], Dialled]


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


class Wire:
    """A connection that is ready."""

    def __init__(self, connection: Dialled) -> None:
        """Take over a connection where its own replies have been read. Raises `EOFError` for one that has ended."""
        stream = connection._reader  # noqa: SLF001 - redis-py tells nobody else what it reads from
        if stream is None:
            raise EOFError("the connection has ended")
        self._connection = connection
        self._stream = stream
        self._replies = Replies()

    async def write(self, commands: bytes) -> None:
        """Write packed commands."""
        await self._connection.send_packed_command([commands], check_health=False)

    async def replies(self) -> list[Any]:
        """Wait for more bytes, and return the replies that end within them, errors as `ResponseError`."""
        lacking = self._replies.lacking
        data = await (self._stream.readexactly(lacking) if lacking else self._stream.read(PIECE))
        if not data:
            raise EOFError("the store hung up")
        return self._replies.of(data)

    async def hang_up(self) -> None:
        """Close the connection, which may be broken already."""
        await hung_up(self._connection)


async def connected(make: Dial, patience: float) -> Wire:
    """Return a connection that is ready within `patience` seconds, or raise one of `BROKEN`."""
    connection = make()
    try:
        async with asyncio.timeout(patience):
            await connection.connect()
        return Wire(connection)
    except BaseException:
        await hung_up(connection)
        raise


async def hung_up(connection: Dialled) -> None:
    """Close a connection, which may be broken already."""
    with suppress(*BROKEN):
        await connection.disconnect()
