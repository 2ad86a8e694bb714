"""Where a stream ends, as both stores check it and as one of them keeps it."""

from service.domain.room.values import Version
from service.streams.contract import Batch, Head

NOT_BEGUN = Head(Version(0), b"")


def head_after(after: Head, batch: Batch) -> Head:
    """Return where a stream that ends at `after` ends once the batch is appended.

    Raises `ValueError` when the batch's versions don't run on from there: such a batch was made wrongly, not too late.
    A batch without events leaves the head as it is.
    """
    versions = [entry.version for entry in batch.entries]
    if versions != list(range(after.version + 1, after.version + 1 + len(versions))):
        raise ValueError(f"versions {versions} don't run on from {after.version}")
    return Head(batch.entries[-1].version, batch.entries[-1].digest) if versions else after


def pack_head(head: Head) -> bytes:
    """Return a head as the store keeps it: `<version> <digest>`, and nothing for a stream not yet begun."""
    return b"" if head == NOT_BEGUN else b"%d %b" % (head.version, head.digest)


def unpack_head(packed: bytes) -> Head:
    """Return the head that was packed."""
    if not packed:
        return NOT_BEGUN
    version, digest = packed.split(b" ", 1)
    return Head(Version(int(version)), digest)
