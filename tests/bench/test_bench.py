"""The benchmarks still run; what they measure is for people to read."""

import subprocess
import sys
from pathlib import Path

import pytest

from bench.compare import git
from bench.ratios import Goal, spread
from service.domain.catalog import GAMES
from service.programs.embedded_store import server_binary

ROOT = Path(__file__).parents[2]

needs_store = pytest.mark.skipif(server_binary() is None, reason="needs a server program to run as the store")
needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads processor times from /proc")


def benched(*arguments: str) -> str:
    """Run the benchmarks and return what they print."""
    done = subprocess.run(
        [sys.executable, "-m", "bench", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_store
@needs_proc
def test_rooms_and_sockets_are_weighed(tmp_path: Path) -> None:
    """Rooms before and after moves, and sockets that follow them, each in the process and in the store."""
    results = tmp_path / "RESULTS.md"
    benched("sizes", "--quick", "--output", str(results))
    text = results.read_text()
    assert text.count("\n| a room of ") == text.count("\n| the same, by 6 moves ") == 2
    assert "\n| an idle socket that follows a room " in text


@pytest.mark.soak
@needs_store
@needs_proc
def test_every_row_of_the_goals_has_a_line(tmp_path: Path) -> None:
    """A peer that is not installed leaves its row without a figure; rounds that are far apart write nothing."""
    results = tmp_path / "RESULTS.md"
    benched("peers", "--quick", "--output", str(results))
    lines = results.read_text().splitlines()
    numbers = [line.split("|")[1].strip() for line in lines if line.startswith("| ") and line[2].isdigit()]
    assert sorted(set(numbers), key=int) == [str(number) for number in range(1, 13)]


@pytest.mark.parametrize(
    ("figures", "verdict"),
    [
        ([0.5, 0.52, 0.54], "met"),
        ([0.4, 0.5, 0.7], "unclear"),  # the quartiles do not agree, and are far apart
        ([0.54, 0.56, 0.58], "not met"),
        ([0.1, 0.2, 0.4], "met"),  # far apart, but all of them are met
    ],
)
def test_a_goal_is_met_only_where_the_rounds_show_it(figures: list[float], verdict: str) -> None:
    """A ratio is the middle one of the rounds; quartiles on both sides of the goal show nothing."""
    assert Goal(0.55).verdict(spread(figures)) == verdict


def test_a_goal_can_be_a_least() -> None:
    """Speeds, where the others are costs."""
    assert Goal(3, at_least=True).verdict(spread([3.2, 3.3])) == "met"
    assert Goal(3, at_least=True).verdict(spread([2.8, 2.9])) == "not met"


@pytest.mark.soak
@needs_store
@needs_proc
@pytest.mark.parametrize(
    ("what", "expected"),
    [("latency", "| 75% "), ("growth", "| due rooms "), ("people", "| 60 sockets ")],
)
def test_the_rest_of_the_benchmark_runs(tmp_path: Path, what: str, expected: str) -> None:
    """Small, and on a file of its own."""
    results = tmp_path / "RESULTS.md"
    benched(what, "--quick", "--output", str(results))
    assert expected in results.read_text()


@pytest.mark.soak
@needs_store
@needs_proc
def test_another_commit_is_compared(tmp_path: Path) -> None:
    """It runs from a work tree of its own, which is gone afterwards."""
    results = tmp_path / "RESULTS.md"
    benched("compare", "HEAD", "--quick", "--output", str(results))
    assert "| `make up`: CPU until the first 200 " in results.read_text()
    assert "turnstream-bench-" not in git("worktree", "list")


def test_the_rules_alone_need_no_store(tmp_path: Path) -> None:
    """Measuring the rules starts no process, and leaves what else was measured as it is."""
    results = tmp_path / "RESULTS.md"
    results.write_text("# Results\n\n## Growth\n\nas it was\n")
    benched("rules", "--quick", "--output", str(results))
    text = results.read_text()
    assert "## Growth\n\nas it was\n\n## Rules\n" in text
    assert all(f"\n| {game.texts.title} " in text for game in GAMES.values())
