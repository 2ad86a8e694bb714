"""Ternio compared over random play with a slow, independent implementation."""

import random
import re
from typing import get_args

import pytest

from service.domain.chance import Chance, DrawNumber
from service.domain.game import Passed, Seat
from service.domain.games.ternio import GAME
from service.domain.games.ternio.model import LayoutName, Options, Place, Placed, Position, TernioEvent, view


def after(position: Position, events: list[TernioEvent]) -> Position:
    """Return the position after the events."""
    for event in events:
        position = GAME.evolve(position, event)
    return position


def lines_from(at: str) -> list[list[str]]:
    """Return the squares in each of the eight directions."""
    steps = {(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} - {(0, 0)}
    lines = [[f"{chr(ord(at[0]) + dx * far)}{int(at[1]) + dy * far}" for far in range(1, 9)] for dx, dy in steps]
    return [[name for name in line if name in NAMES] for line in lines]


NAMES = {f"{column}{row}" for column in "abcdefghi" for row in range(1, 10)}
LINES = {at: lines_from(at) for at in NAMES}


class ReferenceMatch:
    """Ternio with a dictionary of letters, whose lines are read as words."""

    def __init__(self, rows: tuple[str, ...]) -> None:
        """Copy the rows of the view."""
        self.cells = {f"{'abcdefghi'[x]}{9 - y}": cell for y, row in enumerate(rows) for x, cell in enumerate(row)}
        self.dropped: list[int] = []

    def captures(self, at: str, seat: int) -> set[str]:
        """Return what a disc on this square captures."""
        own = "rgb"[seat]
        one, other = sorted({"r", "g", "b"} - {own})
        taken: set[str] = set()
        for line in LINES[at]:
            word = "".join(self.cells[name] for name in line)
            if found := re.match(f"({one}+|{other}+){own}", word):
                taken |= set(line[: len(found[1])])
        return taken

    def legal_squares(self, seat: int) -> set[str]:
        """Return the squares on which the seat captures something."""
        return {at for at, cell in self.cells.items() if cell == "." and self.captures(at, seat)}

    def next_turn(self, seat: int) -> tuple[list[int], int | None]:
        """Return who is passed over after `seat`, and whose turn it is then, or None at the end."""
        order = [turn % 3 for turn in range(seat + 1, seat + 4) if turn % 3 not in self.dropped]
        able = next((turn for turn in order if self.legal_squares(turn)), None)
        return (order[: order.index(able)], able) if able is not None and len(order) > 1 else ([], None)

    def rows(self) -> tuple[str, ...]:
        """Return the rows as in the view."""
        return tuple("".join(self.cells[f"{column}{row}"] for column in "abcdefghi") for row in range(9, 0, -1))

    def places(self) -> tuple[int, ...]:
        """Return each seat's place: the number of seats ahead of it, plus one."""
        ranks = [(seat not in self.dropped, discs) for seat, discs in enumerate(self.discs())]
        for order, seat in enumerate(self.dropped):
            ranks[seat] = (False, order)
        return tuple(1 + sum(other > rank for other in ranks) for rank in ranks)

    def discs(self) -> list[int]:
        """Count the discs by seat."""
        return [list(self.cells.values()).count(colour) for colour in "rgb"]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", get_args(LayoutName))
def test_random_play_agrees_with_the_reference(name: LayoutName, seed: int) -> None:
    """Moves, captures, passes, drop-outs and results are the same; in two of three matches seats drop out."""
    dice = random.Random(f"{name} {seed}")  # noqa: S311 - play that can be repeated, no secret
    options = Options(start=name)
    position = after(GAME.start(options), GAME.setup(options, Chance(bytes(32), ["", "", ""], DrawNumber(0))))
    reference = ReferenceMatch(view(position, None).board)
    turn: int | None = 0
    while turn is not None:
        seat = Seat(turn)
        assert GAME.to_move(position) == (seat,)
        assert GAME.outcome(position) is None
        choices = reference.legal_squares(seat)
        assert {move.at for move in GAME.legal_moves(position, seat)} == choices
        if len(reference.dropped) < seed % 3 and dice.random() < 0.04:
            reference.dropped.append(seat)
            events = GAME.drop(position, seat, "resigned")
        else:
            at = dice.choice(sorted(choices))
            events = GAME.decide(position, seat, Place(at))
            taken = reference.captures(at, seat)
            assert isinstance(events[0], Placed)
            assert set(events[0].captured) == taken
            reference.cells |= dict.fromkeys(taken | {at}, "rgb"[seat])
        passed, turn = reference.next_turn(seat)
        assert events[1:] == [Passed(seat=Seat(over)) for over in passed]
        position = after(position, events)
    result = GAME.outcome(position)
    assert result is not None
    assert result.scores == tuple(reference.discs())
    assert result.places == reference.places()
    assert view(position, None).board == reference.rows()
