"""The tables, for the terminal and for RESULTS.md."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from bench import measure, rules, sizes
from bench.measure import KEEPING
from bench.results import Ratio, Results

TITLE = "# Results\n\nWritten by `make bench`; what is measured, and how, stands in [README.md](README.md).\n"
SERVICE, RULES, SIZES = "Service", "Rules", "Sizes"
ORDER = (SERVICE, RULES, SIZES)

SERVICE_NOTE = """\
{rounds} rounds, in each of which every row has its {seconds:g} s; medians. {tables} rooms with one command in flight
each. An operation is a play, with watchers a delivery; the CPU time is the server's. `busy` is how much of its core the
server used, `other core` how much of the other one the store and the load used. A ratio is the median of the rounds'
ratios.
"""
RULES_NOTE = """\
{matches} random matches a game, replayed through `decide`, `evolve` and `follow` on one core; medians of {rounds}
rounds. `legal_moves` and `view` are measured at every position of these matches, the view with its JSON.
"""
SIZES_NOTE = """\
What one more takes, in KB of 1,024 bytes: of the API process's resident memory, of the store's, and of its append-only
file before that is rewritten. The process took {first:.0f} MB with {warm} rooms, and {last:.0f} MB with all of this.
"""


class Goal(msgspec.Struct, frozen=True):
    """How a row compares to its peer, and the least that the ratio of speeds has to be."""

    letter: str
    peer: str
    setting: str
    ratio: Ratio
    least: float

    @property
    def verdict(self) -> str:
        """Tell whether the ratio reaches the goal."""
        return "met" if self.ratio.speed >= self.least else "**not met**"


def goals(results: Results, plan: measure.Plan) -> list[Goal]:
    """Return the goals with what was reached."""
    kept = [f"AOF {keeping}" for keeping in KEEPING]
    watched = [f"{count:,} watchers" for count in plan.watchers]
    wanted = [("b", "a", kept, 1.3), ("c", "a", kept, 2.0), ("c*", "a", kept, 2.0), ("d", "raw", watched, 0.65)]
    return [
        Goal(letter, peer, setting, results.compared(letter, peer, setting), least)
        for letter, peer, settings, least in wanted
        for setting in settings
    ]


def service_section(results: Results, plan: measure.Plan, known: Sequence[tuple[str, str]]) -> str:
    """Return the section with the service's figures and its goals."""
    rows = [
        (
            f"({row.letter})",
            row.setting,
            row.words,
            f"{it.per_second:,.0f}",
            f"{it.lowest:,.0f} to {it.highest:,.0f}",
            f"{it.micros:.1f}",
            f"{it.busy:.0%}",
            f"{it.other_core:.0%}",
        )
        for row, it in results.rows()
    ]
    judged = [
        (
            f"({goal.letter}) to ({goal.peer})",
            goal.setting,
            f"{goal.ratio.speed:.2f}",
            f"{goal.least:.2f}",
            goal.verdict,
            f"{goal.ratio.micros:.2f}",
        )
        for goal in goals(results, plan)
    ]
    heads = ("", "setting", "what", "a second", "rounds", "CPU µs each", "busy", "other core")
    note = SERVICE_NOTE.format(rounds=plan.rounds, seconds=plan.window.seconds, tables=plan.tables)
    verdicts = table(("", "setting", "ratio of speeds", "goal", "", "ratio of CPU"), judged)
    return "\n".join([f"## {SERVICE}\n", listed(known), note, table(heads, rows), verdicts])


def rules_section(speeds: Sequence[rules.Speed], plan: rules.Plan, known: Sequence[tuple[str, str]]) -> str:
    """Return the section with the games' figures."""
    rows = [
        (it.game, f"{it.plies:,.0f}", f"{it.legal_moves:.1f}", f"{it.view:.1f}", f"{it.length:.0f}") for it in speeds
    ]
    heads = ("game", "plies a second", "legal_moves µs", "view µs", "plies a match")
    note = RULES_NOTE.format(matches=plan.matches, rounds=plan.rounds)
    return "\n".join([f"## {RULES}\n", listed(known), note, table(heads, rows)])


def sizes_section(found: sizes.Sizes, known: Sequence[tuple[str, str]]) -> str:
    """Return the section with what rooms and sockets take."""
    rows = [
        (it.words, f"{it.count:,}", *(f"{taken / 1024:.1f}" for taken in (it.process, it.store, it.file)))
        for it in found.rows
    ]
    heads = ("what", "how many", "process KB", "store KB", "file KB")
    mega = 1024 * 1024
    note = SIZES_NOTE.format(first=found.first / mega, last=found.last / mega, warm=found.plan.warm)
    return "\n".join([f"## {SIZES}\n", listed(known), note, table(heads, rows)])


def listed(known: Sequence[tuple[str, str]]) -> str:
    """Return facts as a list."""
    return "\n".join(f"- {name}: {value}" for name, value in known) + "\n"


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table as Markdown, set so that it reads well as text too."""
    widths = [max(3, *(len(line[column]) for line in (heads, *rows))) for column in range(len(heads))]
    lines = [heads, ["-" * width for width in widths], *rows]
    padded = ([cell.ljust(width) for cell, width in zip(line, widths, strict=True)] for line in lines)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in padded) + "\n"


def write(path: Path, sections: Sequence[tuple[str, str]]) -> None:
    """Put sections into a file, and leave the others that stand there as they are."""
    kept = {}
    if path.exists():
        for part in path.read_text().split("\n## ")[1:]:
            kept[part.partition("\n")[0]] = f"## {part.strip()}\n"
    kept.update(sections)
    path.write_text("\n".join([TITLE, *(kept[name] for name in ORDER if name in kept)]))
