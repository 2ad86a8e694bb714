"""Turncoat's bot: it predicts what the rules do, takes a won round, and cannot be predicted."""

import random
import sys
from collections.abc import Iterator
from itertools import product
from typing import Literal, get_args

import pytest

from bench.arena.match_runner import play
from bench.arena.report import Score, ranking
from bench.arena.schedule import Plan, fixture
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Budget, Level, Outcome, Seat
from service.domain.games.turncoat import GAME
from service.domain.games.turncoat.board import SQUARES, Squares
from service.domain.games.turncoat.bot import (
    MOST_TURNED,
    choose,
    finishing_turns,
    places,
    round_of,
    round_value,
    turn_disc,
)
from service.domain.games.turncoat.model import Commit, Options, Position, Select, Side, TurncoatMove
from service.domain.games.turncoat.rules import COMMIT, evolve, turn
from tests.domain.games.test_turncoat import MOSTLY_WHITE, RED, YELLOW, after, commit_both, parse_position, play_moves
from tests.domain.games.test_turncoat_ending import RED_HAS_ONE_LEFT

EXPERT = Budget("expert", nodes=10_000)
MEDIUM = Budget("medium", nodes=10_000)


def random_boards(seed: int) -> tuple[Squares, Squares]:
    """Return a board with random discs, and which of them are white."""
    dice = random.Random(seed)  # noqa: S311 - the boards of the law
    discs = (1 << 64) - 1
    for _ in range(dice.randrange(4)):
        discs &= ~(1 << dice.randrange(64))
    white = dice.getrandbits(64) & discs
    for _ in range(dice.randrange(4)):
        white = white & dice.getrandbits(64) if seed % 2 else (white | dice.getrandbits(64)) & discs
    return discs, white


def choose_move(position: Position, seat: Seat, budget: Budget, seed: int = 0) -> TurncoatMove:
    """Return the bot's move with the chance of this seed."""
    return choose(position, seat, Chance(seed.to_bytes(32, "big"), (), DrawNumber(0)), budget)


@pytest.mark.parametrize("seed", range(60))
def test_the_bot_predicts_a_turn_as_the_rules_make_it(seed: int) -> None:
    """For every disc of a board."""
    compare_turns(seed)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_the_bot_predicts_a_million_turns_as_the_rules_make_them() -> None:
    """The same on twenty thousand other boards."""
    sys.stderr.write(f"{sum(compare_turns(seed) for seed in range(60, 20_060)):,} turns compared\n")


def compare_turns(seed: int) -> int:
    """Compare the prediction for each disc of a board with the rules, and return how many discs there were."""
    discs, white = random_boards(seed)
    position = Position(Options(), discs, (Side(white), Side(white)))
    for at in places(discs):
        event = turn(position, RED, 1, SQUARES[at])
        assert turn_disc(discs, white, at) == evolve(position, event).sides[RED].white
        assert 1 + len(event.trapped) <= MOST_TURNED
    return discs.bit_count()


@pytest.mark.parametrize("seed", range(200))
def test_every_turn_that_leaves_no_white_is_found(seed: int) -> None:
    """The boards are made by undoing such a turn, so that most of them have one."""
    discs, _ = random_boards(seed)
    dice = random.Random(seed)  # noqa: S311 - the boards of the law
    white = turn_disc(discs, 0, dice.choice(places(discs))) | (dice.random() < 0.2) * random_boards(seed)[1]
    assert finishing_turns(discs, white) == [at for at in places(discs) if not turn_disc(discs, white, at)]


@pytest.mark.parametrize("budget", [EXPERT, MEDIUM, Budget("expert", nodes=1)])
def test_the_last_white_disc_is_turned(budget: Budget) -> None:
    """Whatever other selections there are, with any budget."""
    for seed in range(5):
        assert choose_move(parse_position(RED_HAS_ONE_LEFT), RED, budget, seed) == Select(at="c2")


def forced_wins(seed: int) -> Iterator[tuple[Position, set[str]]]:
    """Yield positions near the end with the selections after which red wins, whatever yellow selects."""
    dice = random.Random(seed)  # noqa: S311 - the positions of the law
    discs = random_boards(seed)[0]
    for _ in range(30):
        red, yellow = (turn_disc(discs, 0, dice.choice(places(discs))) for _ in range(2))
        red, yellow = (turn_disc(discs, white, dice.choice(places(discs))) for white in (red, yellow))
        position = Position(Options(selectable="white_only"), discs, (Side(red), Side(yellow)))
        if red and 0 < yellow.bit_count() < 5 and red.bit_count() < 5:
            yield (
                position,
                {
                    own
                    for own in square_names(red)
                    if all(is_won(position, own, other) for other in square_names(yellow))
                },
            )


def square_names(squares: Squares) -> list[str]:
    """Return the squares' names."""
    return [SQUARES[at] for at in places(squares)]


