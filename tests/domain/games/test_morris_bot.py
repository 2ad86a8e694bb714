"""The bot of Nine Men's Morris: its search generates the turns that the rules allow, and it finds short wins."""

import random
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import get_args

import pytest
from msgspec.structs import replace

from service.domain.chance import Chance, DrawNumber
from service.domain.game import Budget, Level
from service.domain.games.morris import GAME
from service.domain.games.morris.bot import choose, position_of, turns_at
from service.domain.games.morris.endings import images
from service.domain.games.morris.evaluation import evaluate, stage_of
from service.domain.games.morris.model import BLACK, OPPONENT, WHITE, MorrisMove, Options, Position
from service.domain.games.morris.turns import ALL, OTHER, TO_PLACE, Packed, Turns
from tests.domain.games.test_morris_board import board, format_move, play_moves

RULES = [
    Options(flying=flying, all_in_mills=mercy, double_mill=double, repetition=False, quiet_limit=0)  # type: ignore[arg-type]  # a product of their values
    for flying, mercy, double in product(("both", "reduced", "off"), ("none", "three", "any"), ("two", "one"))
]
FEW, MANY = 150, 6000
"""The number of random positions per set of options at which the search is compared with the rules: short and soak."""
NAMES = [f"{options.flying}-{options.all_in_mills}-{options.double_mill}" for options in RULES]


def after(state: Position, move: MorrisMove) -> Position:
    """Return the state after a move."""
    for event in GAME.decide(state, state.mover, move):
        state = GAME.evolve(state, event)
    return state


def random_positions(options: Options, seed: int, count: int = FEW) -> Iterator[Position]:
    """Return positions with men anywhere, and those in the middle of a turn that has closed a mill there."""
    dice = random.Random(seed)  # noqa: S311 - seeded positions, no secret
    for _ in range(count):
        hands = dice.choice([(0, 0), (0, 0), (1, 0), (1, 1), (4, 3)])
        sizes = [dice.randint(3, 9 - hands[0]) for _ in range(2)]
        spots = dice.sample(range(24), sum(sizes))
        men = tuple(sum(1 << spot for spot in half) for half in (spots[: sizes[0]], spots[sizes[0] :]))
        state = Position(options, men=(men[0], men[1]), hand=hands)
        yield state
        owing = [then for move in GAME.legal_moves(state, WHITE) if (then := after(state, move)).removals_owed]
        yield from owing[:1]
        yield from [then for then in owing if then.removals_owed == 2][:1]


def turns_by_rules(state: Position) -> set[Packed]:
    """Return the positions that the rest of a turn can lead to, in the bot's encoding."""
    found: set[Packed] = set()
    for move in GAME.legal_moves(state, state.mover):
        then = after(state, move)
        if then.removals_owed and then.outcome is None:
            found |= turns_by_rules(then)
        elif then.outcome and then.outcome.reason == "too_few_men":
            found.add(~position_of(then, OPPONENT[state.mover]))
        else:
            found.add(position_of(then, OPPONENT[state.mover]))
    return found


@pytest.mark.parametrize("options", RULES, ids=NAMES)
def test_the_bot_generates_the_turns_that_the_rules_allow(options: Options) -> None:
    """Each turn with its removals leads to the same positions, each listed once; a side with too few men has lost."""
    compare_turns(options, seed=1, count=FEW)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("options", RULES, ids=NAMES)
def test_the_bot_generates_the_turns_that_the_rules_allow_at_many_positions(options: Options) -> None:
    """The same with other positions: some millions of turns over all options."""
    sys.stderr.write(f"{compare_turns(options, seed=4, count=MANY):,} turns compared\n")


def compare_turns(options: Options, seed: int, count: int) -> int:
    """Compare the turns of the bot's search with those of the rules, and return how many there were."""
    rules = Turns(options)
    lost = doubled = compared = 0
    for state in random_positions(options, seed, count):
        turns = turns_at(rules, state, state.mover)
        compared += len(turns)
        assert set(turns) == turns_by_rules(state)
        assert len(set(turns)) == len(turns)
        lost += any(turn < 0 for turn in turns)
        doubled += state.removals_owed == 2
    assert lost
    assert bool(doubled) == (options.double_mill == "two")
    return compared


