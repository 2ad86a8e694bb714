"""A bare picows server on uvloop: a client sends a number to broadcast that many bytes to a group."""

import sys
from collections import defaultdict

import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, WSUpgradeRequest, ws_create_server

GROUPS: defaultdict[str, set[WSTransport]] = defaultdict(set)


class Connection(WSListener):
    """A subscriber (`/listen/<group>`), or a client that requests broadcasts (`/broadcast/<group>`)."""

    def __init__(self, path: str) -> None:
        """Begin with the path of the upgrade request."""
        super().__init__()
        _, self._role, self._group = path.split("/")

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Add a subscriber."""
        if self._role == "listen":
            GROUPS[self._group].add(transport)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """Forget it."""
        GROUPS[self._group].discard(transport)

    def on_ws_frame(self, _transport: WSTransport, frame: WSFrame) -> None:
        """Broadcast."""
        text = b"x" * int(frame.get_payload_as_bytes())
        for subscriber in GROUPS[self._group]:
            subscriber.send(WSMsgType.TEXT, text)


def connection_of(request: WSUpgradeRequest) -> WSListener:
    """Return what listens to a new connection."""
    return Connection(request.path.decode())


async def main(port: str) -> None:
    """Serve on a port of this machine until it is ended."""
    server = await ws_create_server(connection_of, "127.0.0.1", int(port))
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1]))
