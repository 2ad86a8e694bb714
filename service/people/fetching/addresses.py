"""Which addresses may be connected to: public ones only, whatever form they are written in."""

from collections.abc import Iterator, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

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
