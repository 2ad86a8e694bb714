"""Signed player tokens, so that no session store is needed."""

import base64
import hmac
from collections.abc import Callable, Sequence
from functools import lru_cache

from service.domain.room.model.ids import PlayerId
from service.domain.room.subjects.privacy import OPERATOR
from service.rooms.access.moderation import Moderation
from service.rooms.errors import ServiceError
from service.rooms.player import Player

PERSON, PROGRAM = "t1", "b1"
PLAYER_PREFIXES = (f"{PERSON}.".encode(), f"{PROGRAM}.".encode())
SIGNATURE_BYTES = 18
CACHED_HEADERS = 20_000
"""How many `Authorization` headers with a checked signature are cached."""


class Tokens:
    """Signs and verifies tokens: `t1.<player>.<nickname>.<signature>`, the last two parts in base64url.

    The token of a client that declared itself a bot begins with `b1`. The operator token, if any, belongs to no player.
    """

    def __init__(
        self,
        key: bytes,
        older: Sequence[bytes] = (),
        moderation: Moderation | None = None,
        operators: bytes | None = None,
    ) -> None:
        """Sign with `key`, which all processes share; accept signatures of `older` keys; reject banned players."""
        self._keys = (key, *older)
        self._operators = operators
        self._moderation = moderation or Moderation()
        self._cached: Callable[[bytes], Player | None] = lru_cache(maxsize=CACHED_HEADERS)(self._read_header)

    def signed(self, player: Player) -> str:
        """Return a player's token."""
        claims = f"{PROGRAM if player.bot else PERSON}.{player.id}.{encode_base64url(player.nickname.encode())}"
        return f"{claims}.{sign(self._keys[0], claims)}"

    def player(self, token: str) -> Player:
        """Return the player of a token, `OPERATOR` for the operator token.

        Raises `ServiceError` with `unauthenticated` or `banned`.
        """
        return self._admit(self._verify(token))

    def bearer(self, header: bytes) -> Player:
        """Return the player of the token in an `Authorization` header; raises like `player`."""
        return self._admit(self._cached(header))

    def _admit(self, player: Player | None) -> Player:
        if player is None:
            raise ServiceError("unauthenticated")
        self._moderation.refuse_banned(player.id)
        return player

    def _read_header(self, header: bytes) -> Player | None:
        token = bearer_token(header)
        return None if token is None else self._verify(token.decode("latin-1").strip())

    def _verify(self, token: str) -> Player | None:
        if not token.isascii():
            return None
        if self._operators is not None and hmac.compare_digest(token.encode(), self._operators):
            return Player(OPERATOR, "Operator")
        claims, _, signed = token.rpartition(".")
        parts = claims.split(".")
        if len(parts) != 3 or parts[0] not in {PERSON, PROGRAM}:
            return None
        if not any(hmac.compare_digest(signed, sign(key, claims)) for key in self._keys):
            return None
        return Player(PlayerId(parts[1]), base64.urlsafe_b64decode(parts[2] + "==").decode(), parts[0] == PROGRAM)


def bearer_token(header: bytes) -> bytes | None:
    """Return the token of an `Authorization` header, None for another scheme."""
    scheme, _, token = header.partition(b" ")
    return token.strip() if scheme.lower() == b"bearer" else None


def is_player_token(token: bytes) -> bool:
    """Return whether a token has the form of a player's, valid or not."""
    return token.startswith(PLAYER_PREFIXES) and token.count(b".") == 3


def sign(key: bytes, claims: str) -> str:
    """Return the signature of claims under a key."""
    return encode_base64url(hmac.digest(key, claims.encode(), "sha256")[:SIGNATURE_BYTES])


def encode_base64url(data: bytes) -> str:
    """Return bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
