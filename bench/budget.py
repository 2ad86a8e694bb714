"""The budget of a play: its instructions on this build of Python may not grow.

`budget.toml` has an entry for each build, because other builds and extensions execute other instructions. A build
without one prints its figures and is not checked; where the environment variable `CI` is `true`, it must have one.
"""

import os
import sys
import sysconfig
import tomllib
from importlib.metadata import version
from pathlib import Path

import msgspec

from bench import instructions
from bench.instructions import BASELINE, ROWS, Counted

FILE = Path(__file__).parent / "budget.toml"
PACKAGES = ("msgspec", "uvloop", "picows", "httptools", "litestar", "redis")
MOST = 0.04
"""The largest difference that does not count, however far the windows are apart."""

SPREADS = 3
"""How many times the distance between its windows a count may differ from the budget."""


class Entry(msgspec.Struct, frozen=True):
    """What a build of Python with its packages may take."""

    python: str
    """`sys.version`."""
    configured: str
    """The arguments of its `configure`."""
    packages: dict[str, str]
    instructions: dict[str, int]
    """Instructions per play, by row."""

    @property
    def key(self) -> tuple[str, str, dict[str, str]]:
        """What has to be the same for counts to be comparable."""
        return self.python, self.configured, self.packages


def this_build(counted: dict[str, Counted]) -> Entry:
    """Return the entry of this build with these counts."""
    return Entry(
        python=" ".join(sys.version.split()),
        configured=str(sysconfig.get_config_var("CONFIG_ARGS")),
        packages={name: version(name) for name in PACKAGES},
        instructions={row: each.median for row, each in counted.items()},
    )


def entry_of(build: Entry, file: Path = FILE) -> Entry | None:
    """Return the budget of a build, None if it has none."""
    entries = msgspec.convert(tomllib.loads(file.read_text()).get("build", []), list[Entry])
    return next((entry for entry in entries if entry.key == build.key), None)


class Verdict(msgspec.Struct, frozen=True):
    """What was found, in lines, and whether it is within the budget."""

    lines: list[str]
    is_within: bool


def check(entry: Entry | None, build: Entry, counted: dict[str, Counted], *, must_exist: bool) -> Verdict:
    """Compare the counts of this build with its budget."""
    if entry is None:
        missing = f"{FILE.name} has no entry for this build of Python and its packages; this would be its entry:"
        return Verdict([missing, "", *toml_of(build)], not must_exist)
    lines, is_within = [], True
    for row in ROWS:
        found, budget = counted[row], entry.instructions[row]
        allowed, change = min(MOST, SPREADS * found.spread), found.median / budget - 1
        if change > allowed:
            is_within = False
            lines.append(f"{row}: {found.median:,} instructions, {change:.1%} over the budget of {budget:,}")
        elif change < -allowed:
            lines.append(f"{row}: {found.median:,} instructions; lower the budget of {budget:,} in {FILE.name}")
    return Verdict(lines, is_within)


def ratios(counted: dict[str, Counted]) -> list[str]:
    """Return the counts as lines, each with its ratio to the baseline's."""
    base = counted[BASELINE].median
    medians = {row: counted[row].median for row in ROWS}
    return [
        f"{row}: {count:,} instructions per play, {count / base:.2f} of {BASELINE} ({base:,})"
        for row, count in medians.items()
    ]


def toml_of(entry: Entry) -> list[str]:
    """Return an entry as it is written in the file."""
    text = [f"{name} = {msgspec.json.encode(getattr(entry, name)).decode()}" for name in ("python", "configured")]
    tables = [
        f"{name} = {{ {', '.join(f'{key} = {msgspec.json.encode(value).decode()}' for key, value in each.items())} }}"
        for name, each in (("packages", entry.packages), ("instructions", entry.instructions))
    ]
    return ["[[build]]", *text, *tables]


def main() -> int:
    """Count, print, and compare with the budget. Return 0 within it, 1 over it."""
    must_exist = os.environ.get("CI") == "true"
    if instructions.VALGRIND is None:
        print("The instructions of a play are not counted, because valgrind is not installed.")
        return int(must_exist)
    counted = instructions.run(instructions.Plan(), lambda line: print(line, flush=True))
    build = this_build(counted)
    verdict = check(entry_of(build), build, counted, must_exist=must_exist)
    print("\n".join(["", *ratios(counted), "", *verdict.lines]))
    return int(not verdict.is_within)
