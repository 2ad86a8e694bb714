"""The figures with goals as one table: each now and before, what it must be and should be, and whether it is."""

from collections.abc import Callable, Sequence

import msgspec

from bench import plays
from bench.frame_sizes import MODES
from bench.goals import LONG, Found, Plan, Side
from bench.instructions import BASELINE
from bench.load.senders import Sample
from bench.ratios import Goal, Spread, Verdict, spread
from bench.startup import Startup

UNSHOWN = "not shown:"
UNKNOWN = "?"
NO_PEER = "not measured: the peers on node do not run"
NO_VALGRIND = "not counted: valgrind was not found"


class Row(msgspec.Struct, frozen=True):
    """A row of the table."""

    number: str
    what: str
    unit: str
    found: Spread | None
    must: Goal
    goal: float | None = None
    before: Spread | None = None
    """The same of the earlier commit; None where it was not measured."""
    note: str = ""
    digits: int = 2
    unmeasured: str = NO_PEER
    """Why there is no figure, if there is none."""

    @property
    def figure(self) -> str:
        """The figure, unless there is none or the rounds are too far apart to show anything."""
        if self.found is None:
            return self.unmeasured
        if self.verdict == "unclear":
            return f"{UNSHOWN} {self.found.low:.{self.digits}f} to {self.found.high:.{self.digits}f}"
        return self.found.words(self.digits)

    @property
    def verdict(self) -> Verdict | None:
        """Whether it is what it must be; None where nothing was measured."""
        return None if self.found is None else self.must.verdict(self.found)


def rows(found: Found, of_plays: plays.Found, plan: Plan, startup: Startup) -> list[Row]:
    """Return all rows in their order."""
    return [
        *counted_rows(found),
        *play_rows(of_plays),
        follower_row(found),
        *feed_rows(found, plan),
        *peer_rows(found),
        *startup_rows(startup),
        size_row(found),
    ]


def counted_rows(found: Found) -> list[Row]:
    """Return rows 1 to 4: instructions of a play."""

    def ratio(side: Side, row: str) -> Spread | None:
        counted = found.counted.get(side)
        if counted is None:
            return None
        return spread([window / counted[BASELINE].median for window in counted[row].windows])

    listed = [
        ("post", "play by POST", 0.74, 0.60),
        ("events", "play over sockets, events to both players", 0.63, 0.55),
        ("view", "the same with the whole view", 0.88, 0.70),
        ("patch", "the same with patches, as both libraries ask for", 0.85, 0.70),
    ]
    unit = "instructions, to Litestar and XADD"
    return [
        Row(str(number), what, unit, ratio("now", row), Goal(must), goal, ratio("before", row), unmeasured=NO_VALGRIND)
        for number, (row, what, must, goal) in enumerate(listed, 1)
    ]


def play_rows(found: plays.Found) -> list[Row]:
    """Return rows 5 to 7: what a play costs besides."""
    whole = None
    if found.before is not None and found.after is not None:
        before = found.before.median
        whole = spread([window / before for window in found.after.windows])
    what = "play in a rated room with a clock, limits, logs, metrics and own feeds"
    return [
        Row("5", what, "instructions, to before", whole, plays.EVERYTHING, 0.6, unmeasured=NO_VALGRIND),
        Row("6", "the store's work for a play", "CPU, to XADD", found.to_xadd, plays.STORE, 1.7),
        Row("7", "a worker's work for a play between people", "µs CPU", found.worker, plays.WORKER, 0, digits=1),
    ]


def follower_row(found: Found) -> Row:
    """Return row 8."""
    ratios = [now / then for now, then in zip(found.following["now"], found.following["before"], strict=True)]
    what = "play that another process follows: both and the store"
    return Row("8", what, "CPU, to before", spread(ratios), Goal(0.7), 0.6)


def feed_rows(found: Found, plan: Plan) -> list[Row]:
    """Return row 9, once for each number of subscribers."""
    listed = []
    for count, must, goal in zip(plan.subscribers, (1.1, 0.95), (0.9, 0.85), strict=False):
        theirs = f"websockets to {count:,}"
        now, before = (compared(found, f"{name} to {count:,}", theirs, cpu) for name in OURS)
        what = f"a delivery to {count:,} subscribers"
        listed.append(Row("9", what, "CPU, to websockets", now, Goal(must), goal, before))
    return listed


OURS = ("Turnstream", "Turnstream before")


def peer_rows(found: Found) -> list[Row]:
    """Return row 10."""
    speeds, costs = (
        [compared(found, ours, theirs, figure) for ours in ("sockets", "sockets, before")]
        for theirs, figure in (("boardgame.io", speed), ("Colyseus", cpu))
    )
    return [
        Row("10", "moves of row 2", "a second, to boardgame.io", speeds[0], Goal(1.5, at_least=True), 2, speeds[1]),
        Row("10", "a move of row 2", "CPU, to Colyseus", costs[0], Goal(3.5), 2.5, costs[1]),
    ]


