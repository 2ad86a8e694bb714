"""Which addresses may be connected to: public ones only, whatever form they are written in."""

from collections.abc import Iterator, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

GLOBAL_UNICAST = IPv6Network("2000::/3")
"""The only IPv6 addresses that are assigned to hosts of the internet (RFC 4291)."""

TRANSLATED = IPv6Network("64:ff9b::/96")
"""NAT64 (RFC 6052): the last four bytes are the IPv4 address that is connected to."""


def parse_address(text: str) -> Address:
    """Return an address as the resolver writes it, without the scope of a link-local one. Raises `ValueError`."""
    return ip_address(text.partition("%")[0])


def may_connect(address: Address, networks: Sequence[Network] = ()) -> bool:
    """Return whether an address is public, or in one of the networks that the operator allows.

    An address that contains others, as NAT64 and 6to4 do, is public if all of them are.
    """
    every = (address, *embedded(address))
    if any(each in network for each in every for network in networks):
        return True
    return all(is_public(each) for each in every)


def is_public(address: Address) -> bool:
    """Return whether an address is one of the internet by its own form."""
    if isinstance(address, IPv4Address):
        return address.is_global and not address.is_multicast
    if address.ipv4_mapped is not None or address in TRANSLATED:
        return True  # the embedded address decides
    return address in GLOBAL_UNICAST and address.is_global


def embedded(address: Address) -> Iterator[IPv4Address]:
    """Yield the IPv4 addresses to which an IPv6 address leads."""
    if isinstance(address, IPv4Address):
        return
    if address.ipv4_mapped is not None:
        yield address.ipv4_mapped
    if address in TRANSLATED:
        yield IPv4Address(int(address) & 0xFFFFFFFF)
    if address.sixtofour is not None:
        yield address.sixtofour
    if address.teredo is not None:
        yield from address.teredo
