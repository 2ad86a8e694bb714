"""The time that each game's laws need."""

from collections import Counter

import pytest

SECONDS: Counter[str] = Counter()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up the time of each game's laws."""
    if "tests/laws/" in report.nodeid and "[" in report.nodeid:
        SECONDS[report.nodeid.partition("[")[2].partition("-")[0].rstrip("]")] += report.duration  # type: ignore[assignment]  # seconds are floats


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the time of each game."""
    if SECONDS:
        terminalreporter.write_line(
            "laws: " + ", ".join(f"{game} {time:.1f} s" for game, time in sorted(SECONDS.items()))
        )
