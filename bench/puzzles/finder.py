"""Finds the positions of a match in which exactly one move wins or saves."""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, Literal

from msgspec import Struct

from service.domain.catalog import AnyGame
from service.domain.game import Budget, Evaluation, Move, Seat, split

LEAST_MOVES = 3
"""How many legal moves a puzzle has at least."""

WINNING, LOST, COST = 0.9, 0.2, 0.4
"""The chance from which a move wins; up to which all others have lost where one saves; by how much they are worse.

Among 1,465 positions of 24 matches of Nine Men's Morris between easy and medium bots, searches of 3,000 positions find
22 in which each other move costs .2; with ten times as many 14 of them hold, with a hundred times 12. At .3 it is 6, 6
and 5, at .4 all 3 hold.
"""

CHECKED = 10
"""How many times the positions of the first look the second one has."""

DISTANCE = 3
"""How many plies are between two puzzles of a match at least."""


class Puzzle(Struct, frozen=True):
    """What there is to find in a position, and the seat's chances by the second look."""

    seat: Seat
    """The seat to move."""
    move: str
    """The only right move, in notation."""
    does: Literal["wins", "saves"]
    before: float
    """The chance at the position, from 0 to 1."""
    after: float
    """The chance after the right move."""
    other: float
    """The chance after the best other move."""


def puzzles_in(game: AnyGame, positions: Sequence[Any], nodes: int) -> Iterator[tuple[int, Puzzle]]:
    """Yield the puzzles among a match's positions, with their plies; the first look examines so many positions a move.

    Two puzzles are `DISTANCE` plies apart at least.
    """
    latest = -DISTANCE
    for ply, state in enumerate(positions):
        if ply - latest >= DISTANCE and (found := puzzle_at(game, state, nodes)):
            latest = ply
            yield ply, found


def puzzle_at(game: AnyGame, state: Any, nodes: int) -> Puzzle | None:
    """Return the puzzle that a position is, None if it is none."""
    seats = game.to_move(state)
    if len(seats) != 1:
        return None
    after = positions_after(game, state, seats[0])
    if len(after) < LEAST_MOVES or any(is_unknown(game, each) for each in after.values()):
        return None
    first = look(game, state, after, nodes)
    second = first and look(game, state, after, CHECKED * nodes)
    return second if first and second and (first.move, first.does) == (second.move, second.does) else None


def positions_after(game: AnyGame, state: Any, seat: Seat) -> dict[Move, Any]:
    """Return the position after each legal move."""
    return {move: reduce(game.evolve, game.decide(state, seat, move), state) for move in game.legal_moves(state, seat)}


def is_unknown(game: AnyGame, state: Any) -> bool:
    """Return whether chance decides how a position goes on."""
    return not game.to_move(state) and game.outcome(state) is None


def look(game: AnyGame, state: Any, after: Mapping[Move, Any], nodes: int) -> Puzzle | None:
    """Return the puzzle that a position is by searches of so many positions; None once a second move is as good."""
    [seat] = game.to_move(state)
    evaluated = evaluate(game, state, nodes)
    right = evaluated.best[seat]
    if is_plain(game, after[right], seat):
        return None
    reached, other = chance_at(game, after[right], seat, nodes), 0.0
    kept = min(evaluated.chances[seat], reached)  # a search of the reply alone may have missed what refutes the move
    most = kept - COST if kept >= WINNING else min(kept - COST, LOST)
    for move, position in after.items():
        if move != right:
            other = max(other, chance_at(game, position, seat, nodes))
            if other > most:
                return None
    chances = (round(chance, 2) for chance in (evaluated.chances[seat], reached, other))
    return Puzzle(seat, game.notation.spell(right), "wins" if kept >= WINNING else "saves", *chances)


def is_plain(game: AnyGame, state: Any, seat: Seat) -> bool:
    """Return whether the move that led to a position is plain to see: it ended the match, or gave the seat another."""
    return game.outcome(state) is not None or game.to_move(state) == (seat,)


def chance_at(game: AnyGame, state: Any, seat: Seat, nodes: int) -> float:
    """Return the chance of a seat at a position, from 0 to 1, by a search of so many positions or by the outcome."""
    if (outcome := game.outcome(state)) is not None:
        return float(split(outcome.winners, len(outcome.places))[seat])
    return evaluate(game, state, nodes).chances[seat]


def evaluate(game: AnyGame, state: Any, nodes: int) -> Evaluation:
    """Return how a search of so many positions evaluates one that is not the end of a match."""
    assert game.evaluate is not None  # noqa: S101 - only games that can evaluate have puzzles
    return game.evaluate(state, {}, Budget("expert", nodes))
