"""Heads of streams: how stores check and sign them, and how Redis stores them."""

from collections.abc import Sequence

from service.domain.room.model.ids import RoomKey, Version
from service.store.contract import NOT_BEGUN, Entry, Head
from service.store.signing import COMMAND, Signer


def refuse_gap(after: Head, entries: Sequence[Entry]) -> None:
    """Raise `ValueError` for versions that do not continue from `after`. That is a bug, not a conflict."""
    version = after.version
    for entry in entries:
        if entry.version != version + 1:
            raise ValueError(f"version {entry.version} does not follow {version}")
        version = entry.version


def pack_head(head: Head) -> bytes:
    """Return a head as it is stored: `<version> <digest>`, empty for a stream that has not begun."""
    return b"" if head == NOT_BEGUN else b"%d %b" % (head.version, head.digest)


def unpack_head(packed: bytes) -> Head:
    """Return a stored head. A damaged one gets version -1, at which no stream ends."""
    if not packed:
        return NOT_BEGUN
    version, _, digest = packed.partition(b" ")
    return Head(Version(int(version) if version.isdigit() else -1), digest)


def mac_of(signer: Signer, key: RoomKey, entries: Sequence[Entry]) -> bytes:
    """Return the MAC for the last of these entries, b"" if there are none."""
    return signer.sign(COMMAND, key, entries[-1].version, entries[-1].digest) if entries else b""
