"""Requests to servers that others name, against real local servers."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from ipaddress import ip_network

import httpx  # noqa: F401 - it takes 0.2 seconds, which are not part of a request
import pytest
import trustme

from service.people.fetching.fetcher import MOST_BYTES, Fetcher, FetchFailed, FetchPolicy, Resolve
from tests.people.fetching.receiver import Answer, Received, receiving, status

LOCAL = FetchPolicy(allows_http=True, networks=(ip_network("127.0.0.0/8"),))
PUBLIC = FetchPolicy(allows_http=True)


def resolving(*addresses: str) -> Resolve:
    """Return a resolver that knows every host under these addresses."""

    async def resolve(_host: str, _port: int) -> Sequence[str]:
        return addresses

    return resolve


@asynccontextmanager
async def fetcher(
    policy: FetchPolicy = LOCAL,
    resolve: Resolve | None = None,
    *,
    seconds: float = 10,
    context: ssl.SSLContext | None = None,
) -> AsyncIterator[Fetcher]:
    """Yield a fetcher for which every host is this machine."""
    made = Fetcher(policy, "test", resolve=resolve or resolving("127.0.0.1"), seconds=seconds, context=context)
    try:
        yield made
    finally:
        await made.close()


async def code_of(made: Fetcher, url: str) -> str:
    """Return why a request has no response."""
    with pytest.raises(FetchFailed) as failed:
        await made.fetch("GET", url)
    return failed.value.code


async def test_a_request_has_the_name_of_its_host() -> None:
    """And the given headers and content; the response is returned as it is."""
    async with receiving(status(201, b"made", "X-Answer: yes", "Set-Cookie: a=b")) as server, fetcher() as made:
        url = f"http://hooks.example:{server.port}/in?x=1"
        response = await made.fetch("POST", url, {"Content-Type": "text/plain"}, b"content")
        await made.fetch("GET", url)
    assert (response.status, response.body, response.is_truncated) == (201, b"made", False)
    assert response.headers["x-answer"] == "yes"
    first, second = server.received
    assert (first.line, first.body) == ("POST /in?x=1 HTTP/1.1", b"content")
    assert first.headers["host"] == f"hooks.example:{server.port}"
    assert first.headers["user-agent"] == "test"
    assert first.headers["connection"] == "close"
    assert "cookie" not in second.headers


async def test_a_redirect_is_an_answer() -> None:
    """It is not followed."""
    async with receiving(status(302, b"", "Location: http://127.0.0.1/")) as server, fetcher() as made:
        assert (await made.fetch("GET", f"http://hooks.example:{server.port}/")).status == 302
    assert len(server.received) == 1


async def test_a_name_cannot_change_its_address() -> None:
    """The host is resolved once per request; what is checked is what is connected to."""
    addresses = iter(["127.0.0.1", "10.0.0.1"])

    async def rebinding(_host: str, _port: int) -> Sequence[str]:
        return [next(addresses)]

    async with receiving(status(200)) as server, fetcher(resolve=rebinding) as made:
        assert (await made.fetch("GET", f"http://hooks.example:{server.port}/")).status == 200
        assert await code_of(made, f"http://hooks.example:{server.port}/") == "address_refused"


REFUSED = ["127.0.0.1", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "169.254.169.254", "10.0.0.1"]


@pytest.mark.parametrize("address", REFUSED)
async def test_a_private_address_is_not_connected_to(address: str) -> None:
    """By a name, and by the address in the URL."""
    literal = f"[{address}]" if ":" in address else address
    async with receiving(status(200)) as server:
        async with fetcher(PUBLIC, resolving(address)) as made:
            assert await code_of(made, f"http://hooks.example:{server.port}/") == "address_refused"
        system = Fetcher(PUBLIC, "test")
        assert await code_of(system, f"http://{literal}:{server.port}/") == "address_refused"
        await system.close()
    assert server.received == []


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "0177.0.0.1", "localhost"])
async def test_another_notation_of_a_private_address_is_refused(host: str) -> None:
    """The system's resolver understands them; some are unknown to it."""
    system = Fetcher(PUBLIC, "test")
    assert await code_of(system, f"http://{host}/") in {"address_refused", "unknown_host"}
    await system.close()


async def test_only_the_checked_ones_of_several_addresses_are_used() -> None:
    """The next one is tried if there is no connection."""
    async with receiving(status(200)) as server:
        async with fetcher(resolve=resolving("10.0.0.1", "127.0.0.9", "127.0.0.1")) as made:
            assert (await made.fetch("GET", f"http://hooks.example:{server.port}/")).status == 200
        async with fetcher(resolve=resolving("10.0.0.1", "127.0.0.9")) as made:
            assert await code_of(made, f"http://hooks.example:{server.port}/") == "not_connected"


