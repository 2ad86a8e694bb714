"""WebSocket frames on the wire (RFC 6455), however they are cut, joined or broken."""

import itertools
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from service.api.http.commands import parse_command
from service.api.http.requests import parse_json
from service.api.websocket.session import FRAME, is_known
from service.streams.errors import ServiceError
from tests.e2e.client import ApiClient, Json
from tests.waiting import PATIENCE

PROTOCOL_ERROR, NOT_UTF8, TOO_BIG = 1002, 1007, 1009
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
FINAL = 0x80
KEY = b"\x37\xfa\x21\x3d"
UPGRADE = (
    b"GET /v1/feed HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n"
    b"sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
FRAME_BYTES = 65_536
"""The largest text that is read."""


def framed(payload: bytes, first: int = FINAL | TEXT, key: bytes | None = KEY) -> bytes:
    """Return a frame as a client sends it, or without a mask."""
    masked, size = 0 if key is None else 0x80, len(payload)
    if size < 126:
        head = struct.pack(">BB", first, masked | size)
    elif size < 1 << 16:
        head = struct.pack(">BBH", first, masked | 126, size)
    else:
        head = struct.pack(">BBQ", first, masked | 127, size)
    if key is None:
        return head + payload
    return head + key + bytes(byte ^ mask for byte, mask in zip(payload, itertools.cycle(key), strict=False))


def said(number: int, size: int = 0) -> bytes:
    """Return a command of no player, whose refusal names it again; padded to a size."""
    text = b'{"type":"command","id":%d,"room":"nowhere","command":{}' % number
    return text + b" " * (size - len(text) - 1) + b"}"


class Wire:
    """A WebSocket byte by byte, after its handshake."""

    def __init__(self, connection: socket.socket) -> None:
        """Speak over this connection."""
        self._connection = connection
        self._came = connection.makefile("rb")

    def shake_hands(self, path: str, *more: str, connection: str = "Upgrade") -> int:
        """Request the upgrade, with more lines, and read the head of the response; return its status."""
        upgrade = (f"connection: {connection}", "upgrade: websocket", "sec-websocket-version: 13")
        key = "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=="
        head = "\r\n".join([f"GET {path} HTTP/1.1", "host: 127.0.0.1", *upgrade, key, *more, "", ""])
        self.send(head.encode())
        status = int(self._came.readline().split()[1])
        while self._came.readline() != b"\r\n":
            pass
        return status

    def send(self, data: bytes) -> None:
        """Send bytes as one packet."""
        self._connection.sendall(data)

    def hears(self) -> tuple[int, bytes]:
        """Return the next frame: its kind and its payload."""
        first, size = self._came.read(2)
        if size == 126:
            (size,) = struct.unpack(">H", self._came.read(2))
        return first & 15, self._came.read(size)

    def rest(self) -> bytes:
        """Return the remaining bytes until the connection is closed."""
        return self._came.read()

    def answer(self) -> int:
        """Return the id of the command that the next frame answers."""
        kind, payload = self.hears()
        frame: Json = msgspec.json.decode(payload)
        assert (kind, frame["type"]) == (TEXT, "reply"), frame
        number: int = frame["id"]
        return number

    def close_code(self) -> int:
        """Return the code that the socket is closed with."""
        kind, payload = self.hears()
        assert kind == CLOSE, payload
        return int.from_bytes(payload[:2], "big")


@pytest.fixture
def wire(client: ApiClient) -> Iterator[Wire]:
    """Open the socket for many rooms."""
    with wired(client) as opened:
        yield opened


@contextmanager
def wired(client: ApiClient, *more: str, status: int = 101) -> Iterator[Wire]:
    """Open a socket of one's own; the handshake, with more lines, gets this status."""
    with connection_to(client) as connection:
        wire = Wire(connection)
        assert wire.shake_hands("/v1/feed", *more) == status
        yield wire


@contextmanager
def connection_to(client: ApiClient) -> Iterator[socket.socket]:
    """Connect, without a handshake."""
    with socket.create_connection(("127.0.0.1", int(client.url.rpartition(":")[2])), timeout=PATIENCE) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        yield connection


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (["cookie: " + "x" * 10_000], 431),
        (["x: y"] * 200, 431),
        (["content-length: 3"], 400),
        (["transfer-encoding: chunked"], 400),
        (["sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=="], 400),
    ],
    ids=["long", "many", "body", "chunked", "two keys"],
)
def test_a_handshake_that_is_refused_is_answered(client: ApiClient, lines: list[str], status: int) -> None:
    """Then the connection is closed at once."""
    with wired(client, *lines, status=status) as wire:
        wire.rest()


