"""The paranoid search: the exact value near the end, deterministic results, and an end within its budget."""

import random

import pytest

from service.domain.boards.capture_game import Cells, Owned, split_cells
from service.domain.game import Budget
from service.domain.games.ternio.model import GRID
from service.domain.games.ternio.rules import STAGES
from service.domain.search.evaluation import SEATS, Evaluator, Grid, Node, sort_by_openness
from service.domain.search.meter import BudgetSpent, Meter
from service.domain.search.paranoid import INFINITY, STEP, Search, TreeSearch

START: Owned = (
    GRID.cells_of(("e5", "e4", "f4")),
    GRID.cells_of(("f6", "d5", "f5")),
    GRID.cells_of(("d6", "e6", "d4")),
)


def late_position(seed: int, empty: int, staying: tuple[int, ...] = SEATS) -> tuple[Grid, Node]:
    """Return a position of a random match in which a seat can move, with at most so many empty squares."""
    own, grid = random.Random(seed), Grid(GRID.board, GRID.stride, staying)  # noqa: S311 - which moves are played
    node = grid.node(START, staying[0])
    while node.empty.bit_count() > empty:
        node = grid.after(node, own.choice(list(split_cells(node.reach[node.turn]))))
        assert node.turn >= 0
    return grid, node


def new_search(grid: Grid, seat: int, nodes: int | None = None) -> Search:
    """Return a search for this seat."""
    return Search(Evaluator(grid, STAGES), seat, Meter(Budget("expert", nodes)))


def new_tree(grid: Grid, seat: int) -> TreeSearch:
    """Return the search in Python for this seat."""
    return TreeSearch(Evaluator(grid, STAGES), seat, Meter(Budget("hard")))


def exact_value(search: TreeSearch, grid: Grid, node: Node, seat: int) -> int:
    """Return the value of a position by searching every line to its end, without pruning."""
    if node.turn < 0:
        return search.final_value(node)
    values = [exact_value(search, grid, grid.after(node, move), seat) for move in split_cells(node.reach[node.turn])]
    return max(values) if node.turn == seat else min(values)


@pytest.mark.parametrize("staying", [SEATS, (0, 2)], ids=["three", "two"])
@pytest.mark.parametrize("seed", range(12))
def test_near_the_end_the_best_move_is_chosen(seed: int, staying: tuple[int, ...]) -> None:
    """With five empty squares no other move is better against two opponents who cooperate."""
    grid, node = late_position(seed, 5, staying)
    seat = node.turn
    search = new_search(grid, seat)
    move = search.best(node, tuple(split_cells(node.reach[seat])))
    assert search.to_the_end
    tree = new_tree(grid, seat)
    assert exact_value(tree, grid, grid.after(node, move), seat) == exact_value(tree, grid, node, seat)


@pytest.mark.parametrize("seed", range(4))
def test_each_move_has_its_own_value(seed: int) -> None:
    """Near the end they are exact, and in the order of the moves; those that the budget does not allow are missing."""
    grid, node = late_position(seed, 5, SEATS)
    seat, moves = node.turn, tuple(split_cells(node.reach[node.turn]))
    exact = [exact_value(new_tree(grid, seat), grid, grid.after(node, move), seat) for move in moves]
    assert new_search(grid, seat).values(node, moves, 10) == exact
    assert new_search(grid, seat, 1).values(node, moves, 1) == new_search(grid, seat).values(node, moves[:1], 1)


def test_a_meter_stops_at_the_smaller_of_two_limits() -> None:
    """The level's and the budget's."""
    for most, nodes in ((3, None), (3, 7), (7, 3)):
        meter = Meter(Budget("hard", nodes), most)
        for _ in range(3):
            meter.tick()
        with pytest.raises(BudgetSpent):
            meter.tick()


def final_board(*counts: int) -> Node:
    """Return a final board on which the seats have so many squares."""
    squares, owned = list(split_cells(GRID.board)), []
    for count in counts:
        owned.append(sum(squares[:count]))
        squares = squares[count:]
    return Node((owned[0], owned[1], owned[2]), sum(squares), (0, 0, 0), -1)


