"""Faults planted in the rules and in the fold, each of which some test must find.

Each fault is one replacement in a copy of the source. The tests then run there in a process of their own and have to
fail; the same tests pass in the copy without a fault. A replacement that no longer matches the source is a failure too.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
GAMES = Path("service/domain/games")
FOLD = Path("service/domain/room/evolve.py")
CAPTURES = Path("service/domain/boards/capture_game.py")

FAILED = 1
"""The exit code of pytest when tests ran and some failed."""


class Fault(NamedTuple):
    """A replacement in a file, and what to run."""

    file: Path
    right: str
    wrong: str
    tests: tuple[str, ...]


def laws(game: str) -> tuple[str, ...]:
    """Return the arguments that run a game's laws, then its own tests."""
    own = sorted((ROOT / "tests/domain/games").glob(f"test_{game}*.py"))
    return ("tests/laws/test_play.py", *(str(file.relative_to(ROOT)) for file in own), "-k", game)


ROOM = ("tests/domain/room",)

BY_EVENT = """def by_event(fold):
    kept = [None, None]

    def evolving(position, event):
        if kept[0] is not event:
            kept[:] = event, fold(position, event)
        return kept[1]

    return evolving


"""
"""Makes an `evolve` that remembers its latest result by the event alone and ignores the position."""

FAULTS = {
    **{
        f"{game}: evolve ignores the position": Fault(
            GAMES / game / file, right, BY_EVENT + wrong + right, ("tests/laws/test_play.py", "-k", game)
        )
        for game, file, right, wrong in (
            ("morris", "rules.py", "@LatestResult\ndef evolve(", "@by_event\n"),
            ("rainbow", "rules.py", "def evolve(", "@by_event\n"),
            ("ternio", "__init__.py", "GAME: Game", "RULES.evolve = by_event(RULES.evolve)\n\n"),
            ("triboard", "__init__.py", "GAME: Game", "RULES.evolve = by_event(RULES.evolve)\n\n"),
            ("turncoat", "rules.py", "def evolve(", "@by_event\n"),
        )
    },
    "morris: every mill is closed again by each move": Fault(
        GAMES / "morris/board.py", "in LINES_THROUGH[at]", "in LINES.items()", laws("morris")
    ),
    "morris: men in mills are not safe": Fault(
        GAMES / "morris/rules.py", "men & ~in_mills(men)", "men", laws("morris")
    ),
    "morris: nobody flies before two men are left": Fault(
        GAMES / "morris/model.py", "(left <= 3 and flying", "(left < 3 and flying", laws("morris")
    ),
    "morris: a second occurrence is a draw": Fault(
        GAMES / "morris/rules.py", "count(seen[-1]) >= 3", "count(seen[-1]) >= 2", laws("morris")
    ),
    "morris: a removal does not end the quiet turns": Fault(
        GAMES / "morris/rules.py",
        "men, position.hand, 0, ())",
        "men, position.hand, position.quiet, ())",
        laws("morris"),
    ),
    "morris: black men are left out of changes of the view": Fault(
        GAMES / "morris/model.py", "(white ^ old_white) | (black ^ old_black)", "white ^ old_white", laws("morris")
    ),
    "ternio: discs of both opponents in one line are captured": Fault(
        CAPTURES,
        "one if adjacent & one else other, adjacent",
        "either, adjacent",
        laws("ternio"),
    ),
    "ternio: nobody is passed over": Fault(
        CAPTURES, "while not self._can_move(position, position.turn) and", "while False and", laws("ternio")
    ),
    "triboard: a cell that was taken stays empty": Fault(
        CAPTURES,
        "empty & ~cell",
        "empty",
        ("tests/domain/games/test_triboard.py",),  # the laws' matches would hardly end
    ),
    "triboard: the drawn first seat is ignored": Fault(
        GAMES / "triboard/rules.py", ", event.first)", ")", laws("triboard")
    ),
    "rainbow: pegs rest for one turn only": Fault(
        GAMES / "rainbow/rules.py", "return still | acted,", "return acted,", laws("rainbow")
    ),
    "rainbow: a line wins under misere": Fault(
        GAMES / "rainbow/rules.py", "others if position.options.misere else [seat]", "[seat]", laws("rainbow")
    ),
    "turncoat: selections are sent to everybody": Fault(
        GAMES / "turncoat/model.py",
        "at: Annotated[str | UnsetType, Hidden.FROM_OTHERS] = UNSET",
        "at: str | UnsetType = UNSET",
        laws("turncoat"),
    ),
    "turncoat: the second half turns the own squares again": Fault(
        GAMES / "turncoat/rules.py",
        "(red, yellow) if number == 1 else (yellow, red)",
        "(red, yellow)",
        laws("turncoat"),
    ),
    "all games: equal scores get different places": Fault(
        Path("service/domain/game.py"),
        "scores[other] > scores[seat]",
        "scores[other] >= scores[seat]",
        laws("ternio"),
    ),
    "redaction: secrets are sent to the other seats": Fault(
        Path("service/domain/game.py"), "event.seat == seat", "event.seat != seat", laws("turncoat")
    ),
    "fold: draws of chance are not counted": Fault(
        FOLD, "        next_draw=next_draw(event, match.next_draw),\n", "", ROOM
    ),
    "fold: every move begins a turn of its own": Fault(FOLD, "or match.acting == seat", "or False", ROOM),
    "fold: a takeback keeps the position": Fault(FOLD, "        state=turn.state,\n", "", ROOM),
    "fold: a takeback keeps the later turns": Fault(FOLD, "        turns=match.turns.truncate(index),\n", "", ROOM),
}

SUITES = sorted({fault.tests for fault in FAULTS.values()})


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the service, its tests, and the programs that these use."""
    copy = tmp_path_factory.mktemp("copy")
    for folder in ("service", "tests", "bench"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    return copy


def run(copy: Path, tests: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    """Run tests in the copy up to the first failure."""
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONSAFEPATH": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "not soak", "-p", "no:cacheprovider", *tests]
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)


def first_failure(output: str) -> str:
    """Return the name of the test that failed."""
    return next(line for line in output.splitlines() if line.startswith(("FAILED", "ERROR"))).partition(" - ")[0]


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("tests", SUITES, ids=lambda tests: tests[-1])
def test_without_a_fault_the_tests_pass(copy: Path, tests: tuple[str, ...]) -> None:
    """Otherwise their failure with a fault would prove nothing."""
    result = run(copy, tests)
    assert result.returncode == 0, result.stdout


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found(copy: Path, name: str) -> None:
    """The fault is in the copy only while its tests run; the first test that finds it is printed."""
    fault = FAULTS[name]
    file = copy / fault.file
    source = file.read_text()
    assert source.count(fault.right) == 1, "the replacement no longer matches the source"
    file.write_text(source.replace(fault.right, fault.wrong))
    try:
        result = run(copy, fault.tests)
    finally:
        file.write_text(source)
    assert result.returncode == FAILED, result.stdout
    sys.stderr.write(f"{name}: {first_failure(result.stdout)}\n")


def test_every_planted_fault_matches_the_source() -> None:
    """A changed rule needs a changed fault."""
    assert {name for name, fault in FAULTS.items() if (ROOT / fault.file).read_text().count(fault.right) != 1} == set()
