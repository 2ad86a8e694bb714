"""Instructions of a play: callgrind counts what the running API process executes in user space.

One table, one play at a time. Counts repeat within a few tenths of a percent on a machine that is busy with other
work, where times differ by more than half. What the process does while nobody plays is counted before, per second, and
taken off. The store is not counted: under callgrind it is so slow that it does not answer in time on a busy machine.
"""

import asyncio
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from statistics import median

import msgspec
import uvloop

from bench.load.play import random_line
from bench.load.senders import Follows, Poster, Sender, Talker
from bench.load.tables import START, Command, Table, open_tables, scripts
from bench.processes import HERE, Code, Server, peer, service, store
from service.domain.catalog import GAMES

Say = Callable[[str], None]

GAME = "morris"
AROUND = (Command(0, START), Command(0, b'{"type":"resign"}'))
"""What begins a match, and what ends it before the next one."""

VALGRIND = shutil.which("valgrind")
CALLGRIND = (
    "env",
    "PYTHONHASHSEED=0",
    "valgrind",
    "--quiet",
    "--tool=callgrind",
    "--instr-atstart=no",
    "--collect-jumps=no",
)
SOCKETS: tuple[Follows, ...] = ("events", "view", "patch")
"""Over sockets, both of which receive events, the whole view, or patches of it."""

ROWS = ("post", *SOCKETS)
"""What is counted, the first one by POST."""

BASELINE = "xadd"
"""A typed Litestar handler with one redis-py XADD, by POST."""


class Plan(msgspec.Struct, frozen=True):
    """How much is counted."""

    warm_up: int = 50
    windows: int = 5
    plays: int = 200
    """Plays of a window."""
    idle: float = 5.0
    """Seconds without plays."""


QUICK = Plan(warm_up=2, windows=2, plays=5, idle=0.5)


class Counted(msgspec.Struct, frozen=True):
    """Instructions per play, by window."""

    windows: tuple[int, ...]

    @property
    def median(self) -> int:
        """Return what counts."""
        return round(median(self.windows))

    @property
    def spread(self) -> float:
        """Return how far the windows are apart, as a part of the median."""
        return (max(self.windows) - min(self.windows)) / self.median


class Counter:
    """Counts the instructions of a process that runs under callgrind."""

    def __init__(self, pid: int, folder: Path) -> None:
        """Begin to count."""
        self._pid, self._folder = pid, folder
        self._control("--instr=on")
        self._since = time.monotonic()

    def read(self) -> tuple[int, float]:
        """Return the instructions since the last time, and in how many seconds they were executed."""
        before = set(self._files())
        self._control("--dump")
        now = time.monotonic()
        [dumped] = set(self._files()) - before
        totals = next(line for line in dumped.read_text().splitlines() if line.startswith("totals:"))
        passed, self._since = now - self._since, now
        return int(totals.split()[1]), passed

    async def per_second(self, seconds: float) -> float:
        """Return what the process executes while nobody plays."""
        self.read()
        await asyncio.sleep(seconds)
        count, passed = self.read()
        return count / passed

    async def per_play(self, sender: Sender, plays: int, idle: float) -> int:
        """Return what the process executes for a play, without what it executes anyway."""
        self.read()
        await sender.ready()  # a server closes a connection that is idle for long
        await step(sender, plays)
        count, passed = self.read()
        return round((count - passed * idle) / plays)

    def _files(self) -> Iterator[Path]:
        return self._folder.glob(f"callgrind.out.{self._pid}.*")

    def _control(self, option: str) -> None:
        subprocess.run(["callgrind_control", option, str(self._pid)], check=True, capture_output=True, cwd=self._folder)


def run(plan: Plan, say: Say, code: Code = HERE) -> dict[str, Counted]:
    """Count every row of a work tree, and the baseline."""
    matches = matches_of(plan)
    found: dict[str, Counted] = {}
    with tempfile.TemporaryDirectory(prefix="turnstream-bench-") as name, store() as kept:
        folder = Path(name)
        wrapper = (*CALLGRIND, f"--callgrind-out-file={folder}/callgrind.out.%p")
        with peer("xadd", kept.url, wrapper=wrapper) as server:
            table = Table("bench", ("t1." + "x" * 60,) * 2, commands_of(plan, matches, around=()))
            senders: dict[str, Sender] = {BASELINE: Poster(table, server.port)}
            found |= uvloop.run(count_rows(plan, Counter(server.pid, folder), senders, say))
        with service(kept.url, code=code, wrapper=wrapper) as server:
            tables = {row: table_of(server, commands_of(plan, matches, AROUND)) for row in ROWS}
            senders = {"post": Poster(tables["post"], server.port)}
            senders |= {row: Talker(tables[row], server.port, row) for row in SOCKETS}
            found |= uvloop.run(count_rows(plan, Counter(server.pid, folder), senders, say))
    return found


def table_of(server: Server, commands: Iterator[Command]) -> Table:
    """Return a table of the service at which these commands are sent."""
    [table] = open_tables(server.port, GAME, 1, [])
    return msgspec.structs.replace(table, commands=commands)


def matches_of(plan: Plan) -> list[list[Command]]:
    """Return the first random matches that are long enough for a window, as many as there are windows."""
    lines = (random_line(GAMES[GAME], seed) for seed in count())
    long = (line for line in lines if len(line.turns) >= plan.plays)
    return scripts([next(long) for _ in range(plan.windows)])


def commands_of(plan: Plan, matches: Sequence[Sequence[Command]], around: Sequence[Command]) -> Iterator[Command]:
    """Return the plays of the warm-up and of each window, with the commands that begin and end a match around them."""
    for match, plays in [(matches[0], plan.warm_up), *((match, plan.plays) for match in matches)]:
        yield from around[:1]
        yield from match[:plays]
        yield from around[1:]


async def count_rows(plan: Plan, counter: Counter, senders: dict[str, Sender], say: Say) -> dict[str, Counted]:
    """Return the counts of the rows of a process."""
    found: dict[str, Counted] = {}
    for row, sender in senders.items():
        around = 0 if row == BASELINE else 1
        await sender.ready()
        await step(sender, around + plan.warm_up + around)
        idle = await counter.per_second(plan.idle)
        windows = []
        for _ in range(plan.windows):
            await sender.ready()
            await step(sender, around)
            windows.append(await counter.per_play(sender, plan.plays, idle))
            await step(sender, around)
        sender.close()
        found[row] = counted = Counted(tuple(windows))
        figures = f"{counted.median:,} instructions per play, windows {counted.spread:.2%} apart"
        say(f"{row}: {figures}; {idle:,.0f} per second while nobody plays")
    return found


async def step(sender: Sender, times: int) -> None:
    """Send commands one at a time."""
    for _ in range(times):
        sender.go()
        await sender.halt()
