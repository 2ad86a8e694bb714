"""What recent commands gave, so that a command sent again gets its first answer."""

import hashlib
from collections import OrderedDict
from typing import Any, NamedTuple

import msgspec

from service.domain.room.model.ids import PlayerId, Version
from service.store.codec import Stamp, Stored

KEPT = 256
"""How many of a player's keys a room remembers at least."""

FINGERPRINT_BYTES = 12


def idempotency_stamp(key: str | None, body: object) -> Stamp | None:
    """Return what is remembered of a command that carries a key: the key and the fingerprint of the decoded body."""
    if key is None:
        return None
    canonical = msgspec.json.encode(without_passwords(msgspec.to_builtins(body)), order="deterministic")
    return Stamp(key, hashlib.blake2b(canonical, digest_size=FINGERPRINT_BYTES).hexdigest())


def without_passwords(body: Any) -> Any:
    """Return plain data without what only scrypt may see: a quick fingerprint would give a password away."""
    if not isinstance(body, dict):
        return body
    return {name: without_passwords(value) for name, value in body.items() if name != "password"}


class IdempotencyRecord(NamedTuple):
    """What a command with a key led to: its body's fingerprint and the versions of its events."""

    fingerprint: str
    first: Version
    last: Version


class IdempotencyRecords:
    """The recent keys of each player of one room, folded from the stream."""

    def __init__(self, saved: bytes = b"") -> None:
        """Begin empty or where a snapshot left off."""
        by_player = msgspec.json.decode(saved, type=dict[PlayerId, dict[str, IdempotencyRecord]]) if saved else {}
        self._by_player = {player: OrderedDict(records) for player, records in by_player.items()}

    def add(self, stored: Stored) -> None:
        """Remember the command that this event begins, if it carried a key."""
        stamp, recorded = stored.stamp, stored.recorded
        if stamp is None or recorded.by is None:
            return
        records = self._by_player.setdefault(recorded.by, OrderedDict())
        last = Version(recorded.version + stored.size - 1)
        records[stamp.key] = IdempotencyRecord(stamp.fingerprint, recorded.version, last)
        if len(records) > KEPT:
            records.popitem(last=False)

    def get(self, player: PlayerId | None, key: str) -> IdempotencyRecord | None:
        """Return what this player's command with this key led to."""
        records = None if player is None else self._by_player.get(player)
        return None if records is None else records.get(key)

    def saved(self) -> bytes:
        """Return the records as a snapshot stores them."""
        return msgspec.json.encode(self._by_player)
