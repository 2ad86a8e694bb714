"""The compiled search of the capture games finds exactly what the search in Python finds."""

import random
from collections.abc import Callable, Sequence

import pytest

from service.domain.boards.capture_game import Cells, GridNames, split_cells
from service.domain.game import Budget
from service.domain.games.ternio.model import GRID
from service.domain.games.ternio.rules import STAGES
from service.domain.games.triboard.model import GRID as TRIBOARD
from service.domain.games.triboard.rules import STAGES as TRIBOARD_STAGES
from service.domain.search import paranoid
from service.domain.search.evaluation import SEATS, Evaluator, Grid, Node, Weights, pack
from service.domain.search.meter import Meter
from service.domain.search.paranoid import Search
from tests.domain.search.test_paranoid import late_position

compiled = pytest.importorskip(
    "service.domain.search.compiled", reason="nothing is compiled: there is no compiler or no Python.h"
)

STAYING = [SEATS, (0, 1), (1, 2), (0, 2)]


def in_python(evaluator: Evaluator, seat: int, budget: Budget) -> Search:
    """Return the search in Python."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paranoid, "CompiledSearch", None)
        return in_c(evaluator, seat, budget)


def in_c(evaluator: Evaluator, seat: int, budget: Budget) -> Search:
    """Return the compiled search."""
    return Search(evaluator, seat, Meter(budget))


def position(dice: random.Random, board: GridNames) -> tuple[Grid, Node]:
    """Return a position of a random match in which a seat can move, often with walls or without a seat that left."""
    staying = dice.choice([SEATS, *STAYING])
    while True:
        cells = dice.sample(split_cells(board.board), 18)
        walls, cells = sum(cells[: dice.choice([0, 1, 3])]), cells[3:]
        grid = Grid(board.board & ~walls, board.stride, staying)
        before = node = grid.node((sum(cells[:5]), sum(cells[5:10]), sum(cells[10:])), staying[0])
        for _ in range(dice.randint(1, board.board.bit_count())):
            if node.turn >= 0:
                before, node = node, grid.after(node, dice.choice(split_cells(node.reach[node.turn])))
        if before.turn >= 0:
            return grid, node if node.turn >= 0 else before


def found(
    search: Callable[[Evaluator, int, Budget], Search], evaluator: Evaluator, node: Node, budget: Budget
) -> list[object]:
    """Return everything that searches of one position find."""
    seen = list[object]()
    moves = split_cells(node.reach[node.turn])
    for seat in evaluator.grid.staying:
        valuing = search(evaluator, seat, budget)
        seen += [valuing.value(node), valuing.depth, valuing.to_the_end]
    best = search(evaluator, node.turn, budget)
    seen += [best.best(node, moves), best.depth, best.to_the_end]
    return [*seen, search(evaluator, node.turn, budget).compare(node, moves, moves[-1])]


@pytest.mark.parametrize(("board", "stages"), [(GRID, STAGES), (TRIBOARD, TRIBOARD_STAGES)])
@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(4, 50))])
def test_both_searches_find_the_same_for_the_same_number_of_positions(
    board: GridNames, stages: Sequence[Weights], seed: int
) -> None:
    """Moves, values, depths, and whether they are exact: at 20 positions for each seed."""
    dice = random.Random(seed)  # noqa: S311 - seeded positions, no secret
    for _ in range(20):
        grid, node = position(dice, board)
        budget, evaluator = Budget("hard", dice.randint(1, 500)), Evaluator(grid, stages)
        assert found(in_c, evaluator, node, budget) == found(in_python, evaluator, node, budget), (node, budget.nodes)


def test_the_end_of_a_match_has_the_same_value() -> None:
    """For each seat, by place and margin."""
    grid, cells = Grid(GRID.board, GRID.stride), split_cells(GRID.board)
    for one, other in ((0, 0), (27, 54), (40, 41), (40, 80), (1, 2)):
        owned: tuple[Cells, Cells, Cells] = (sum(cells[:one]), sum(cells[one:other]), sum(cells[other:]))
        for seat in SEATS:
            values = [
                search(Evaluator(grid, STAGES), seat, Budget("hard")).value(grid.node(owned, 0))
                for search in (in_c, in_python)
            ]
            assert values[0] == values[1] is not None


def test_an_error_of_the_clock_is_raised() -> None:
    """It is not taken for the end of the budget."""

    def broken() -> bool:
        raise ZeroDivisionError

    grid, node = late_position(2, 50)
    with pytest.raises(ZeroDivisionError):
        in_c(Evaluator(grid, STAGES), node.turn, Budget("hard", None, broken)).value(node)


def test_what_the_compiled_search_cannot_take_is_refused() -> None:
    """Another size, a depth beyond its memory, and what is no position or no move."""
    grid, node = late_position(2, 50)
    cells, stride, weights, ranks = Evaluator(grid, STAGES).packed
    all_stay = (True, True, True)
    for wrong in (
        (cells[:24], stride, weights, ranks, 0, all_stay),
        (cells, 1, weights, ranks, 0, all_stay),
        (cells, stride, weights[8:], ranks, 0, all_stay),
        (cells, stride, weights, ranks[4:], 0, all_stay),
        (cells, stride, weights, ranks, 3, all_stay),
        (cells, stride, weights, ranks, 0, (True, False, False)),
    ):
        with pytest.raises(ValueError, match="another"):
            compiled.Search(lambda: 1, *wrong)
    search = compiled.Search(lambda: 1, cells, stride, weights, ranks, 0, all_stay)
    for owned, turn, depth in (
        (node.owned, 3, 1),
        (node.owned, 0, -1),
        (node.owned, 0, 193),
        ((1 << 191, 0, 0), 0, 1),
    ):
        with pytest.raises(ValueError, match="not a position"):
            search.value(pack(owned), turn, depth)
    for move in (-1, 192, 1000, node.owned[0].bit_length() - 1):
        with pytest.raises(ValueError, match="cannot move"):
            search.rank(pack(node.owned), node.turn, [move], 1)
