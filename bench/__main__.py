"""`python -m bench`: measure this machine and write the tables into RESULTS.md."""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from bench import budget, compare, goal_table, goals, growth, latency, people, plays, report, rules, sizes, startup
from bench.goal_table import UNSHOWN
from bench.load.senders import MeasurementFailed
from bench.machine import facts, noise, raise_priority

RESULTS = Path(__file__).parent / "RESULTS.md"

Facts = list[tuple[str, str]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the requested measurements.

    Returns 0, also where a goal is missed; 1 when a server failed or the budget is exceeded; and 3 when the rounds of a
    row were too far apart to show anything, so that its figure is not written.
    """
    options = parsed(arguments)
    if options.what == "budget":
        return budget.main()
    known = [("priority", raise_priority()), ("noise before", noise().words), *facts()]
    say(f"Noise of this machine: {known[1][1]}.")
    names = ALL if options.what == "all" else (options.what,)
    try:
        sections = [(title, measured(options, known)) for title, measured in (SECTIONS[name] for name in names)]
    except KeyboardInterrupt:
        return 130
    except (MeasurementFailed, OSError) as failure:
        sys.stderr.write(f"bench: {failure}\n")
        return 1
    print("\n" + "\n".join(text for _, text in sections))
    path = options.output or (None if options.quick else RESULTS)
    if path is not None:
        report.write(path, sections)
        print(f"Written to {path}")
    if any(UNSHOWN in text for _, text in sections):
        sys.stderr.write("bench: a row is not shown, because its rounds are too far apart; measure it again.\n")
        return 3
    return 0


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the parsed options."""
    parser = argparse.ArgumentParser(
        prog="bench", description="Measure the service against its peers, its rules, and its memory."
    )
    parser.add_argument("what", nargs="?", default="all", choices=("all", "budget", *SECTIONS))
    parser.add_argument(
        "base", nargs="?", default="HEAD", help="the commit that `peers` and `compare` take as before; HEAD"
    )
    parser.add_argument("--quick", action="store_true", help="only show that everything runs; nothing is written")
    parser.add_argument("--rounds", type=int, help="how often everything is measured, at least 3 for medians")
    parser.add_argument("--output", type=Path, help=f"the file to write to; {RESULTS.name} unless quick")
    return parser.parse_args(arguments)


def peers_section(options: argparse.Namespace, known: Facts) -> str:
    """Measure all rows with goals, and what they were at an earlier commit."""
    plan = with_rounds(goals.QUICK if options.quick else goals.Plan(), options.rounds)
    plan_of_plays = with_rounds(plays.QUICK if options.quick else plays.Plan(), options.rounds)
    found = goals.run(options.base, plan, say)
    of_plays = plays.run(options.base, plan_of_plays, say)
    started = startup.run(with_rounds(startup.QUICK if options.quick else startup.Plan(), options.rounds), say)
    listed = goal_table.rows(found, of_plays, plan, started)
    says = goal_table.summary(found, of_plays, started)
    known = [*known, ("noise after", noise().words), ("store", found.store)]
    return report.goals_section(listed, says, found, plan, plan_of_plays, known)


def up_section(options: argparse.Namespace, known: Facts) -> str:
    """Measure the start, and the service at rest."""
    plan = with_rounds(startup.QUICK if options.quick else startup.Plan(), options.rounds)
    return report.start_section(startup.run(plan, say), plan, known)


def compare_section(options: argparse.Namespace, known: Facts) -> str:
    """Compare this work tree with another commit."""
    plan = with_rounds(compare.QUICK if options.quick else compare.Plan(), options.rounds)
    found, base = compare.run(options.base, plan, say)
    return report.comparison_section(found, plan, base, [*known, ("noise after", noise().words)])


def growth_section(options: argparse.Namespace, known: Facts) -> str:
    """Measure costs at growing sizes."""
    return report.growth_section(growth.run(growth.QUICK if options.quick else growth.Plan(), say), known)


def latency_section(options: argparse.Namespace, known: Facts) -> str:
    """Measure how long clients wait."""
    plan = latency.QUICK if options.quick else latency.Plan()
    return report.latency_section(latency.run(plan, say), plan, known)


def people_section(options: argparse.Namespace, known: Facts) -> str:
    """Measure seeks and own feeds."""
    plan = people.QUICK if options.quick else people.Plan()
    return report.people_section(people.run(plan, say), plan, [*known, ("noise after", noise().words)])


def rules_section(options: argparse.Namespace, known: Facts) -> str:
    """Measure the rules."""
    plan = with_rounds(rules.QUICK if options.quick else rules.Plan(), options.rounds)
    return report.rules_section(rules.run(plan, say), plan, known)


def sizes_section(options: argparse.Namespace, known: Facts) -> str:
    """Measure memory."""
    return report.sizes_section(sizes.run(sizes.QUICK if options.quick else sizes.Plan(), say), known)


P = TypeVar("P", rules.Plan, goals.Plan, startup.Plan, compare.Plan, plays.Plan)


def with_rounds(plan: P, rounds: int | None) -> P:
    """Return the plan with another number of rounds if one is given."""
    return plan if rounds is None else msgspec.structs.replace(plan, rounds=rounds)


def say(line: str) -> None:
    """Show progress at once."""
    print(line, flush=True)


SECTIONS: dict[str, tuple[str, Callable[[argparse.Namespace, Facts], str]]] = {
    "peers": (report.GOALS, peers_section),
    "up": (report.START, up_section),
    "compare": (report.COMPARISON, compare_section),
    "growth": (report.GROWTH, growth_section),
    "latency": (report.LATENCY, latency_section),
    "people": (report.PEOPLE, people_section),
    "rules": (report.RULES, rules_section),
    "sizes": (report.SIZES, sizes_section),
}
"""The possible measurements: the section of the results and the function of each."""

ALL = tuple(name for name in SECTIONS if name not in {"up", "compare"})
"""What is measured by default; `peers` includes the start."""

if __name__ == "__main__":
    sys.exit(main())
