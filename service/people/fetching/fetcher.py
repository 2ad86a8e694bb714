"""One HTTP request to a server that somebody else named, such as the endpoint of a webhook.

The host is resolved for every request, each of its addresses is checked, and the connection is made to a checked
address: the name cannot lead elsewhere in between (DNS rebinding). Only public addresses are accepted, whatever form
they are written in. TLS is verified for the name. Redirects are not followed; there are no proxies, no cookies, and no
connections that are kept.
"""

import asyncio
import socket
import ssl
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING, Literal

import msgspec

from service.people.fetching.urls import BadUrl, HttpUrl, parse_url

if TYPE_CHECKING:
    import httpx


Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

GLOBAL_UNICAST = IPv6Network("2000::/3")
"""The only IPv6 addresses that are assigned to hosts of the internet (RFC 4291)."""

SPECIAL = tuple(
    map(
        ip_network,
        (
            *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
            *("192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24"),
            *("203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
            *("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),  # Teredo is in the first, 6to4 is 2002::/16
        ),
    )
)
"""Networks without hosts of the internet: those that are not globally reachable according to IANA, and multicast.

A table of our own, because `ipaddress.is_global` differs between patch releases of Python. Sources, as of October 2025:
https://www.iana.org/assignments/iana-ipv4-special-registry
https://www.iana.org/assignments/iana-ipv6-special-registry
"""

TRANSLATED = IPv6Network("64:ff9b::/96")
"""NAT64 (RFC 6052): the last four bytes are the IPv4 address that is connected to."""


def parse_address(text: str) -> Address:
    """Return an address as the resolver writes it, without the scope of a link-local one. Raises `ValueError`."""
    return ip_address(text.partition("%")[0])


def may_connect(address: Address, networks: Sequence[Network] = ()) -> bool:
    """Return whether an address is public, or in one of the networks that the operator allows.

    An address that stands for an IPv4 address, as IPv4-mapped and NAT64 ones do, is public if that one is.
    """
    every = (address, *embedded(address))
    if any(each in network for each in every for network in networks):
        return True
    return all(is_public(each) for each in every)


def is_public(address: Address) -> bool:
    """Return whether an address is one of the internet by its own form."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None or address in TRANSLATED:
            return True  # the embedded address decides
        if address not in GLOBAL_UNICAST:
            return False
    return not any(address in network for network in SPECIAL)


def embedded(address: Address) -> Iterator[IPv4Address]:
    """Yield the IPv4 address that is connected to in the place of an IPv6 address."""
    if isinstance(address, IPv4Address):
        return
    if address.ipv4_mapped is not None:
        yield address.ipv4_mapped
    if address in TRANSLATED:
        yield IPv4Address(int(address) & 0xFFFFFFFF)


SECONDS = 10.0
"""How long a request may take, from the resolution of the host to the end of the response."""

CONNECT_SECONDS = 3.0
"""How long a connection to one address may take; after that the host's next one is tried."""

MOST_ADDRESSES = 3
"""How many addresses of a host are tried."""

MOST_BYTES = 64 * 1024
"""How much of a response's body is read."""

AT_ONCE = 2
"""How many requests to one host are made at the same time."""

LOOKUPS = 32
"""How many hosts are resolved at the same time."""

Failure = Literal[
    "bad_url", "unknown_host", "address_refused", "not_connected", "tls_failed", "timed_out", "invalid_response"
]
"""Why there is no response."""

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Takes a host and a port, and returns the host's addresses. Raises `OSError`."""


class FetchFailed(Exception):  # noqa: N818 - an answer of the network
    """There is no response."""

    def __init__(self, code: Failure) -> None:
        super().__init__(code)
        self.code = code


class Response(msgspec.Struct, frozen=True):
    """A response: its status, its headers with names in lower case, and the beginning of its body, as received."""

    status: int
    headers: dict[str, str]
    body: bytes
    is_truncated: bool = False
    """Whether the body is longer than what was read."""


class FetchPolicy(msgspec.Struct, frozen=True):
    """What an operator allows beyond https to public addresses."""

    allows_http: bool = False
    networks: tuple[Network, ...] = ()
    """Networks that are not public, but may be connected to."""


class SystemResolver:
    """Resolves hosts with the operating system, in its own threads: a slow name delays nothing else."""

    def __init__(self) -> None:
        """Start no thread yet."""
        self._threads = ThreadPoolExecutor(LOOKUPS, thread_name_prefix="resolver")

    async def __call__(self, host: str, port: int) -> list[str]:
        """Return the addresses of a host. Raises `OSError`."""
        found = await asyncio.get_running_loop().run_in_executor(self._threads, addresses_of, host, port)
        return list(dict.fromkeys(found))

    def close(self) -> None:
        """Stop the threads; a resolution that is running is not awaited."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def addresses_of(host: str, port: int) -> list[str]:
    """Return the addresses of a host; blocks. Raises `OSError`."""
    try:
        return [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    except UnicodeError as unnameable:  # a label that is too long
        raise OSError(str(unnameable)) from None


class Fetcher:
    """Makes requests within a policy. One per process, because it counts the requests to each host."""

    def __init__(
        self,
        policy: FetchPolicy,
        user_agent: str,
        *,
        resolve: Resolve | None = None,
        context: ssl.SSLContext | None = None,
        seconds: float = SECONDS,
    ) -> None:
        """Use the system's resolver and certificates by default."""
        self._policy = policy
        self._user_agent = user_agent
        self._system = SystemResolver()
        self._resolve = resolve or self._system
        self._context = context
        self._seconds = seconds
        self._transport: httpx.AsyncHTTPTransport | None = None
        self._slots: dict[str, asyncio.Semaphore] = {}
        self._wanted: Counter[str] = Counter()
        """How many requests to each host are made or wait."""

    async def fetch(
        self, method: Literal["GET", "POST"], url: str, headers: Mapping[str, str] | None = None, content: bytes = b""
    ) -> Response:
        """Make a request, after others to the same host. Raises `FetchFailed`."""
        try:
            target = parse_url(url, allows_http=self._policy.allows_http)
        except BadUrl:
            raise FetchFailed("bad_url") from None
        async with self._slot(target.host):
            try:
                async with asyncio.timeout(self._seconds):
                    return await self._fetch(method, target, headers or {}, content)
            except TimeoutError:
                raise FetchFailed("timed_out") from None

    def is_busy(self, url: str) -> bool:
        """Return whether a request to the host of a URL would have to wait for others."""
        try:
            return self._wanted[parse_url(url, allows_http=True).host] >= AT_ONCE
        except BadUrl:
            return False

    @asynccontextmanager
    async def _slot(self, host: str) -> AsyncIterator[None]:
        """Hold one of the host's requests that are made at the same time."""
        slot = self._slots.setdefault(host, asyncio.Semaphore(AT_ONCE))
        self._wanted[host] += 1
        try:
            async with slot:
                yield
        finally:
            self._wanted[host] -= 1
            if not self._wanted[host]:
                del self._wanted[host], self._slots[host]

    async def _fetch(self, method: str, url: HttpUrl, headers: Mapping[str, str], content: bytes) -> Response:
        import httpx  # noqa: PLC0415 - it takes 0.2 seconds, and most processes never make a request

        addresses = await self._addresses(url)
        for address in addresses:
            try:
                return await self._request(method, (url, address), headers, content)
            except (httpx.ConnectError, httpx.ConnectTimeout) as failure:
                if is_of_tls(failure):
                    raise FetchFailed("tls_failed") from None
            except (httpx.TransportError, httpx.InvalidURL):
                raise FetchFailed("invalid_response") from None
        raise FetchFailed("not_connected")

    async def _addresses(self, url: HttpUrl) -> list[Address]:
        """Return the addresses of a host that may be connected to. Raises `FetchFailed` if there are none."""
        try:
            found = [parse_address(each) for each in await self._resolve(url.host, url.port)]
        except (OSError, ValueError):
            raise FetchFailed("unknown_host") from None
        allowed = [address for address in found if may_connect(address, self._policy.networks)]
        if not allowed:
            raise FetchFailed("address_refused" if found else "unknown_host")
        return allowed[:MOST_ADDRESSES]

    async def _request(
        self, method: str, where: tuple[HttpUrl, Address], headers: Mapping[str, str], content: bytes
    ) -> Response:
        """Make a request to an address of its host, under the host's name. Raises what httpx raises."""
        import httpx  # noqa: PLC0415 - see `_fetch`

        url, address = where
        literal = f"[{address}]" if address.version == 6 else str(address)
        request = httpx.Request(
            method,
            f"{url.scheme}://{literal}:{url.port}{url.target}",
            headers={
                "Host": url.authority,
                "User-Agent": self._user_agent,
                "Accept-Encoding": "identity",
                "Connection": "close",
                **headers,
            },
            content=content or None,
            extensions={"sni_hostname": url.host, "timeout": {"connect": CONNECT_SECONDS}},
        )
        response = await self._opened().handle_async_request(request)
        try:
            return await read_response(response)
        finally:
            await response.aclose()

    def _opened(self) -> "httpx.AsyncHTTPTransport":
        """Return what makes connections: a new one for each request, without a proxy."""
        import httpx  # noqa: PLC0415 - see `_fetch`

        if self._transport is None:
            verify = self._context or httpx.create_ssl_context()
            limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
            self._transport = httpx.AsyncHTTPTransport(verify=verify, limits=limits, trust_env=False)
        return self._transport

    async def close(self) -> None:
        """Stop the threads of the resolver."""
        self._system.close()
        if self._transport is not None:
            await self._transport.aclose()


async def read_response(response: "httpx.Response") -> Response:
    """Return a response with the beginning of its body."""
    body = b""
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > MOST_BYTES:
            break
    headers = {name.lower(): value for name, value in response.headers.items()}
    return Response(response.status_code, headers, body[:MOST_BYTES], len(body) > MOST_BYTES)


def is_of_tls(failure: BaseException | None) -> bool:
    """Return whether TLS is why a connection failed, such as an invalid certificate."""
    while failure is not None:
        if isinstance(failure, ssl.SSLError):
            return True
        failure = failure.__cause__ or failure.__context__
    return False
