"""The load's side of the wire: as little work a message as checking it allows."""

import asyncio
import base64
import secrets
from collections.abc import Callable
from typing import cast

Answered = Callable[[int, bytes], None]
"""Takes a reply's status and body."""

Heard = Callable[[bytes], None]
"""Takes a frame's payload, text or binary."""

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
NO_MASK = bytes(4)
"""A frame masked with zeros is as good a frame as any and costs nothing to mask."""


def post(path: str, token: str, body: bytes) -> bytes:
    """Return a request's bytes."""
    head = f"POST {path} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\nauthorization: Bearer {token}"
    return b"%b\r\ncontent-length: %d\r\n\r\n%b" % (head.encode(), len(body), body)


def client_frame(opcode: int, payload: bytes) -> bytes:
    """Return a frame as clients send them; up to 64 KB."""
    if len(payload) < 126:
        return bytes((0x80 | opcode, 0x80 | len(payload))) + NO_MASK + payload
    return bytes((0x80 | opcode, 0x80 | 126)) + len(payload).to_bytes(2, "big") + NO_MASK + payload


class Line(asyncio.Protocol):
    """A connection that collects bytes until something is whole."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._rest = b""
        self._transport: asyncio.Transport | None = None
        self.lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way out."""
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's name for it
        """Note that the other side has gone."""
        self.lost = True

    def send(self, data: bytes) -> None:
        """Write bytes."""
        if self._transport is None or self.lost:
            raise ConnectionError("the server closed a connection")
        self._transport.write(data)

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.close()


class HttpLine(Line):
    """A kept-alive HTTP connection with one request at a time."""

    def __init__(self, answered: Answered) -> None:
        """Hand replies to `answered`."""
        super().__init__()
        self._answered = answered

    def data_received(self, data: bytes) -> None:
        """Hand on a reply when it is whole."""
        data = self._rest + data if self._rest else data
        ends = data.find(b"\r\n\r\n")
        size = content_length(data[:ends]) if ends >= 0 else 0
        if ends < 0 or len(data) < ends + 4 + size:
            self._rest = data
            return
        self._rest = b""
        self._answered(int(data[9:12]), data[ends + 4 :])


def content_length(head: bytes) -> int:
    """Return how long the body of a reply is."""
    after = head.lower().partition(b"content-length:")[2]
    return int(after.partition(b"\r\n")[0])


class SocketLine(Line):
    """A WebSocket after its handshake: frames come in, pings are answered."""

    def __init__(self, path: str, heard: Heard, extensions: str = "") -> None:
        """Request the socket at `path`, and extensions of the protocol; pass its frames to `heard`."""
        super().__init__()
        self._path = path
        self._heard = heard
        self._offer = f"sec-websocket-extensions: {extensions}\r\n" if extensions else ""
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Request the upgrade."""
        super().connection_made(transport)
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        upgrade = "connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13"
        head = f"GET {self._path} HTTP/1.1\r\nhost: bench\r\n{upgrade}\r\nsec-websocket-key: {key}\r\n{self._offer}\r\n"
        self.send(head.encode())

    def data_received(self, data: bytes) -> None:
        """Finish the handshake once, then take frames."""
        data = self._rest + data if self._rest else data
        if self.opened.done():
            self._rest = self._take(data)
            return
        head, ends, data = data.partition(b"\r\n\r\n")
        if not ends:
            self._rest = head
        elif head[9:12] != b"101":
            self.opened.set_exception(ConnectionError(head.decode("latin-1")))
        else:
            self.opened.set_result(None)
            self._rest = self._take(data)

    def _take(self, data: bytes) -> bytes:
        """Hand on every whole frame and return the rest."""
        at = 0
        while (cut := frame_at(data, at)) is not None:
            start, end = cut
            opcode = data[at] & 15
            if opcode in {TEXT, BINARY}:
                self._heard(data[start:end])
            elif opcode == PING:
                self.send(client_frame(PONG, data[start:end]))
            elif opcode == CLOSE:
                self.lost = True
            at = end
        return data[at:]

    def say(self, payload: bytes) -> None:
        """Send a text frame."""
        self.send(client_frame(TEXT, payload))

    def say_binary(self, payload: bytes) -> None:
        """Send a binary frame."""
        self.send(client_frame(BINARY, payload))


def frame_at(data: bytes, at: int) -> tuple[int, int] | None:
    """Return where the payload of the server's frame at `at` starts and ends, None if it isn't whole."""
    if len(data) - at < 2:
        return None
    length, start = data[at + 1], at + 2
    if length >= 126:
        start += 2 if length == 126 else 8
        if len(data) < start:
            return None
        length = int.from_bytes(data[at + 2 : start], "big")
    return (start, start + length) if start + length <= len(data) else None


async def http_line(port: int, answered: Answered) -> HttpLine:
    """Connect for requests."""
    loop = asyncio.get_running_loop()
    _, line = await loop.create_connection(lambda: HttpLine(answered), "127.0.0.1", port)
    return line


async def socket_line(port: int, path: str, heard: Heard) -> SocketLine:
    """Open a WebSocket."""
    loop = asyncio.get_running_loop()
    _, line = await loop.create_connection(lambda: SocketLine(path, heard), "127.0.0.1", port)
    await line.opened
    return line
