"""The rules of pairings hold in simulated tournaments of each format and size."""

import sys
import time
from pathlib import Path
from typing import get_args

import pytest

from service.domain.tournaments.pairings import Format
from tests.contests.tournaments.pairing.simulated import Seats, Simulated, simulate
from tests.e2e.results import record_result
from tests.e2e.study import SCALE

RESULTS = Path(__file__).parents[1] / "RESULTS.md"
FORMATS = get_args(Format)
SOAKED = {2: 1000, 3: 1000, 4: 1000, 7: 1000, 10: 1000, 16: 1000, 33: 1000, 128: 20, 512: 2}
"""How many tournaments the long study plays by the number of players."""


def study(tournament: Format, seats: Seats, size: int, count: int) -> str:
    """Simulate tournaments and return what was counted."""
    began = time.monotonic()
    played = [simulate(tournament, seats, size, seed, Simulated) for seed in range(count)]
    assert all(one.tables > 0 for one in played)
    rounds, seconds = sum(one.rounds for one in played), time.monotonic() - began
    return (
        f"{count} tournaments, {rounds} pairings, {sum(one.tables for one in played)} matches; "
        f"pairings with repeats {sum(one.repeats for one in played)}, "
        f"with seats that differ by more than two {sum(one.unbalanced for one in played)}; "
        f"byes {sum(one.byes for one in played)}; "
        f"the same seat three times in a row {sum(one.in_a_row for one in played)}; "
        f"{1000 * seconds / rounds:.1f} ms per pairing, with its checks"
    )


@pytest.mark.parametrize("tournament", FORMATS)
@pytest.mark.parametrize(("seats", "sizes"), [(2, (2, 3, 6, 9)), (3, (3, 5, 9, 13))])
def test_the_rules_hold_in_simulated_tournaments(tournament: Format, seats: Seats, sizes: tuple[int, ...]) -> None:
    """Twenty of each size, with withdrawals, late entries and byes."""
    for size in sizes:
        study(tournament, seats, size, 20)


def test_the_rules_hold_in_a_large_swiss_system() -> None:
    """In which the window is much smaller than the tournament."""
    simulated = simulate("swiss", 2, 101, 1, Simulated)
    assert (simulated.repeats, simulated.unbalanced) == (0, 0)


@pytest.mark.soak
@pytest.mark.parametrize("size", SOAKED)
@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("tournament", FORMATS)
def test_the_rules_hold_in_a_thousand_tournaments(tournament: Format, seats: Seats, size: int) -> None:
    """Of each format and size up to 33 players, and in some larger ones."""
    if size < seats or (tournament == "round_robin" and size > 33):
        pytest.skip("there are no such tournaments")
    result = study(tournament, seats, size, max(1, int(SOAKED[size] * SCALE)))
    name = f"pairings: {tournament.replace('_', ' ')}, tables of {seats}, {size:3} players"
    record_result(name, result, RESULTS)
    print(name, result, file=sys.stderr, flush=True)  # noqa: T201 - progress of a long study
