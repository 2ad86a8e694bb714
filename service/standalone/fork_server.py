"""The fork server of `turnstream up`: it imports the service once, and the service's processes are forked from it.

So starting all of them costs one import, and they share the memory of the imported modules. Requests and notices are
datagrams on a socket between it and the supervisor. It has no threads and no event loop when it forks. When its
standard input ends, the supervisor has ended, and it exits; the processes have their own lifelines.
"""

import gc
import os
import select
import signal
import socket
import sys
from collections.abc import Callable, Mapping
from types import FrameType

import msgspec

from service.dead_children import forget_signals, reaped, stop_waking, wake_at_signals

LARGEST = 64 * 1024
"""The largest size of a message in bytes."""

IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals that may be sent to all processes at the same time; the supervisor ends the fork server."""


Handler = Callable[[int, FrameType | None], object] | int | None
"""What `signal.signal` takes and returns."""


class Start(msgspec.Struct, frozen=True, tag=True):
    """A request for a process with these arguments."""

    name: str
    arguments: tuple[str, ...]


class Started(msgspec.Struct, frozen=True, tag=True):
    """The notice of a process that it leads its own session."""

    name: str
    pid: int


class Ended(msgspec.Struct, frozen=True, tag=True):
    """The notice that a process has ended; the code is negative for a signal."""

    name: str
    pid: int
    code: int


Notice = Started | Ended

encode = msgspec.json.Encoder().encode
decode_start = msgspec.json.Decoder(Start).decode
decode_notice = msgspec.json.Decoder(Notice).decode


def forked(descriptor: int) -> tuple[str, ...] | None:
    """Fork as requested on a socket. Return the arguments in each new process, None in the fork server at its end."""
    control = socket.socket(fileno=descriptor)
    handlers = {number: signal.signal(number, signal.SIG_IGN) for number in IGNORED}
    wakes = wake_at_signals()
    gc.collect()
    gc.freeze()
    names: dict[int, str] = {}
    while (start := next_start(control, wakes, names)) is not None:
        pid = os.fork()
        names[pid] = start.name
        if pid == 0:
            lead_session(handlers)
            with control:
                control.send(encode(Started(start.name, os.getpid())))
            return start.arguments
    return None


def next_start(control: socket.socket, wakes: int, names: dict[int, str]) -> Start | None:
    """Return the next request, None when standard input ends; report processes that end in the meantime."""
    while True:
        ready, _, _ = select.select([sys.stdin, control, wakes], [], [])
        forget_signals(wakes)
        for pid, code in reaped():
            control.send(encode(Ended(names.pop(pid), pid, code)))
        if sys.stdin in ready:
            return None
        if control in ready:
            return decode_start(control.recv(LARGEST))


def lead_session(handlers: Mapping[signal.Signals, Handler]) -> None:
    """In a forked process: lead a session, restore the signal handlers, and read no standard input."""
    os.setsid()
    stop_waking()
    for number, handler in handlers.items():
        signal.signal(number, handler)
    with open(os.devnull) as nothing:  # noqa: PTH123 - opened for its descriptor
        os.dup2(nothing.fileno(), sys.stdin.fileno())
