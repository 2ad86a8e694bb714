"""Whether a disk has enough free space for the store to write."""

import shutil
from pathlib import Path

RESERVE_BYTES = 64 * 1024 * 1024
RESERVE_SHARE = 0.05
"""The reserve is the smaller of the two: bytes, or a share of the disk."""


FULL_MARK = "store.full"
"""A file in the store's folder: the server ended because the disk was full, which may not be visible later."""


def is_full(folder: Path) -> bool:
    """Return whether the store in a folder must not be written to: its disk is short of space, or has `FULL_MARK`."""
    return is_short(folder) or (folder / FULL_MARK).exists()


def is_short(folder: Path) -> bool:
    """Return whether a folder's disk has less free space than the reserve; False if that is unknown."""
    try:
        usage = shutil.disk_usage(folder)
    except OSError:
        return False
    return usage.free < min(RESERVE_BYTES, RESERVE_SHARE * usage.total)
