"""Signed player tokens: the player that a token names is read from the token itself."""

import base64
import hmac

import msgspec

from service.domain.accounts.model import TokenId
from service.domain.ids import Player, PlayerId

PERSON, PROGRAM, NAMED, OPERATORS = "t1", "b1", "n1", "o1"
PLAYER_PREFIXES = (f"{PERSON}.".encode(), f"{PROGRAM}.".encode())
GUEST_HEADERS = tuple(b"Bearer " + prefix for prefix in PLAYER_PREFIXES)
NAMED_PREFIX, OPERATORS_PREFIX = f"{NAMED}.".encode(), f"{OPERATORS}.".encode()
FOREIGN_BEGINS = b"eyJ"
"""The beginning of every JSON Web Token: `{"` in base64url."""
SIGNATURE_BYTES = 18


class Claims(msgspec.Struct, frozen=True):
    """What a token with a valid signature says."""

    player: Player
    """For a named token, whose scopes decide about `bot`, as a person."""
    token: TokenId | None = None
    """The id of a named token; None for a guest token."""


class Tokens:
    """Signs tokens and reads the ones that it has signed.

    A guest token is `t1.<player>.<nickname>.<signature>`, the last two parts in base64url; that of a client that
    declared itself a bot begins with `b1`. A named token is `n1.<player>.<token>.<nickname>.<signature>`, and that of
    an operator `o1.<token>.<signature>`.
    """

    def __init__(self, key: bytes, *older: bytes) -> None:
        """Sign with `key`, which all processes share; accept signatures of `older` keys."""
        self._keys = (key, *older)

    def signed(self, player: Player) -> str:
        """Return a player's guest token."""
        return self._sign(f"{PROGRAM if player.bot else PERSON}.{player.id}.{encode_text(player.nickname)}")

    def named(self, player: Player, token: TokenId) -> str:
        """Return a player's named token with this id."""
        return self._sign(f"{NAMED}.{player.id}.{token}.{encode_text(player.nickname)}")

    def operators(self, token: str) -> str:
        """Return the operator token with this id."""
        return self._sign(f"{OPERATORS}.{token}")

    def read_operators(self, token: bytes) -> str | None:
        """Return the id of an operator token; None if it was not signed here."""
        if not token.startswith(OPERATORS_PREFIX) or not token.isascii():
            return None
        claims, _, signed = token.decode().rpartition(".")
        return claims.removeprefix(f"{OPERATORS}.") if self._is_signed(claims, signed) else None

    def _is_signed(self, claims: str, signed: str) -> bool:
        return any(hmac.compare_digest(signed, sign(key, claims)) for key in self._keys)

    def _sign(self, claims: str) -> str:
        return f"{claims}.{sign(self._keys[0], claims)}"

    def read(self, token: str) -> Claims | None:
        """Return what a token says; None if it was not signed here."""
        if not token.isascii():
            return None
        claims, _, signed = token.rpartition(".")
        parts = claims.split(".")
        if (len(parts), parts[0]) not in {(3, PERSON), (3, PROGRAM), (4, NAMED)}:
            return None
        if not self._is_signed(claims, signed):
            return None
        player = Player(PlayerId(parts[1]), decode_text(parts[-1]), parts[0] == PROGRAM)
        return Claims(player, parts[2] if parts[0] == NAMED else None)


def bearer_token(header: bytes) -> bytes | None:
    """Return the token of an `Authorization` header, None for another scheme."""
    scheme, _, token = header.partition(b" ")
    return token.strip() if scheme.lower() == b"bearer" else None


def is_player_token(token: bytes) -> bool:
    """Return whether a token has the form of a player's, valid or not."""
    if token.startswith(NAMED_PREFIX):
        return token.count(b".") == 4
    if is_foreign_token(token):
        return True
    return token.startswith(PLAYER_PREFIXES) and token.count(b".") == 3


def is_foreign_token(token: bytes) -> bool:
    """Return whether a token has the form of another issuer's (a JSON Web Token), valid or not."""
    return token.startswith(FOREIGN_BEGINS) and token.count(b".") == 2


def sign(key: bytes, claims: str) -> str:
    """Return the signature of claims under a key."""
    return encode_base64url(hmac.digest(key, claims.encode(), "sha256")[:SIGNATURE_BYTES])


def encode_text(text: str) -> str:
    """Return a text as base64url without padding."""
    return encode_base64url(text.encode())


def decode_text(data: str) -> str:
    """Return the text that `encode_text` encoded."""
    return base64.urlsafe_b64decode(data + "==").decode()


def encode_base64url(data: bytes) -> str:
    """Return bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
