"""Idempotency records: the results of recent commands, so that a repeated command gets its first answer."""

import hashlib
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from service.domain.room.model.ids import Millis, PlayerId, Version
from service.store.codec import IdempotencyKey, Stored

KEPT = 256
"""The minimum number of keys of a player that a room remembers."""

KEPT_FOR = Millis(120_000)
"""The minimum time for which a room remembers a key.

A request can wait in a suspended process while its sender repeats it elsewhere and continues. When the process
resumes, it must still recognize the request, however many commands the player has sent meanwhile.
"""

MOST_KEPT = 8_192
"""The maximum number of keys of a player that a room remembers."""

FINGERPRINT_BYTES = 12


def with_fingerprint(key: str | None, body: object) -> IdempotencyKey | None:
    """Return an idempotency key with the fingerprint of the command's decoded body; None without a key."""
    if key is None:
        return None
    canonical = msgspec.json.encode(without_passwords(msgspec.to_builtins(body)), order="deterministic")
    return IdempotencyKey(key, hashlib.blake2b(canonical, digest_size=FINGERPRINT_BYTES).hexdigest())


def without_passwords(body: Any) -> Any:
    """Return plain data without passwords, which a fast hash would reveal; only scrypt may hash them."""
    if not isinstance(body, dict):
        return body
    return {name: without_passwords(value) for name, value in body.items() if name != "password"}


class IdempotencyRecord(NamedTuple):
    """The result of a command with a key: its body's fingerprint, the versions of its events, and its time."""

    fingerprint: str
    first: Version
    last: Version
    time: Millis


ENCODER = msgspec.json.Encoder()
RECORD = msgspec.json.Decoder(IdempotencyRecord)
SAVED = msgspec.json.Decoder(dict[PlayerId, dict[str, msgspec.Raw]])


def forget(records: dict[str, bytes], before: Millis) -> None:
    """Remove a player's records from before a time, and those beyond the maximum, but none of the latest 256."""
    left = len(records)
    forgotten: list[str] = []
    for key, record in islice(records.items(), max(0, left - KEPT)):
        if left <= MOST_KEPT and RECORD.decode(record).time >= before:
            break
        forgotten.append(key)
        left -= 1
    for key in forgotten:
        del records[key]


class IdempotencyRecords:
    """The recent keys of each player of a room, folded from the stream, oldest first.

    Each record is kept as a snapshot stores it, in JSON, which takes half the memory of a tuple: there are thousands,
    and few of them are ever needed.
    """

    def __init__(self, saved: bytes = b"") -> None:
        """Start empty, or with the records of a snapshot."""
        by_player = SAVED.decode(saved) if saved else {}
        self._by_player = {
            player: {key: bytes(record) for key, record in records.items()} for player, records in by_player.items()
        }

    def add(self, stored: Stored) -> None:
        """Add a record for the command that begins with this event, if it has a key."""
        key, recorded = stored.idempotency_key, stored.recorded
        if key is None or recorded.by is None:
            return
        records = self._by_player.setdefault(recorded.by, {})
        last = Version(recorded.version + stored.size - 1)
        record = IdempotencyRecord(key.fingerprint, recorded.version, last, recorded.time)
        records[key.value] = ENCODER.encode(record)
        forget(records, Millis(recorded.time - KEPT_FOR))

    def get(self, player: PlayerId | None, key: str) -> IdempotencyRecord | None:
        """Return the record of a player's command with this key, None if there is none."""
        record = None if player is None else self._by_player.get(player, {}).get(key)
        return None if record is None else RECORD.decode(record)

    def saved(self) -> bytes:
        """Return the records as a snapshot stores them."""
        return ENCODER.encode(
            {
                player: {key: msgspec.Raw(record) for key, record in records.items()}
                for player, records in self._by_player.items()
            }
        )
