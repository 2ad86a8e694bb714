"""The bots' fast boards follow the rules: over random play they have the same legal moves, captures and passes."""

import random
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from service.domain.boards.capture_game import split_cells
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Event, Seat
from service.domain.games import ternio, triboard
from service.domain.games.ternio.rules import RULES as TERNIO_RULES
from service.domain.games.triboard.rules import RULES as TRIBOARD_RULES
from service.domain.search.evaluation import NOBODY, Grid, Node

SEEDS, MANY_SEEDS = range(2), range(2, 1500)
RULES: dict[str, Any] = {"ternio": TERNIO_RULES, "triboard": TRIBOARD_RULES}


def positions_of_match(game: Any, seed: int) -> Iterator[Any]:
    """Yield every position of a random match; where the seed is odd, a seat drops out."""
    own = random.Random(seed)  # noqa: S311 - which moves are played
    chance = Chance(seed.to_bytes(32, "big"), ["", "", ""], DrawNumber(0))
    position = game.start(game.options())
    events: list[Event] = game.setup(game.options(), chance)
    leaves_at, ply = (own.randrange(40) if seed % 2 else -1), 0
    while True:
        for event in events:
            position = game.evolve(position, event)
        yield position
        if not game.to_move(position):
            return
        (seat,) = game.to_move(position)
        if ply == leaves_at:
            events = game.drop(position, Seat(own.randrange(3)), "resigned")
        else:
            events = game.decide(position, seat, own.choice(list(game.legal_moves(position, seat))))
        ply += 1


def grid_of(game: Any, position: Any) -> tuple[Grid, Node]:
    """Return a position as the bots of both games represent it."""
    staying = [seat for seat in range(3) if seat not in position.dropped]
    grid = Grid(position.empty | sum(position.owned), RULES[game.slug].grid.stride, staying)
    return grid, grid.node(position.owned, position.turn)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", [ternio.GAME, triboard.GAME], ids=lambda game: game.slug)
def test_the_same_cells_are_legal_for_the_same_seat(game: Any, seed: int) -> None:
    """The same seats are passed over as by the rules, and the match ends in the same position."""
    compare_legal_cells(game, seed)


def compare_legal_cells(game: Any, seed: int) -> None:
    """Compare the legal cells at each position of a match with the legal moves of the rules."""
    for position in positions_of_match(game, seed):
        _, node = grid_of(game, position)
        offered = RULES[game.slug].moves
        if not game.to_move(position):
            assert node.turn == NOBODY
        else:
            assert (node.turn,) == game.to_move(position)
            assert [offered[cell] for cell in split_cells(node.reach[node.turn])] == list(
                game.legal_moves(position, node.turn)
            )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", [ternio.GAME, triboard.GAME], ids=lambda game: game.slug)
def test_the_same_cells_are_captured_and_the_same_seat_follows(game: Any, seed: int) -> None:
    """Every move of every position leads to the same position as by the rules."""
    assert compare_moves(game, seed)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("game", [ternio.GAME, triboard.GAME], ids=lambda game: game.slug)
def test_the_search_agrees_with_the_rules_over_many_matches(game: Any) -> None:
    """Both of the above, over other matches."""
    compared = 0
    for seed in MANY_SEEDS:
        compare_legal_cells(game, seed)
        compared += compare_moves(game, seed)
    sys.stderr.write(f"{compared:,} moves compared\n")


def compare_moves(game: Any, seed: int) -> int:
    """Compare the effects of the moves of a match's positions with the rules, and return how many moves there were."""
    offered = RULES[game.slug].moves
    compared = 0
    for position in list(positions_of_match(game, seed))[::3]:
        grid, node = grid_of(game, position)
        for cell in split_cells(node.reach[node.turn] if node.turn != NOBODY else 0):
            after = position
            for event in game.decide(position, node.turn, offered[cell]):
                after = game.evolve(after, event)
            reached, expected = grid.after(node, cell), grid_of(game, after)[1]
            assert (reached.owned, reached.empty, reached.reach) == (expected.owned, expected.empty, expected.reach)
            assert reached.turn == next(iter(game.to_move(after)), NOBODY)
            compared += 1
    return compared
