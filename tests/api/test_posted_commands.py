"""Commands by POST, byte by byte: each request is answered once and in its order, whichever code reads it."""

import contextlib
import socket
import time
from collections.abc import Iterator
from http.client import HTTPResponse
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
import pytest

from tests.e2e.client import ApiClient, Player
from tests.waiting import PATIENCE

READY, UNREADY = b'{"type": "ready"}', b'{"type": "unready"}'


class Reply(NamedTuple):
    """One answer."""

    status: int
    headers: dict[str, str]
    body: Any


class Line:
    """A connection to write bytes to and read answers from."""

    def __init__(self, client: ApiClient) -> None:
        """Connect."""
        address = urlsplit(client.url)
        self.socket = socket.create_connection((address.hostname, address.port), timeout=PATIENCE)
        self.host = address.netloc

    def post(self, player: Player, room: str, body: bytes, *lines: str, version: str = "HTTP/1.1") -> bytes:
        """Return the bytes of a command; `Content-Length` is left to `lines` where they say how the body comes."""
        length = [] if any("encoding" in line for line in lines) else [f"Content-Length: {len(body)}"]
        headers = [
            f"Host: {self.host}",
            f"Authorization: Bearer {player.token}",
            "Content-Type: application/json",
            *length,
        ]
        head = "\r\n".join([f"POST /v1/rooms/{room}/commands {version}", *headers, *lines, "", ""])
        return head.encode() + body

    def reply(self) -> Reply:
        """Read one answer."""
        response = HTTPResponse(self.socket)
        response.begin()
        body = response.read()
        headers = {name.lower(): value for name, value in response.getheaders()}
        return Reply(response.status, headers, msgspec.json.decode(body))

    def is_closed(self) -> bool:
        """Wait until the other side hangs up."""
        return self.socket.recv(1) == b""


@pytest.fixture
def line(client: ApiClient) -> Iterator[Line]:
    """Return a connection."""
    line = Line(client)
    with contextlib.closing(line.socket):
        yield line


@pytest.fixture
def room(ada: Player) -> str:
    """Return a room in which Ada sits and waits."""
    return str(ada.open_room("morris").body["room"])


def test_requests_sent_together_are_answered_in_order(line: Line, ada: Player, room: str) -> None:
    """Two commands and a read, without waiting; then the connection serves on."""
    read = f"GET /v1/rooms/{room} HTTP/1.1\r\nHost: {line.host}\r\n\r\n".encode()
    line.socket.sendall(line.post(ada, room, READY) + read + line.post(ada, room, UNREADY) + line.post(ada, room, b"{"))
    # A reader of answers takes more than its own from a connection, so they are read as one text.
    data = b""
    while data.count(b"HTTP/1.1 ") < 4 or not data.endswith(b"}"):
        data += line.socket.recv(65536)
    answers = data.split(b"HTTP/1.1 ")[1:]
    assert [answer[:3] for answer in answers] == [b"200", b"200", b"200", b"400"]
    assert [b"player_readied" in answers[0], b"player_unreadied" in answers[2]] == [True, True]
    line.socket.sendall(line.post(ada, room, READY))
    assert line.reply().status == 200


def test_a_command_may_arrive_in_pieces(line: Line, ada: Player, room: str) -> None:
    """It may even arrive byte by byte."""
    for byte in line.post(ada, room, READY):
        line.socket.sendall(bytes((byte,)))
    assert line.reply().body["events"][0]["type"] == "player_readied"


def test_a_body_may_arrive_after_its_head(line: Line, ada: Player, room: str) -> None:
    """As many clients send it, with the same connection for the next command."""
    for body, event in ((READY, "player_readied"), (UNREADY, "player_unreadied")):
        line.socket.sendall(line.post(ada, room, body)[: -len(body)])
        time.sleep(0.05)
        line.socket.sendall(body)
        assert line.reply().body["events"][0]["type"] == event


def test_commands_sent_before_the_answer_are_answered_in_order(line: Line, ada: Player, room: str) -> None:
    """Each in a packet of its own; the connection reads the next one after it has answered."""
    for body in (READY, UNREADY) * 5:
        line.socket.sendall(line.post(ada, room, body))
    data = b""
    while data.count(b"HTTP/1.1 200 OK") < 10 or not data.endswith(b"}"):
        data += line.socket.recv(65536)
    answers = data.split(b"HTTP/1.1 ")[1:]
    assert ["player_unreadied" in str(answer) for answer in answers] == [False, True] * 5


