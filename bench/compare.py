"""Another commit of the service compared with this one: the same load on both, in interleaved rounds."""

import asyncio
import gc
import subprocess
import sysconfig
import tempfile
import venv
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import uvloop

from bench import startup
from bench.load.fan_out import Player
from bench.load.play import random_line
from bench.load.senders import Poster, Sample, Sender, Talker, Window, measured
from bench.load.tables import Command, Table, open_tables, scripts
from bench.machine import allow_sockets, cores, cpu_since_start, family, on_core
from bench.processes import HERE, ROOT, Code, Server, StoreServer, service, store
from bench.ratios import Spread, spread
from service.domain.catalog import GAMES

Say = Callable[[str], None]

SIDES = ("before", "after")
PLAYED = ("morris", "ternio")
"""Games without chance, whose matches can be played again in any room."""


class Plan(msgspec.Struct, frozen=True):
    """How much is measured."""

    rounds: int = 9
    window: Window = Window(1.2, 0.3)
    tables: int = 48
    matches: int = 40
    subscribers: int = 100
    settle: float = 65.0


QUICK = Plan(rounds=1, window=Window(0.3, 0.1), tables=4, matches=2, subscribers=5, settle=0.5)


class Line(msgspec.Struct, frozen=True):
    """What was measured, before and after, and the ratio in each round."""

    what: str
    unit: str
    before: Spread
    after: Spread
    ratio: Spread


class Figures(msgspec.Struct):
    """Figures of both sides by what they are of, once a round."""

    units: dict[str, str] = {}
    before: dict[str, list[float]] = {}
    after: dict[str, list[float]] = {}

    def add(self, side: str, what: str, unit: str, figure: float) -> None:
        """Keep a figure."""
        self.units[what] = unit
        getattr(self, side).setdefault(what, []).append(figure)

    def lines(self) -> list[Line]:
        """Return what was found."""
        found = []
        for what, unit in self.units.items():
            before, after = self.before[what], self.after[what]
            ratios = [new / old for old, new in zip(before, after, strict=True) if old]
            found.append(Line(what, unit, spread(before), spread(after), spread(ratios or [0.0])))
        return found


def run(base: str, plan: Plan, say: Say) -> tuple[list[Line], str]:
    """Compare this work tree with a commit; returns what was found, and the commit's short name and subject."""
    allow_sockets()
    figures = Figures()
    with checked_out(base) as old:
        named = git("log", "-1", "--format=%h %s", base)
        with on_core(cores()[1]), store() as kept:
            kept.keep("always")
            with service(kept.url, code=old) as before, store() as own:
                own.keep("always")
                with service(own.url) as after:
                    uvloop.run(commands(plan, {"before": (before, kept), "after": (after, own)}, figures, say))
        starts(plan, {"before": old, "after": HERE}, figures, say)
    return figures.lines(), named


@contextmanager
def checked_out(commit: str) -> Iterator[Code]:
    """Check a commit out into a folder of its own, with a Python that imports it and the packages used here."""
    with tempfile.TemporaryDirectory(prefix="turnstream-bench-") as folder:
        place = Path(folder, "tree")
        git("worktree", "add", "--quiet", "--detach", str(place), commit)
        environment = Path(folder, "python")
        venv.create(environment, symlinks=True)
        paths = sysconfig.get_path("purelib", vars={"base": str(environment), "platbase": str(environment)})
        Path(paths, "bench.pth").write_text(f"{place}\n{sysconfig.get_path('purelib')}\n")
        try:
            yield Code(place, str(environment / "bin" / "python"))
        finally:
            git("worktree", "remove", "--force", str(place))


def git(*words: str) -> str:
    """Run git here and return what it prints."""
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


async def commands(plan: Plan, sides: dict[str, tuple[Server, StoreServer]], figures: Figures, say: Say) -> None:
    """Let both sides have the same windows by turns; who begins alternates."""
    lines = {game: scripts([random_line(GAMES[game], seed) for seed in range(plan.matches)]) for game in PLAYED}
    cases = {side: await asyncio.to_thread(cases_of, plan, server, lines) for side, (server, _) in sides.items()}
    gc.freeze()
    for number in range(plan.rounds):
        for what in cases[SIDES[0]]:
            for side in SIDES if number % 2 == 0 else reversed(SIDES):
                server, kept = sides[side]
                sample = await measured(cases[side][what], server.pid, kept.pid, plan.window)
                note(figures, side, what, sample)
                say(f"round {number + 1}/{plan.rounds}  {side:<7} {what:<44} {sample.micros:>8.1f} µs")
    for senders in (senders for side in SIDES for senders in cases[side].values()):
        for sender in senders:
            sender.close()


def note(figures: Figures, side: str, what: str, sample: Sample) -> None:
    """Keep the CPU of the API, and for commands that of the store."""
    figures.add(side, what, "µs CPU", sample.micros)
    if not what.startswith("a delivery"):
        figures.add(side, f"{what}: the store", "µs CPU", sample.cpu.store / max(1, sample.done) * 1e6)


def cases_of(plan: Plan, server: Server, lines: dict[str, list[list[Command]]]) -> dict[str, Sequence[Sender]]:
    """Return who sends what to one side."""

    def rooms(game: str) -> list[Table]:
        return open_tables(server.port, game, plan.tables, lines[game])

    (watched,) = open_tables(server.port, "morris", 1, lines["morris"])
    return {
        "play by POST, Nine Men's Morris": [Poster(table, server.port) for table in rooms("morris")],
        "play by POST, Ternio": [Poster(table, server.port) for table in rooms("ternio")],
        "play over sockets, nobody follows": [Talker(table, server.port, "nothing") for table in rooms("morris")],
        "play over sockets, both follow, events": [Talker(table, server.port, "events") for table in rooms("morris")],
        "play over sockets, both follow, the view": [Talker(table, server.port, "view") for table in rooms("morris")],
        f"a delivery of a play to {plan.subscribers} subscribers": [Player(watched, server.port, plan.subscribers)],
    }


def starts(plan: Plan, trees: dict[str, Code], figures: Figures, say: Say) -> None:
    """Start both sides by turns, then let each rest."""
    for number in range(plan.rounds):
        for side, tree in trees.items():
            with startup.up(tree) as pid:
                cpu = sum(cpu_since_start(each) for each in family(pid))
            figures.add(side, "`make up`: CPU until the first 200", "s", cpu)
            say(f"round {number + 1}/{plan.rounds}  {side:<7} {'CPU until the first 200':<44} {cpu:>8.2f} s")
    looks = startup.Plan(rounds=min(plan.rounds, 3), settle=plan.settle, rest=plan.settle / 8)
    for side, tree in trees.items():
        for rest in startup.resting(looks, say, tree):
            figures.add(side, "`make up`: memory at rest (PSS)", "MB", rest.memory / 2**20)
            figures.add(side, "`make up`: CPU at rest", "% of a core", rest.cpu * 100)
