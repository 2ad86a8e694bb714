"""Perft: the number of ways that play can continue, ply by ply, compared with independently computed figures.

A removal is a ply of its own. A match that is over before the depth is reached counts as one way.
"""

import pytest

from service.domain.games.morris import GAME
from service.domain.games.morris.board import BIT
from service.domain.games.morris.model import MorrisMove, Options, Position, Shift

FULL_MILL_AGAINST_FOUR = ("a7 g7 d6 b2", "c5 d5 e5", 0)
LAST_PLACEMENTS = ("d7 g7 a4 a1 e3", "b6 d6 f6 b4 c5", 1)


def count_ways(state: Position, depth: int) -> int:
    """Count the sequences of plies to this depth; the last ply is counted without playing it."""
    if not GAME.to_move(state):
        return 1
    moves = list(GAME.legal_moves(state, state.mover))
    if depth == 1:
        return len(moves)
    return sum(count_ways(after(state, move), depth - 1) for move in moves)


def after(state: Position, move: MorrisMove) -> Position:
    """Return the position after a move of the seat to move."""
    (event,) = GAME.decide(state, state.mover, move)
    return GAME.evolve(state, event)


def position(white: str, black: str, in_hand: int, options: Options) -> Position:
    """Return the position with these men and white to move; men that are neither here nor in hand are lost."""
    men = sum(BIT[name] for name in white.split()), sum(BIT[name] for name in black.split())
    return Position(options, men=men, hand=(in_hand, in_hand))


@pytest.mark.parametrize(("depth", "expected"), [(1, 24), (2, 552), (3, 12144), (4, 255024), (5, 5100480)])
def test_from_the_start(depth: int, expected: int) -> None:
    """The fifth ply is the first that can close a mill, and none of the first five is a removal."""
    start = GAME.start(Options(flying="reduced", all_in_mills="any", double_mill="one"))
    assert count_ways(start, depth) == expected


@pytest.mark.parametrize(
    ("men", "options", "expected"),
    [
        (FULL_MILL_AGAINST_FOUR, Options(), (68, 3468, 235824)),
        (FULL_MILL_AGAINST_FOUR, Options(flying="reduced", all_in_mills="any", double_mill="one"), (9, 411, 3465)),
        (FULL_MILL_AGAINST_FOUR, Options(flying="off"), (9, 21, 167)),
        (LAST_PLACEMENTS, Options(), (14, 171, 1182)),
        (LAST_PLACEMENTS, Options(double_mill="one"), (14, 171, 1208)),
    ],
)
def test_from_a_position(men: tuple[str, str, int], options: Options, expected: tuple[int, ...]) -> None:
    """Flying, the protection of mills and double mills each change the figures."""
    state = position(*men, options)
    assert tuple(count_ways(state, depth) for depth in (1, 2, 3)) == expected


def test_a_match_that_is_over_has_no_further_plies() -> None:
    """Closing a mill and removing any of three men wins in three ways at the second ply, and nothing follows."""
    state = position(*FULL_MILL_AGAINST_FOUR, Options(flying="reduced", all_in_mills="any", double_mill="one"))
    owing = after(state, Shift("d6", "d7"))
    assert [count_ways(owing, depth) for depth in (1, 2, 3, 4)] == [3, 3, 3, 3]