@pytest.mark.parametrize(
    ("head", "tail"),
    [
        ("Content-Length: {length}\r\n\r\n", b""),
        ("Transfer-Encoding: chunked\r\n\r\n{length:x}\r\n", b"\r\n0\r\n\r\n"),
        ("X-Name: ", b""),
    ],
    ids=["body", "chunk", "header"],
)
def test_what_stands_in_another_request_is_no_command(
    line: Line, ada: Player, room: str, head: str, tail: bytes
) -> None:
    """Whatever packets it comes in: behind a proxy it would be answered to somebody else."""
    hidden = line.post(ada, room, READY)
    version = ada.read_room(room).body["version"]
    begun = f"PUT /v1/rooms/{room} HTTP/1.1\r\nHost: {line.host}\r\n" + head.format(length=len(hidden))
    line.socket.sendall(begun.encode())
    time.sleep(0.05)
    line.socket.sendall(hidden + tail)
    assert line.reply().status >= 400
    assert ada.read_room(room).body["version"] == version


def test_connection_close_is_respected(line: Line, ada: Player, room: str) -> None:
    """The answer has it, too, and then the connection is closed."""
    line.socket.sendall(line.post(ada, room, READY, "Connection: close"))
    reply = line.reply()
    assert (reply.status, reply.headers["connection"]) == (200, "close")
    assert line.is_closed()


@pytest.mark.parametrize(
    ("lines", "version"),
    [(("Transfer-encoding: chunked",), "HTTP/1.1"), ((), "HTTP/1.0"), (("Expect: 100-continue",), "HTTP/1.1")],
    ids=["chunked", "1.0", "expect"],
)
def test_other_requests_are_read_by_uvicorn(
    line: Line, ada: Player, room: str, lines: tuple[str, ...], version: str
) -> None:
    """The command is executed as any other, and so is the next one on the same connection if it stays open."""
    body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(READY), READY) if lines and "chunked" in lines[0] else READY
    line.socket.sendall(line.post(ada, room, body, *lines, version=version))
    reply = line.reply()
    assert (reply.status, reply.body["events"][0]["type"]) == (200, "player_readied")
    if version == "HTTP/1.1":
        line.socket.sendall(line.post(ada, room, UNREADY))
        assert line.reply().body["events"][0]["type"] == "player_unreadied"


def test_both_ways_answer_with_the_same_head(line: Line, ada: Player, room: str) -> None:
    """Except for the date, the length, the room's version and the request's id."""
    line.socket.sendall(line.post(ada, room, READY))
    short = line.reply()
    long = ada.post(f"/v1/rooms/{room}/commands?dry_run=false", {"type": "unready"})
    different = {"date", "content-length", "etag", "x-request-id"}
    assert {name: value for name, value in short.headers.items() if name not in different} == {
        name: value for name, value in long.headers.items() if name not in different
    }
    assert short.headers.keys() == long.headers.keys()


def test_a_body_that_is_too_large_is_refused(line: Line, ada: Player, room: str) -> None:
    """Both ways refuse it."""
    line.socket.sendall(line.post(ada, room, b" " * 65_537 + READY))
    assert (reply := line.reply()).status == 413
    assert reply.body["code"] == "body_too_large"


def test_a_command_is_done_whether_or_not_its_sender_stays(
    line: Line, client: ApiClient, ada: Player, room: str
) -> None:
    """There is no client to respond to, and the service continues."""
    line.socket.sendall(line.post(ada, room, READY))
    line.socket.close()
    with ada.via(client).subscribe(room) as feed:
        feed.until(lambda frame: "player_readied" in str(frame) or frame.get("view", {}).get("version", 0) > 2)
    assert ada.read_room(room).status == 200


def test_a_connection_that_carried_a_command_may_become_a_socket(line: Line, ada: Player, room: str) -> None:
    """As a proxy uses it: the command before the upgrade is executed once, and its response is sent first."""
    line.socket.sendall(line.post(ada, room, READY))
    version = line.reply().body["version"]
    key = "A" * 22 + "=="
    lines = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}"]
    request = "\r\n".join([f"GET /v1/rooms/{room}/feed HTTP/1.1", f"Host: {line.host}", *lines, "", ""])
    line.socket.sendall(request.encode())
    assert line.socket.recv(65536).startswith(b"HTTP/1.1 101 ")
    assert ada.read_room(room).body["version"] == version
    line.socket.settimeout(0.3)
    with pytest.raises(TimeoutError):
        line.socket.recv(1)


def test_a_head_that_is_known_is_read_with_the_body_that_follows_it(line: Line, ada: Player, room: str) -> None:
    """The same head comes with another command, then in pieces, and then from a player who was erased."""
    ready = READY.ljust(len(UNREADY))
    for body, event in ((ready, "player_readied"), (UNREADY, "player_unreadied")):
        line.socket.sendall(line.post(ada, room, body))
        assert line.reply().body["events"][0]["type"] == event
    line.socket.sendall(line.post(ada, room, ready)[:-3])
    time.sleep(0.05)
    line.socket.sendall(ready[-3:])
    assert line.reply().body["events"][0]["type"] == "player_readied"
    assert ada.send("DELETE", f"/v1/players/{ada.id}").status == 204
    line.socket.sendall(line.post(ada, room, UNREADY))
    assert line.reply().status == 401