def test_a_seat_that_cannot_move_has_no_turns() -> None:
    """The search counts that as a loss."""
    shut_in = board("WB. ... ... B..... ... ... ...", flying="off")
    assert turns_at(Turns(shut_in.options), shut_in, WHITE) == []
    assert len(turns_at(Turns(shut_in.options), shut_in, BLACK)) == 4


@pytest.mark.parametrize("options", RULES, ids=NAMES)
def test_noisy_turns_are_those_that_remove_a_man(options: Options) -> None:
    """The search goes on until no mill can be closed with a man to remove."""
    rules = Turns(options)
    for state in random_positions(options, seed=2):
        if not state.removals_owed:
            position = position_of(state, state.mover)
            before = (position >> OTHER & ALL).bit_count()
            fewer = {turn for turn in turns_at(rules, state, state.mover) if opponent_men(turn) < before}
            assert set(rules.noisy_turns(position)) == fewer


def opponent_men(turn: Packed) -> int:
    """Return how many men the other side has on the board after a turn."""
    return ((~turn if turn < 0 else turn) & ALL).bit_count()


@pytest.mark.parametrize("options", RULES[:3], ids=NAMES[:3])
def test_the_evaluation_obeys_the_symmetries_of_the_board(options: Options) -> None:
    """Each of the sixteen images of a position has its value.

    With the sides swapped it has the negative one, apart from a constant for being to move, as long as both have as
    many men to place.
    """
    sums = defaultdict[int, set[int]](set)
    for state in random_positions(options, seed=3):
        mine = position_of(state, WHITE)
        pairs = zip(images(mine & ALL), images(mine >> OTHER & ALL), strict=True)
        assert {evaluate(mine >> TO_PLACE << TO_PLACE | own | other << OTHER) for own, other in pairs} == {
            evaluate(mine)
        }
        if state.hand[0] == state.hand[1]:
            sums[stage_of(mine)].add(evaluate(mine) + evaluate(position_of(state, BLACK)))
    assert [len(each) for each in sums.values()] == [1] * len(sums)
    assert len(sums) > 1


def choose_move(state: Position, level: Level = "expert", seed: int = 0, nodes: int = 3000) -> str:
    """Return the move that the bot plays."""
    return format_move(choose(state, state.mover, Chance(bytes([seed]) * 32, (), DrawNumber(0)), Budget(level, nodes)))


def test_it_closes_a_mill_that_wins() -> None:
    """Removing black's third man wins, so white does it in any case."""
    state = board("WW. ... ... .....W ... .B. B.B", flying="off")
    assert {choose_move(state, seed=seed) for seed in range(5)} == {"g4-g7"}


def test_it_removes_the_man_that_threatens_most() -> None:
    """Black's man on d2 is in two lines with one empty point; after its removal black can close no mill at once."""
    state = play_moves(board("WW. ... ... ...... .B. BB. ...", hand=(7, 6)), "g7")
    assert choose_move(state) == "xd2"


def test_it_prevents_a_mill() -> None:
    """Black threatens to place on g7, so white places there."""
    state = board("BB. ... ... ..W... ... .W. ...", hand=(7, 7))
    assert {choose_move(state, level) for level in ("hard", "expert")} == {"g7"}


def test_it_blocks_the_other_side() -> None:
    """A side that cannot move has lost; from f4 the man moves to black's last free point."""
    state = board("BW. ... ... .W.... ... WWW ..W", flying="off")
    assert choose_move(state) == "b4-a4"


def test_it_does_not_repeat_a_position_when_it_is_winning() -> None:
    """A repeated position counts as a draw, so white, with six men against three, plays something else."""
    state = board("WWW .W. ... W..... .B. B.. W.B", flying="off")
    first = choose_move(state)
    position_before = after(state, next(move for move in GAME.legal_moves(state, WHITE) if format_move(move) == first))
    repeated = replace(state, seen=position_before.seen)
    assert choose_move(repeated) != first


def test_an_easy_bot_errs_more_than_the_others() -> None:
    """With other seeds it plays many other moves before black's open line; the strongest play one."""
    state = board("BB. ... ... ..W... ... .W. ...", hand=(7, 7))
    easy, *others = (len({choose_move(state, level, seed) for seed in range(40)}) for level in get_args(Level))
    assert easy > max(others)
    assert others[-2:] == [1, 1]
