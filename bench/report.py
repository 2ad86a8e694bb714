"""The tables, for the terminal and for RESULTS.md."""

from collections.abc import Sequence
from pathlib import Path

from bench import compare, goal_table, growth, latency, people, plays, rules, sizes, startup
from bench import goals as goals_module

TITLE = "# Results\n\nWritten by `make bench`; [README.md](README.md) describes what is measured, and how.\n"
RULES, SIZES = "Rules", "Sizes"
GOALS, COMPARISON, LATENCY, GROWTH, START = "Goals", "Before and after", "Latency", "Growth", "Start and rest"
PEOPLE = "Seeks and own feeds"
ORDER = (GOALS, START, COMPARISON, LATENCY, GROWTH, PEOPLE, RULES, SIZES)

RULES_NOTE = """\
{matches} random matches a game, replayed through `decide`, `evolve` and `follow` on one core; medians of {rounds}
rounds. `legal_moves` and `view` are measured at every position of these matches, the view with its JSON.
"""
SIZES_NOTE = """\
What one more takes, in KB of 1,024 bytes: of the API process's resident memory, of the store's, and of its append-only
file before that is rewritten. The process took {first:.0f} MB with {warm} rooms, and {last:.0f} MB with all of this.
"""


GOALS_NOTE = """\
Written by `make bench ARGS='peers {commit}'`. Before is {base}.
Rows 1 to 5 are instructions of the API process in user space, the rest are times, as the middle of {rounds} rounds with
the quartiles.

- Rows 1 to 4: one table of Nine Men's Morris, one play at a time. Row 5: {together} rated rooms with a Fischer clock,
  limits, logs and metrics; both players have sockets with patches and their own feeds, and play when a turn has arrived
  there. Row 6: plays over sockets in {store_tables} rooms. Row 7: besides what a worker takes at rest; the start and
  the end of a match are not counted. Row 8: events only, one subscriber.
- Rows 8 to 10: in each round everyone has {seconds:g} s. Matches of {moves} moves and more, {tables} at a time; the
  next move is sent after the reply to the last one, at the peers on node when it has reached both players. The server
  that is measured has a core for itself; the load and the store have the other one.
"""
FIGURES_NOTE = """\
The figures behind the ratios. `With set-up` adds to a move the cost of opening a room for two and its sockets, divided
by {moves}. The store writes its file `always`, as under `make up`.
"""
START_NOTE = """\
`turnstream up` on an empty folder, {rounds} times; the middle one and the quartiles. CPU until the first 200 is that of
all its processes, also of those that have ended. At rest is from {settle:g} s after the start on, in windows of
{rest:g} s.
"""
COMPARISON_NOTE = """\
Before is {base}. Both run the same load by turns, each with a store of its own, in {rounds} rounds of {seconds:g} s:
the middle figure, and the ratio of each round, as the middle one and the quartiles. Below 1 it takes less than before.
"""
LATENCY_NOTE = """\
With all of this running, {most:,.0f} plays a second are borne, over sockets, in matches that both players follow and a
third one in another process. At a part of that, plays are due at random moments for {seconds:g} s in {tables} rooms,
whether earlier ones are answered or not; a wait begins when a play is due. A delivery is the event in the other one.
Bots play in {bots} rooms without a pause. The other process, the worker, the bots, the store and the load share the
other core, so the waits are those of a full machine. `busy` is the executing process. Milliseconds.
"""
STALLS_NOTE = """\
How long a small request waits at most while something happens in its process.
"""
GROWTH_NOTE = """\
Costs at growing sizes, one window each. A delivery to few subscribers has the whole play in it.
"""


SEEKS_NOTE = """\
Written by `make bench ARGS=people`. A seek over HTTP that agrees with none of the open ones, then one that agrees with
it only, and so is matched. Each number of open seeks has an API process and a store of its own; {rounds} rounds by
turns: the middle time, and the ratio to the time at the smallest number in the same round, as the middle one and the
quartiles.
"""
FEEDS_NOTE = """\
{sockets:,} sockets of one API process, each on the feed of another player. {events:,} events are appended to feeds of
random players, at most {rate:.0f} a second; then so many plays are sent in {tables} rooms, whose turns a worker
delivers.
"""


