"""Files that are there as a whole or not at all, and that only their owner may read."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

PART = ".part"


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Yield a file that gets its name when all of it was written and is on the disk; if that fails, nothing is left.

    It is readable by its owner only (0600). Raises `FileExistsError` rather than replace a file.
    """
    refuse_existing(path)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=PART, dir=path.parent)
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        refuse_existing(path)
        part.rename(path)
        sync_folder(path.parent)
    finally:
        part.unlink(missing_ok=True)


def refuse_existing(path: Path) -> None:
    """Raise `FileExistsError` where something has this name already."""
    if path.exists() or path.is_symlink():
        raise FileExistsError(f"{path} exists already")


def sync_folder(folder: Path) -> None:
    """Return when the names in a folder are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def private_folder(path: Path) -> Path:
    """Make a folder that only its owner may enter (0700), unless it is there already."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path
