"""One connection to one node, as little of redis-py's client as a batching layer needs."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Protocol, cast

from redis.asyncio.connection import Connection, parse_url
from redis.exceptions import AuthenticationError, BusyLoadingError, RedisError, ResponseError

CLIENT_NAME = "turnstream"

REFUSALS = (ResponseError, BusyLoadingError, AuthenticationError)
"""What a server answers to one command. Two of them are told as a broken connection, but the connection goes on."""

BROKEN = (RedisError, OSError, EOFError)
"""What a connection that has ended raises."""


class Wire(Protocol):
    """The part of redis-py's connection that is used here: dial, authenticate, write, and read one reply."""

    async def connect(self) -> None:
        """Connect and introduce oneself."""

    async def send_packed_command(self, command: Iterable[bytes], check_health: bool = True) -> None:  # noqa: FBT001, FBT002 - redis-py's signature
        """Write these bytes."""

    async def read_response(
        self,
        disable_decoding: bool = False,  # noqa: FBT001, FBT002 - redis-py's signature
        timeout: float | None = None,  # noqa: ASYNC109 - redis-py's signature
        *,
        disconnect_on_error: bool = True,
    ) -> Any:
        """Read the next reply; raises an error reply."""

    async def disconnect(self) -> None:
        """Close the connection."""


Dial = Callable[[], Wire]


def dial(url: str) -> Wire:
    """Return a connection to a `redis://`, `rediss://` or `unix://` URL, not yet connected. Raises `ValueError`.

    It speaks RESP 2, which every server speaks and whose replies have one shape. How long to wait is the caller's.
    """
    given: dict[str, Any] = dict(parse_url(url))
    kind = given.pop("connection_class", Connection)
    settings = {**given, "protocol": 2, "socket_timeout": None, "client_name": CLIENT_NAME}
    try:
        return cast("Wire", kind(**settings))
    except TypeError as error:
        raise ValueError(f"the store's URL has a part that is not known: {error}") from error


async def connected(make: Dial, patience: float) -> Wire:
    """Return a connection that is ready within `patience` seconds, or raise one of `BROKEN`."""
    wire = make()
    try:
        async with asyncio.timeout(patience):
            await wire.connect()
    except BaseException:
        await hung_up(wire)
        raise
    return wire


async def hung_up(wire: Wire) -> None:
    """Close a connection, which may be broken already."""
    with suppress(*BROKEN):
        await wire.disconnect()


def packed(parts: Iterable[bytes]) -> bytes:
    """Return a command as it travels: an array of bulk strings."""
    bulks = [b"$%d\r\n%b\r\n" % (len(part), part) for part in parts]
    return b"*%d\r\n%b" % (len(bulks), b"".join(bulks))