def goals_section(
    listed: Sequence[goal_table.Row],
    says: Sequence[str],
    found: goals_module.Found,
    plan: goals_module.Plan,
    of_plays: plays.Plan,
    known: Sequence[tuple[str, str]],
) -> str:
    """Return the section with what the figures say, the rows with goals, and the figures behind them."""
    rows = [
        (
            row.number,
            row.what,
            row.unit,
            row.figure,
            "" if row.before is None else row.before.words(row.digits),
            row.must.words,
            "" if row.goal is None else f"{row.goal:g}",
            {"met": "met", "not met": "**not met**", "unclear": "unclear", None: ""}[row.verdict],
        )
        for row in listed
    ]
    heads = ("", "what", "in", "now", "before", "must", "goal", "")
    names = ("", "a second", "CPU µs each", "with set-up", "store CPU µs", "busy")
    numbers = {
        "base": found.base,
        "commit": found.base.split()[0],
        "rounds": plan.rounds,
        "seconds": plan.window.seconds,
        "tables": plan.tables,
        "moves": goals_module.LONG,
        "together": of_plays.together,
        "store_tables": of_plays.tables,
    }
    parts = [
        f"## {GOALS}\n",
        "\n".join(f"{number}. {line}" for number, line in enumerate(says, 1)) + "\n",
        listed_facts(known),
        GOALS_NOTE.format(**numbers),
        table(heads, rows),
        "\n".join(f"Row {row.number}: {row.note}." for row in listed if row.note) + "\n",
        FIGURES_NOTE.format(**numbers),
        table(names, goal_table.figures(found)),
    ]
    return "\n".join(parts)


def start_section(found: startup.Startup, plan: startup.Plan, known: Sequence[tuple[str, str]]) -> str:
    """Return the section with what a start takes, and the service at rest."""
    rows = [
        (row.what, row.unit, row.found.words(row.digits) if row.found else "", row.must.words)
        for row in goal_table.startup_rows(found)
    ]
    note = START_NOTE.format(rounds=plan.rounds, settle=plan.settle, rest=plan.rest)
    return "\n".join([f"## {START}\n", listed_facts(known), note, table(("what", "in", "figure", "goal"), rows)])


def comparison_section(
    found: Sequence[compare.Line], plan: compare.Plan, base: str, known: Sequence[tuple[str, str]]
) -> str:
    """Return the section that compares two commits."""
    rows = [(it.what, it.unit, f"{it.before.middle:,.2f}", f"{it.after.middle:,.2f}", it.ratio.words()) for it in found]
    note = COMPARISON_NOTE.format(base=base, rounds=plan.rounds, seconds=plan.window.seconds)
    heads = ("what", "in", "before", "after", "after to before")
    return "\n".join([f"## {COMPARISON}\n", listed_facts(known), note, table(heads, rows)])


def growth_section(found: Sequence[growth.Series], known: Sequence[tuple[str, str]]) -> str:
    """Return the section with costs at growing sizes, and a line for each that grows."""
    sizes = sorted({size for it in found for size, _ in it.points})
    rows = []
    for it in found:
        figures = dict(it.points)
        rows.append((
            it.of, it.cost, *(f"{figures[size]:,.1f}" if size in figures else "" for size in sizes), f"{it.factor:.1f}",
        ))  # fmt: skip
    grown = [
        f"- Not flat: {it.of}, {it.cost}: {it.factor:.1f} times as much at {it.points[-1][0]:,} as at first."
        for it in found
        if not it.is_flat
    ]
    heads = ("size of", "cost", *(f"{size:,}" for size in sizes), "last to first")
    return "\n".join([f"## {GROWTH}\n", listed_facts(known), GROWTH_NOTE, table(heads, rows), "\n".join(grown) + "\n"])


def latency_section(found: latency.Found, plan: latency.Plan, known: Sequence[tuple[str, str]]) -> str:
    """Return the section with how long clients wait."""
    rows = [
        (
            f"{it.share:.0%}",
            f"{it.per_second:,.0f}",
            f"{it.busy:.0%}",
            *(f"{wait:.1f}" for waits in (it.commands, it.deliveries) for wait in (waits.p50, waits.p99, waits.p999)),
        )
        for it in found.loads
    ]
    heads = ("load", "plays a second", "busy", "reply p50", "p99", "p99.9", "delivery p50", "p99", "p99.9")
    stalls = [(it.cause, f"{it.milliseconds:.1f}") for it in found.stalls]
    note = LATENCY_NOTE.format(most=found.most, seconds=plan.seconds, tables=plan.tables, bots=plan.bots)
    parts = [f"## {LATENCY}\n", listed_facts(known), note, table(heads, rows), STALLS_NOTE]
    return "\n".join([*parts, table(("while", "longest wait, ms"), stalls)])


