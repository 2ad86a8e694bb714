"""The ten rows as one table, each with its ratio, its goal and whether that is met."""

from collections.abc import Callable

import msgspec

from bench.frame_sizes import MODES
from bench.goals import LONG, Found, Plan
from bench.load.senders import Sample
from bench.ratios import Goal, Spread, Verdict, spread
from bench.startup import Startup

PATCHES = "subscribers get patches of the view"
UNSHOWN = "not shown:"
NO_NODE = "not measured: node was not found"


class Row(msgspec.Struct, frozen=True):
    """A row of the table."""

    number: str
    what: str
    unit: str
    found: Spread | None
    goal: Goal
    note: str = ""
    digits: int = 2

    @property
    def figure(self) -> str:
        """The figure, unless there is none or the rounds are too far apart to show anything."""
        if self.found is None:
            return NO_NODE
        if self.verdict == "unclear":
            return f"{UNSHOWN} {self.found.low:.{self.digits}f} to {self.found.high:.{self.digits}f}"
        return self.found.words(self.digits)

    @property
    def verdict(self) -> Verdict | None:
        """Whether the goal is met; None where nothing was measured."""
        return None if self.found is None else self.goal.verdict(self.found)


def rows(found: Found, plan: Plan, startup: Startup) -> list[Row]:
    """Return all rows in their order."""
    return [*command_rows(found), *feed_rows(found, plan), *startup_rows(startup), size_row(found)]


def command_rows(found: Found) -> list[Row]:
    """Return rows 1 to 7."""
    patch, view, post, xadd = "sockets, patch", "sockets, view", "post", "xadd"
    unit = "CPU"

    def compared(ours: str, theirs: str, figure: Callable[[Sample], float]) -> Spread | None:
        if theirs not in found.samples:
            return None
        pairs = zip(found.samples[ours], found.samples[theirs], strict=True)
        return spread([figure(one) / max(figure(other), 1e-9) for one, other in pairs])

    return [
        Row("1", "play over sockets, both follow, to Litestar and XADD", unit, compared(patch, xadd, cpu),
            Goal(0.55), PATCHES),
        Row("2", "the same with the default view", unit, compared(view, xadd, cpu), Goal(0.60)),
        Row("3", "play by POST to Litestar and XADD", unit, compared(post, xadd, cpu), Goal(0.60)),
        Row("4", "play over sockets to Colyseus 0.17", unit, compared(patch, "Colyseus", cpu), Goal(1.25),
            PATCHES + ", as Colyseus does"),
        Row("5", "moves per second over sockets, to boardgame.io 0.50", "speed",
            compared(patch, "boardgame.io", speed), Goal(3, at_least=True), PATCHES),
        Row("6", "the store's CPU of a command, to a plain XADD", "store CPU", compared(patch, xadd, store_cpu),
            Goal(1.5)),
        Row("7", "an event in a process that only follows, to executing it", unit, spread(found.following),
            Goal(0.25), "one subscriber, events only"),
    ]  # fmt: skip


def feed_rows(found: Found, plan: Plan) -> list[Row]:
    """Return row 8, once for each number of subscribers and peer."""
    wanted = {("websockets", 0): 0.9, ("websockets", 1): 1.0, ("picows", 0): 0.7, ("picows", 1): 0.8}
    listed = []
    for place, count in enumerate(plan.subscribers):
        ours = found.samples[f"Turnstream to {count:,}"]
        for peer in ("websockets", "picows"):
            theirs = found.samples[f"{peer} to {count:,}"]
            ratios = [speed(one) / speed(other) for one, other in zip(ours, theirs, strict=True)]
            goal = Goal(wanted[peer, place], at_least=True)
            what = f"deliveries a second to {count:,} subscribers, to {peer}"
            listed.append(Row("8", what, "speed", spread(ratios), goal))
    return listed


def startup_rows(startup: Startup) -> list[Row]:
    """Return row 9."""
    memory = spread([rest.memory / 2**20 for rest in startup.rests])
    cpu_at_rest = spread([rest.cpu * 100 for rest in startup.rests])
    return [
        Row("9", "`make up`: CPU until the first 200", "s", spread(startup.cpu), Goal(1.5)),
        Row("9", "`make up`: memory of all processes at rest (PSS)", "MB", memory, Goal(130), digits=0),
        Row("9", "`make up`: CPU at rest", "% of a core", cpu_at_rest, Goal(0.5)),
    ]


def size_row(found: Found) -> Row:
    """Return row 10."""
    each = ", ".join(f"{it.game} {it.lean / 1024:.2f}" for it in found.sizes)
    view, patch, lean, events = (
        sum(getattr(it, kind) for it in found.sizes) / len(found.sizes) / 1024 for kind in MODES
    )
    note = f"{each}; all patches {patch:.2f} KB, whole views {view:.2f} KB, events only {events:.2f} KB"
    what = "bytes of an update with patches and `omit`, mean of the games"
    return Row("10", what, "KB", spread([lean]), Goal(0.8), note)


def cpu(sample: Sample) -> float:
    """Return the server's CPU microseconds an operation."""
    return sample.micros


def speed(sample: Sample) -> float:
    """Return operations a second."""
    return sample.per_second


def store_cpu(sample: Sample) -> float:
    """Return the store's CPU seconds an operation."""
    return sample.cpu.store / max(1, sample.done)


def figures(found: Found) -> list[tuple[str, ...]]:
    """Return the figures behind the ratios: medians of each case, and what a match costs with its set-up."""
    lines: list[tuple[str, ...]] = []
    for name, samples in found.samples.items():
        set_up = found.set_up.get("Turnstream" if name.startswith("sockets") else name)
        micros = spread([sample.micros for sample in samples])
        whole = f"{micros.middle + spread(set_up).middle / LONG:.1f}" if set_up else ""
        lines.append((
            name,
            f"{spread([sample.per_second for sample in samples]).middle:,.0f}",
            micros.words(1),
            whole,
            f"{spread([store_cpu(sample) * 1e6 for sample in samples]).middle:.1f}",
            f"{spread([sample.busy for sample in samples]).middle:.0%}",
        ))  # fmt: skip
    return lines
