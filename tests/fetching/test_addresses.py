"""Which addresses may be connected to."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.fetching.addresses import may_connect, parse_address

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
    "2002:c0a8:101::1",
    "2001:0:7f00:1::808:808",
]
ALLOWED = ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1"]


@pytest.mark.parametrize("text", REFUSED)
def test_an_address_that_is_not_public_is_refused(text: str) -> None:
    """Nor is one that leads to such an address: mapped, translated or tunnelled."""
    assert not may_connect(parse_address(text))


@pytest.mark.parametrize("text", ALLOWED)
def test_a_public_address_is_allowed(text: str) -> None:
    """In every form."""
    assert may_connect(parse_address(text))


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
    """Apart from the forms of IPv4 addresses, which are decided by those."""
    if not address.is_global and getattr(address, "ipv4_mapped", None) is None:
        assert not may_connect(address)
