"""Where a stream ends: how both stores check and sign it, and how one of them keeps it."""

from collections.abc import Sequence

from service.domain.room.model.ids import RoomKey, Version
from service.store.contract import NOT_BEGUN, Entry, Head
from service.store.signing import COMMAND, Signer


def refuse_gap(after: Head, entries: Sequence[Entry]) -> None:
    """Raise `ValueError` for versions that don't run on from `after`: they were made wrongly, not too late."""
    version = after.version
    for entry in entries:
        if entry.version != version + 1:
            raise ValueError(f"version {entry.version} doesn't run on from {version}")
        version = entry.version


def pack_head(head: Head) -> bytes:
    """Return a head as the store keeps it: `<version> <digest>`, and nothing for a stream not yet begun."""
    return b"" if head == NOT_BEGUN else b"%d %b" % (head.version, head.digest)


def unpack_head(packed: bytes) -> Head:
    """Return the head that was packed; a damaged one gets version -1, at which no stream ends."""
    if not packed:
        return NOT_BEGUN
    version, _, digest = packed.partition(b" ")
    return Head(Version(int(version) if version.isdigit() else -1), digest)


def mac_of(signer: Signer, key: RoomKey, entries: Sequence[Entry]) -> bytes:
    """Return the MAC that the last of these entries carries, b"" where there is none to carry it."""
    return signer.sign(COMMAND, key, entries[-1].version, entries[-1].digest) if entries else b""
