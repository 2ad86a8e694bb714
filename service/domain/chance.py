"""Fair chance: every random decision of a match can be recomputed by anyone from its seed and the seats' salts.

The derivation (rules: Fair chance), in enough detail to implement it in any language:

1. `key` = SHA-256 of the 32 seed bytes followed, for each seat in order, by the SHA-256 of its salt in UTF-8 (of the
   empty string where the seat sent none).
2. Draw number `n` (0, 1, 2, ... over the match) is the byte stream HMAC-SHA-256(key, n ‖ 0) ‖ HMAC-SHA-256(key, n ‖ 1)
   ‖ ..., where n and the block counter are four bytes each, big-endian.
3. A number below `k` takes the next four bytes as a big-endian integer `x`; while `x >= 2**32 - 2**32 % k`, `x` is
   discarded and the next four bytes are taken; the number is `x % k`.
4. A sample without replacement takes, for i = 0, 1, ..., the element at i + (a number below len - i) of the list and
   swaps it with the element at i.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import NewType, TypeVar

import msgspec

T = TypeVar("T")

DrawNumber = NewType("DrawNumber", int)
"""The number of a draw in its match, from 0; a takeback does not reset it."""

WORD = 1 << 32


class Draw:
    """One numbered draw: a stream of uniform numbers that depends only on its key and number."""

    def __init__(self, key: bytes, number: DrawNumber) -> None:
        """Start the stream of draw `number` under `key`."""
        self.number = number
        self._key = key
        self._blocks = 0
        self._bytes = b""

    def below(self, bound: int) -> int:
        """Return a uniform number from 0 to bound - 1; `bound` is at least 1 and at most 2**32."""
        limit = WORD - WORD % bound
        while (word := self._word()) >= limit:
            pass
        return word % bound

    def sample(self, population: Sequence[T], size: int) -> list[T]:
        """Return `size` different elements; each ordered selection is equally likely."""
        pool = list(population)
        for i in range(size):
            j = i + self.below(len(pool) - i)
            pool[i], pool[j] = pool[j], pool[i]
        return pool[:size]

    def _word(self) -> int:
        if not self._bytes:
            message = self.number.to_bytes(4, "big") + self._blocks.to_bytes(4, "big")
            self._bytes = hmac.digest(self._key, message, "sha256")
            self._blocks += 1
        word, self._bytes = self._bytes[:4], self._bytes[4:]
        return int.from_bytes(word, "big")


class Chance(msgspec.Struct, eq=False):
    """The draws of one match from a given number on. Each random event of a game contains the number of its draw."""

    seed: bytes
    """32 bytes."""
    salts: Sequence[str]
    """By seat; empty for a seat without a salt."""
    next_draw: DrawNumber

    def draw(self) -> Draw:
        """Take the next numbered draw."""
        drawn = Draw(draw_key(self.seed, self.salts), self.next_draw)
        self.next_draw = DrawNumber(self.next_draw + 1)
        return drawn


def draw_key(seed: bytes, salts: Sequence[str]) -> bytes:
    """Return the key of a match's draws (step 1)."""
    return hashlib.sha256(seed + b"".join(hashlib.sha256(salt.encode()).digest() for salt in salts)).digest()


def match_seed(entropy: bytes, number: int) -> bytes:
    """Return the seed of match `number`, derived from 32 random bytes (HMAC-SHA-256).

    It reveals neither those bytes nor the seeds of other matches.
    """
    return hmac.digest(entropy, b"match %d" % number, "sha256")


def seed_hash(seed: bytes) -> str:
    """Return the commitment to a seed: the SHA-256 of its bytes, in hex."""
    return hashlib.sha256(seed).hexdigest()