@pytest.mark.parametrize("size", [0, 125, 126, 127, 3000, FRAME_BYTES - 1, FRAME_BYTES])
def test_a_text_is_read_up_to_its_largest_size(wire: Wire, size: int) -> None:
    """A text after it is read as well."""
    wire.send(framed(said(1, size)) + framed(said(2)))
    assert [wire.answer(), wire.answer()] == [1, 2]
    wire.send(framed(said(3)))
    assert wire.answer() == 3


def test_a_text_that_is_larger_closes_the_socket(wire: Wire) -> None:
    """As soon as its head has arrived."""
    wire.send(framed(said(1)))
    assert wire.answer() == 1
    wire.send(framed(said(2, FRAME_BYTES + 1))[:20])
    assert wire.close_code() == TOO_BIG


@pytest.mark.parametrize("size", [0, 300])
def test_frames_may_be_cut_anywhere(wire: Wire, size: int) -> None:
    """Byte by byte, and with the beginning of the next one."""
    data = b"".join(framed(said(number, size)) for number in range(3))
    for byte in data:
        wire.send(bytes((byte,)))
    assert [wire.answer() for _ in range(3)] == [0, 1, 2]
    for cut in range(0, len(data), 29):
        wire.send(data[:cut])
        wire.send(data[cut:])
        assert [wire.answer() for _ in range(3)] == [0, 1, 2]


def test_many_texts_in_one_packet_are_answered_in_order(wire: Wire) -> None:
    """There are more of them than can wait at a time."""
    wire.send(b"".join(framed(said(number)) for number in range(60)))
    assert [wire.answer() for _ in range(60)] == list(range(60))
    wire.send(framed(said(60)))
    assert wire.answer() == 60


def test_a_text_may_come_in_parts(wire: Wire) -> None:
    """With a ping between them, which is answered at once; whole texts are sent before and after."""
    text = said(2)
    wire.send(framed(said(1)) + framed(text[:9], TEXT) + framed(text[9:20], CONTINUATION))
    assert wire.answer() == 1
    wire.send(framed(b"there?", FINAL | PING))
    assert wire.hears() == (PONG, b"there?")
    wire.send(framed(text[20:], FINAL | CONTINUATION) + framed(said(3)))
    assert [wire.answer(), wire.answer()] == [2, 3]


def test_a_message_may_be_binary(wire: Wire) -> None:
    """It is read in the same way as a text."""
    wire.send(framed(said(1), FINAL | BINARY) + framed(said(2)))
    assert [wire.answer(), wire.answer()] == [1, 2]


@pytest.mark.parametrize(
    "broken",
    [
        framed(said(1), key=None),
        framed(b"", key=None),
        framed(said(1), FINAL | 0x40 | TEXT),
        framed(said(1), FINAL | 3),
        framed(said(1), FINAL | CONTINUATION),
        framed(said(1), TEXT) + framed(said(2)),
        framed(b"x" * 126, FINAL | PING),
        framed(b"x", PING),
    ],
    ids=[
        "no mask",
        "no mask, empty",
        "reserved bit",
        "unknown kind",
        "no beginning",
        "no end",
        "long ping",
        "half ping",
    ],
)
def test_invalid_frames_close_the_socket(wire: Wire, broken: bytes) -> None:
    """With its code, after the responses to earlier requests; later ones get none."""
    wire.send(framed(said(0)))
    assert wire.answer() == 0
    wire.send(broken + framed(said(3)))
    assert wire.close_code() == PROTOCOL_ERROR


def test_a_text_that_is_not_utf8_closes_the_socket(wire: Wire) -> None:
    """The close code is the one for that."""
    wire.send(framed(said(0)))
    assert wire.answer() == 0
    wire.send(framed(b'{"type":"ping\xff"}'))
    assert wire.close_code() == NOT_UTF8


def test_a_socket_that_is_closed_by_its_client_is_closed_in_order(wire: Wire) -> None:
    """The client gets its own close code back."""
    wire.send(framed(said(0)))
    assert wire.answer() == 0
    wire.send(framed(struct.pack(">H", 1000), FINAL | CLOSE))
    assert wire.close_code() == 1000


@pytest.mark.parametrize(
    ("sent", "answered"),
    [
        (b"", 1000),
        (struct.pack(">H", 4321) + b"because", 4321),
        (struct.pack(">H", 1005), PROTOCOL_ERROR),
        (struct.pack(">H", 1006), PROTOCOL_ERROR),
        (struct.pack(">H", 2999), PROTOCOL_ERROR),
        (struct.pack(">H", 5000), PROTOCOL_ERROR),
        (b"\x03", PROTOCOL_ERROR),
        (struct.pack(">H", 1000) + b"\xff", NOT_UTF8),
    ],
)
def test_a_close_is_answered(wire: Wire, sent: bytes, answered: int) -> None:
    """With its own code where it may carry that, and the connection ends."""
    wire.send(framed(sent, FINAL | CLOSE))
    assert wire.close_code() == answered
    assert wire.rest() == b""


