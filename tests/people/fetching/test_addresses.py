"""Which addresses may be connected to."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.people.fetching.fetcher import may_connect, parse_address

REFUSED = [
    "127.0.0.1",
    "10.1.2.3",
    "172.20.0.5",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",  # noqa: S104 - refused as the address of a peer
    "224.0.0.1",
    "255.255.255.255",
    "192.0.2.1",
    "::1",
    "::",
    "::7f00:1",
    "fe80::1%eth0",
    "fc00::1",
    "fec0::1",
    "ff02::1",
    "2001:db8::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::808:808",
    "2002:7f00:1::",
    "2002:808:808::1",
    "2001:0:7f00:1::808:808",
    "2001:0:808:808::f7f7:f7f7",
]
ALLOWED = ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]

FIRST_AND_LAST = [
    ("0.0.0.0", "0.255.255.255"),  # noqa: S104 - refused as the address of a peer
    ("10.0.0.0", "10.255.255.255"),
    ("100.64.0.0", "100.127.255.255"),
    ("127.0.0.0", "127.255.255.255"),
    ("169.254.0.0", "169.254.255.255"),
    ("172.16.0.0", "172.31.255.255"),
    ("192.0.0.0", "192.0.0.255"),
    ("192.0.2.0", "192.0.2.255"),
    ("192.88.99.0", "192.88.99.255"),
    ("192.168.0.0", "192.168.255.255"),
    ("198.18.0.0", "198.19.255.255"),
    ("198.51.100.0", "198.51.100.255"),
    ("203.0.113.0", "203.0.113.255"),
    ("224.0.0.0", "255.255.255.255"),
    ("::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
]
"""All that is refused, in order; only addresses that stand for IPv4 addresses are an exception."""


@pytest.mark.parametrize("text", REFUSED)
def test_an_address_that_is_not_public_is_refused(text: str) -> None:
    """Nor is one that stands for such an address, mapped or translated, nor any of 6to4 and Teredo."""
    assert not may_connect(parse_address(text))


@pytest.mark.parametrize("text", ALLOWED)
def test_a_public_address_is_allowed(text: str) -> None:
    """In every form."""
    assert may_connect(parse_address(text))


def test_a_special_network_is_refused_from_its_first_to_its_last_address() -> None:
    """And what is between two of them is allowed."""
    for first, last in FIRST_AND_LAST:
        assert not may_connect(parse_address(first))
        assert not may_connect(parse_address(last))
    for (_, last), (first, _) in pairwise(FIRST_AND_LAST):
        before, after = parse_address(last), parse_address(first)
        if before.version == after.version and int(before) + 1 < int(after):
            assert may_connect(before + 1)
            assert may_connect(after - 1)


@pytest.mark.parametrize("text", ["172.20.0.5", "::ffff:172.20.0.5", "64:ff9b::ac14:5"])
def test_an_operator_can_allow_a_network(text: str) -> None:
    """And only that one."""
    assert may_connect(parse_address(text), [IPv4Network("172.20.0.0/16")])
    assert not may_connect(parse_address(text), [IPv4Network("172.21.0.0/16")])


@given(st.ip_addresses(v=4))
def test_a_form_of_an_address_is_refused_like_the_address(address: IPv4Address) -> None:
    """IPv4-mapped and NAT64 addresses are neither more nor less than the address in them."""
    mapped, translated = IPv6Address(0xFFFF << 32 | int(address)), IPv6Address((0x64FF9B << 96) | int(address))
    assert may_connect(mapped) == may_connect(translated) == may_connect(address)


@given(st.ip_addresses())
def test_what_python_denies_is_refused(address: IPv4Address | IPv6Address) -> None:
    """Apart from the forms of IPv4 addresses, which are decided by those. A failure means that the table is too old."""
    if not address.is_global and getattr(address, "ipv4_mapped", None) is None:
        assert not may_connect(address)
