"""Turncoat's bot: what it foresees is what the rules do, it takes what is won, and nobody can foresee it."""

import random
import sys
from collections.abc import Iterator
from itertools import product
from typing import Literal

import pytest

from service.arena.match_runner import play
from service.arena.report import Score, ranking
from service.arena.schedule import Plan, fixture
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Budget, Level, Outcome, Seat
from service.domain.games.turncoat import GAME
from service.domain.games.turncoat.board import SQUARES, Squares
from service.domain.games.turncoat.bot import choose, round_of, round_value
from service.domain.games.turncoat.engine.forecast import MOST_TURNED, finishing_turns, places, turn_disc
from service.domain.games.turncoat.model import Commit, Options, Position, Select, Side, TurncoatMove
from service.domain.games.turncoat.rules import COMMIT, evolve, turn
from tests.domain.games.test_turncoat import MOSTLY_WHITE, RED, YELLOW, after, both_committed, played, table
from tests.domain.games.test_turncoat_ending import RED_HAS_ONE_LEFT

HARD = Budget("hard", nodes=10_000)
MEDIUM = Budget("medium", nodes=10_000)


def boards(seed: int) -> tuple[Squares, Squares]:
    """Return a board of any look: where discs lie, and which show white."""
    dice = random.Random(seed)  # noqa: S311 - the boards of the law
    discs = (1 << 64) - 1
    for _ in range(dice.randrange(4)):
        discs &= ~(1 << dice.randrange(64))
    white = dice.getrandbits(64) & discs
    for _ in range(dice.randrange(4)):
        white = white & dice.getrandbits(64) if seed % 2 else (white | dice.getrandbits(64)) & discs
    return discs, white


def asked(position: Position, seat: Seat, budget: Budget, seed: int = 0) -> TurncoatMove:
    """Return what the bot plays with the chance of this seed."""
    return choose(position, seat, Chance(seed.to_bytes(32, "big"), (), DrawNumber(0)), budget)


@pytest.mark.parametrize("seed", range(60))
def test_a_turn_is_foreseen_as_the_rules_make_it(seed: int) -> None:
    """For every disc of a board."""
    compare_turns(seed)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_turn_is_foreseen_as_the_rules_make_it_over_a_million_times() -> None:
    """The same on twenty thousand other boards."""
    sys.stderr.write(f"{sum(compare_turns(seed) for seed in range(60, 20_060)):,} turns compared\n")


def compare_turns(seed: int) -> int:
    """Compare the forecast of each disc of a board with the rules, and return how many discs there were."""
    discs, white = boards(seed)
    position = Position(Options(), discs, (Side(white), Side(white)))
    for at in places(discs):
        told = turn(position, RED, 1, SQUARES[at])
        assert turn_disc(discs, white, at) == evolve(position, told).sides[RED].white
        assert 1 + len(told.trapped) <= MOST_TURNED
    return discs.bit_count()


@pytest.mark.parametrize("seed", range(200))
def test_every_turn_that_leaves_no_white_is_found(seed: int) -> None:
    """A board is made by a turn that undoes it, so that most of these boards have one."""
    discs, _ = boards(seed)
    dice = random.Random(seed)  # noqa: S311 - the boards of the law
    white = turn_disc(discs, 0, dice.choice(places(discs))) | (dice.random() < 0.2) * boards(seed)[1]
    assert finishing_turns(discs, white) == [at for at in places(discs) if not turn_disc(discs, white, at)]


@pytest.mark.parametrize("budget", [HARD, MEDIUM, Budget("hard", nodes=1)])
def test_the_last_white_disc_is_turned(budget: Budget) -> None:
    """Whatever else there is to select, and however little time."""
    for seed in range(5):
        assert asked(table(RED_HAS_ONE_LEFT), RED, budget, seed) == Select(at="c2")


def won_in_each_case(seed: int) -> Iterator[tuple[Position, set[str]]]:
    """Yield positions near the end with the selections after which the rules let red win, whatever yellow selects."""
    dice = random.Random(seed)  # noqa: S311 - the positions of the law
    discs = boards(seed)[0]
    for _ in range(30):
        red, yellow = (turn_disc(discs, 0, dice.choice(places(discs))) for _ in range(2))
        red, yellow = (turn_disc(discs, white, dice.choice(places(discs))) for white in (red, yellow))
        position = Position(Options(selectable="white_only"), discs, (Side(red), Side(yellow)))
        if red and 0 < yellow.bit_count() < 5 and red.bit_count() < 5:
            yield position, {own for own in named(red) if all(wins(position, own, other) for other in named(yellow))}


