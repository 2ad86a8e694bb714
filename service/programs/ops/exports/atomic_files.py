"""Files that are written atomically and that only their owner can read."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

PART = ".part"


@contextmanager
def atomic_file(path: Path) -> Iterator[IO[bytes]]:
    """Yield a file that gets its name once it is complete and on the disk; if that fails, it is deleted.

    Its mode is 0600. Raises `FileExistsError` if there is a file of this name.
    """
    require_new(path)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=PART, dir=path.parent)
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        require_new(path)
        part.rename(path)
        sync_folder(path.parent)
    finally:
        part.unlink(missing_ok=True)


def require_new(path: Path) -> None:
    """Raise `FileExistsError` if this name exists."""
    if path.exists() or path.is_symlink():
        raise FileExistsError(f"{path} already exists; choose another name")


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def private_folder(path: Path) -> Path:
    """Create a folder with mode 0700, unless it exists."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path