def test_parts_are_together_no_larger_than_a_text(wire: Wire) -> None:
    """However small each is, and empty ones cost nothing."""
    wire.send(framed(b"", TEXT) + framed(b"", CONTINUATION) * 5000 + framed(said(1), FINAL | CONTINUATION))
    assert wire.answer() == 1
    wire.send(framed(b" " * 60_000, TEXT) + framed(b" " * 5_537, CONTINUATION))
    assert wire.close_code() == TOO_BIG


def test_an_end_of_a_text_that_is_no_utf8_closes_the_socket(wire: Wire) -> None:
    """A character may be cut between two parts, but not be wrong."""
    text = '{"type":"command","id":"é","room":"x","command":{}}'.encode()
    cut = text.index(b"\xa9")
    wire.send(framed(text[:cut], TEXT) + framed(text[cut:], FINAL | CONTINUATION))
    assert wire.hears()[0] == TEXT
    wire.send(framed(text[:cut], TEXT) + framed(b"(", FINAL | CONTINUATION))
    assert wire.close_code() == NOT_UTF8


def test_nothing_after_a_protocol_error_is_read(client: ApiClient, wire: Wire) -> None:
    """A command after it is not executed."""
    ada = client.guest("Ada")
    room = ada.open_room("morris").body["room"]
    before = ada.read_room(room).body["version"]
    subscribe = b'{"type":"subscribe","room":"%b","token":"%b"}' % (room.encode(), str(ada.token).encode())
    ready = b'{"type":"command","id":1,"room":"%b","command":{"type":"ready"}}' % room.encode()
    wire.send(framed(subscribe) + framed(b"\xff") + framed(ready) + framed(b"x", PING) + framed(ready))
    wire.rest()
    assert ada.read_room(room).body["version"] == before


def test_the_connection_header_may_name_more_than_the_upgrade(client: ApiClient) -> None:
    """Firefox sends such a header."""
    with connection_to(client) as connection:
        wire = Wire(connection)
        assert wire.shake_hands("/v1/feed", connection="keep-alive, Upgrade") == 101
        wire.send(framed(said(1)))
        assert wire.answer() == 1


@pytest.mark.parametrize("name", [b"sec-websocket-protocol", b"sec-websocket-extensions", b"x"])
def test_the_headers_of_a_handshake_need_not_be_utf_8(client: ApiClient, name: bytes) -> None:
    """HTTP allows other bytes in the value of a header (RFC 9110, 5.5)."""
    with connection_to(client) as connection:
        connection.sendall(UPGRADE.removesuffix(b"\r\n") + name + b": caf\xe9\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 101 ")


@pytest.mark.parametrize("line", [b"POST /v1/feed", b"GET /v1/f\xe9ed", b"GET http://[/v1/feed"])
def test_an_invalid_upgrade_request_is_refused(client: ApiClient, logs: Path, line: bytes) -> None:
    """The log has no traceback."""
    before = logs.read_text()
    with connection_to(client) as connection:
        connection.sendall(line + UPGRADE.removeprefix(b"GET /v1/feed"))
        assert connection.recv(100).startswith(b"HTTP/1.1 400 ")
    assert "Traceback" not in logs.read_text().removeprefix(before)


@pytest.mark.parametrize("path", ["/v1/rooms", "/", "/v1/feedback", "/%", "/v1//feed", "/v1/rooms/a%2fb/feed"])
def test_a_socket_is_refused_where_there_is_none(client: ApiClient, path: str) -> None:
    """The response is a problem, and the connection is closed."""
    with connection_to(client) as connection:
        wire = Wire(connection)
        assert wire.shake_hands(path) == 404
        assert msgspec.json.decode(wire.rest())["code"] == "not_found"


def test_a_broken_socket_has_no_effect_on_others(client: ApiClient, wire: Wire) -> None:
    """What one client sends cannot end another client's socket."""
    with wired(client) as broken:
        broken.send(b"\x00" * 50)
        assert broken.close_code() == PROTOCOL_ERROR
    wire.send(framed(said(1)))
    assert wire.answer() == 1


@pytest.mark.parametrize("again", ['"id":2', '"room":"b"', '"type":"command"', '"command":{"type":"play","move":{}}'])
def test_equal_names_beside_a_known_move_are_refused(again: str) -> None:
    """A move that was parsed before is not checked again, but what is around it is."""
    move = '{"type":"play","move":{"type":"place","at":"a1"}}'
    parse_command(move.encode())
    frame = f'{{"type":"command","id":1,"room":"a","command":{move}}}'
    assert is_known(parse_json(frame, FRAME, is_known), frame)
    with pytest.raises(ServiceError, match="malformed"):
        parse_json(f"{{{again},{frame[1:]}", FRAME, is_known)
