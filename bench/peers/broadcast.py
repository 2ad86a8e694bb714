"""A bare `websockets` server on uvloop: a client sends a number to broadcast that many bytes to a group."""

import logging
import sys
from collections import defaultdict

import uvloop
from websockets.asyncio.server import ServerConnection, broadcast, serve

GROUPS: defaultdict[str, set[ServerConnection]] = defaultdict(set)


async def talk(connection: ServerConnection) -> None:
    """Serve a subscriber (`/listen/<group>`), or a client that requests broadcasts (`/broadcast/<group>`)."""
    assert connection.request is not None  # noqa: S101 - the handshake is over
    _, role, group = connection.request.path.split("/")
    if role == "broadcast":
        async for size in connection:
            broadcast(GROUPS[group], "x" * int(size))
        return
    GROUPS[group].add(connection)
    await connection.wait_closed()
    GROUPS[group].discard(connection)


async def main(port: str) -> None:
    """Serve on a port of this machine until it is ended."""
    logging.getLogger("websockets.server").setLevel(logging.CRITICAL)  # a client that just goes is no news here
    async with serve(talk, "127.0.0.1", int(port), compression=None) as server:
        await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1]))
