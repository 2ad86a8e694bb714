"""`python -m bench`: measure this machine and write the tables into RESULTS.md."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from bench import measure, report, rules, sizes
from bench.load import MeasurementFailed
from bench.machine import facts

RESULTS = Path(__file__).parent / "RESULTS.md"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what was asked for; returns 0, also where a goal is missed, and 1 when a server failed."""
    asked = parsed(arguments)
    known = facts()
    sections = []
    try:
        if asked.what in {"all", "service"}:
            sections.append((report.SERVICE, service_section(asked, known)))
        if asked.what in {"all", "rules"}:
            sections.append((report.RULES, rules_section(asked, known)))
        if asked.what in {"all", "sizes"}:
            sections.append((report.SIZES, sizes_section(asked, known)))
    except KeyboardInterrupt:
        return 130
    except (MeasurementFailed, OSError) as failure:
        sys.stderr.write(f"bench: {failure}\n")
        return 1
    print("\n" + "\n".join(text for _, text in sections))
    path = asked.output or (None if asked.quick else RESULTS)
    if path is not None:
        report.write(path, sections)
        print(f"Written to {path}")
    return 0


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return what is asked for."""
    parser = argparse.ArgumentParser(
        prog="bench", description="Measure the service against its peers, its rules, and its memory."
    )
    parser.add_argument("what", nargs="?", default="all", choices=("all", "service", "rules", "sizes"))
    parser.add_argument("--quick", action="store_true", help="only show that everything runs; nothing is written")
    parser.add_argument("--rounds", type=int, help="how often everything is measured, at least 3 for medians")
    parser.add_argument("--output", type=Path, help=f"the file to write to; {RESULTS.name} unless quick")
    return parser.parse_args(arguments)


def service_section(asked: argparse.Namespace, known: Sequence[tuple[str, str]]) -> str:
    """Measure the service and its peers."""
    plan = with_rounds(measure.QUICK if asked.quick else measure.Plan(), asked.rounds)
    results, store = measure.run(plan, say)
    return report.service_section(results, plan, [*known, ("store", store)])


def rules_section(asked: argparse.Namespace, known: Sequence[tuple[str, str]]) -> str:
    """Measure the rules."""
    plan = with_rounds(rules.QUICK if asked.quick else rules.Plan(), asked.rounds)
    return report.rules_section(rules.run(plan, say), plan, known)


def sizes_section(asked: argparse.Namespace, known: Sequence[tuple[str, str]]) -> str:
    """Measure memory."""
    return report.sizes_section(sizes.run(sizes.QUICK if asked.quick else sizes.Plan(), say), known)


P = TypeVar("P", measure.Plan, rules.Plan)


def with_rounds(plan: P, rounds: int | None) -> P:
    """Return the plan with another number of rounds if one is asked for."""
    return plan if rounds is None else msgspec.structs.replace(plan, rounds=rounds)


def say(line: str) -> None:
    """Show progress at once."""
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
