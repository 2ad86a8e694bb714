"""The compiled search of Nine Men's Morris finds exactly what the search in Python finds."""

import random
from collections.abc import Iterator

import pytest

from service.domain.game import Budget
from service.domain.games.morris import bot
from service.domain.games.morris.bot import Board, new_search
from service.domain.games.morris.evaluation import pack_tables
from service.domain.games.morris.model import Options
from service.domain.games.morris.turns import TO_PLACE, Packed
from service.domain.search.alphabeta import Deepening
from tests.domain.games.test_morris_bot import NAMES, RULES

compiled = pytest.importorskip(
    "service.domain.games.morris.compiled", reason="nothing is compiled: there is no compiler or no Python.h"
)

POSITIONS = 112
"""The number of positions per set of options, 2,016 in all."""


def in_python(board: Board, budget: Budget, seen: list[Packed], repetition: int) -> Deepening:
    """Return the search in Python."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bot, "CompiledSearch", None)
        return new_search(board, budget, seen, repetition)


def positions(options: Options, seed: int) -> Iterator[tuple[Packed, list[Packed]]]:
    """Return positions of random matches, each with some that were there before."""
    dice = random.Random(seed)  # noqa: S311 - seeded positions, no secret
    board = Board(options)
    for _ in range(POSITIONS):
        position, before = 18 << TO_PLACE, list[Packed]()
        for _ in range(dice.randint(0, 80)):
            turns = [after for after in board.turns(position) if after >= 0]
            if turns:
                before.append(position)
                position = dice.choice(turns)
        turns = board.turns(position)
        again = [after for after in turns if after >= 0 and not after >> TO_PLACE]
        if len(turns) > 1:
            yield position, [*before[-8:], *dice.sample(again, len(again) // 4)]


@pytest.mark.parametrize("options", RULES, ids=NAMES)
def test_both_searches_choose_the_same_turn_for_the_same_number_of_positions(options: Options) -> None:
    """And find the same values, the history of cutoffs and repetitions included."""
    dice, compared = random.Random(1), 0  # noqa: S311 - as above
    for position, seen in positions(options, seed=2):
        turns = Board(options).turns(position)
        dice.shuffle(turns)
        budget, some, repetition = Budget("hard", dice.randint(1, 500)), turns[::3], dice.choice([0, bot.REPETITION])
        in_c, python = (
            (
                search(Board(options), budget, seen, repetition).compare(turns, some, 60),
                search(Board(options), budget, seen, repetition).values(turns, 2),
            )
            for search in (new_search, in_python)
        )
        assert in_c == python, (position, budget.nodes)
        compared += 1
    assert compared > POSITIONS // 2


def test_the_compiled_search_ends_when_it_is_late() -> None:
    """Its clock is read as often as that of the search in Python."""
    readings = list[int]()

    def late() -> bool:
        readings.append(1)
        return len(readings) == 3

    board = Board(Options())
    turns = board.turns(18 << TO_PLACE)
    assert new_search(board, Budget("hard", None, late), []).best(turns, 60) in turns
    assert len(readings) == 3


def test_an_error_of_the_clock_is_raised() -> None:
    """It is not taken for the end of the budget."""

    def broken() -> bool:
        raise ZeroDivisionError

    board = Board(Options())
    with pytest.raises(ZeroDivisionError):
        new_search(board, Budget("hard", None, broken), []).best(board.turns(18 << TO_PLACE), 60)


def test_what_the_compiled_search_cannot_take_is_refused() -> None:
    """Weights of another size, a depth beyond its memory, and a position that is none."""
    rules = dict.fromkeys(("one_flies", "both_fly", "double_mill", "removes_all", "removes_of_three"), True)
    with pytest.raises(ValueError, match="weights"):
        compiled.Search(lambda: 1, b"", [], 0, **rules)
    search = compiled.Search(lambda: 1, pack_tables(), [], 0, **rules)
    for depth in (-1, 64):
        with pytest.raises(ValueError, match="too deep"):
            search.rank([1], depth)
        with pytest.raises(ValueError, match="too deep"):
            search.reply(1, depth)
    with pytest.raises(OverflowError):
        search.rank([1 << 64], 1)
    with pytest.raises(ValueError, match="second"):
        search.__init__(lambda: 1, pack_tables(), [], 0, **rules)
