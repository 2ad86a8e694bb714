"""What a play costs besides what the budget counts: with everything turned on, in the store, and in a worker.

With everything on, instructions are counted by callgrind, here and at an earlier commit. The others are CPU times.
"""

import asyncio
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import uvloop

from bench import instructions
from bench.compare import checked_out
from bench.instructions import CALLGRIND, VALGRIND, Counted, Counter
from bench.load.senders import Poster, Sender, Talker, Window, measured
from bench.load.tables import START, Command, Table, open_tables, peer_tables
from bench.load.wire import SocketLine, socket_line
from bench.machine import allow_sockets, cores, cpu_seconds, on_core
from bench.processes import HERE, Code, Server, StoreServer, peer, service, store, worker
from bench.ratios import Goal, Spread, spread

Say = Callable[[str], None]

GAME = "morris"
SECRET = "a secret of benchmarks, of thirty-two characters"  # noqa: S105 - nothing is protected by it
RATED = {"rated": True, "clock": {"type": "fischer", "initial_ms": 3_600_000, "increment_ms": 10_000}}
PATIENCE = 60.0
"""Seconds until a turn has arrived at the feed of its player; a process under callgrind is slow."""

PAUSE = 0.5
"""Seconds in which a worker notices what is due."""

EVERYTHING, STORE, WORKER = Goal(0.75), Goal(2.1), Goal(3)


class Plan(msgspec.Struct, frozen=True):
    """How much is measured."""

    windows: int = 3
    together: int = 16
    """Rooms in which plays are counted at the same time, because each waits for a worker."""
    warm_up: int = 10
    counted: int = 20
    """Plays of a window in each room."""
    idle: float = 5.0
    """Seconds without plays."""
    rounds: int = 9
    window: Window = Window(1.5, 0.3)
    tables: int = 64
    at_board: int = 100
    """Plays in each match while the worker is measured."""


QUICK = Plan(
    windows=1, together=2, warm_up=1, counted=2, idle=0.5, rounds=2, window=Window(0.3, 0.1), tables=4, at_board=8
)


class Found(msgspec.Struct, frozen=True):
    """What was measured."""

    before: Counted | None
    """Instructions of the API for a play with everything on, there and here; None without valgrind."""
    after: Counted | None
    store: dict[str, Spread]
    """Microseconds of the store's CPU for a play, and for an XADD."""
    to_xadd: Spread
    worker: Spread
    """Microseconds of a worker's CPU for a play."""


def run(base: str, plan: Plan, say: Say) -> Found:
    """Measure the three."""
    allow_sockets()
    matches = instructions.matches_of(instructions.Plan())
    with on_core(cores()[1]):
        at_worker = of_worker(plan, matches, say)
        figures, to_xadd = of_store(plan, matches, say)
    before = after = None
    if VALGRIND is not None:
        with checked_out(base) as old:
            before = with_everything(plan, old, matches, say)
        after = with_everything(plan, HERE, matches, say)
    return Found(before, after, figures, to_xadd, at_worker)


# With everything on


class FeedReader:
    """A socket on the feed of a player, which shows when it is the player's turn."""

    def __init__(self) -> None:
        """Wait for a turn."""
        self._has_turn = asyncio.Event()
        self._line: SocketLine | None = None

    async def open(self, port: int, token: str) -> None:
        """Follow the feed of a player."""
        self._line = await socket_line(port, "/v1/feed", self._receive)
        self._line.say(msgspec.json.encode({"type": "subscribe", "me": True, "token": token}))
        await self.turn()

    async def turn(self) -> None:
        """Return when it is the player's turn."""
        async with asyncio.timeout(PATIENCE):
            await self._has_turn.wait()
        self._has_turn.clear()

    def close(self) -> None:
        """Hang up."""
        if self._line is not None:
            self._line.close()

    def _receive(self, frame: bytes) -> None:
        if b'"turn_began"' in frame or b'"player_caught_up"' in frame:
            self._has_turn.set()


def with_everything(plan: Plan, code: Code, matches: Sequence[Sequence[Command]], say: Say) -> Counted:
    """Count a rated play with a clock, limits, logs and metrics on, and both own feeds open; each window in a room."""
    with tempfile.TemporaryDirectory(prefix="turnstream-bench-") as name, store() as kept:
        wrapper = (*CALLGRIND, f"--callgrind-out-file={name}/callgrind.out.%p")
        with (
            service(kept.url, code=code, secret=SECRET, wrapper=wrapper, are_limited=True, log_level="info") as served,
            worker(kept.url, SECRET, code),
        ):
            counted = uvloop.run(count_windows(plan, served, Path(name), matches))
    figures = f"{counted.median:,} instructions per play, windows {counted.spread:.1%} apart"
    say(f"with everything on, {'here' if code is HERE else 'at the earlier commit'}: {figures}")
    return counted


