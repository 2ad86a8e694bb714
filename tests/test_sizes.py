"""The sizes in docs/operating/grow.md are those that benchmarks measured; after `make bench`, correct them there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RESULTS = "\n".join((ROOT / file).read_text() for file in ("bench/RESULTS.md", "tests/e2e/RESULTS.md"))
SIZES = (ROOT / "docs/operating/grow.md").read_text().partition("\n## Sizes\n")[2].partition("\n## ")[0]
FIGURE = re.compile(r"\d[\d,.]*\d|\d")


def rows(text: str, head: str) -> list[list[str]]:
    """Return the cells of the first table whose first column has this head."""
    _, found, rest = text.partition(f"\n| {head} ")
    assert found, head
    lines = rest.partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]


def figures(text: str) -> set[str]:
    """Return the numbers in a text."""
    return set(FIGURE.findall(text))


@pytest.mark.parametrize("row", rows(SIZES, "one"), ids=lambda row: row[0])
def test_what_one_serves_is_measured(row: list[str]) -> None:
    """Each figure is in one of the rows that are named beside it, or in their names."""
    _, served, sources = row
    names = re.findall("`([^`]+)`", sources)
    measured = [line for name in names for line in RESULTS.splitlines() if re.match(rf"\| {name}\b", line)]
    assert len(measured) >= len(names)
    assert figures(served) - figures(" ".join(measured)) == set()


def test_what_one_more_takes_is_measured() -> None:
    """Room by room, and socket by socket."""
    one_more = RESULTS.partition("\n## Sizes\n")[2]
    assert rows(SIZES, "memory") == [[name, *sizes] for name, _count, *sizes in rows(one_more, "what")]


def test_what_all_takes_is_measured() -> None:
    """At rest, as measured last by `make bench ARGS=up`."""
    [at_rest] = [
        line for line in RESULTS.partition("\n## Start and rest\n")[2].splitlines() if "processes at rest" in line
    ]
    [said] = re.findall(r"take (\d+) MB at rest", SIZES.replace("\n", " "))
    assert said in figures(at_rest)
