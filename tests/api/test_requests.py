"""HTTP itself, byte by byte: what is no request, what has no end, and what a request may offer or bring along."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
import pytest

from tests.e2e.client import ApiClient, Player
from tests.waiting import PATIENCE

GET = b"GET /health/live HTTP/1.1\r\nHost: x\r\n"
GUEST = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
ADA = b'{"nickname": "Ada"}'
WHOLE = b"Content-Length: 19\r\n\r\n" + ADA
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n13\r\n" + ADA + b"\r\n0\r\n"
OFFER = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"


class Reply(NamedTuple):
    """One answer."""

    status: int
    headers: dict[str, str]
    body: Any


class Line:
    """A connection to write bytes to and read answers from."""

    def __init__(self, connection: socket.socket) -> None:
        """Speak over this connection."""
        self.send = connection.sendall
        self._came = connection.makefile("rb")

    def reply(self) -> Reply:
        """Read one answer. Raises `EOFError` where there is none."""
        first = self._came.readline()
        if not first:
            raise EOFError
        headers = dict(self._headers())
        body = self._came.read(int(headers["content-length"]))
        return Reply(int(first.split()[1]), headers, msgspec.json.decode(body) if body else None)

    def _headers(self) -> Iterator[tuple[str, str]]:
        while (read := self._came.readline()) != b"\r\n":
            name, _, value = read.decode().partition(":")
            yield name.lower(), value.strip()


@pytest.fixture
def line(client: ApiClient) -> Iterator[Line]:
    """Return a connection."""
    address = urlsplit(client.url)
    with socket.create_connection((address.hostname, address.port), timeout=PATIENCE) as connection:
        yield Line(connection)


@pytest.mark.parametrize(
    "data",
    [
        b"\x00\xff\r\n\r\n",
        b"\x16\x03\x01\x00\xc8\x01\x00\x00\xc4",
        b"get / HTTP/1.1\r\n\r\n",
        b"GET /\xe9 HTTP/1.1\r\n\r\n",
        GET + b"no colon\r\n\r\n",
        GET + b"X: a\x00b\r\n\r\n",
        GET + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
        GUEST + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n",
        GUEST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        GUEST + b"Content-Length: 99999999999999999999\r\n\r\n",
    ],
)
def test_an_invalid_request_gets_a_problem_and_is_disconnected(line: Line, data: bytes) -> None:
    """As everything else that can't be read, with the same headers."""
    line.send(data)
    reply = line.reply()
    assert (reply.status, reply.body["code"]) == (400, "malformed")
    assert reply.headers["content-type"] == "application/problem+json"
    assert (reply.headers["x-content-type-options"], reply.headers["connection"]) == ("nosniff", "close")
    with pytest.raises(EOFError):
        line.reply()


def test_nonsense_behind_a_request_is_not_its_answer(line: Line) -> None:
    """A client that waits for the response gets none, rather than an error about a part of its request."""
    line.send(GUEST + WHOLE + b"nonsense\r\n\r\n")
    with pytest.raises(EOFError):
        line.reply()


@pytest.mark.parametrize("begin", [GET + b"X: ", b"GET /", GUEST + CHUNKED + b"X: "], ids=["head", "path", "trailers"])
def test_an_endless_request_is_disconnected(line: Line, begin: bytes) -> None:
    """After about 64 KB, because it is kept in memory."""
    line.send(begin)
    with pytest.raises(OSError, match=r"reset|pipe"):  # noqa: PT012 - whichever write comes too late
        for _ in range(512):
            line.send(b"x" * 65_536)


def test_many_requests_at_once_are_no_head_without_end(line: Line) -> None:
    """Nor is the beginning of one behind them."""
    line.send((GET + b"\r\n") * 3000 + GET)
    assert {line.reply().status for _ in range(3000)} == {200}
    line.send(b"\r\n")
    assert line.reply().status == 200


@pytest.mark.parametrize("body", [WHOLE, CHUNKED + b"\r\n"], ids=["whole", "chunked"])
def test_an_offer_to_speak_otherwise_is_declined_and_the_request_is_answered(line: Line, body: bytes) -> None:
    """`curl --http2` and others offer HTTP/2 with every request; its body is its body, and no request of its own."""
    line.send(GUEST + OFFER + body + GET + OFFER + b"\r\n" + GUEST + body)
    assert [line.reply().status for _ in range(3)] == [201, 200, 201]
    head, _, rest = (GUEST + OFFER + body).partition(b"\r\n\r\n")
    line.send(head + b"\r\n\r\n")
    line.send(rest)
    assert line.reply().body["player"]["nickname"] == "Ada"


def test_trailers_are_no_headers(line: Line, ada: Player) -> None:
    """A proxy doesn't look at them as it does at headers."""
    request_head = (
        GUEST.replace(b"players", b"rooms")
        + b"Transfer-Encoding: chunked\r\n\r\n10\r\n"
        + b'{"game":"ternio"'
        + b"\r\n"
    )
    line.send(request_head + b"1\r\n}\r\n0\r\nAuthorization: Bearer " + str(ada.token).encode() + b"\r\n\r\n")
    reply = line.reply()
    assert (reply.status, reply.body["pointer"]) == (422, "/nickname")


def test_a_client_that_disconnects_in_the_middle_causes_no_error(client: ApiClient, logs: Path) -> None:
    """An operator is woken by faults only."""
    address = urlsplit(client.url)
    with socket.create_connection((address.hostname, address.port)) as connection:
        connection.sendall(GUEST + b"Content-Length: 20\r\n\r\n" + ADA)
    assert client.anonymous().get("/health/live").status == 200
    assert "disconnected" not in logs.read_text()
