"""Restarts of the embedded store: whenever it ends, and also while its disk is full."""

import errno
import os
import time
from contextlib import suppress
from pathlib import Path

from service.programs import embedded_store
from service.programs.embedded_store import EmbeddedStore, EmbeddedStoreError, Pause
from service.programs.restarts import LONGEST_PAUSE, YOUNG, RestartPolicy, exit_text, pause_after, say
from service.store.free_space import FULL_MARK, is_short

FULL_WORDS = (
    b"Short write while writing to the AOF file",
    *(os.strerror(number).encode() for number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)),
)
"""Texts in the store's log that mean that its disk, a quota or a file is full."""

LOG_TAIL = 64 * 1024
"""How many bytes of the end of the log are searched."""

FULL = """\
The disk of {data} is full. Rooms can be read, but nothing is written until the disk has space.
A store that ends because it cannot write is started again: soon at first, later every {seconds:g} s.
Free some space; Turnstream then resumes automatically."""

SPACE_AGAIN = "The disk has space again: rooms are written."


class SupervisedStore:
    """The store on a data folder, which is restarted when it ends.

    After too many young deaths no restart is tried, unless the disk is full: then it is tried without limit, with
    increasing pauses, and a file in the folder (`FULL_MARK`) prevents writes by the service, which would end the store
    again. One message says that the disk is full, and one that it has space again.
    """

    def __init__(self, data: Path, pause: Pause) -> None:
        """Start the store. `pause` waits; it may raise to cancel. Raises what `embedded_store.start` raises."""
        self._pause = pause
        self._restarts = RestartPolicy("store")
        self._log_begin = size_of(data / embedded_store.LOG)
        """The position in its log at which the latest start begins."""
        self._store: EmbeddedStore = embedded_store.start(data, say=say, pause=pause)
        self._data = self._store.folder.data
        self._mark = self._data / FULL_MARK
        self._mark.unlink(missing_ok=True)
        self._start_at: float | None = None
        """When it is started again; None while it runs."""
        self._write_at = 0.0
        """When writes are or were allowed again after the disk was full."""
        self._is_full = False
        self._deaths = 0
        """How often the store has ended since the disk became full."""
        self._waits_for_space = False
        """Whether the restart need not wait, because free space on the disk is visible."""

    @property
    def url(self) -> str:
        """The store's address, which stays the same."""
        return self._store.url

    @property
    def is_running(self) -> bool:
        """Whether the store runs and its disk is not full."""
        return self._start_at is None and not self._is_full

    def tend(self) -> None:
        """Notice that the store has ended; start it again in time. Raises `UpFailed` as `RestartPolicy` does."""
        short = is_short(self._data)
        if self._start_at is not None:
            if time.monotonic() >= self._start_at or (self._waits_for_space and not short):
                self._start()
        elif (code := self._store.process.poll()) is not None:
            self._note_end(f"{exit_text(code)}, see {self._store.folder.log}")
        elif short:
            self._note_full()
        elif self._is_full:
            self._note_space(time.monotonic())

    def stop(self) -> None:
        """Stop the store and release its folder."""
        self._mark.unlink(missing_ok=True)
        self._store.stop()

    def _start(self) -> None:
        self._log_begin = size_of(self._store.folder.log)
        try:
            self._store.restart(self._pause)
        except (EmbeddedStoreError, OSError) as failure:
            if not self._is_out_of_space():
                raise
            self._note_end(str(failure))
        else:
            self._start_at = None

    def _note_end(self, how: str) -> None:
        """Decide when the store is started again, and after a full disk also when writes are allowed again."""
        now = time.monotonic()
        if not self._is_out_of_space():
            self._start_at = now + self._restarts.end(how)
            return
        self._note_full()
        with suppress(OSError):
            self._mark.touch()
        self._deaths += 1
        pause = pause_after(self._deaths)
        self._waits_for_space = is_short(self._data)
        self._start_at, self._write_at = now + pause, now + pause + max(pause, YOUNG)

    def _note_full(self) -> None:
        """Print once that the disk is full."""
        if not self._is_full:
            say(FULL.format(data=self._data, seconds=LONGEST_PAUSE))
        self._is_full = True

    def _note_space(self, now: float) -> None:
        """Allow writes again; print that once the store has kept running for a while."""
        if self._mark.exists():
            if now >= self._write_at or self._waits_for_space:
                self._mark.unlink()
                self._write_at = now
        elif now - self._write_at > YOUNG:
            say(SPACE_AGAIN)
            self._is_full, self._deaths = False, 0

    def _is_out_of_space(self) -> bool:
        """Return whether the store ended, or cannot be started, because its disk is full."""
        return is_short(self._data) or any(word in self._log_tail() for word in FULL_WORDS)

    def _log_tail(self) -> bytes:
        """Return the end of the store's log, from the latest start on."""
        log = self._store.folder.log
        with log.open("rb") as file:
            file.seek(max(self._log_begin, size_of(log) - LOG_TAIL))
            return file.read()


def size_of(file: Path) -> int:
    """Return the size of a file in bytes, 0 if it does not exist."""
    try:
        return file.stat().st_size
    except OSError:
        return 0