def people_section(found: people.Found, plan: people.Plan, known: Sequence[tuple[str, str]]) -> str:
    """Return the section with what seeks and own feeds take."""
    rows = [
        (
            f"{it.open:,}",
            *(f"{figure:.1f}" for figure in (it.make, it.match, it.cpu)),
            *(it.make_ratio.words(1), it.match_ratio.words(1)),
        )
        for it in found.seeking
    ]
    heads = ("open seeks", "make one, ms", "match one, ms", "CPU of making one, ms", "make, ratio", "match, ratio")
    feeds = found.feeds
    listed = [
        ("memory of the API process per socket, KB", f"{feeds.kb:.1f}"),
        ("memory of the store per socket, KB", f"{feeds.store_kb:.1f}"),
        ("CPU of the API process while nothing happens, of a core", f"{feeds.idle:.1%}"),
        ("CPU of the API process for an event besides, µs", f"{feeds.cpu:.0f}"),
        ("from the append to the frame, ms: median, 99 %", f"{feeds.appended.p50:.1f}, {feeds.appended.p99:.1f}"),
        ("from a play to the frame, ms: median, 99 %", f"{feeds.played.p50:.1f}, {feeds.played.p99:.1f}"),
    ]
    parts = [f"## {PEOPLE}\n", listed_facts(known), SEEKS_NOTE.format(rounds=plan.tries), table(heads, rows)]
    note = FEEDS_NOTE.format(
        sockets=feeds.sockets, events=plan.feeds.events, rate=1 / plan.feeds.pause, tables=plan.feeds.tables
    )
    return "\n".join([*parts, note, table((f"{feeds.sockets:,} sockets", ""), listed)])


def rules_section(speeds: Sequence[rules.Speed], plan: rules.Plan, known: Sequence[tuple[str, str]]) -> str:
    """Return the section with the games' figures."""
    rows = [
        (it.game, f"{it.plies:,.0f}", f"{it.legal_moves:.1f}", f"{it.view:.1f}", f"{it.length:.0f}") for it in speeds
    ]
    heads = ("game", "plies a second", "legal_moves µs", "view µs", "plies a match")
    note = RULES_NOTE.format(matches=plan.matches, rounds=plan.rounds)
    return "\n".join([f"## {RULES}\n", listed_facts(known), note, table(heads, rows)])


def sizes_section(found: sizes.Sizes, known: Sequence[tuple[str, str]]) -> str:
    """Return the section with what rooms and sockets take."""
    rows = [
        (it.words, f"{it.count:,}", *(f"{taken / 1024:.1f}" for taken in (it.process, it.store, it.file)))
        for it in found.rows
    ]
    heads = ("what", "how many", "process KB", "store KB", "file KB")
    mega = 1024 * 1024
    note = SIZES_NOTE.format(first=found.first / mega, last=found.last / mega, warm=found.plan.warm)
    return "\n".join([f"## {SIZES}\n", listed_facts(known), note, table(heads, rows)])


def listed_facts(known: Sequence[tuple[str, str]]) -> str:
    """Return facts as a list."""
    return "\n".join(f"- {name}: {value}" for name, value in known) + "\n"


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table as Markdown, set so that it reads well as text too."""
    widths = [max(3, *(len(line[column]) for line in (heads, *rows))) for column in range(len(heads))]
    lines = [heads, ["-" * width for width in widths], *rows]
    padded = ([cell.ljust(width) for cell, width in zip(line, widths, strict=True)] for line in lines)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in padded) + "\n"


def write(path: Path, sections: Sequence[tuple[str, str]]) -> None:
    """Put sections into a file, and leave its other sections unchanged."""
    kept = {}
    if path.exists():
        for part in path.read_text().split("\n## ")[1:]:
            kept[part.partition("\n")[0]] = f"## {part.strip()}\n"
    kept.update(sections)
    path.write_text("\n".join([TITLE, *(kept[name] for name in ORDER if name in kept)]))
