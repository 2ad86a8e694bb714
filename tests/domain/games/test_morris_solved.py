"""The solved endings of Nine Men's Morris: the tables agree with the rules, and the bot plays and answers by them."""

import os
import random
import shutil
import zlib
from collections import Counter
from collections.abc import Iterator
from math import comb

import pytest
from msgspec.structs import replace

from bench.endings.__main__ import TABLES, solve
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Budget
from service.domain.games.morris import GAME
from service.domain.games.morris.bot import choose, position_of, turns_at, value_after
from service.domain.games.morris.endings import are_solved, images
from service.domain.games.morris.model import BLACK, WHITE, MorrisMove, Options, Position
from service.domain.games.morris.turns import Turns
from service.domain.search.alphabeta import WIN
from tests.domain.games.test_morris_board import board
from tests.domain.games.test_morris_bot import after, turns_by_rules

SIZES = [(3, 3), (4, 3), (3, 4), (4, 4)]
USUAL = Options()


def positions(mine: int, other: int, count: int) -> Iterator[Position]:
    """Yield random positions with so many men of each side, white to move."""
    dice = random.Random(10 * mine + other)  # noqa: S311 - seeded positions, no secret
    for _ in range(count):
        spots = dice.sample(range(24), mine + other)
        white, black = (sum(1 << spot for spot in half) for half in (spots[:mine], spots[mine:]))
        yield Position(USUAL, men=(white, black), hand=(0, 0))


def value_of(state: Position) -> int:
    """Return the value of a position for the side to move by the tables."""
    return -value_after(position_of(state, state.mover), ())


@pytest.mark.skipif(not shutil.which(os.environ.get("CC", "cc")), reason="no C compiler")
def test_three_against_three_is_what_the_program_makes_of_it() -> None:
    """Gasser's count of the positions; each block counts once for each different image of its set."""
    [table] = solve(["33"]).values()
    assert zlib.decompress((TABLES / "endings_3_3.zlib").read_bytes()) == table
    found, size = Counter[str](), 3 + comb(21, 3)
    for at in range(0, len(table), size):
        mine = int.from_bytes(table[at : at + 3])
        values = Counter("drawn" if not byte else "lost" if byte % 2 else "won" for byte in table[at + 3 : at + size])
        assert sum(values.values()) == comb(21, 3)
        found.update({name: number * len(set(images(mine))) for name, number in values.items()})
    assert found.total() == 2_691_920


@pytest.mark.parametrize(("mine", "other"), SIZES)
def test_a_table_agrees_with_the_rules(mine: int, other: int) -> None:
    """A position is worth one turn less than the best of the positions to which the rules allow a turn."""
    for state in positions(mine, other, 200):
        values = [value_after(then, ()) for then in turns_by_rules(state)]
        best = max(values, default=-WIN - 1)
        assert value_of(state) == best + (best < 0) - (best > 0)


@pytest.mark.parametrize(("mine", "other"), SIZES)
def test_the_bot_keeps_the_value_of_a_solved_position(mine: int, other: int) -> None:
    """Against itself: it wins in the fewest turns, loses in no fewer than it has to, and holds a draw."""
    for state in positions(mine, other, 12):
        turns, last = play(state)
        if value := value_of(state):
            assert turns == WIN - abs(value)
            assert last.outcome
            assert last.outcome.places[WHITE] == (1 if value > 0 else 2)
        else:
            assert last.outcome is None or last.outcome.reason == "repetition"


def play(state: Position) -> tuple[int, Position]:
    """Return after how many turns the bot's match against itself ends, at most 80, and how."""
    turns = 0
    while turns < 80 and not state.outcome:
        mover = state.mover
        while state.mover == mover and not state.outcome:
            state = after(state, choose_by_table(state))
        turns += 1
    return turns, state


def choose_by_table(state: Position) -> MorrisMove:
    """Return the bot's move without any search."""
    return choose(state, state.mover, Chance(bytes(32), (), DrawNumber(0)), Budget("expert", 0))


@pytest.mark.parametrize(("mine", "other"), SIZES)
def test_a_draw_is_accepted_except_by_the_winner(mine: int, other: int) -> None:
    """At every level, without a search, for both seats."""
    assert GAME.accepts_draw
    for state in positions(mine, other, 20):
        value = value_of(state)
        assert GAME.accepts_draw(state, WHITE, Budget("easy", 0)) == (value <= 0)
        assert GAME.accepts_draw(state, BLACK, Budget("easy", 0)) == (value >= 0)


def test_a_third_occurrence_is_a_draw() -> None:
    """However good the position is: the bot wins later instead."""
    for state in positions(3, 3, 5):
        best = choose_by_table(state)
        then = after(state, best)
        if then.outcome or then.removals_owed:
            continue
        again = replace(state, seen=then.seen * 2)
        assert choose_by_table(again) != best


@pytest.mark.parametrize(
    ("men", "options"), [((3, 3), Options(flying="reduced")), ((4, 4), Options(all_in_mills="any")), ((5, 4), USUAL)]
)
def test_other_positions_are_searched(men: tuple[int, int], options: Options) -> None:
    """With more men, or with rules for which no table was made."""
    state = replace(next(positions(*men, 1)), options=options)
    assert not are_solved(turns_at(Turns(options), state, WHITE), options)


def test_a_position_with_men_in_hand_is_not_solved() -> None:
    """Three men on the board and one in hand."""
    state = board("WWB BB. ... ...... ... ... W..", hand=(1, 1))
    assert not are_solved(turns_at(Turns(USUAL), state, WHITE), USUAL)
