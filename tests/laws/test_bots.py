"""The laws of bots: they play legally, repeatably, from what their seat knows, and within their budget."""

import random
from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple, get_args

import msgspec
import pytest

from service.domain.catalog import GAMES, AnyGame
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Budget, Level, Move, Seat
from service.domain.redaction import redact
from tests.laws.options import combinations_of, named
from tests.laws.play import CUT, Played, play, wire

NODES = 60
"""The budget of most laws; bots have to make do with any."""

POSITIONS = 3
"""How many positions of a match bots are asked at."""

THINKERS = {slug: game for slug, game in GAMES.items() if game.choose}
COMBINATIONS = [(game, options) for game in THINKERS.values() for options in combinations_of(game)]
NAMES = [f"{game.slug}-{named(options)}" for game, options in COMBINATIONS]
LEVELS: tuple[Level, ...] = get_args(Level)


class Asked(NamedTuple):
    """A position at which a seat's bot is asked."""

    game: AnyGame
    seat: Seat
    known: Any
    """The fold of the events redacted for the seat."""
    received: Any
    """The same, of events that went over a wire."""
    truth: Any

    @property
    def moves(self) -> list[Move]:
        """The legal moves."""
        return list(self.game.legal_moves(self.known, self.seat))

    def choice(self, state: Any, budget: Budget, seed: int = 0) -> Move:
        """Ask the bot what it plays in a state."""
        assert self.game.choose is not None
        chosen: Move = self.game.choose(state, self.seat, Chance(bytes([seed]) * 32, (), DrawNumber(0)), budget)
        return chosen

    def agrees(self, state: Any, seat: Seat, budget: Budget) -> bool:
        """Ask a seat's bot whether it agrees to a draw in a state."""
        assert self.game.accepts_draw is not None
        return self.game.accepts_draw(state, seat, budget)


def positions(game: AnyGame, options: msgspec.Struct, seed: int) -> Iterator[Asked]:
    """Return some positions of a match of random play, each with what a seat that is to move knows of it."""
    played = play(game, options, seed, CUT)
    numbered = [number for number, step in enumerate(played.steps) if step.seat is not None]
    dice = random.Random(seed)  # noqa: S311 - which positions are looked at
    for number in sorted(dice.sample(numbered, min(POSITIONS, len(numbered)))):
        truth = played.steps[number].before
        for seat in game.to_move(truth):
            yield asked(played, number, seat)


def asked(played: Played, number: int, seat: Seat) -> Asked:
    """Return what a seat knows before a step of a match."""
    game = played.game
    known = received = game.start(played.options)
    for step in played.steps[:number]:
        for event in step.events:
            known = game.evolve(known, redact(event, seat))
            received = game.evolve(received, wire(game, redact(event, seat)))
    return Asked(game, seat, known, received, played.steps[number].before)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("game", "options"), COMBINATIONS, ids=NAMES)
def test_a_bot_plays_legally_and_repeatably_and_uses_only_what_its_seat_knows(
    game: AnyGame, options: msgspec.Struct, level: Level
) -> None:
    """The same knowledge, chance and number of positions give the same legal move; what is hidden changes nothing."""
    for one in positions(game, options, seed=2):
        budget = Budget(level, nodes=NODES)
        chosen = one.choice(one.known, budget)
        assert chosen in one.moves
        assert one.choice(one.known, budget) == chosen
        assert one.choice(one.received, budget) == chosen
        assert one.choice(one.truth, budget) == chosen


@pytest.mark.parametrize("nodes", [1, 7])
@pytest.mark.parametrize(("game", "options"), COMBINATIONS, ids=NAMES)
def test_a_bot_answers_however_little_it_may_look_at(game: AnyGame, options: msgspec.Struct, nodes: int) -> None:
    """A legal move comes after a single position as well."""
    for one in positions(game, options, seed=3):
        assert one.choice(one.known, Budget("hard", nodes=nodes)) in one.moves


@pytest.mark.parametrize("looks", [0, 2])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game", THINKERS.values(), ids=THINKERS)
def test_a_bot_answers_when_it_is_told_to(game: AnyGame, level: Level, looks: int) -> None:
    """Without a number of positions a search ends soon after the clock says so, and still gives a legal move."""
    for one in positions(game, game.options(), seed=4):
        clock = count()
        assert one.choice(one.known, Budget(level, late=lambda clock=clock: next(clock) >= looks)) in one.moves  # type: ignore[misc]  # bound at once
        assert next(clock) < looks + 50


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("game", "options"), COMBINATIONS, ids=NAMES)
def test_a_bot_judges_a_draw_repeatably_and_by_what_its_seat_knows(
    game: AnyGame, options: msgspec.Struct, level: Level
) -> None:
    """The same knowledge and number of positions give the same answer, also from a seat that is not to move."""
    budget = Budget(level, nodes=NODES)
    for one in positions(game, options, seed=5):
        for seat in range(len(game.seats(options))):
            agreed = one.agrees(one.known, Seat(seat), budget)
            assert one.agrees(one.known, Seat(seat), budget) == agreed
            assert one.agrees(one.truth, Seat(seat), budget) == agreed
        assert one.agrees(one.received, one.seat, budget) == one.agrees(one.known, one.seat, budget)


@pytest.mark.parametrize("looks", [0, 2])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game", THINKERS.values(), ids=THINKERS)
def test_a_bot_judges_a_draw_when_it_is_told_to(game: AnyGame, level: Level, looks: int) -> None:
    """It answers soon after the clock says so."""
    for one in positions(game, game.options(), seed=6):
        clock = count()
        budget = Budget(level, late=lambda clock=clock: next(clock) >= looks)  # type: ignore[misc]  # bound at once
        assert one.agrees(one.known, one.seat, budget) in {True, False}
        assert next(clock) < looks + 50
