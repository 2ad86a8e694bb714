"""The embedded store, kept running: it is started again whenever it ends, for as long as its disk is full, too."""

import errno
import os
import time
from contextlib import suppress
from pathlib import Path

from service.standalone import embedded_store
from service.standalone.embedded_store import EmbeddedStore, EmbeddedStoreError, Pause
from service.standalone.restarts import LONGEST_PAUSE, YOUNG, Lives, exit_text, pause_after, say
from service.store.disk import FULL_MARK, is_short

FULL_WORDS = (
    b"Short write while writing to the AOF file",
    *(os.strerror(number).encode() for number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)),
)
"""What the store's log says when its disk, a quota or a file is full."""

LAST_WORDS = 64 * 1024
"""Bytes of the log's end that are looked at."""

FULL = """\
The disk of {data} is full. Rooms can be read, and nothing is written until there is room on it.
A store that ends because it can't write is started again: soon at first, later every {seconds:g} s.
Free some space, and Turnstream resumes by itself."""

ROOM_AGAIN = "There is room on the disk again: rooms are written."


class KeptStore:
    """A store on a data folder that is looked after.

    One that dies again and again soon after its start is given up, unless its disk is full: then it is tried for ever,
    with growing pauses, and a file in the folder (`FULL_MARK`) keeps the service from writing to it and so ending it
    again. It is said once that the disk is full, and once that there is room.
    """

    def __init__(self, data: Path, pause: Pause) -> None:
        """Start the store. `pause` waits, and may raise to give up. Raises as `embedded.start` does."""
        self._pause = pause
        self._lives = Lives("store")
        self._log_begin = size_of(data / embedded_store.LOG)
        """Where in its log the latest start begins."""
        self._store: EmbeddedStore = embedded_store.start(data, say=say, pause=pause)
        self._data = self._store.folder.data
        self._mark = self._data / FULL_MARK
        self._mark.unlink(missing_ok=True)
        self._start_at: float | None = None
        """When it is started again; None while it runs."""
        self._write_at = 0.0
        """When it is written to again, or was, where its disk had been full."""
        self._is_full = False
        self._deaths = 0
        """How often it has ended since its disk is full."""
        self._waits_for_room = False
        """Whether there is no need to wait for those moments, for it can be seen when there is room again."""

    @property
    def url(self) -> str:
        """The store's address, which stays the same."""
        return self._store.url

    @property
    def is_running(self) -> bool:
        """Whether it runs and has room to write."""
        return self._start_at is None and not self._is_full

    def tend(self) -> None:
        """Notice that the store has ended; start it again when it is time. Raises `UpFailed` where that is hopeless."""
        short = is_short(self._data)
        if self._start_at is not None:
            if time.monotonic() >= self._start_at or (self._waits_for_room and not short):
                self._start()
        elif (code := self._store.process.poll()) is not None:
            self._note_end(f"{exit_text(code)}, see {self._store.folder.log}")
        elif short:
            self._note_full()
        elif self._is_full:
            self._note_room(time.monotonic())

    def stop(self) -> None:
        """Stop the store and let go of its folder."""
        self._mark.unlink(missing_ok=True)
        self._store.stop()

    def _start(self) -> None:
        self._log_begin = size_of(self._store.folder.log)
        try:
            self._store.restart(self._pause)
        except (EmbeddedStoreError, OSError) as failure:
            if not self._lacks_room():
                raise
            self._note_end(str(failure))
        else:
            self._start_at = None

    def _note_end(self, how: str) -> None:
        """Decide when the store starts again, and when it is written to again where it had no room."""
        now = time.monotonic()
        if not self._lacks_room():
            self._start_at = now + self._lives.end(how)
            return
        self._note_full()
        with suppress(OSError):
            self._mark.touch()
        self._deaths += 1
        pause = pause_after(self._deaths)
        self._waits_for_room = is_short(self._data)
        self._start_at, self._write_at = now + pause, now + pause + max(pause, YOUNG)

    def _note_full(self) -> None:
        """Say that the disk is full, once."""
        if not self._is_full:
            say(FULL.format(data=self._data, seconds=LONGEST_PAUSE))
        self._is_full = True

    def _note_room(self, now: float) -> None:
        """Let the store be written to, and say so when it has borne that for a while."""
        if self._mark.exists():
            if now >= self._write_at or self._waits_for_room:
                self._mark.unlink()
                self._write_at = now
        elif now - self._write_at > YOUNG:
            say(ROOM_AGAIN)
            self._is_full, self._deaths = False, 0

    def _lacks_room(self) -> bool:
        """Return whether the store ended, or can't be started, because its disk is full."""
        return is_short(self._data) or any(word in self._said() for word in FULL_WORDS)

    def _said(self) -> bytes:
        """Return the end of what the store's log says since the latest start."""
        log = self._store.folder.log
        with log.open("rb") as file:
            file.seek(max(self._log_begin, size_of(log) - LAST_WORDS))
            return file.read()


def size_of(file: Path) -> int:
    """Return how many bytes a file has, 0 where there is none."""
    try:
        return file.stat().st_size
    except OSError:
        return 0