def test_a_better_place_is_worth_more_than_any_margin() -> None:
    """First alone, first with one, second alone, third; the margin over the best rival decides within a place."""
    search = new_tree(Grid(GRID.board, GRID.stride), 0)
    values = [
        search.final_value(final_board(*counts))
        for counts in ((40, 20, 21), (31, 30, 20), (40, 40, 1), (30, 50, 1), (1, 40, 40))
    ]
    assert values == sorted(values, reverse=True)
    assert values[0] // STEP == values[1] // STEP


def test_a_dropped_seat_is_no_rival() -> None:
    """Red dropped out with the most discs; green is ahead of blue and so has won."""
    search = new_tree(Grid(GRID.board, GRID.stride, (1, 2)), 1)
    assert search.final_value(final_board(60, 15, 6)) == 2 * STEP + 9


def test_a_final_value_exceeds_any_estimate() -> None:
    """A certain win beats the best estimate, a certain last place loses to the worst."""
    grid, node = late_position(1, 40)
    search = new_tree(grid, 0)
    assert abs(search.estimate(node)) < STEP < INFINITY


@pytest.mark.parametrize("nodes", [1, 7, 100, 3000])
def test_the_search_is_deterministic(nodes: int) -> None:
    """A position, an order of moves and a number of positions to search determine the move."""
    grid, node = late_position(2, 50)
    moves = tuple(split_cells(node.reach[node.turn]))
    assert len({new_search(grid, node.turn, nodes).best(node, moves) for _ in range(3)}) == 1


def test_a_search_ends_when_its_budget_is_used_up() -> None:
    """It searches no more positions than allowed, and still returns a move."""
    grid, node = late_position(3, 50)
    meter = Meter(Budget("expert", 500))
    search = Search(Evaluator(grid, STAGES), node.turn, meter)
    assert search.best(node, tuple(split_cells(node.reach[node.turn]))) & node.reach[node.turn]
    assert meter.nodes == 500
    assert not search.to_the_end


def test_a_search_ends_when_its_time_is_over() -> None:
    """It is late from the start: the best move found by then is returned."""
    grid, node = late_position(3, 50)
    meter = Meter(Budget("expert", None, lambda: True))
    search = Search(Evaluator(grid, STAGES), node.turn, meter)
    assert search.best(node, tuple(split_cells(node.reach[node.turn]))) & node.reach[node.turn]
    assert meter.nodes == 256


def test_corners_and_edges_are_found_by_the_number_of_lines() -> None:
    """Four corners, 28 other squares at the edge, and 49 open ones; a wall makes its neighbours safer."""
    assert [kind.bit_count() for kind in sort_by_openness(Grid(GRID.board, GRID.stride))] == [4, 28, 0, 0, 49]
    wall: Cells = 1 << 4 + 4 * GRID.stride
    assert [kind.bit_count() for kind in sort_by_openness(Grid(GRID.board & ~wall, GRID.stride))] == [4, 28, 0, 8, 40]


def test_a_corner_is_worth_more_than_the_square_next_to_it() -> None:
    """On an empty board a1 is better than b2."""
    cell_ranks = Evaluator(Grid(GRID.board, GRID.stride), STAGES).cell_ranks
    assert cell_ranks[1] == max(cell_ranks.values())
    assert cell_ranks[1 << 1 + GRID.stride] == min(cell_ranks.values())


def test_values_do_not_depend_on_colours() -> None:
    """When the seats exchange their colours, the values are exchanged with them."""
    grid, node = late_position(4, 30)
    one, two, three = node.owned
    turned: Owned = (three, one, two)
    evaluator = Evaluator(grid, STAGES)
    values = evaluator.evaluate(node)
    assert evaluator.evaluate(grid.node(turned, (node.turn + 1) % 3)) == [values[2], values[0], values[1]]
