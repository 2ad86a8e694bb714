"""Turncoat compared over random play with a slow, independent implementation on nested lists."""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import msgspec
import pytest

from service.domain.chance import DrawNumber
from service.domain.game import Outcome, Rejected, Seat
from service.domain.games.turncoat import GAME
from service.domain.games.turncoat.model import (
    Commit,
    LaidOut,
    Options,
    Position,
    RoundBegun,
    Select,
    TurncoatEvent,
    TurncoatMove,
)
from tests.domain.games.test_turncoat import after, chance

COLOURS = ("red", "yellow")
OPTIONS = [
    msgspec.convert({"selectable": selectable, "round_limit": limit, "at_limit": at_limit}, Options)
    for selectable, limit, at_limit in product(("any", "white_only"), (0, 1, 9, 60), ("draw", "fewest_white"))
]


def name(x: int, y: int) -> str:
    """Return the name of the square in column x from the left and row y from the top."""
    return "abcdefgh"[x] + "87654321"[y]


def column_and_row(square: str) -> tuple[int, int]:
    """Return the column and row of a named square."""
    return "abcdefgh".index(square[0]), "87654321".index(square[1])


def turn_disc(board: list[list[str]], square: str) -> set[str]:
    """Turn a disc and those that it traps, and return the trapped squares."""
    before = [list(line) for line in board]
    x, y = column_and_row(square)
    old = before[y][x]
    new = {"B": "W", "W": "B"}[old]
    board[y][x] = new
    trapped = set()
    for dx, dy in product((-1, 0, 1), repeat=2):
        seen = ""
        cx, cy = x + dx, y + dy
        while (dx or dy) and 0 <= cx <= 7 and 0 <= cy <= 7:
            seen += before[cy][cx]
            cx, cy = cx + dx, cy + dy
        length = len(seen) - len(seen.lstrip(old))
        if seen[length : length + 1] == new:
            trapped |= {(x + dx * n, y + dy * n) for n in range(1, length + 1)}
    for tx, ty in trapped:
        board[ty][tx] = new
    return {name(tx, ty) for tx, ty in trapped}


class ReferenceMatch:
    """A match on two boards of letters; the events of a round are plain tuples."""

    def __init__(self, options: Options, rows: tuple[str, ...]) -> None:
        """Set up both boards."""
        self.options = options
        self.boards = [[list(row) for row in rows] for _ in COLOURS]
        self.selections: list[str | None] = [None, None]
        self.commits = [False, False]
        self.round = 1
        self.result: Outcome | None = None

    def whites(self) -> list[int]:
        """Count the white discs on each board."""
        return [sum(line.count("W") for line in board) for board in self.boards]

    def rejection_code(self, seat: int, square: str | None) -> str | None:
        """Return the code with which a selection (a square) or a commit (None) is rejected."""
        if self.result:
            return "not_your_turn"
        if square is None:
            if self.selections[seat] is None:
                return "nothing_selected"
            return "already_committed" if self.commits[seat] else None
        x, y = column_and_row(square)
        disc = self.boards[seat][y][x]
        if disc == ".":
            return "no_disc"
        return "not_white" if disc == "B" and self.options.selectable == "white_only" else None

    def play(self, seat: int, square: str | None) -> list[tuple[Any, ...]]:
        """Make an accepted move and return the steps of the round."""
        if square is not None:
            self.selections[seat] = square
            self.commits[seat] = False
            return []
        self.commits[seat] = True
        return list(self.resolve()) if all(self.commits) else []

    def resolve(self) -> Iterator[tuple[Any, ...]]:
        """Turn both halves and check for the end after each."""
        for half in (1, 2):
            for owner in (0, 1):
                square = self.selections[owner if half == 1 else 1 - owner]
                assert square is not None
                trapped = turn_disc(self.boards[owner], square)
                x, y = column_and_row(square)
                yield COLOURS[owner], half, square, self.boards[owner][y][x], trapped
            whites = self.whites()
            if 0 in whites:
                self.result = Outcome("all_black", tuple(1 if count == 0 else 2 for count in whites))
                return
        if self.round == self.options.round_limit:
            red, yellow = self.whites() if self.options.at_limit == "fewest_white" else (0, 0)
            self.result = Outcome("round_limit", (1 + (red > yellow), 1 + (yellow > red)))
            return
        self.round += 1
        self.selections, self.commits = [None, None], [False, False]

    def view(self, seat: int | None) -> dict[str, Any]:
        """Return the view as plain JSON values."""
        return {
            "boards": {c: tuple("".join(line) for line in b) for c, b in zip(COLOURS, self.boards, strict=True)},
            "round": self.round,
            "black": {c: sum(line.count("B") for line in b) for c, b in zip(COLOURS, self.boards, strict=True)},
            "selected": {c: s is not None for c, s in zip(COLOURS, self.selections, strict=True)},
            "committed": dict(zip(COLOURS, self.commits, strict=True)),
            "own_selection": None if seat is None else self.selections[seat],
        }


