"""Keys that change: files that are replaced, and servers that answer late, wrongly, or not at all."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from service.people.issuers.issuers import Issuers, KeySetFetcher, TrustedIssuer
from service.people.issuers.keys import public_keys, secret_keys
from service.people.issuers.sources import (
    FETCH_AGAIN,
    FETCH_INTERVAL,
    FILE_INTERVAL,
    RETRY_INTERVAL,
    FileSource,
    UrlSource,
)
from tests.people.issuers.front_end import AUDIENCE, EC, ISSUER, RSA, SECRET, jwk, key_set, signed
from tests.waiting import wait_until

URL = "https://front.example/keys"
OLD, NEW = signed(RSA, "RS256", "old"), signed(EC, "ES256", "new")


class Watch:
    """A clock that a test sets."""

    def __init__(self) -> None:
        """Begin somewhere."""
        self.now = 1000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


class Server:
    """Answers requests for keys as a test has set."""

    def __init__(self) -> None:
        """Have one key."""
        self.answer: bytes | OSError = key_set(jwk(RSA, "old"))
        self.count = 0
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    async def __call__(self, url: str) -> bytes:
        """Return the keys."""
        assert url == URL
        self.count += 1
        await self.may_answer.wait()
        if isinstance(self.answer, OSError):
            raise self.answer
        return self.answer

    async def close(self) -> None:
        """Do nothing."""


@pytest.fixture
def server() -> Server:
    """Return a server of keys."""
    return Server()


@pytest.fixture
def watch() -> Watch:
    """Return a clock."""
    return Watch()


@pytest.fixture
def issuers(server: Server, watch: Watch) -> Issuers:
    """Return an issuer with keys at that server."""
    return Issuers([TrustedIssuer(ISSUER, AUDIENCE, UrlSource(ISSUER, URL, public_keys, server, watch))], server)


async def is_valid(issuers: Issuers, token: str) -> bool:
    """Return whether a token is accepted, as a request does it."""
    await issuers.prepare(token.encode())
    return issuers.verify(token.encode()) is not None


async def test_keys_are_fetched_when_they_are_needed(issuers: Issuers, server: Server) -> None:
    """Once for many requests at the same time."""
    server.may_answer.clear()
    requests = [asyncio.create_task(is_valid(issuers, OLD)) for _ in range(5)]
    await wait_until(lambda: server.count > 0)
    server.may_answer.set()
    assert await asyncio.gather(*requests) == [True] * 5
    assert server.count == 1


async def test_an_unknown_key_is_looked_for_once_a_minute(issuers: Issuers, server: Server, watch: Watch) -> None:
    """Whatever tokens name."""
    assert await is_valid(issuers, OLD)
    server.answer = key_set(jwk(RSA, "old"), jwk(EC, "new"))
    watch.now += FETCH_INTERVAL - 1
    for number in range(10):
        assert not await is_valid(issuers, signed(EC, "ES256", f"made up {number}"))
    assert not await is_valid(issuers, NEW)
    assert server.count == 1
    watch.now += 1
    assert await is_valid(issuers, NEW)
    assert await is_valid(issuers, OLD)
    assert server.count == 2


async def test_old_keys_stay_in_use_while_the_server_fails(issuers: Issuers, server: Server, watch: Watch) -> None:
    """It may be away, or send something else."""
    assert await is_valid(issuers, OLD)
    for answer in (OSError("away"), b"<html>", key_set()):
        server.answer = answer
        watch.now += FETCH_AGAIN
        assert not await is_valid(issuers, NEW)
        assert await is_valid(issuers, OLD)
    assert server.count == 4


async def test_withdrawn_keys_end(issuers: Issuers, server: Server, watch: Watch) -> None:
    """Within ten minutes, with no request that waits for it; tokens that were verified before are checked again."""
    assert await is_valid(issuers, OLD)
    server.answer = key_set(jwk(EC, "new"))
    watch.now += FETCH_AGAIN
    server.may_answer.clear()
    assert await is_valid(issuers, OLD)
    server.may_answer.set()
    await wait_until(lambda: is_valid(issuers, NEW))
    assert not await is_valid(issuers, OLD)


async def test_a_server_that_does_not_answer_delays_nobody_else(server: Server, watch: Watch) -> None:
    """Neither other issuers nor tokens with a known key."""
    slow = UrlSource(ISSUER, URL, public_keys, server, watch)
    await slow.refresh()
    server.may_answer.clear()
    other = UrlSource("https://second.example", URL, public_keys, Server(), watch)
    issuers = Issuers(
        [TrustedIssuer(ISSUER, AUDIENCE, slow), TrustedIssuer("https://second.example", "x", other)], server
    )
    watch.now += FETCH_INTERVAL
    waiting = asyncio.create_task(is_valid(issuers, NEW))
    assert await is_valid(issuers, signed(RSA, "RS256", "old", iss="https://second.example", aud="x"))
    assert await is_valid(issuers, OLD)
    assert not waiting.done()
    server.may_answer.set()
    assert not await waiting


async def test_without_any_key_the_server_is_asked_again_soon(issuers: Issuers, server: Server, watch: Watch) -> None:
    """So that a start while it is away is over quickly."""
    server.answer = OSError("away")
    assert not await is_valid(issuers, OLD)
    assert not await is_valid(issuers, OLD)
    assert server.count == 1
    server.answer = key_set(jwk(RSA, "old"))
    watch.now += RETRY_INTERVAL
    assert await is_valid(issuers, OLD)


async def test_a_file_is_read_again_when_it_has_changed(tmp_path: Path, watch: Watch) -> None:
    """Old keys stay while it cannot be read."""
    path = tmp_path / "keys.json"
    path.write_bytes(key_set(jwk(RSA, "old")))
    source = FileSource(ISSUER, path, public_keys, watch)
    issuers = Issuers([TrustedIssuer(ISSUER, AUDIENCE, source)], Server())
    assert await is_valid(issuers, OLD)
    path.write_bytes(b"half of a fi")
    watch.now += FILE_INTERVAL
    assert await is_valid(issuers, OLD)
    path.unlink()
    watch.now += FILE_INTERVAL
    assert await is_valid(issuers, OLD)
    path.write_bytes(key_set(jwk(EC, "new")))
    watch.now += FILE_INTERVAL
    assert await is_valid(issuers, NEW)
    assert not await is_valid(issuers, OLD)


async def test_several_secrets_are_accepted_while_they_change(tmp_path: Path, watch: Watch) -> None:
    """One per line, until a line is deleted."""
    first, second = SECRET, SECRET[::-1]
    path = tmp_path / "secret"
    path.write_text(f"{first}\n{second}\n")
    source = FileSource(ISSUER, path, secret_keys, watch)
    issuers = Issuers([TrustedIssuer(ISSUER, AUDIENCE, source)], Server())
    tokens = [signed(secret, "HS256") for secret in (first, second)]
    assert [await is_valid(issuers, token) for token in tokens] == [True, True]
    path.write_text(f"{second}\n")
    watch.now += FILE_INTERVAL
    assert [await is_valid(issuers, token) for token in tokens] == [False, True]


@contextmanager
def web_server(status: int, body: bytes) -> Iterator[str]:
    """Run a server that answers like this, and return its address."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Be silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/keys"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def test_keys_are_fetched_over_http() -> None:
    """From any address that the operator names; redirects are not followed, and answers are not long."""
    fetch = KeySetFetcher("turnstream")
    try:
        with web_server(200, b"keys") as url:
            assert await fetch(url) == b"keys"
        with pytest.raises(OSError, match="not_connected"):
            await fetch(url)
        for status, body, why in ((302, b"keys", "status 302"), (500, b"keys", "500"), (200, b"x" * 70_000, "long")):
            with web_server(status, body) as url, pytest.raises(OSError, match=why):
                await fetch(url)
    finally:
        await fetch.close()
