"""The address a request comes from: the peer of its connection, or what a trusted proxy reports."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any

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
