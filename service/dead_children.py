"""Notification of the death of children, for a process without an event loop."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress


def wake_at_signals() -> int:
    """Return a file descriptor that becomes readable at every handled signal, and when a child dies."""
    readable, writable = os.pipe()
    os.set_blocking(readable, False)
    os.set_blocking(writable, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(writable, warn_on_full_buffer=False)
    return readable


def forget_signals(wakes: int) -> None:
    """Read everything from the descriptor."""
    with suppress(BlockingIOError):
        os.read(wakes, 4096)


def stop_waking() -> None:
    """In a forked child: restore the usual effect of signals."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def reaped() -> Iterator[tuple[int, int]]:
    """Reap the children that have died since the last call; yield their process ids and exit codes."""
    with suppress(ChildProcessError):  # there are no children
        while (died := os.waitpid(-1, os.WNOHANG))[0] != 0:
            yield died[0], os.waitstatus_to_exitcode(died[1])
