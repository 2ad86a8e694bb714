"""The codes by which a player signs in on another device, or recovers a lost guest. The store has only their hashes."""

import hashlib
import hmac
import re
from base64 import b32encode

from service.domain.ids import PLAYER_ID, Millis, PlayerId

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""32 digits and capital letters that are not easily confused."""

LINK_LENGTH = 8
LINK_LASTS = Millis(5 * 60 * 1000)
"""How long a link code is valid."""

RECOVERY_BYTES = 16
RECOVERY_CODE = re.compile(rf"r1\.(?P<player>{PLAYER_ID})\.(?P<secret>[a-z2-7]{{26}})")


def link_code(seed: bytes) -> str:
    """Return the link code of random bytes, at least 8: 40 bits."""
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in seed[:LINK_LENGTH])


def normalized_link_code(text: str) -> str | None:
    """Return a link code as it was typed, without spaces and hyphens and in capitals; None for another text."""
    code = text.upper().replace(" ", "").replace("-", "")
    return code if len(code) == LINK_LENGTH and all(letter in ALPHABET for letter in code) else None


def link_code_hash(key: bytes, code: str) -> str:
    """Return the keyed hash of a link code, which is too short for a plain one."""
    return hmac.digest(key, code.encode(), "sha256").hex()


def recovery_code(player: PlayerId, seed: bytes) -> str:
    """Return the recovery code of a player with random bytes, at least 16: 128 bits."""
    return f"r1.{player}.{b32encode(seed[:RECOVERY_BYTES]).decode().rstrip('=').lower()}"


def player_of_recovery_code(code: str) -> PlayerId | None:
    """Return the player whom a recovery code names; None for another text."""
    found = RECOVERY_CODE.fullmatch(code)
    return PlayerId(found["player"]) if found else None


def recovery_code_hash(code: str) -> str:
    """Return the hash of a recovery code, which is random enough for a plain one."""
    return hashlib.sha256(code.encode()).hexdigest()
