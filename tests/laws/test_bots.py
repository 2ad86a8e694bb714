"""The laws of bots: they play legally and repeatably, with the knowledge of their seat, and within their budget."""

import random
from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple, get_args

import msgspec
import pytest

from service.domain.catalog import GAMES, AnyGame
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Budget, Level, Move, Seat, redact
from tests.laws.options import combinations_of, describe
from tests.laws.play import CUT, PlayedMatch, play, send_and_decode

NODES = 60
"""The budget of most laws; bots have to work with any budget."""

POSITIONS = 3
"""The number of positions of a match at which bots choose moves."""

GAMES_WITH_BOTS = {slug: game for slug, game in GAMES.items() if game.choose}
COMBINATIONS = [(game, options) for game in GAMES_WITH_BOTS.values() for options in combinations_of(game)]
NAMES = [f"{game.slug}-{describe(options)}" for game, options in COMBINATIONS]
LEVELS: tuple[Level, ...] = get_args(Level)


class BotPosition(NamedTuple):
    """A position at which a seat's bot chooses a move."""

    game: AnyGame
    seat: Seat
    known: Any
    """The fold of the events redacted for the seat."""
    received: Any
    """The same with events that were encoded and decoded."""
    truth: Any

    @property
    def moves(self) -> list[Move]:
        """The legal moves."""
        return list(self.game.legal_moves(self.known, self.seat))

    def choose_move(self, state: Any, budget: Budget, seed: int = 0) -> Move:
        """Return the bot's move in a state."""
        assert self.game.choose is not None
        chosen: Move = self.game.choose(state, self.seat, Chance(bytes([seed]) * 32, (), DrawNumber(0)), budget)
        return chosen

    def accepts_draw(self, state: Any, seat: Seat, budget: Budget) -> bool:
        """Return whether a seat's bot accepts a draw in a state."""
        assert self.game.accepts_draw is not None
        return self.game.accepts_draw(state, seat, budget)


def positions(game: AnyGame, options: msgspec.Struct, seed: int) -> Iterator[BotPosition]:
    """Return some positions of a match of random play, each with the knowledge of a seat that is to move."""
    played = play(game, options, seed, CUT)
    numbered = [number for number, step in enumerate(played.steps) if step.seat is not None]
    dice = random.Random(seed)  # noqa: S311 - which positions are looked at
    for number in sorted(dice.sample(numbered, min(POSITIONS, len(numbered)))):
        truth = played.steps[number].before
        for seat in game.to_move(truth):
            yield position_for(played, number, seat)


def position_for(played: PlayedMatch, number: int, seat: Seat) -> BotPosition:
    """Return what a seat knows before a step of a match."""
    game = played.game
    known = received = game.start(played.options)
    for step in played.steps[:number]:
        for event in step.events:
            known = game.evolve(known, redact(event, seat))
            received = game.evolve(received, send_and_decode(game, redact(event, seat)))
    return BotPosition(game, seat, known, received, played.steps[number].before)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("game", "options"), COMBINATIONS, ids=NAMES)
def test_a_bot_plays_legally_and_repeatably_and_uses_only_what_its_seat_knows(
    game: AnyGame, options: msgspec.Struct, level: Level
) -> None:
    """The same knowledge, chance and budget give the same legal move; hidden information changes nothing."""
    for one in positions(game, options, seed=2):
        budget = Budget(level, nodes=NODES)
        chosen = one.choose_move(one.known, budget)
        assert chosen in one.moves
        assert one.choose_move(one.known, budget) == chosen
        assert one.choose_move(one.received, budget) == chosen
        assert one.choose_move(one.truth, budget) == chosen


@pytest.mark.parametrize("nodes", [1, 7])
@pytest.mark.parametrize(("game", "options"), COMBINATIONS, ids=NAMES)
def test_a_bot_moves_with_any_budget(game: AnyGame, options: msgspec.Struct, nodes: int) -> None:
    """It returns a legal move after a single position as well."""
    for one in positions(game, options, seed=3):
        assert one.choose_move(one.known, Budget("expert", nodes=nodes)) in one.moves


@pytest.mark.parametrize("checks", [0, 2])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game", GAMES_WITH_BOTS.values(), ids=GAMES_WITH_BOTS)
def test_a_bot_moves_when_its_time_is_over(game: AnyGame, level: Level, checks: int) -> None:
    """Without a number of positions a search ends soon after the budget is used up, with a legal move."""
    for one in positions(game, game.options(), seed=4):
        clock = count()
        assert one.choose_move(one.known, Budget(level, late=lambda clock=clock: next(clock) >= checks)) in one.moves  # type: ignore[misc]  # bound at once
        assert next(clock) < checks + 50


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("game", "options"), COMBINATIONS, ids=NAMES)
def test_a_bot_answers_a_draw_offer_repeatably_with_what_its_seat_knows(
    game: AnyGame, options: msgspec.Struct, level: Level
) -> None:
    """The same knowledge and number of positions give the same answer, also from a seat that is not to move."""
    budget = Budget(level, nodes=NODES)
    for one in positions(game, options, seed=5):
        for seat in range(len(game.seats(options))):
            agreed = one.accepts_draw(one.known, Seat(seat), budget)
            assert one.accepts_draw(one.known, Seat(seat), budget) == agreed
            assert one.accepts_draw(one.truth, Seat(seat), budget) == agreed
        assert one.accepts_draw(one.received, one.seat, budget) == one.accepts_draw(one.known, one.seat, budget)


@pytest.mark.parametrize("checks", [0, 2])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game", GAMES_WITH_BOTS.values(), ids=GAMES_WITH_BOTS)
def test_a_bot_answers_a_draw_offer_when_its_time_is_over(game: AnyGame, level: Level, checks: int) -> None:
    """It answers soon after the budget is used up."""
    for one in positions(game, game.options(), seed=6):
        clock = count()
        budget = Budget(level, late=lambda clock=clock: next(clock) >= checks)  # type: ignore[misc]  # bound at once
        assert one.accepts_draw(one.known, one.seat, budget) in {True, False}
        assert next(clock) < checks + 50


@pytest.mark.parametrize("nodes", [1, NODES])
@pytest.mark.parametrize(("game", "options"), COMBINATIONS, ids=NAMES)
def test_a_position_is_evaluated_by_chances_and_by_what_a_move_lost(
    game: AnyGame, options: msgspec.Struct, nodes: int
) -> None:
    """Chances add up to 1, the best move is legal and loses nothing, and no move loses more than there was."""
    assert game.evaluate is not None
    budget = Budget("expert", nodes=nodes)
    for one in positions(game, options, seed=7):
        evaluated = game.evaluate(one.truth, {}, budget)
        assert sum(evaluated.chances) == pytest.approx(1)
        assert all(0 <= chance <= 1 for chance in evaluated.chances)
        assert {*game.to_move(one.truth)} <= {*evaluated.best}
        assert evaluated.lost == {}
        assert all(evaluated.best[seat] in list(game.legal_moves(one.truth, seat)) for seat in game.to_move(one.truth))
        again = game.evaluate(one.truth, evaluated.best, budget)
        assert all(again.lost[seat] == 0 for seat, move in again.best.items() if move == evaluated.best[seat])
        lost = [game.evaluate(one.truth, {one.seat: move}, budget).lost[one.seat] for move in one.moves[:2]]
        assert all(0 <= each <= 1 for each in lost)
