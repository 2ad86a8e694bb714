"""How long clients wait for a reply, and for a delivery in another process, while bots play; and what stalls a loop."""

import asyncio
import http.client
import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import msgspec
import uvloop

from bench.growth import SECRET, grow, matches, open_hot_seat, read
from bench.load.senders import MeasurementFailed, Poster, Talker, Window, measured
from bench.load.tables import Command, Table, open_tables, post_json
from bench.load.wire import Heard, SocketLine, socket_line
from bench.machine import allow_sockets, cores, cpu_seconds, on_core
from bench.processes import Server, StoreServer, service, store, worker
from service.domain.catalog import GAMES

Say = Callable[[str], None]

GAME = "morris"
LOADS = (0.25, 0.5, 0.75)
"""Parts of the plays that one process bears in a second."""
PROBE_EVERY = 0.002
SETTLE = 0.5
"""Seconds until what was subscribed is up to date."""
UPDATE = b'{"type":"update"'


class Plan(msgspec.Struct, frozen=True):
    """How much is measured."""

    seconds: float = 20.0
    window: Window = Window(3.0, 0.5)
    tables: int = 128
    bots: int = 10
    """Rooms in which only bots play, without a pause."""
    events: int = 20_000
    """Moves in the room that is loaded and read."""
    sockets: int = 1_000
    probes: float = 3.0
    """Seconds in which nothing happens."""


QUICK = Plan(
    seconds=0.5, window=Window(0.3, 0.1), tables=4, bots=1, events=20, sockets=5, probes=0.2,
)  # fmt: skip


class Waits(msgspec.Struct, frozen=True):
    """Milliseconds: half, all but one in a hundred, and all but one in a thousand waited no longer."""

    p50: float
    p99: float
    p999: float
    count: int


class Load(msgspec.Struct, frozen=True):
    """What clients waited under a load."""

    share: float
    per_second: float
    busy: float
    """The part of its core that the executing process used."""
    commands: Waits
    deliveries: Waits


class Stall(msgspec.Struct, frozen=True):
    """The longest wait of a small request during some load."""

    cause: str
    milliseconds: float


class Found(msgspec.Struct, frozen=True):
    """Everything that was measured."""

    most: float
    """Plays a second that one process bears."""
    loads: tuple[Load, ...]
    stalls: tuple[Stall, ...]


def run(plan: Plan, say: Say) -> Found:
    """Measure under each load, then stall by stall."""
    allow_sockets()
    with (
        on_core(cores()[1]),
        store() as kept,
        service(kept.url, secret=SECRET) as served,
        service(kept.url, secret=SECRET, core=cores()[1]) as other,
        worker(kept.url, SECRET),
    ):
        open_bot_rooms(served.port, plan.bots)
        most, loads = uvloop.run(under_load(plan, served, other, kept, say))
        return Found(most, loads, tuple(stalls(plan, served, other, say)))


def open_bot_rooms(port: int, count: int) -> None:
    """Open rooms of all games by turns in which bots play match after match."""
    games = list(GAMES.values())
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        for number in range(count):
            game = games[number % len(games)]
            seats = [{"bot": "easy"}] * len(game.seats(game.options()))
            settings = {"bot_pause": 0, "restart": 0, "visibility": "unlisted"}
            body = {"game": game.slug, "nickname": "Keeper", "seats": seats, "settings": settings}
            post_json(connection, "/v1/rooms", body)


class Paced(Talker):
    """A table that plays on a signal, and records each reply's time since the moment it was due."""

    def __init__(self, table: Table, port: int, freed: Callable[["Paced"], None]) -> None:
        """Report to `freed` when the next command may be sent."""
        super().__init__(table, port, "events")
        self.room = table.room
        self._freed = freed
        self._due_at = 0.0
        self.waits: list[float] = []
        self.undelivered: deque[float] = deque()
        self.delivered: list[float] = []

    def begin(self, due_at: float) -> None:
        """Send the next command, which was due at a moment that may be over."""
        self._due_at = due_at
        self.undelivered.append(due_at)
        self.send_next()

    def arrived(self, count: int) -> None:
        """Note a reply."""
        self.done += count
        self.waits.append(time.perf_counter() - self._due_at)
        self._freed(self)

    def heard_elsewhere(self, frame: bytes) -> None:
        """Note a delivery in the other process; updates come in the order of the commands."""
        if frame.startswith(UPDATE) and self.undelivered:
            self.delivered.append(time.perf_counter() - self.undelivered.popleft())


class Pacer:
    """Sends commands at random moments, so many a second on average, whether the last ones were answered or not."""

    def __init__(self, tables: Sequence[Table], port: int) -> None:
        """Use these tables, each for one command at a time."""
        self.tables = [Paced(table, port, self._free) for table in tables]
        self._idle = deque(self.tables)
        self._late: deque[float] = deque()

    async def send(self, rate: float, seconds: float) -> None:
        """Send for so long, and return when all is answered."""
        draw = random.Random(1)  # noqa: S311 - moments of a load
        due_at = time.perf_counter()
        end = due_at + seconds
        while (due_at := due_at + draw.expovariate(rate)) < end:
            if (left := due_at - time.perf_counter()) > 0:
                await asyncio.sleep(left)
            if self._idle:
                self._idle.popleft().begin(due_at)
            else:
                self._late.append(due_at)
        while len(self._idle) < len(self.tables):
            if failure := next((table.failure for table in self.tables if table.failure), None):
                raise MeasurementFailed(failure)
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)

    def _free(self, table: Paced) -> None:
        if self._late:
            table.begin(self._late.popleft())
        else:
            self._idle.append(table)


