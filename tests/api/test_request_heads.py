"""Heads of requests that a proxy and the service could understand differently: refused before any route sees them."""

import socket
from collections.abc import Iterator
from http.client import HTTPResponse
from urllib.parse import urlsplit

import msgspec
import pytest

from tests.api.test_socket_frames import Wire, connection_to
from tests.e2e.client import ApiClient
from tests.waiting import PATIENCE

HOST = "host: 127.0.0.1"


@pytest.fixture
def line(client: ApiClient) -> Iterator[socket.socket]:
    """Return a connection to the service."""
    address = urlsplit(client.url)
    with socket.create_connection((address.hostname, address.port), timeout=PATIENCE) as connection:
        yield connection


def status(line: socket.socket, request: str, *headers: str) -> int:
    """Send a request and return the status of the answer."""
    line.sendall("\r\n".join([request, *headers, "", ""]).encode())
    response = HTTPResponse(line)
    response.begin()
    response.read()
    return response.status


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ((HOST,), 200),
        ((), 400),
        ((HOST, HOST), 400),
        ((HOST, "host: other.example"), 400),
        ((HOST, "authorization: Bearer a", "Authorization: Bearer b"), 400),
        ((HOST, "content-length: 0", "content-length: 0"), 400),
        ((HOST, "content-length: 0", "content-length: 1"), 400),
        ((HOST, "accept: */*", "accept: application/json"), 200),
        ((HOST, "content-encoding: identity"), 200),
        ((HOST, "content-encoding: gzip"), 415),
        ((HOST, "content-encoding: snappy"), 415),
    ],
)
def test_an_ambiguous_head_is_refused(line: socket.socket, headers: tuple[str, ...], expected: int) -> None:
    """One `Host`, one token, one length, and no encoding of the body."""
    assert status(line, "GET /v1/games HTTP/1.1", *headers) == expected


def test_an_old_client_needs_no_host(line: socket.socket) -> None:
    """HTTP/1.0 has no `Host` header, and some health checks still use it."""
    assert status(line, "GET /health/live HTTP/1.0") == 200


@pytest.mark.parametrize(
    "path",
    [
        "//v1/games",
        "/v1//games",
        "/v1//admin/rooms",
        "/v1/%2Fadmin/rooms",
        "/v1%2fgames",
        "/v1/%61dmin/rooms",
        "/%61dmin",
        "/%6detrics",
        "//metrics",
        "/metrics/",
        "/v1/admin/rooms/",
        "/health%2flive",
    ],
)
def test_a_path_has_one_spelling(line: socket.socket, path: str) -> None:
    """Every other spelling is 404, so that a proxy's rule for a path cannot be circumvented."""
    assert status(line, f"GET {path} HTTP/1.1", HOST) == 404


def test_a_name_may_be_encoded(line: socket.socket) -> None:
    """The name of a room or a game in a path may have percent-encoded letters."""
    assert status(line, "GET /v1/games/%74ernio HTTP/1.1", HOST) == 200


@pytest.mark.parametrize(
    ("lines", "expected"), [((), 101), ((HOST,), 400), (("authorization: a", "authorization: b"), 400)]
)
def test_an_ambiguous_handshake_is_refused(client: ApiClient, lines: tuple[str, ...], expected: int) -> None:
    """Handshakes follow the same rules as other requests."""
    with connection_to(client) as connection:
        assert Wire(connection).shake_hands("/v1/feed", *lines) == expected


UPGRADE = f"{HOST}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n"
VERSION = "sec-websocket-version: 13\r\n"
KEY = "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"


@pytest.mark.parametrize(
    ("request_", "status", "code"),
    [
        ("nonsense\r\n", 400, "malformed"),
        (f"GET /v1/nothing HTTP/1.1\r\n{UPGRADE}{VERSION}{KEY}", 404, "not_found"),
        (f"GET /v1%2ffeed HTTP/1.1\r\n{UPGRADE}{VERSION}{KEY}", 404, "not_found"),
        (f"POST /v1/feed HTTP/1.1\r\n{UPGRADE}{VERSION}{KEY}", 400, "malformed"),
        (f"GET /v1/feed HTTP/1.1\r\n{HOST}\r\n{UPGRADE}{VERSION}{KEY}", 400, "malformed"),
        (f"GET /v1/feed HTTP/1.1\r\n{UPGRADE}{VERSION}", 400, "malformed"),
        (f"GET /v1/feed HTTP/1.1\r\n{UPGRADE}{VERSION}sec-websocket-key: a2V5\r\n", 400, "malformed"),
        (f"GET /v1/feed HTTP/1.1\r\n{UPGRADE}{VERSION}sec-websocket-key: 16 bytes, not so\r\n", 400, "malformed"),
        (f"GET /v1/feed HTTP/1.1\r\n{UPGRADE}{VERSION}{KEY}content-length: 3\r\n", 400, "malformed"),
        (f"GET /v1/feed HTTP/1.1\r\n{UPGRADE}{KEY}", 426, "malformed"),
        (f"GET /v1/feed HTTP/1.1\r\n{UPGRADE}{KEY}sec-websocket-version: 12\r\n", 426, "malformed"),
    ],
)
def test_the_server_refuses_requests_with_a_problem(line: socket.socket, request_: str, status: int, code: str) -> None:
    """The server itself refuses invalid HTTP and invalid handshakes."""
    line.sendall(f"{request_}\r\n".encode())
    response = HTTPResponse(line)
    response.begin()
    assert response.getheader("content-type") == "application/problem+json"
    assert response.getheader("x-request-id")
    assert response.getheader("sec-websocket-version") == ("13" if status == 426 else None)
    problem = msgspec.json.decode(response.read())
    assert (response.status, problem["status"], problem["code"]) == (status, status, code)