async def count_windows(plan: Plan, served: Server, folder: Path, matches: Sequence[Sequence[Command]]) -> Counted:
    """Count each window, in rooms of its own."""
    counter: Counter | None = None
    windows = []
    for _ in range(plan.windows):
        tables = await asyncio.to_thread(open_tables, served.port, GAME, plan.together, [], RATED)
        boards = [
            Board(table, matches[number % len(matches)], plan, served.port) for number, table in enumerate(tables)
        ]
        for board in boards:
            await board.open()
        await asyncio.gather(*(board.play(plan.warm_up) for board in boards))
        counter = counter or Counter(served.pid, folder)
        idle = await counter.per_second(plan.idle)
        counter.read()
        await asyncio.gather(*(board.play(plan.counted) for board in boards))
        count, passed = counter.read()
        windows.append(round((count - passed * idle) / (plan.counted * len(boards))))
        for board in boards:
            board.close()
    return Counted(tuple(windows))


class Board:
    """A match between two people who have their own feeds open."""

    def __init__(self, table: Table, match: Sequence[Command], plan: Plan, port: int) -> None:
        """Play a match at a table; the start is its first command."""
        commands = iter([Command(0, START), *match])
        self._sender = Talker(msgspec.structs.replace(table, commands=commands), port, "patch")
        self._match = match[: plan.warm_up + plan.counted + 1]
        self._feeds = [FeedReader() for _ in table.tokens]
        self._table, self._port, self._sent = table, port, 0

    async def open(self) -> None:
        """Open the sockets, and start the match."""
        for feed, token in zip(self._feeds, self._table.tokens, strict=True):
            await feed.open(self._port, token)
        await self._sender.ready()
        await self._send()

    async def play(self, count: int) -> None:
        """Play, each time after the turn that the last play began has arrived at the feed of its player."""
        for _ in range(count):
            await self._send()

    async def _send(self) -> None:
        self._sender.go()
        await self._sender.halt()
        sent, seat = self._sent, self._match[self._sent].seat
        if sent == 0 or self._match[sent - 1].seat != seat:  # who removes a man has no new turn
            await self._feeds[seat].turn()
        self._sent += 1

    def close(self) -> None:
        """Hang up."""
        self._sender.close()
        for feed in self._feeds:
            feed.close()


# In the store


def of_store(plan: Plan, matches: Sequence[Sequence[Command]], say: Say) -> tuple[dict[str, Spread], Spread]:
    """Return the store's CPU for a play and for an XADD, and the ratio in each round."""
    with store() as kept, service(kept.url, secret=SECRET) as served, peer("xadd", kept.url) as plain:
        kept.keep("always")
        found = uvloop.run(in_rounds(plan, kept, served, plain, matches))
    ratios = [play / xadd for play, xadd in zip(found["play"], found["xadd"], strict=True)]
    figures = {name: spread(each) for name, each in found.items()}
    for name, each in figures.items():
        say(f"the store's CPU, {name}: {each.words(1)} µs")
    return figures, spread(ratios)


async def in_rounds(
    plan: Plan, kept: StoreServer, served: Server, plain: Server, matches: Sequence[Sequence[Command]]
) -> dict[str, list[float]]:
    """Return the microseconds of the store's CPU in each round."""
    tables = await asyncio.to_thread(open_tables, served.port, GAME, plan.tables, matches)
    cases: dict[str, tuple[int, list[Sender]]] = {
        "play": (served.pid, [Talker(table, served.port, "patch") for table in tables]),
        "xadd": (plain.pid, [Poster(table, plain.port) for table in peer_tables(plan.tables, matches)]),
    }
    found: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(plan.rounds):
        for name, (pid, senders) in cases.items():
            sample = await measured(senders, pid, kept.pid, plan.window)
            found[name].append(sample.cpu.store / max(1, sample.done) * 1e6)
    for _, senders in cases.values():
        for sender in senders:
            sender.close()
    return found


# In a worker


def of_worker(plan: Plan, matches: Sequence[Sequence[Command]], say: Say) -> Spread:
    """Return a worker's CPU for a play of a match between two people without own feeds, webhooks and push."""
    with store() as kept, service(kept.url, secret=SECRET) as served, worker(kept.url, SECRET) as pid:
        found = uvloop.run(at_boards(plan, served, pid, matches))
    say(f"a worker's CPU for a play: {found.words(1)} µs")
    return found


async def at_boards(plan: Plan, served: Server, pid: int, matches: Sequence[Sequence[Command]]) -> Spread:
    """Return the microseconds of each round, in which new matches are played at all tables but for their end."""
    found = []
    for _ in range(max(1, plan.rounds // 3)):
        tables = await asyncio.to_thread(open_tables, served.port, GAME, plan.tables, matches)
        senders = [Talker(table, served.port, "events") for table in tables]
        for sender in senders:
            await sender.ready()
        await asyncio.gather(*(plays(sender, 1) for sender in senders))  # the start
        await asyncio.sleep(2 * PAUSE)
        used, began = cpu_seconds(pid), time.perf_counter()
        await asyncio.sleep(plan.idle)
        idle = (cpu_seconds(pid) - used) / (time.perf_counter() - began)
        used, began = cpu_seconds(pid), time.perf_counter()
        await asyncio.gather(*(plays(sender, plan.at_board) for sender in senders))
        await asyncio.sleep(2 * PAUSE)
        passed = time.perf_counter() - began
        found.append((cpu_seconds(pid) - used - idle * passed) / (plan.tables * plan.at_board) * 1e6)
        for sender in senders:
            sender.close()
    return spread(found)


async def plays(sender: Sender, count: int) -> None:
    """Send so many commands, each after the reply to the last one."""
    for _ in range(count):
        sender.go()
        await sender.halt()
