"""How much room a disk must have for the store to go on writing."""

import shutil
from pathlib import Path

RESERVE_BYTES = 64 * 1024 * 1024
RESERVE_SHARE = 0.05
"""The reserve is the smaller of the two: so many bytes, or this share of the disk."""


FULL_MARK = "store.full"
"""A file in the store's folder that says that the store ended for want of room, which its disk may not show."""


def is_full(folder: Path) -> bool:
    """Return whether the store on a folder must not be written to, for it has little room or ended for want of it."""
    return is_short(folder) or (folder / FULL_MARK).exists()


def is_short(folder: Path) -> bool:
    """Return whether a folder's disk has less free than the reserve; False where that can't be known."""
    try:
        usage = shutil.disk_usage(folder)
    except OSError:
        return False
    return usage.free < min(RESERVE_BYTES, RESERVE_SHARE * usage.total)
