"""Where a request comes from: the peer of its connection, or what a proxy that is trusted says."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any

Network = IPv4Network | IPv6Network
FORWARDED = b"x-forwarded-for"

PREFIX = 64
"""Bits of an IPv6 address that one subscriber has."""


class Addresses:
    """Tells clients' addresses. Nothing that a client says of itself counts, only what trusted proxies add."""

    def __init__(self, trusted: Sequence[str] = ()) -> None:
        """Trust proxies at these addresses or networks. Raises `ValueError` for what is none."""
        self._trusted = tuple(ip_network(text, strict=False) for text in trusted)
        self._is_trusted = lru_cache(maxsize=1024)(self._look_up)

    def of(self, scope: dict[str, Any]) -> str:
        """Return the address of whoever sent a request: the last one on its way that isn't a trusted proxy's."""
        client = scope.get("client")
        address = str(client[0]) if client else ""
        if not self._trusted or not self._is_trusted(address):
            return address
        for hop in reversed(forwarded(scope["headers"])):
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


def forwarded(headers: Iterable[tuple[bytes, bytes]]) -> list[str]:
    """Return the addresses that `X-Forwarded-For` names, the client's first."""
    values = [value.decode("latin-1") for name, value in headers if name == FORWARDED]
    return [hop.strip() for hop in ",".join(values).split(",") if hop.strip()]


def network(address: str) -> str:
    """Return an address as it is counted: that of IPv4 itself, of IPv6 its first 64 bits."""
    try:
        known = ip_address(address)
    except ValueError:
        return address[:64]
    if known.version == 4:
        return address
    mapped = known.ipv4_mapped
    return str(mapped or ip_network((int(known) >> PREFIX << PREFIX, PREFIX)))
