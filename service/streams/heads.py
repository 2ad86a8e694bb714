"""Where a stream ends, as both stores check it and as one of them keeps it."""

from collections.abc import Sequence

from service.domain.room.values import Version
from service.streams.contract import NOT_BEGUN, Entry, Head


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
    """Return the head that was packed."""
    if not packed:
        return NOT_BEGUN
    version, digest = packed.split(b" ", 1)
    return Head(Version(int(version)), digest)
