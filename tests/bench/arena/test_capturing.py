"""The greedy players of Ternio and Triboard take what they can get."""

from typing import Any

import pytest

from bench.arena.match_runner import Table
from bench.arena.players import Turn, player
from bench.arena.schedule import Plan, fixture
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Budget, Move

SEEDS = range(40)


def table_and_seat(game: str, opening: int) -> tuple[Table, Any]:
    """Return a table after so many random plies, and the seat that is to move."""
    plan = Plan(game=game, players=("greedy",) * 3, options={}, seed=opening, opening=opening, nodes=1)
    table = Table(plan, fixture(plan, 0))
    for _ in range(opening):
        table.ply()
    return table, table.game.to_move(table.state)[0]


def turn(table: Table, seat: Any, seed: int) -> Turn:
    """Return the seat's view."""
    chance = Chance(bytes([seed]) * 32, (), DrawNumber(0))
    return Turn(table.game, table.plan.chosen, table.known[seat], (), seat, chance, Budget("hard"), "")


def count(table: Table, seat: Any, move: Move) -> int:
    """Return how many opponents' pieces a move captures."""
    return len(table.game.decide(table.state, seat, move)[0].captured)


@pytest.mark.parametrize("opening", [3, 12, 20])
@pytest.mark.parametrize("game", ["ternio", "triboard"])
def test_greedy_captures_the_most_and_leaves_the_choice_between_equals_to_chance(game: str, opening: int) -> None:
    """Over many seeds exactly the moves with most captures are played."""
    table, seat = table_and_seat(game, opening)
    moves = tuple(table.game.legal_moves(table.state, seat))
    most = max(count(table, seat, move) for move in moves)
    played = {player(game, "greedy")(turn(table, seat, seed)) for seed in SEEDS}
    assert played == {move for move in moves if count(table, seat, move) == most}
