"""Tokens: who a player is, signed, so that no table of sessions is needed."""

import base64
import hmac
from collections.abc import Callable, Sequence
from functools import lru_cache

from service.domain.room.model.ids import PlayerId
from service.domain.room.subjects.privacy import OPERATOR
from service.rooms.access.moderation import Moderation
from service.rooms.errors import ServiceError
from service.rooms.requests import Player

PERSON, PROGRAM = "t1", "b1"
SIGNATURE_BYTES = 18
REMEMBERED = 20_000
"""How many headers with checked signatures are kept at hand."""


class Tokens:
    """Signs tokens: `t1.<player>.<nickname>.<signature>`, the last two in base64url. Reads those of older keys, too.

    A program's token begins with `b1`. The operators' token, where there is one, is that of nobody who plays.
    """

    def __init__(
        self,
        key: bytes,
        older: Sequence[bytes] = (),
        sanctions: Moderation | None = None,
        operators: bytes | None = None,
    ) -> None:
        """Sign with this key, which all processes share, and accept these too, but nobody who is banned."""
        self._keys = (key, *older)
        self._operators = operators
        self._sanctions = sanctions or Moderation()
        self._borne_by: Callable[[bytes], Player | None] = lru_cache(maxsize=REMEMBERED)(self._bearer)

    def signed(self, player: Player) -> str:
        """Return a player's token."""
        claims = f"{PROGRAM if player.bot else PERSON}.{player.id}.{encoded(player.nickname.encode())}"
        return f"{claims}.{signature_of(self._keys[0], claims)}"

    def player(self, token: str) -> Player:
        """Return whose token this is, `OPERATOR` for the operators'. Refuses `unauthenticated`, `banned`."""
        return self._let_in(self._check(token))

    def bearer(self, header: bytes) -> Player:
        """Return whose token an `Authorization` header carries, as `player` does."""
        return self._let_in(self._borne_by(header))

    def _let_in(self, player: Player | None) -> Player:
        if player is None:
            raise ServiceError("unauthenticated")
        self._sanctions.refuse_banned(player.id)
        return player

    def _bearer(self, header: bytes) -> Player | None:
        scheme, _, token = header.decode("latin-1").partition(" ")
        return self._check(token.strip()) if scheme.lower() == "bearer" else None

    def _check(self, token: str) -> Player | None:
        if not token.isascii():
            return None
        if self._operators is not None and hmac.compare_digest(token.encode(), self._operators):
            return Player(OPERATOR, "Operator")
        claims, _, signed = token.rpartition(".")
        parts = claims.split(".")
        if len(parts) != 3 or parts[0] not in {PERSON, PROGRAM}:
            return None
        if not any(hmac.compare_digest(signed, signature_of(key, claims)) for key in self._keys):
            return None
        return Player(PlayerId(parts[1]), base64.urlsafe_b64decode(parts[2] + "==").decode(), parts[0] == PROGRAM)


def is_players(token: bytes) -> bool:
    """Return whether a token has the form of a player's, whoever signed it."""
    return token.startswith((b"t1.", b"b1.")) and token.count(b".") == 3


def signature_of(key: bytes, claims: str) -> str:
    """Return a key's signature."""
    return encoded(hmac.digest(key, claims.encode(), "sha256")[:SIGNATURE_BYTES])


def encoded(data: bytes) -> str:
    """Return bytes in base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