def named(squares: Squares) -> list[str]:
    """Return the squares' names."""
    return [SQUARES[at] for at in places(squares)]


def wins(position: Position, own: str, other: str) -> bool:
    """Tell whether the rules end the match in red's favour in this round."""
    outcome = ended(position, own, other)
    return outcome is not None and outcome.winners == (RED,)


def ended(position: Position, red: str, yellow: str) -> Outcome | None:
    """Return the outcome after a round in which these squares were selected."""
    both = both_committed(position, red, yellow)
    return GAME.outcome(after(both, GAME.follow(both, Chance(bytes(32), (), DrawNumber(0)))))


def test_a_selection_that_wins_whatever_the_other_selects_is_never_missed() -> None:
    """In the first half or the second one, over positions near the end."""
    found = [one for seed in range(40) for one in won_in_each_case(seed)]
    sure = [(position, squares) for position, squares in found if squares]
    assert len(sure) > 50
    for position, squares in sure:
        move = asked(position, RED, HARD)
        assert isinstance(move, Select)
        assert move.at in squares


def test_a_match_that_both_can_end_is_ended() -> None:
    """The draw of two black boards is better than leaving the other one alone with its."""
    one_left = RED_HAS_ONE_LEFT.replace("W W W W W W W W", "B B B B B B B B").replace("| B B B", "| W B B", 1)
    for seat in (RED, YELLOW):
        position = table(one_left)
        move = asked(position, seat, HARD)
        assert isinstance(move, Select)
        assert turn_disc(position.discs, position.sides[seat].white, SQUARES.index(move.at)) == 0


def test_the_bot_stands_by_its_selection() -> None:
    """Once it has selected it commits, whatever its chance."""
    position = played(table(MOSTLY_WHITE), (RED, Select(at="a2")))
    assert {asked(position, RED, HARD, seed) for seed in range(5)} == {COMMIT}
    assert isinstance(asked(position, YELLOW, HARD), Select)


def test_what_the_other_has_selected_or_committed_changes_nothing() -> None:
    """The bot thinks of what its opponent may select, also where it knows that it did."""
    waiting = table(MOSTLY_WHITE)
    for seen in (played(waiting, (RED, Select(at="a2"))), played(waiting, (RED, Select(at="h1")), (RED, Commit()))):
        assert asked(seen, YELLOW, HARD) == asked(waiting, YELLOW, HARD)


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_a_selection_can_not_be_foreseen(level: Level) -> None:
    """Most positions of the middle of a match are played in several ways."""
    several = 0
    for seed in range(10):
        discs, red = boards(2 * seed + 1)
        position = Position(Options(), discs, (Side(red), Side(turn_disc(discs, red, places(discs)[seed]))))
        several += len({asked(position, RED, Budget(level, nodes=10_000), chance) for chance in range(6)}) > 1
    assert several > 5


@pytest.mark.parametrize("at_limit", ["draw", "fewest_white"])
def test_a_round_is_worth_what_the_rules_make_of_it(at_limit: Literal["draw", "fewest_white"]) -> None:
    """In the last round each pair of selections is won, drawn or lost; before, whatever ends the match."""
    for seed, number in product(range(12), (8, 9)):
        discs, red = boards(2 * seed + 1)
        yellow = red & boards(seed + 1)[1]
        position = Position(Options("any", 9, at_limit), discs, (Side(red), Side(yellow)), number)
        now = round_of(position, RED)
        for own, other in product(places(discs)[::7], places(discs)[::5]):
            foreseen = round_value(now, turn_disc(discs, red, own), turn_disc(discs, yellow, other), own, other)
            outcome = ended(position, SQUARES[own], SQUARES[other])
            if outcome is None:
                assert -1 < foreseen < 1
            else:
                assert foreseen == (outcome.places[YELLOW] - outcome.places[RED])


def measured(one: str, other: str, matches: int) -> Score:
    """Return how a player stands after matches against another one."""
    plan = Plan(game="turncoat", players=(one, other), options={}, seed=5, opening=0, nodes=10_000)
    return ranking([play(plan, fixture(plan, number)) for number in range(matches)])[0]


def test_hard_beats_greedy_in_a_few_matches() -> None:
    """Eight of the two hundred below."""
    stands = measured("hard", "greedy", 8)
    assert (stands.player, stands.wins >= 6, stands.losses <= 1) == ("hard", True, True)


@pytest.mark.soak
def test_hard_wins_three_of_four_matches_against_greedy_and_loses_one_of_ten_at_most() -> None:
    """The figure that the bot is held to."""
    stands = measured("hard", "greedy", 200)
    assert stands.player == "hard"
    assert stands.wins >= 150
    assert stands.losses <= 20
