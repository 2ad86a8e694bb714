"""A fork server: it imports a program once, and processes are forked from it.

So starting all of them costs one import, and they share the memory of the imported modules. It has no threads and no
event loop when it forks. When its connection ends, its parent has ended, and it exits.

A process gets a connection of its own to the parent if one was sent with the request: its end shows the parent that it
has ended. The start and the end of the others are reported.
"""

import gc
import os
import select
import signal
import socket
from collections.abc import Iterator
from contextlib import suppress

import msgspec

from service.runtime.child_messages import receive, send

IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals that may be sent to all processes at the same time; the parent ends the fork server."""


class Start(msgspec.Struct, frozen=True, tag=True):
    """A request for a process with these arguments."""

    name: str = ""
    arguments: tuple[str, ...] = ()


class Started(msgspec.Struct, frozen=True, tag=True):
    """The notice of a process that it leads its own session."""

    name: str
    pid: int


class Ended(msgspec.Struct, frozen=True, tag=True):
    """The notice that a process has ended; the code is negative for a signal."""

    name: str
    pid: int
    code: int


class Forked(msgspec.Struct, frozen=True):
    """What a forked process has got."""

    arguments: tuple[str, ...]
    connection: socket.socket | None
    """None for a process whose end is reported."""


Notice = Started | Ended

encode = msgspec.json.Encoder().encode
decode_start = msgspec.json.Decoder(Start).decode
decode_notice = msgspec.json.Decoder(Notice).decode


def forked(descriptor: int) -> Forked | None:
    """Fork as requested over a connection. Return what each new process gets, None in the fork server at its end."""
    control = socket.socket(fileno=descriptor)
    handlers = {number: signal.signal(number, signal.SIG_IGN) for number in IGNORED}
    wakes = wake_at_signals()
    gc.collect()
    gc.freeze()
    names: dict[int, str] = {}
    with control, suppress(EOFError, OSError):  # the parent has ended
        while True:
            report_ends(control, wakes, names)
            message, descriptors = receive(control)
            start, connection = decode_start(message), [socket.socket(fileno=each) for each in descriptors]
            if pid := os.fork():
                names[pid] = "" if connection else start.name
                for each in connection:
                    each.close()
                continue
            stop_waking()
            if connection:
                return Forked(start.arguments, connection[0])
            os.setsid()
            for number, handler in handlers.items():
                signal.signal(number, handler)
            send(control, encode(Started(start.name, os.getpid())))
            return Forked(start.arguments, None)
    return None


def report_ends(control: socket.socket, wakes: int, names: dict[int, str]) -> None:
    """Wait for a request, and report the ends of processes in the meantime."""
    ready: list[int] = []
    while control.fileno() not in ready:
        ready, _, _ = select.select([control.fileno(), wakes], [], [])
        forget_signals(wakes)
        for pid, code in reaped():
            if name := names.pop(pid):
                send(control, encode(Ended(name, pid, code)))


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
    """In a forked process: restore the usual effect of signals."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def reaped() -> Iterator[tuple[int, int]]:
    """Reap the children that have died since the last call; yield their process ids and exit codes."""
    with suppress(ChildProcessError):  # there are no children
        while (died := os.waitpid(-1, os.WNOHANG))[0] != 0:
            yield died[0], os.waitstatus_to_exitcode(died[1])
