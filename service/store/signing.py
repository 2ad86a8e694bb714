"""Keyed hashes (MACs) that show that this installation wrote what is in its store.

A MAC consists of the id of its key (4 bytes) and a keyed BLAKE2b hash (16 bytes).
"""

import hashlib
import hmac
from collections.abc import Sequence
from functools import lru_cache

from service.domain.ids import RoomKey, Version
from service.store.stream_keys import StreamKey, member

KEY_ID_BYTES = 4
TAG_BYTES = 16

CACHED_STREAMS = 4096
"""The number of streams of which what identifies them in a MAC is cached."""

COMMAND, SNAPSHOT, IDEMPOTENCY, MATCH = b"command", b"snapshot", b"receipts", b"match"
"""The purposes of MACs. A MAC for one purpose is invalid for any other."""


class Signer:
    """Makes MACs with the first of its keys, and checks MACs of all its keys. Without keys it makes none."""

    def __init__(self, keys: Sequence[bytes] = (), *, accepts_unsigned: bool = False) -> None:
        """Sign with the first key (at most 64 bytes each).

        `accepts_unsigned` allows a room whose newest command has no MAC although earlier ones have: another process may
        still run an older release, which makes none.
        """
        self._keys = {key_id(key): key for key in keys}
        self._current = next(iter(self._keys), b"")
        self.accepts_unsigned = accepts_unsigned

    @property
    def signs(self) -> bool:
        """Whether there is a key to sign with."""
        return bool(self._keys)

    def sign(self, purpose: bytes, stream: StreamKey, version: Version, *parts: bytes) -> bytes:
        """Return the MAC of these parts for a version of a stream, b"" without a key."""
        key = self._keys.get(self._current)
        return b"" if key is None else self._current + tag(key, purpose, stream, version, parts)

    def check(self, mac: bytes, purpose: bytes, stream: StreamKey, version: Version, *parts: bytes) -> bool | None:
        """Return whether a MAC is valid for these parts; None for no MAC, or for one of an unknown key."""
        key = self._keys.get(mac[:KEY_ID_BYTES])
        if key is None:
            return None
        return hmac.compare_digest(mac[KEY_ID_BYTES:], tag(key, purpose, stream, version, parts))

    def is_current(self, mac: bytes) -> bool:
        """Return whether a MAC was made with the key that signs now."""
        return bool(self._keys) and mac[:KEY_ID_BYTES] == self._current


def key_id(key: bytes) -> bytes:
    """Return the short public name of a key."""
    return hashlib.blake2b(key=key, digest_size=KEY_ID_BYTES, person=b"key id").digest()


def tag(key: bytes, purpose: bytes, stream: StreamKey, version: Version, parts: Sequence[bytes]) -> bytes:
    """Return the keyed hash; each part is hashed after its length, so that different parts never hash alike."""
    data = b"%d %b%b" % (version, purpose, named(stream))
    for part in parts:
        data += b" %d %b" % (len(part), part)
    return hashlib.blake2b(data, key=key, digest_size=TAG_BYTES).digest()


@lru_cache(CACHED_STREAMS)
def named(stream: StreamKey) -> bytes:
    """Return what identifies a stream in a MAC: a room by its name and its epoch, any other by its member."""
    parts = (stream.name, stream.epoch) if isinstance(stream, RoomKey) else (member(stream).decode(),)
    return b"".join([f" {len(part.encode())} {part}".encode() for part in parts])