def random_rows(dice: random.Random) -> tuple[str, ...]:
    """Return a random layout of the rules, or one that is nearly black, from which random play reaches an end."""
    blanks = dice.randrange(4)
    blacks = dice.randint(2, 6) if dice.random() < 0.5 else 64 - blanks - dice.randint(1, 3)
    letters = list("." * blanks + "B" * blacks + "W" * (64 - blanks - blacks))
    dice.shuffle(letters)
    return tuple("".join(letters[i : i + 8]) for i in range(0, 64, 8))


def square_of(move: TurncoatMove) -> str | None:
    """Return the square of a selection, None for a commit."""
    return move.at if isinstance(move, Select) else None


def code(position: Position, seat: Seat, move: TurncoatMove) -> str | None:
    """Return the code with which a move is rejected, or None."""
    try:
        GAME.decide(position, seat, move)
    except Rejected as refused:
        return refused.code
    return None


def as_tuples(events: list[TurncoatEvent]) -> list[tuple[Any, ...]]:
    """Return the steps as plain tuples; none traps a square twice."""
    steps = [event for event in events if not isinstance(event, RoundBegun)]
    plain = [msgspec.to_builtins(step) for step in steps]
    assert all(len(set(step["trapped"])) == len(step["trapped"]) for step in plain)
    return [(step["board"], step["half"], step["at"], step["to"], set(step["trapped"])) for step in plain]


def compare(position: Position, reference: ReferenceMatch) -> None:
    """Check that both agree on the view, the outcome, the seats to move, and every move of either seat."""
    for audience in (None, Seat(0), Seat(1)):
        assert msgspec.to_builtins(GAME.view(position, audience)) == reference.view(audience)
    assert GAME.outcome(position) == reference.result
    awaited = () if reference.result else tuple(seat for seat in (0, 1) if not reference.commits[seat])
    assert GAME.to_move(position) == awaited
    moves: list[TurncoatMove] = [*(Select(name(x, 7 - y)) for y in range(8) for x in range(8)), Commit()]
    for seat in (Seat(0), Seat(1)):
        codes = [reference.rejection_code(seat, square_of(move)) for move in moves]
        assert [code(position, seat, move) for move in moves] == codes
        accepted = [move for move, each in zip(moves, codes, strict=True) if each is None]
        assert list(GAME.legal_moves(position, seat)) == accepted


def next_move(position: Position, dice: random.Random) -> tuple[Seat, TurncoatMove]:
    """Choose a seat, sometimes one that has committed, and one of its moves, a commit as often as a selection."""
    seat = dice.choice([Seat(0), Seat(1)]) if dice.random() < 0.2 else dice.choice(GAME.to_move(position))
    moves = list(GAME.legal_moves(position, seat))
    return seat, moves[-1] if dice.random() < 0.5 else dice.choice(moves)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_random_play_agrees_with_the_reference(options: Options) -> None:
    """Moves, codes, steps, boards, rounds and results are equal."""
    dice = random.Random(repr(options))  # noqa: S311 - seeded play, no secret
    for _ in range(6):
        rows = random_rows(dice)
        position = GAME.evolve(GAME.start(options), LaidOut(rows, DrawNumber(0)))
        reference = ReferenceMatch(options, rows)
        for _ in range(200):
            compare(position, reference)
            if reference.result:
                break
            seat, move = next_move(position, dice)
            position = after(position, GAME.decide(position, seat, move))
            events = GAME.follow(position, chance())
            assert as_tuples(events) == reference.play(seat, square_of(move))
            position = after(position, events)


def play_rounds(dice: random.Random) -> Outcome | None:
    """Play up to 40 rounds of selections and commits in both, compare them, and return the outcome."""
    options, rows = dice.choice(OPTIONS), random_rows(dice)
    position = GAME.evolve(GAME.start(options), LaidOut(rows, DrawNumber(0)))
    reference = ReferenceMatch(options, rows)
    while not reference.result and reference.round <= 40:
        selects = [dice.choice(list(GAME.legal_moves(position, seat))) for seat in (Seat(0), Seat(1))]
        steps = []
        for seat, move in ((0, selects[0]), (1, selects[1]), (0, Commit()), (1, Commit())):
            position = after(position, GAME.decide(position, Seat(seat), move))
            steps += reference.play(seat, square_of(move))
        events = GAME.follow(position, chance())
        assert as_tuples(events) == steps
        position = after(position, events)
        assert GAME.outcome(position) == reference.result
    return reference.result


def test_random_rounds_agree_and_reach_every_kind_of_end() -> None:
    """Wins of either seat and draws, by black boards and at the limit."""
    results = [play_rounds(random.Random(seed)) for seed in range(400)]  # noqa: S311 - seeded play, no secret
    assert {(result.reason, result.places) for result in results if result} == {
        (reason, places) for reason in ("all_black", "round_limit") for places in ((1, 1), (1, 2), (2, 1))
    }