def is_won(position: Position, own: str, other: str) -> bool:
    """Return whether red wins in this round by the rules."""
    outcome = outcome_after(position, own, other)
    return outcome is not None and outcome.winners == (RED,)


def outcome_after(position: Position, red: str, yellow: str) -> Outcome | None:
    """Return the outcome after a round in which these squares were selected."""
    both = commit_both(position, red, yellow)
    return GAME.outcome(after(both, GAME.follow(both, Chance(bytes(32), (), DrawNumber(0)))))


def test_a_forced_win_is_never_missed() -> None:
    """In the first half or the second one, over positions near the end."""
    found = [one for seed in range(40) for one in forced_wins(seed)]
    sure = [(position, squares) for position, squares in found if squares]
    assert len(sure) > 50
    for position, squares in sure:
        move = choose_move(position, RED, EXPERT)
        assert isinstance(move, Select)
        assert move.at in squares


def test_the_bot_ends_a_match_that_both_could_end() -> None:
    """A draw with two black boards is better than a loss."""
    one_left = RED_HAS_ONE_LEFT.replace("W W W W W W W W", "B B B B B B B B").replace("| B B B", "| W B B", 1)
    for seat in (RED, YELLOW):
        position = parse_position(one_left)
        move = choose_move(position, seat, EXPERT)
        assert isinstance(move, Select)
        assert turn_disc(position.discs, position.sides[seat].white, SQUARES.index(move.at)) == 0


def test_the_bot_commits_to_its_selection() -> None:
    """Once it has selected it commits, with any chance."""
    position = play_moves(parse_position(MOSTLY_WHITE), (RED, Select(at="a2")))
    assert {choose_move(position, RED, EXPERT, seed) for seed in range(5)} == {COMMIT}
    assert isinstance(choose_move(position, YELLOW, EXPERT), Select)


def test_the_opponents_selection_or_commit_changes_nothing() -> None:
    """The bot considers what its opponent may select, even where it knows that there is a selection."""
    waiting = parse_position(MOSTLY_WHITE)
    for seen in (
        play_moves(waiting, (RED, Select(at="a2"))),
        play_moves(waiting, (RED, Select(at="h1")), (RED, Commit())),
    ):
        assert choose_move(seen, YELLOW, EXPERT) == choose_move(waiting, YELLOW, EXPERT)


@pytest.mark.parametrize("level", get_args(Level))
def test_a_selection_cannot_be_predicted(level: Level) -> None:
    """Most positions in the middle of a match are played in several ways."""
    several = 0
    for seed in range(10):
        discs, red = random_boards(2 * seed + 1)
        position = Position(Options(), discs, (Side(red), Side(turn_disc(discs, red, places(discs)[seed]))))
        several += len({choose_move(position, RED, Budget(level, nodes=10_000), chance) for chance in range(6)}) > 1
    assert several > 5


@pytest.mark.parametrize("at_limit", ["draw", "fewest_white"])
def test_a_round_has_the_value_of_its_result(at_limit: Literal["draw", "fewest_white"]) -> None:
    """In the last round each pair of selections is won, drawn or lost; before it, where the match ends."""
    for seed, number in product(range(12), (8, 9)):
        discs, red = random_boards(2 * seed + 1)
        yellow = red & random_boards(seed + 1)[1]
        position = Position(Options("any", 9, at_limit), discs, (Side(red), Side(yellow)), number)
        now = round_of(position, RED)
        for own, other in product(places(discs)[::7], places(discs)[::5]):
            foreseen = round_value(now, turn_disc(discs, red, own), turn_disc(discs, yellow, other), own, other)
            outcome = outcome_after(position, SQUARES[own], SQUARES[other])
            if outcome is None:
                assert -1 < foreseen < 1
            else:
                assert foreseen == (outcome.places[YELLOW] - outcome.places[RED])


def measure(one: str, other: str, matches: int) -> Score:
    """Return a player's score after matches against another one."""
    plan = Plan(game="turncoat", players=(one, other), options={}, seed=5, opening=0, nodes=10_000)
    return ranking([play(plan, fixture(plan, number)) for number in range(matches)])[0]


def test_the_expert_beats_greedy_in_a_few_matches() -> None:
    """Eight of the two hundred below."""
    score = measure("expert", "greedy", 8)
    assert (score.player, score.wins >= 6, score.losses <= 1) == ("expert", True, True)


def test_levels_end_their_matches() -> None:
    """They do not prevent each other from finishing: at most one of six matches reaches the limit of rounds."""
    plan = Plan(game="turncoat", players=("medium", "skilled"), options={}, seed=5, opening=0, nodes=10_000)
    ends = [play(plan, fixture(plan, number)).reason for number in range(6)]
    assert ends.count("round_limit") <= 1


@pytest.mark.soak
def test_the_expert_wins_three_of_four_matches_against_greedy() -> None:
    """It loses one of ten at most."""
    score = measure("expert", "greedy", 200)
    assert score.player == "expert"
    assert score.wins >= 150
    assert score.losses <= 20
