"""Idle connections: open for a while, but not for ever."""

import asyncio
import contextlib
import http.client
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import uvicorn

from service.api.server import http_protocol
from service.api.server.http_protocol import HttpProtocol
from service.api.server.server import Server
from service.api.shutdown import GracefulShutdown
from tests.e2e.client import ApiClient

KEPT = 1
"""For so many seconds these servers keep a silent connection."""

Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def sleeper(
    _scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
) -> None:
    """Respond after the number of seconds in the request's body."""
    data = b""
    while (message := await receive()).get("more_body"):
        data += message["body"]
    await asyncio.sleep(float(data + message.get("body", b"0")))
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
    await send({"type": "http.response.body", "body": b"slept"})


@pytest.fixture
async def address() -> AsyncIterator[tuple[str, int]]:
    """Serve the sleeper, and return where."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        sleeper,
        interface="asgi3",
        http=HttpProtocol,
        ws="none",
        lifespan="off",
        proxy_headers=False,
        log_config=None,
        timeout_keep_alive=KEPT,
    )
    server = Server(config, GracefulShutdown(), seconds=0, before=partial(asyncio.sleep, 0))
    serving = asyncio.create_task(server.serve([listening]))
    yield listening.getsockname()
    server.should_exit = True
    await serving


async def sleeps(line: Line, seconds: float) -> None:
    """Send a request that sleeps, and wait for its response."""
    reader, writer = line
    data = b"%g" % seconds
    writer.write(b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n%b" % (len(data), data))
    assert (await reader.readuntil(b"slept")).startswith(b"HTTP/1.1 200 OK\r\n")


async def test_an_idle_connection_is_closed_after_a_time(address: tuple[str, int]) -> None:
    """The time is counted from the latest response."""
    reader, writer = line = await asyncio.open_connection(*address)
    for _ in range(6):
        await sleeps(line, 0)
        await asyncio.sleep(KEPT / 4)
    await sleeps(line, 0)
    began = time.monotonic()
    assert await reader.read() == b""
    assert KEPT * 0.9 < time.monotonic() - began < KEPT + 3
    writer.close()


async def test_a_client_that_waits_for_an_answer_is_not_idle(address: tuple[str, int]) -> None:
    """However long it takes; nor is a connection in the middle of the next request idle."""
    reader, writer = line = await asyncio.open_connection(*address)
    await sleeps(line, 0)
    await sleeps(line, 2.2 * KEPT)
    writer.write(b"POST / HTTP/1.1\r\nContent-Le")
    await asyncio.sleep(2.2 * KEPT)
    writer.write(b"ngth: 1\r\n\r\n0")
    await reader.readuntil(b"slept")
    writer.close()


@pytest.mark.parametrize(
    "part", [b"", b"POST / HTTP/1.1\r\nContent-Le", b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n0"]
)
async def test_a_request_has_to_come_within_a_while(
    address: tuple[str, int], monkeypatch: pytest.MonkeyPatch, part: bytes
) -> None:
    """However slowly it arrives: idle connections are closed."""
    monkeypatch.setattr(http_protocol, "PATIENCE", 1.5)
    reader, writer = await asyncio.open_connection(*address)
    writer.write(part)
    assert await asyncio.wait_for(reader.read(), 10) == b""
    writer.close()


def test_the_api_keeps_a_connection_longer_than_clients_do(client: ApiClient) -> None:
    """Otherwise a request that is sent at that moment would get no answer; httpx closes its own after five seconds."""
    clients_own = httpx.Limits().keepalive_expiry
    assert clients_own is not None
    where = urlsplit(client.url)
    with contextlib.closing(http.client.HTTPConnection(where.hostname or "", where.port, timeout=15)) as connection:
        connection.request("GET", "/v1/games")
        assert connection.getresponse().read()
        kept = connection.sock
        time.sleep(clients_own + 1)
        connection.request("GET", "/v1/games")
        assert connection.getresponse().read()
        assert connection.sock is kept is not None
