"""Guesses at the operators' token: few per address, wherever that token is accepted."""

import hmac

from service.api.callers.peers import Peer
from service.api.callers.tokens import is_players
from service.api.context import House


def count_guess(house: House, peer: Peer, token: bytes) -> None:
    """Count a token that is wrong and does not look like a player's. Refuses `rate_limited`.

    From an address that has sent too many even the right one is refused, so that nobody learns which it is. Players'
    tokens pass: an old one is no guess, and players share addresses.
    """
    if house.admin_token is not None and not is_players(token):
        count_unless_right(house, peer, token)


def count_unless_right(house: House, peer: Peer, token: bytes) -> bool:
    """Return whether a token is the operators', and count one that is not. Refuses `rate_limited`."""
    address = peer.address(house.addresses)
    house.gate.admin_tokens.check(address)
    is_right = house.admin_token is not None and hmac.compare_digest(token, house.admin_token)
    if not is_right:
        house.gate.admin_tokens.take(address)
    return is_right


def count_header(house: House, peer: Peer, header: bytes | None) -> None:
    """Count the token of an `Authorization` header as `count_guess` does."""
    if header is not None and house.admin_token is not None and (token := bearer_token(header)) is not None:
        count_guess(house, peer, token)


def bearer_token(header: bytes) -> bytes | None:
    """Return the token of an `Authorization` header, None for another scheme."""
    scheme, _, token = header.partition(b" ")
    return token.strip() if scheme.lower() == b"bearer" else None