async def under_load(
    plan: Plan, served: Server, other: Server, kept: StoreServer, say: Say
) -> tuple[float, tuple[Load, ...]]:
    """Find what the process bears, then measure at parts of that."""
    lines = matches()
    tables = await rooms(served, plan, lines)
    closed = [Talker(table, served.port, "events") for table in tables]
    others = [await follow(table.room, other.port, lambda _frame: None) for table in tables]
    sample = await measured(closed, served.pid, kept.pid, plan.window)
    for sender in closed:
        sender.close()
    for line in others:
        line.close()
    most = sample.per_second
    say(f"one process bears {most:,.0f} plays a second")
    loads = []
    for share in LOADS:
        pacer = Pacer(await rooms(served, plan, lines), served.port)
        subscribed = [await follow(table.room, other.port, table.heard_elsewhere) for table in pacer.tables]
        for table in pacer.tables:
            await table.ready()
        await asyncio.sleep(SETTLE)
        used = cpu_seconds(served.pid)
        await pacer.send(most * share, plan.seconds)
        busy = (cpu_seconds(served.pid) - used) / plan.seconds
        commands = waits_of([wait for table in pacer.tables for wait in table.waits])
        deliveries = waits_of([wait for table in pacer.tables for wait in table.delivered])
        loads.append(Load(share, most * share, busy, commands, deliveries))
        say(f"at {share:.0%}: {commands} {deliveries}")
        for line in subscribed:
            line.close()
        for table in pacer.tables:
            table.close()
    return most, tuple(loads)


async def rooms(served: Server, plan: Plan, lines: Sequence[Sequence[Command]]) -> list[Table]:
    """Open rooms."""
    return await asyncio.to_thread(open_tables, served.port, GAME, plan.tables, lines)


async def follow(room: str, port: int, hear: Heard) -> SocketLine:
    """Let a socket of the other process follow a room."""
    line = await socket_line(port, f"/v1/rooms/{room}/feed", hear)
    line.say(b'{"type":"subscribe","room":"%b","state":false}' % room.encode())
    return line


def waits_of(seconds: Sequence[float]) -> Waits:
    """Return the percentiles in milliseconds."""
    ordered = sorted(seconds)

    def at(share: float) -> float:
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1e3 if ordered else 0.0

    return Waits(at(0.5), at(0.99), at(0.999), len(ordered))


def stalls(plan: Plan, served: Server, other: Server, say: Say) -> list[Stall]:
    """Let one thing after another happen in a process, and measure how long small requests to it wait."""
    (table,) = open_tables(other.port, GAME, 1, matches())
    uvloop.run(played(table, other.port, plan.events))
    port, room = served.port, f"/v1/rooms/{table.room}"
    causes: list[tuple[str, Callable[[], object]]] = [
        ("nothing but bots elsewhere", lambda: time.sleep(plan.probes)),
        (f"a room with {plan.events:,} moves is loaded", lambda: read(port, room)),
        ("a page of 1,000 of its events is read", lambda: read(port, f"{room}/events?since=0&limit=1000")),
        (f"{plan.sockets:,} sockets subscribe to it at once", lambda: asyncio.run(subscribe(plan, port, table.room))),
        ("100 rooms are opened", lambda: open_hot_seat(port, 100, [])),
        ("10 private rooms are opened, with a password", lambda: open_private(port, 10)),
        ("the lobby is read 50 times", lambda: read(port, "/v1/rooms", times=50)),
    ]
    found = []
    for cause, happen in causes:
        found.append(Stall(cause, longest_wait(port, happen) * 1e3))
        say(f"{cause:<48} {found[-1].milliseconds:>8.1f} ms")
    return found


async def played(table: Table, port: int, count: int) -> None:
    """Play so many moves at a table."""
    poster = Poster(table, port)
    await grow(poster, count)
    poster.close()


def longest_wait(port: int, happen: Callable[[], object]) -> float:
    """Send small requests while something happens; return the longest that one of them took, in seconds."""
    longest = 0.0
    with (
        closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection,
        ThreadPoolExecutor(1) as happening,
    ):
        probe(connection)
        done = happening.submit(happen)
        while not done.done():
            longest = max(longest, probe(connection))
            time.sleep(PROBE_EVERY)
        done.result()
    return longest


def probe(connection: http.client.HTTPConnection) -> float:
    """Return the seconds that a small request takes."""
    began = time.perf_counter()
    connection.request("GET", "/health/live")
    connection.getresponse().read()
    return time.perf_counter() - began


async def subscribe(plan: Plan, port: int, room: str) -> None:
    """Let so many sockets follow a room."""
    caught_up = asyncio.Semaphore(0)

    def hear(frame: bytes) -> None:
        if frame.startswith(b'{"type":"caught_up"'):
            caught_up.release()

    lines = [await socket_line(port, f"/v1/rooms/{room}/feed", hear) for _ in range(plan.sockets)]
    for line in lines:
        line.say(b'{"type":"subscribe","room":"%b"}' % room.encode())
    for _ in lines:
        await caught_up.acquire()
    for line in lines:
        line.close()


def open_private(port: int, count: int) -> None:
    """Open private rooms, whose passwords are hashed."""
    settings = {"visibility": "private", "password": "benchmark"}
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        for _ in range(count):
            post_json(connection, "/v1/rooms", {"game": GAME, "nickname": "Keeper", "settings": settings})
