"""The table of the results, as Markdown."""

import os
import platform
import subprocess
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import mean, stdev

import msgspec

from bench.arena.match_runner import GRACE, Record, TimeUsed
from bench.arena.schedule import Plan

PACKAGES = ("turnstream", "open_spiel")


class Score(msgspec.Struct, frozen=True):
    """One player's results over its matches; a player on two seats counts twice in a match."""

    player: str
    wins: int
    draws: int
    losses: int
    points: tuple[float, ...]
    """By match: 1 for a win, divided among all with the first place."""
    thinking: TimeUsed

    @property
    def score(self) -> float:
        """The mean of the points."""
        return mean(self.points)

    @property
    def error(self) -> float:
        """The standard error of the score, from the spread of the points."""
        return stdev(self.points) / len(self.points) ** 0.5 if len(self.points) > 1 else 0.0


def ranking(records: Sequence[Record]) -> list[Score]:
    """Return the players' results, the best first."""
    players = dict.fromkeys(name for record in records for name in record.seated)
    return sorted((score_of(name, records) for name in players), key=lambda one: one.score, reverse=True)


def score_of(name: str, records: Sequence[Record]) -> Score:
    """Return the results of one player."""
    sat = [(record, seat) for record in records for seat, seated in enumerate(record.seated) if seated == name]
    points = tuple(point(record.places, seat) for record, seat in sat)
    return Score(
        player=name,
        wins=sum(point == 1 for point in points),
        draws=sum(0 < point < 1 for point in points),
        losses=sum(point == 0 for point in points),
        points=points,
        thinking=total([record.thinking[seat] for record, seat in sat]),
    )


def point(places: Sequence[int], seat: int) -> float:
    """Return a seat's share of the match's one point."""
    return 1 / places.count(1) if places[seat] == 1 else 0.0


def total(parts: Sequence[TimeUsed]) -> TimeUsed:
    """Return the total of the times of several matches."""
    used = [part for part in parts if part.moves]
    return TimeUsed(
        moves=sum(part.moves for part in used),
        late=sum(part.late for part in used),
        total=sum(part.total for part in used),
        worst=max((part.worst for part in used), default=0.0),
    )


def write_page(plan: Plan, records: Sequence[Record], command: str) -> str:
    """Return the page: the table, how the matches ended, and what is needed to repeat them."""
    rows = [row(one, deadline=plan.nodes is None) for one in ranking(records)]
    table = [HEAD, "| --- |" + " ---: |" * 8, *rows]
    ends = ", ".join(f"{reason} {count}" for reason, count in Counter(r.reason for r in records).most_common())
    lengths = mean(record.turns for record in records) if records else 0
    notes = [
        f"* Played: {len(records)} matches of {plan.rules.texts.title}, {lengths:.0f} turns on average. Ends: {ends}.",
        f"* Command: `{command}`",
        f"* {facts()}",
    ]
    return (
        "\n".join([f"# {plan.rules.texts.title}: {', '.join(plan.players)}", "", *table, "", *notes, "", ABOUT]) + "\n"
    )


HEAD = "| player | seats | wins | draws | losses | score | ± | s per move | in time |"

ABOUT = f"""\
The score is the mean of one point per match, divided among all with the first place; ± is its standard error. Every
seating of the players plays the same openings. A move is in time up to {GRACE * 1000:.0f} ms after its deadline; next
to the share of such moves is how long after its deadline the latest move was made."""


def row(one: Score, *, deadline: bool) -> str:
    """Return a player's row of the table."""
    took = one.thinking
    each = f"{took.total / took.moves:.3f}" if took.moves else "-"
    share = f"{1 - took.late / took.moves:.2%}, {took.worst * 1000:+.0f} ms" if took.moves and deadline else "-"
    return (
        f"| {one.player} | {len(one.points)} | {one.wins} | {one.draws} | {one.losses} | {one.score:.1%} "
        f"| {one.error:.1%} | {each} | {share} |"
    )


def facts() -> str:
    """Return the date, the machine and the versions."""
    versions = ", ".join(f"{name} {known}" for name in PACKAGES if (known := installed(name)))
    python = f"{platform.python_implementation()} {platform.python_version()}"
    date = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    return f"Date: {date}. Commit: {commit()}. Machine: {processor()}, {os.cpu_count()} cores. {python}, {versions}."


def commit() -> str:
    """Return the commit of the code that plays, or "unknown" outside of a clone."""
    try:
        words = ["git", "describe", "--always", "--abbrev=8", "--exclude=*"]
        found = subprocess.run(words, cwd=Path(__file__).parent, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return found.stdout.strip()


def installed(package: str) -> str | None:
    """Return a package's version, None if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def processor() -> str:
    """Return the processor's name."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