async def test_an_unknown_host_is_reported() -> None:
    """As are those without any address."""

    async def failing(_host: str, _port: int) -> Sequence[str]:
        raise OSError

    async with fetcher(resolve=failing) as made:
        assert await code_of(made, "http://hooks.example/") == "unknown_host"
    async with fetcher(resolve=resolving()) as made:
        assert await code_of(made, "http://hooks.example/") == "unknown_host"


async def test_a_long_body_is_cut() -> None:
    """After 64 KB nothing more is read, although the sender never ends."""

    async def endless(_request: Received, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            writer.write(b"x" * 10_000)
            await writer.drain()

    async with receiving(endless) as server, fetcher() as made:
        response = await made.fetch("GET", f"http://hooks.example:{server.port}/")
    assert (len(response.body), response.is_truncated) == (MOST_BYTES, True)


async def silent(_request: Received, _writer: asyncio.StreamWriter) -> None:
    """Never answer."""
    await asyncio.Event().wait()


async def dripping(_request: Received, writer: asyncio.StreamWriter) -> None:
    """Answer so slowly that each read succeeds, and the whole never ends."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("answer", [silent, dripping], ids=["silent", "dripping"])
async def test_a_slow_answer_is_given_up(answer: Answer) -> None:
    """All parts of the request together have so much time, which does not end while it connects."""
    async with receiving(answer) as server, fetcher(seconds=2) as made:
        assert await code_of(made, f"http://hooks.example:{server.port}/") == "timed_out"


async def nonsense(_request: Received, writer: asyncio.StreamWriter) -> None:
    """Answer in another protocol."""
    writer.write(b"220 mail.example ESMTP\r\n")


async def hang_up(_request: Received, _writer: asyncio.StreamWriter) -> None:
    """Close the connection."""


async def long_head(_request: Received, writer: asyncio.StreamWriter) -> None:
    """Send a header that does not end."""
    writer.write(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 300_000)
    await writer.drain()


@pytest.mark.parametrize("answer", [nonsense, hang_up, long_head], ids=["nonsense", "hang_up", "long_head"])
async def test_an_invalid_answer_is_reported(answer: Answer) -> None:
    """It is never an exception of the library."""
    async with receiving(answer) as server, fetcher() as made:
        assert await code_of(made, f"http://hooks.example:{server.port}/") == "invalid_response"


async def test_two_requests_to_a_host_are_made_at_once() -> None:
    """Others wait; they do not wait for those to other hosts."""
    arrived, released = asyncio.Semaphore(0), asyncio.Event()

    async def held(_request: Received, writer: asyncio.StreamWriter) -> None:
        arrived.release()
        await released.wait()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

    async with receiving(held) as server, receiving(status(200)) as other, fetcher() as made:
        url = f"http://hooks.example:{server.port}/"
        tasks = [asyncio.create_task(made.fetch("GET", url)) for _ in range(5)]
        for _ in range(2):
            await arrived.acquire()
        assert made.is_busy(url)
        assert not made.is_busy("http://other.example/")
        assert (await made.fetch("GET", f"http://other.example:{other.port}/")).status == 200
        released.set()
        assert [response.status for response in await asyncio.gather(*tasks)] == [200] * 5
        assert server.most_open == 2
        assert not made.is_busy(url)


async def test_the_environment_has_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests are made directly."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with receiving(status(200)) as server, fetcher() as made:
        assert (await made.fetch("GET", f"http://hooks.example:{server.port}/")).status == 200


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    """Return a certificate authority."""
    return trustme.CA()


ServerContext = Callable[[str], ssl.SSLContext]


@pytest.fixture
def issued(authority: trustme.CA) -> ServerContext:
    """Return a function that returns the context of a server with a certificate for a name."""

    def make(name: str) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert(name).configure_cert(context)
        return context

    return make


async def test_tls_is_verified_for_the_name(authority: trustme.CA, issued: ServerContext) -> None:
    """Although the connection is made to an address: the certificate of another name is refused."""
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    async with receiving(status(200), issued("hooks.example")) as server, fetcher(context=trusting) as made:
        assert (await made.fetch("GET", f"https://hooks.example:{server.port}/")).status == 200
        assert await code_of(made, f"https://other.example:{server.port}/") == "tls_failed"
        assert await code_of(made, f"https://127.0.0.1:{server.port}/") == "tls_failed"
    assert len(server.received) == 1


async def test_an_unknown_authority_is_refused(issued: ServerContext) -> None:
    """The system's certificates are those that count."""
    async with receiving(status(200), issued("hooks.example")) as server, fetcher() as made:
        assert await code_of(made, f"https://hooks.example:{server.port}/") == "tls_failed"


async def test_plain_http_needs_the_operator() -> None:
    """By default there is https only."""
    async with fetcher(FetchPolicy()) as made:
        assert await code_of(made, "http://hooks.example/") == "bad_url"
