"""Random play through a game's own functions, known in advance so that the load needs no thinking."""

import random
from collections.abc import Sequence
from typing import Any

import msgspec

from service.domain.catalog import AnyGame
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Event, Move, Seat


class Turn(msgspec.Struct, frozen=True):
    """A position, whose turn it is taken to be, and the move made."""

    state: Any
    seat: Seat
    move: Move


class Line(msgspec.Struct, frozen=True):
    """A match from its setup to its end, and the number that its chance comes from."""

    seed: int
    turns: tuple[Turn, ...]


def chance_of(game: AnyGame, seed: int) -> Chance:
    """Return a match's chance."""
    return Chance(seed.to_bytes(32, "big"), [""] * len(game.seats(game.options())), DrawNumber(0))


def setup(game: AnyGame, chance: Chance) -> Any:
    """Return the state before the first turn."""
    options = game.options()
    return settled(game, folded(game, game.start(options), game.setup(options, chance)), chance)


def played(game: AnyGame, state: Any, seat: Seat, move: Move, chance: Chance) -> Any:
    """Return the state after a move and all that follows from it."""
    return settled(game, folded(game, state, game.decide(state, seat, move)), chance)


def settled(game: AnyGame, state: Any, chance: Chance) -> Any:
    """Let chance and uncovered secrets have their say."""
    while game.outcome(state) is None and (more := game.follow(state, chance)):
        state = folded(game, state, more)
    return state


def folded(game: AnyGame, state: Any, history: Sequence[Event]) -> Any:
    """Return the state after these events."""
    for event in history:
        state = game.evolve(state, event)
    return state


def random_line(game: AnyGame, seed: int) -> Line:
    """Play a match to its end with moves drawn by chance."""
    draw = random.Random(seed)  # noqa: S311 - it chooses moves, nothing secret
    chance = chance_of(game, seed)
    state, turns = setup(game, chance), []
    while awaited := game.to_move(state):
        seat = draw.choice(awaited)
        move = random_move(draw, list(game.legal_moves(state, seat)))
        turns.append(Turn(state, seat, move))
        state = played(game, state, seat, move, chance)
    return Line(seed, tuple(turns))


def random_move(draw: random.Random, moves: Sequence[Move]) -> Move:
    """Draw the kind of move first, so that a kind with many moves (selecting a square) doesn't crowd out the others."""
    kind = draw.choice(sorted({type(move) for move in moves}, key=lambda kind: kind.__name__))
    return draw.choice([move for move in moves if type(move) is kind])


def replayed(game: AnyGame, line: Line) -> Any:
    """Play a match again by deciding each move again, and return the last state."""
    chance = chance_of(game, line.seed)
    state = setup(game, chance)
    for turn in line.turns:
        state = played(game, state, turn.seat, turn.move, chance)
    return state