def compared(found: Found, ours: str, theirs: str, figure: Callable[[Sample], float]) -> Spread | None:
    """Return the ratio in each round; None without the peer."""
    if theirs not in found.samples:
        return None
    pairs = zip(found.samples[ours], found.samples[theirs], strict=True)
    return spread([figure(one) / max(figure(other), 1e-9) for one, other in pairs])


def startup_rows(startup: Startup) -> list[Row]:
    """Return row 11."""
    memory = spread([rest.memory / 2**20 for rest in startup.rests])
    cpu_at_rest = spread([rest.cpu * 100 for rest in startup.rests])
    return [
        Row("11", "`make up`: CPU until the first 200", "s", spread(startup.cpu), Goal(1.5)),
        Row("11", "`make up`: memory of all processes at rest (PSS)", "MB", memory, Goal(130), digits=0),
        Row("11", "`make up`: CPU at rest", "% of a core", cpu_at_rest, Goal(0.5)),
    ]


def size_row(found: Found) -> Row:
    """Return row 12."""
    each = ", ".join(f"{it.game} {it.lean / 1024:.2f}" for it in found.sizes)
    view, patch, lean, events = (
        sum(getattr(it, kind) for it in found.sizes) / len(found.sizes) / 1024 for kind in MODES
    )
    note = f"{each}; all patches {patch:.2f} KB, whole views {view:.2f} KB, events only {events:.2f} KB"
    what = "bytes of an update with patches and `omit`, mean of the games"
    return Row("12", what, "KB", spread([lean]), Goal(0.8), note=note)


def cpu(sample: Sample) -> float:
    """Return the server's CPU microseconds an operation."""
    return sample.micros


def speed(sample: Sample) -> float:
    """Return operations a second."""
    return sample.per_second


def store_cpu(sample: Sample) -> float:
    """Return the store's CPU seconds an operation."""
    return sample.cpu.store / max(1, sample.done)


def summary(found: Found, of_plays: plays.Found, startup: Startup) -> list[str]:
    """Return what the figures say, for somebody who sees them for the first time."""

    def median(name: str, figure: Callable[[Sample], float]) -> float:
        return spread([figure(sample) for sample in found.samples[name]]).middle

    def middle(rows: Sequence[Row]) -> list[str]:
        return [UNKNOWN if row.found is None else row.found.words(row.digits).split()[0] for row in rows]

    plays_a_second = f"{median('sockets', speed):,.0f} plays a second over sockets, and {median('post', speed):,.0f}"
    post, events, view, patch = middle(counted_rows(found))
    whole, in_store, in_worker = middle(play_rows(of_plays))
    [elsewhere] = middle([follower_row(found)])
    to_boardgame, to_colyseus = middle(peer_rows(found))
    cpu_of_start, memory, at_rest = middle(startup_rows(startup))
    counts = [name.rpartition(" ")[2] for name in found.samples if name.startswith("websockets to ")]
    deliveries = " and ".join(f"{median(f'Turnstream to {count}', speed):,.0f} to {count}" for count in counts)
    bare = " and ".join(f"{median(f'websockets to {count}', speed):,.0f}" for count in counts)
    lines = [
        f"One process on one core executes {plays_a_second} by POST; each is on the store's disk before its answer.",
        f"A play by POST takes {post} of the instructions of a typed Litestar handler with one `XADD`.",
        f"Over sockets it takes {events} with events to both players, {view} with whole views, {patch} with patches.",
        f"With a clock, ratings, limits, logs, metrics and own feeds it takes {whole} of what it took before.",
        f"The store works {in_store} times as long for a play as for a plain `XADD`.",
        f"A worker spends {in_worker} µs on a play between people whose turns nobody else reads.",
        f"If another process follows the room, all processes together take {elsewhere} of what they took before.",
        f"One process sends {deliveries} subscribers a second; a bare `websockets` server {bare}.",
        f"Moves per second: {to_boardgame} of boardgame.io. CPU a move: {to_colyseus} of Colyseus. Both store nothing.",
        f"`make up` answers after {cpu_of_start} s of CPU, and takes {memory} MB and {at_rest} % of a core at rest.",
    ]
    return [line for line in lines if UNKNOWN not in line]


def figures(found: Found) -> list[tuple[str, ...]]:
    """Return the figures behind the ratios: medians of each case, and what a match costs with its set-up."""
    lines: list[tuple[str, ...]] = []
    for name, samples in found.samples.items():
        set_up = found.set_up.get("Turnstream" if name.startswith("sockets") and "before" not in name else name)
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
