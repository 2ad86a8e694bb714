"""Addresses of clients, which only trusted proxies may forward, and the host names that are served."""

from pathlib import Path

import pytest

from service.api.http.peers import AllowedHosts, ClientAddresses
from tests.e2e.client import Player, connect_to, open_room_socket
from tests.e2e.processes import ApiProcess, run_processes
from tests.store_server import StoreServer

TRUSTED = ("10.0.0.0/8", "::1")


@pytest.mark.parametrize(
    ("client", "forwarded", "trusted", "found"),
    [
        ("192.0.2.1", "203.0.113.9", (), "192.0.2.1"),
        ("192.0.2.1", "203.0.113.9", TRUSTED, "192.0.2.1"),
        ("10.1.2.3", "203.0.113.9", TRUSTED, "203.0.113.9"),
        ("10.1.2.3", "1.1.1.1, 203.0.113.9", TRUSTED, "203.0.113.9"),
        ("10.1.2.3", "1.1.1.1, 203.0.113.9, 10.9.9.9", TRUSTED, "203.0.113.9"),
        ("10.1.2.3", "10.5.5.5, 10.9.9.9", TRUSTED, "10.5.5.5"),
        ("10.1.2.3", "", TRUSTED, "10.1.2.3"),
        ("::1", "nonsense", TRUSTED, "nonsense"),
    ],
)
def test_the_last_address_that_no_trusted_proxy_has_counts(
    client: str, forwarded: str, trusted: tuple[str, ...], found: str
) -> None:
    """The addresses before it were written by the client itself."""
    scope = {"client": (client, 1), "headers": [(b"x-forwarded-for", forwarded.encode())]}
    assert ClientAddresses(trusted).of(scope) == found


def test_headers_that_come_twice_are_one_way() -> None:
    """A client that sends its own doesn't hide behind it."""
    headers = [(b"x-forwarded-for", b"1.1.1.1"), (b"x-forwarded-for", b"203.0.113.9")]
    assert ClientAddresses(TRUSTED).of({"client": ("10.0.0.1", 1), "headers": headers}) == "203.0.113.9"
    assert ClientAddresses().of({"client": None, "headers": headers}) == ""


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        (b"play.example", True),
        (b"PLAY.example:8443", True),
        (b"other.example", False),
        (b"a.board.example", True),
        (b"board.example", False),
        (b"evilboard.example", False),
        (b"127.0.0.1:8000", True),
        (b"127.0.0.1:8001", False),
        (b"[::1]:8000", True),
        (b"", False),
    ],
)
def test_a_host_is_one_of_a_list_with_or_without_its_port(host: bytes, allowed: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """A name allows any port, a name with a port that one."""
    assert AllowedHosts(["play.example", "*.board.example", "127.0.0.1:8000", "[::1]"]).allow(host) is allowed


def test_another_host_is_refused_everywhere_but_for_who_watches_over_us(
    own_server: StoreServer, tmp_path: Path
) -> None:
    """Commands, pages, and sockets before they open."""
    api = ApiProcess(own_server.url, tmp_path / "log", hosts="play.example,127.0.0.1")
    with run_processes(api), connect_to(api.url) as client:
        anonymous, wrong = client.anonymous(), {"host": "rebound.example"}
        assert anonymous.get("/v1/games").status == 200
        for path in ("/v1/games", "/", "/docs"):
            assert anonymous.get(path, wrong).code == "wrong_host"
        assert anonymous.post("/v1/rooms/friday/commands", {"type": "join"}, wrong).code == "wrong_host"
        assert anonymous.get("/health/ready", wrong).status == 200
        assert Player(client).get("/v1/games", {"host": "play.example:9999"}).status == 200
        with open_room_socket(api.url, "friday") as feed:
            feed.send(type="ping")
            assert feed.frame()["type"] == "pong"


def test_every_response_has_the_security_headers_once(own_server: StoreServer, tmp_path: Path) -> None:
    """Browsers must not guess the media type and must not send a referrer."""
    api = ApiProcess(own_server.url, tmp_path / "log")
    with run_processes(api), connect_to(api.url) as client:
        for path in ("/v1/games", "/docs", "/nowhere"):
            headers = client.http.get(path).headers
            assert headers.get_list("x-content-type-options") == ["nosniff"]
            assert headers.get_list("referrer-policy") == ["no-referrer"]
            assert "server" not in headers
