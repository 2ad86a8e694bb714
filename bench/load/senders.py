"""Who sends: at each table one command in flight, the next one when its reply is there and is a success."""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Literal

import msgspec

from bench.load.tables import START, Command, Table
from bench.load.wire import HttpLine, SocketLine, http_line, post, socket_line
from bench.machine import cpu_seconds

REPLY = b'{"type":"reply",'
ACCEPTED = b',"result":{'
PATIENCE = 60.0
"""Seconds that a reply may take before the measurement is given up; one under callgrind is slow."""


class Cpu(msgspec.Struct, frozen=True):
    """Processor seconds used: by the server that is measured, by the store, and by the load itself."""

    server: float
    store: float
    load: float

    @classmethod
    def used(cls, server: int, store: int) -> "Cpu":
        """Read what these processes have used so far."""
        return cls(cpu_seconds(server), cpu_seconds(store), time.process_time())

    def since(self, before: "Cpu") -> "Cpu":
        """Return what was used since then."""
        return Cpu(self.server - before.server, self.store - before.store, self.load - before.load)


class Sample(msgspec.Struct, frozen=True):
    """What a server did in one window."""

    done: int
    seconds: float
    cpu: "Cpu"
    """Processor seconds that were spent on it."""

    @property
    def per_second(self) -> float:
        """Operations a second."""
        return self.done / self.seconds

    @property
    def micros(self) -> float:
        """Processor microseconds an operation."""
        return self.cpu.server / max(1, self.done) * 1e6

    @property
    def busy(self) -> float:
        """The part of the time in which the server's core was busy with it."""
        return self.cpu.server / self.seconds

    @property
    def other_core(self) -> float:
        """The part of the time in which the other core, with the store and the load, was busy with them."""
        return (self.cpu.store + self.cpu.load) / self.seconds


class MeasurementFailed(Exception):  # noqa: N818 - its reader needs the reason, not the type
    """A server refused or broke something; its figures would mean nothing."""


class Sender(ABC):
    """Sends one thing at a time for as long as it is running."""

    def __init__(self) -> None:
        """Stand still, with nothing done."""
        self.done = 0
        self.failure: str | None = None
        self._running = False
        self._idle = asyncio.Event()
        self._idle.set()

    def go(self) -> None:
        """Begin, or go on."""
        self._running = True
        self._idle.clear()
        self.send_next()

    async def halt(self) -> None:
        """Stop when what is in flight has arrived. Raises `MeasurementFailed` for what was refused or never came."""
        self._running = False
        try:
            async with asyncio.timeout(PATIENCE):
                await self._idle.wait()
        except TimeoutError:
            raise MeasurementFailed("a reply did not come") from None
        if self.failure:
            raise MeasurementFailed(self.failure)

    def arrived(self, count: int) -> None:
        """Count a success and send the next one."""
        self.done += count
        if self._running:
            self.send_next()
        else:
            self._idle.set()

    def failed(self, answer: str) -> None:
        """Keep the first thing that went wrong, and stop."""
        self.failure = self.failure or answer
        self._idle.set()

    @abstractmethod
    async def ready(self) -> None:
        """Be connected, again if need be: servers hang up on a connection that was idle for long."""

    @abstractmethod
    def send_next(self) -> None:
        """Send the next one."""

    @abstractmethod
    def close(self) -> None:
        """Hang up."""


class Poster(Sender):
    """Plays at a table by POST, over one connection."""

    def __init__(self, table: Table, port: int) -> None:
        """Play at this table of the server on this port."""
        super().__init__()
        self._table = table
        self._port = port
        self._counts = 0
        self._line: HttpLine | None = None

    async def ready(self) -> None:
        """Connect again, because a server closes a connection that was idle for long."""
        if self._line is not None:
            self._line.close()
        self._line = await http_line(self._port, self._answered)

    def send_next(self) -> None:
        """Post the next command."""
        assert self._line is not None  # noqa: S101 - senders are made ready before they go
        command = next(self._table.commands)
        self._counts = counted(command)
        self._line.send(post(self._table.path, self._table.tokens[command.seat], command.body))

    def _answered(self, status: int, body: bytes) -> None:
        if status == 200:
            self.arrived(self._counts)
        else:
            self.failed(f"{status} {body.decode()}")

    def close(self) -> None:
        """Hang up."""
        if self._line is not None:
            self._line.close()


Follows = Literal["nothing", "events", "patch", "view"]
"""What a player's socket receives besides replies: events, with patches of the view or with the whole view."""

STATE: dict[Follows, bool | str] = {"nothing": False, "events": False, "patch": "patch", "view": True}
"""How that is requested."""


class Talker(Sender):
    """Plays at a table over sockets, one a player."""

    def __init__(self, table: Table, port: int, follows: Follows) -> None:
        """Play at this table of the server on this port; each player's socket follows the room so far."""
        super().__init__()
        self._table = table
        self._port = port
        self._follows = follows
        self._counts = 0
        self._lines: list[SocketLine] = []
        self._caught_up = asyncio.Event()

    async def ready(self) -> None:
        """Have the sockets open and say who is who, which takes a subscription; it needn't last."""
        room = self._table.room
        for token in self._table.tokens[len(self._lines) :]:
            line = await socket_line(self._port, f"/v1/rooms/{room}/feed", self._heard)
            self._caught_up.clear()
            subscription = {"type": "subscribe", "room": room, "token": token, "state": STATE[self._follows]}
            line.say(msgspec.json.encode(subscription))
            await asyncio.wait_for(self._caught_up.wait(), PATIENCE)
            if self._follows == "nothing":
                line.say(msgspec.json.encode({"type": "unsubscribe", "room": room}))
            self._lines.append(line)

    def send_next(self) -> None:
        """Send the next command."""
        command = next(self._table.commands)
        self._counts = counted(command)
        frame = b'{"type":"command","id":%d,"room":"%b","command":%b}'
        self._lines[command.seat].say(frame % (self.done, self._table.room.encode(), command.body))

    def _heard(self, payload: bytes) -> None:
        if payload.startswith(REPLY):
            if ACCEPTED in payload[:80]:
                self.arrived(self._counts)
            else:
                self.failed(payload.decode())
        elif payload.startswith(b'{"type":"caught_up"'):
            self._caught_up.set()
        elif payload.startswith(b'{"type":"error"'):
            self.failed(payload.decode())

    def close(self) -> None:
        """Hang up."""
        for line in self._lines:
            line.close()


def counted(command: Command) -> int:
    """Return how much a command counts for: a move is an operation, the start of a match comes on top."""
    return 0 if command.body is START else 1


class Window(msgspec.Struct, frozen=True):
    """How long to measure, after how long a warm-up, in seconds."""

    seconds: float
    warm_up: float


async def measured(senders: Sequence[Sender], server: int, store: int, window: Window) -> Sample:
    """Let everyone send, and return what these two processes did in the window."""
    for sender in senders:
        await sender.ready()
    for sender in senders:
        sender.go()
    await asyncio.sleep(window.warm_up)
    done, used, began = sum(sender.done for sender in senders), Cpu.used(server, store), time.perf_counter()
    await asyncio.sleep(window.seconds)
    took = time.perf_counter() - began
    sample = Sample(sum(sender.done for sender in senders) - done, took, Cpu.used(server, store).since(used))
    for sender in senders:
        await sender.halt()
    return sample
