"""Triboard compared over random play with a slow, independent implementation."""

import hashlib
import hmac
import random
import re
from collections.abc import Iterator
from typing import Literal

import pytest

from service.domain.chance import Chance, DrawNumber
from service.domain.game import Passed, Seat
from service.domain.games.triboard import GAME
from service.domain.games.triboard.model import LaidOut, Options, Place, Placed, Position, TriboardEvent, view

NAMES = [f"{column}{row}" for row in range(1, 12) for column in "abcdefghijklmnop"]


def after(position: Position, events: list[TriboardEvent]) -> Position:
    """Return the position after the events."""
    for event in events:
        position = GAME.evolve(position, event)
    return position


def lines_from(at: str) -> list[list[str]]:
    """Return the cells in each of the eight directions."""
    steps = {(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} - {(0, 0)}
    lines = [[f"{chr(ord(at[0]) + dx * far)}{int(at[1:]) + dy * far}" for far in range(1, 16)] for dx, dy in steps]
    return [[name for name in line if name in NAMES] for line in lines]


LINES = {at: lines_from(at) for at in NAMES}


class ReferenceMatch:
    """Triboard with a dictionary of letters, whose lines are read as words."""

    def __init__(self, cells: dict[str, str]) -> None:
        """Start with a letter for each cell."""
        self.cells = cells
        self.dropped: list[int] = []

    def captures(self, at: str, seat: int) -> set[str]:
        """Return what a jump from this cell captures."""
        own = "brg"[seat]
        one, other = sorted({"r", "g", "b"} - {own})
        taken: set[str] = set()
        for line in LINES[at]:
            word = "".join(self.cells[name] for name in line)
            if found := re.match(f"({one}+|{other}+){own}", word):
                taken |= set(line[: len(found[1])])
        return taken

    def legal_squares(self, seat: int) -> set[str]:
        """Return the cells from which the seat can jump."""
        return {at for at, cell in self.cells.items() if cell == "." and self.captures(at, seat)}

    def next_turn(self, seat: int) -> tuple[list[int], int | None]:
        """Return who is passed over after `seat`, and whose turn it is then, or None at the end."""
        order = [turn % 3 for turn in range(seat + 1, seat + 4) if turn % 3 not in self.dropped]
        able = next((turn for turn in order if self.legal_squares(turn)), None)
        return (order[: order.index(able)], able) if able is not None and len(order) > 1 else ([], None)

    def rows(self) -> tuple[str, ...]:
        """Return the rows as in the view."""
        return tuple("".join(self.cells[f"{c}{row}"] for c in "abcdefghijklmnop") for row in range(11, 0, -1))

    def places(self) -> tuple[int, ...]:
        """Return each seat's place: the number of seats ahead of it, plus one."""
        ranks = [(seat not in self.dropped, owned) for seat, owned in enumerate(self.owned())]
        for order, seat in enumerate(self.dropped):
            ranks[seat] = (False, order)
        return tuple(1 + sum(other > rank for other in ranks) for rank in ranks)

    def owned(self) -> list[int]:
        """Count the cells by seat."""
        return [list(self.cells.values()).count(colour) for colour in "brg"]


def draw_words(seed: bytes) -> Iterator[int]:
    """Yield the four-byte numbers of draw 0 of a match whose three seats sent no salt, computed as documented."""
    key = hashlib.sha256(seed + hashlib.sha256(b"").digest() * 3).digest()
    for block in range(1000):
        stream = hmac.new(key, bytes(4) + block.to_bytes(4, "big"), hashlib.sha256).digest()
        yield from (int.from_bytes(stream[i : i + 4], "big") for i in range(0, 32, 4))


def compute_layouts(seed: bytes) -> tuple[list[ReferenceMatch], int]:
    """Return every layout that the seed's draw tries, the last of which is valid, and the seat that it draws."""
    numbers = draw_words(seed)

    def below(bound: int) -> int:
        return next(number for number in numbers if number < 2**32 // bound * bound) % bound

    tried: list[ReferenceMatch] = []
    while not tried or not all(tried[-1].legal_squares(seat) for seat in range(3)):
        names = list(NAMES)
        for i in range(48):
            j = i + below(176 - i)
            names[i], names[j] = names[j], names[i]
        letters = dict(zip(names, "b" * 12 + "r" * 12 + "g" * 12 + "#" * 12 + "." * 128, strict=True))
        tried.append(ReferenceMatch({name: letters[name] for name in NAMES}))
    return tried, below(3)


@pytest.mark.parametrize(("number", "layouts"), [(0, 1), (1, 1), (2, 1), (1307, 2), (3189, 2)])
def test_the_layout_and_the_first_seat_follow_from_the_seed(number: int, layouts: int) -> None:
    """Where the first layout leaves a seat without a jump, the second one counts."""
    seed = number.to_bytes(32, "big")
    tried, first = compute_layouts(seed)
    expected = LaidOut(board=tried[-1].rows(), first=Seat(first), draw=DrawNumber(0))
    assert len(tried) == layouts
    assert GAME.setup(Options(), Chance(seed, ["", "", ""], DrawNumber(0))) == [expected]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("first", ["random", "blue"])
def test_random_play_agrees_with_the_reference(first: Literal["random", "blue"], seed: int) -> None:
    """Jumps, captures, passes, drop-outs and results are the same; in two of three matches seats drop out."""
    dice = random.Random(f"{first} {seed}")  # noqa: S311 - play that can be repeated, no secret
    options = Options(first=first)
    position = after(GAME.start(options), GAME.setup(options, Chance(dice.randbytes(32), [], DrawNumber(0))))
    letters = "".join(reversed(view(position, None).board))
    reference = ReferenceMatch(dict(zip(NAMES, letters, strict=True)))
    turn: int | None = GAME.to_move(position)[0]
    while turn is not None:
        seat = Seat(turn)
        assert GAME.to_move(position) == (seat,)
        assert GAME.outcome(position) is None
        choices = reference.legal_squares(seat)
        assert {move.at for move in GAME.legal_moves(position, seat)} == choices
        if len(reference.dropped) < seed % 3 and dice.random() < 0.02:
            reference.dropped.append(seat)
            events = GAME.drop(position, seat, "resigned")
        else:
            at = dice.choice(sorted(choices))
            events = GAME.decide(position, seat, Place(at))
            taken = reference.captures(at, seat)
            assert isinstance(events[0], Placed)
            assert set(events[0].captured) == taken
            reference.cells |= dict.fromkeys(taken | {at}, "brg"[seat])
        passed, turn = reference.next_turn(seat)
        assert events[1:] == [Passed(seat=Seat(over)) for over in passed]
        position = after(position, events)
    result = GAME.outcome(position)
    assert result is not None
    assert result.scores == tuple(reference.owned())
    assert result.places == reference.places()
    assert view(position, None).board == reference.rows()
