"""Lock files: a process that has locked one owns a resource; the lock ends with the process."""

import fcntl
from pathlib import Path
from typing import IO


def locked(path: Path) -> IO[str] | None:
    """Open and lock a file; None if another process has locked it."""
    file = path.open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file


def is_free(path: Path) -> bool:
    """Return whether no process has locked this file."""
    lock = locked(path)
    if lock is None:
        return False
    lock.close()
    return True


def write_over(file: IO[str], text: str) -> None:
    """Replace the contents of an open file; does not write if they are the same, as the disk may be full."""
    file.seek(0)
    if file.read() == text:
        return
    file.truncate(0)
    file.write(text)
    file.flush()
