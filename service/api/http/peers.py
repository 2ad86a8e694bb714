"""The peer of a connection: its address for the limits, whether it has disconnected, and how to disconnect it."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any, Never

import msgspec


class AllowedHosts:
    """Allowed names: `play.example` with any port, `play.example:8443` with this one, `*.example`, or `*` for all."""

    def __init__(self, names: Sequence[str]) -> None:
        """Allow these names."""
        self.all = "*" in names
        self._names = frozenset(name.lower() for name in names)
        self._endings = tuple(name[1:].lower() for name in names if name.startswith("*."))

    def allow(self, header: bytes) -> bool:
        """Return whether a request with this `Host` header is allowed."""
        if self.all:
            return True
        host = header.decode("latin-1").lower()
        name = host[: host.index("]") + 1] if host.startswith("[") and "]" in host else host.partition(":")[0]
        return bool({host, name} & self._names) or (bool(self._endings) and name.endswith(self._endings))


Network = IPv4Network | IPv6Network
FORWARDED = b"x-forwarded-for"

IPV6_PREFIX = 64
"""The bits of an IPv6 address that identify one customer of a provider."""


class ClientAddresses:
    """Finds clients' addresses. Of `X-Forwarded-For` only what trusted proxies added counts."""

    def __init__(self, trusted: Sequence[str] = ()) -> None:
        """Trust proxies at these addresses or networks. Raises `ValueError` for an invalid one."""
        self._trusted = tuple(ip_network(text, strict=False) for text in trusted)
        self._is_trusted = lru_cache(maxsize=1024)(self._look_up)

    def of(self, scope: dict[str, Any]) -> str:
        """Return the address that sent a request: the last one on its way that is not a trusted proxy's."""
        client = scope.get("client")
        address = str(client[0]) if client else ""
        if not self._trusted or not self._is_trusted(address):
            return address
        for hop in reversed(forwarded_addresses(scope["headers"])):
            address = hop
            if not self._is_trusted(hop):
                break
        return address

    def _look_up(self, address: str) -> bool:
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._trusted)


def forwarded_addresses(headers: Iterable[tuple[bytes, bytes]]) -> list[str]:
    """Return the addresses in `X-Forwarded-For`, the client's first."""
    values = [value.decode("latin-1") for name, value in headers if name == FORWARDED]
    return [hop.strip() for hop in ",".join(values).split(",") if hop.strip()]


def address_group(address: str) -> str:
    """Return the address, or for IPv6 the /64 network, under which limits count a client."""
    try:
        known = ip_address(address)
    except ValueError:
        return address[:64]
    if known.version == 4:
        return address
    mapped = known.ipv4_mapped
    return str(mapped or ip_network((int(known) >> IPV6_PREFIX << IPV6_PREFIX, IPV6_PREFIX)))


IS_GONE = "turnstream.is_gone"
"""The ASGI extension that returns whether a request's peer has disconnected."""

ABORT = "turnstream.abort"
"""The ASGI extension that resets a request's connection."""


class Peer(msgspec.Struct, frozen=True):
    """The other end of a connection."""

    scope: dict[str, Any]
    """The ASGI scope, for its `client` and `headers`."""
    is_gone: Callable[[], bool]

    def address(self, addresses: ClientAddresses) -> str:
        """Return the address under which limits count this peer."""
        return address_group(addresses.of(self.scope))


def peer_of(scope: dict[str, Any]) -> Peer:
    """Return the peer of a request; without the extension `IS_GONE` it counts as connected."""
    return Peer(scope, (scope.get("extensions") or {}).get(IS_GONE, lambda: False))


async def abort(scope: dict[str, Any]) -> Never:
    """Reset the connection during a response, so that the client sees that the response is incomplete."""
    scope["extensions"][ABORT]()
    while True:  # until the server cancels this, because the connection is lost
        await asyncio.Event().wait()
