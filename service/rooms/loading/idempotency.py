"""Idempotency records: the results of recent commands, so that a repeated command gets its first answer."""

import hashlib
from collections import OrderedDict
from typing import Any, NamedTuple

import msgspec

from service.domain.room.model.ids import Millis, PlayerId, Version
from service.store.codec import Stamp, Stored

KEPT = 256
"""How many of a player's keys a room remembers at least."""

KEPT_FOR = Millis(120_000)
"""How long a room remembers a key at least.

A request can wait in a process that is suspended, while its sender repeats it elsewhere and goes on. When the process
resumes, it must still recognize the request, however many commands the player has sent meanwhile.
"""

MOST_KEPT = 8_192
"""How many of a player's keys a room remembers at most."""

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
    """The result of a command with a key: its body's fingerprint, the versions of its events, and its time."""

    fingerprint: str
    first: Version
    last: Version
    time: Millis


def forget(records: OrderedDict[str, IdempotencyRecord], before: Millis) -> None:
    """Remove a player's oldest records from before a time, and any beyond the most, but none of the latest 256."""
    while len(records) > KEPT:
        oldest = next(iter(records.values()))
        if oldest.time >= before and len(records) <= MOST_KEPT:
            return
        records.popitem(last=False)


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
        records[stamp.key] = IdempotencyRecord(stamp.fingerprint, recorded.version, last, recorded.time)
        forget(records, Millis(recorded.time - KEPT_FOR))

    def get(self, player: PlayerId | None, key: str) -> IdempotencyRecord | None:
        """Return what this player's command with this key led to."""
        records = None if player is None else self._by_player.get(player)
        return None if records is None else records.get(key)

    def saved(self) -> bytes:
        """Return the records as a snapshot stores them."""
        return msgspec.json.encode(self._by_player)
