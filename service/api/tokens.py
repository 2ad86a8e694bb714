"""Tokens: who a player is, signed, so that no table of sessions is needed."""

import base64
import hmac
from collections.abc import Callable
from functools import lru_cache

from service.domain.room.values import PlayerId
from service.rooms.asking import Player
from service.rooms.problems import Refused

PERSON, PROGRAM = "t1", "b1"
SIGNATURE_BYTES = 18
REMEMBERED = 20_000
"""How many tokens' checked signatures are kept at hand."""


class Tokens:
    """Signs and reads tokens with one key: `t1.<player>.<nickname>.<signature>`, the last two in base64url.

    A program's token begins with `b1`.
    """

    def __init__(self, key: bytes) -> None:
        """Sign with this key, which all processes share."""
        self._key = key
        self._checked: Callable[[str], Player | None] = lru_cache(maxsize=REMEMBERED)(self._check)

    def signed(self, player: Player) -> str:
        """Return a player's token."""
        claims = f"{PROGRAM if player.bot else PERSON}.{player.id}.{encoded(player.nickname.encode())}"
        return f"{claims}.{self._signature(claims)}"

    def player(self, token: str) -> Player:
        """Return whose token this is. Refuses `unauthenticated`."""
        player = self._checked(token)
        if player is None:
            raise Refused("unauthenticated")
        return player

    def _check(self, token: str) -> Player | None:
        claims, _, signature = token.rpartition(".")
        parts = claims.split(".")
        if len(parts) != 3 or parts[0] not in {PERSON, PROGRAM} or not token.isascii():
            return None
        if not hmac.compare_digest(signature, self._signature(claims)):
            return None
        return Player(PlayerId(parts[1]), base64.urlsafe_b64decode(parts[2] + "==").decode(), parts[0] == PROGRAM)

    def _signature(self, claims: str) -> str:
        return encoded(hmac.digest(self._key, claims.encode(), "sha256")[:SIGNATURE_BYTES])


def encoded(data: bytes) -> str:
    """Return bytes in base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
