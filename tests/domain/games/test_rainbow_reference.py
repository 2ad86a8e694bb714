"""Tic-Tac-Rainbow compared at every ply with a slow, independent implementation on a dictionary."""

import random
from itertools import product
from typing import Any, Literal

import msgspec
import pytest

from service.domain.chance import Chance, DrawNumber
from service.domain.game import Seat
from service.domain.games.rainbow import GAME
from service.domain.games.rainbow.model import (
    Acted,
    Flip,
    Flipped,
    Moved,
    Options,
    Place,
    Placed,
    Position,
    RainbowMove,
    Rolled,
    Shift,
)

NAMES = ["one", "two", "three"]
PEGS = ["RO", "OY", "YG", "GB", "BV", "VR", "WK"]
CELLS = [column + row for row in "12345" for column in "abcde" if column + row not in ("a1", "e1", "a5", "e5")]
WAYS = {"square": [(1, 0), (0, 1), (1, 1), (1, -1)], "hex": [(1, 0), (0, 1), (1, 1)]}
ROWS = {
    grid: [
        tuple(chr(ord(cell[0]) + n * right) + str(int(cell[1]) + n * up) for n in range(3))
        for cell, (right, up) in product(CELLS, ways)
    ]
    for grid, ways in WAYS.items()
}
"""Every three in a row, including names beyond the edge."""
Peg = dict[str, str]
"""A peg on the board as in the view: owner, peg, up."""


class ReferenceMatch:
    """A match on a dictionary of cells that computes everything from scratch and records every turn."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.board: dict[str, Peg] = {}
        self.acted: list[list[str]] = [[] for _ in range(options.players)]
        self.turn, self.quiet = 0, 0
        self.die: str | None = None
        self.playing = list(range(options.players))
        self.left: list[int] = []
        self.history: list[str] = []
        self.result: tuple[str, dict[int, tuple[int, float]]] | None = None

    def lines(self) -> set[tuple[str, ...]]:
        """Return every line on the board."""
        found = set()
        for row in ROWS[self.options.grid]:
            sides = {self.board[name]["up"] if name in self.board else "-" for name in row}
            if len(sides - {"W"}) <= 1 and not sides & {"-", "K"}:
                found.add(row)
        return found

    def on_board(self, seat: int) -> dict[str, str]:
        """Return the cell of each peg of a seat."""
        return {peg["peg"]: cell for cell, peg in self.board.items() if peg["owner"] == NAMES[seat]}

    def rests(self, seat: int) -> dict[str, int]:
        """Return for each resting peg of a seat the number of turns for which it still rests."""
        lately = self.acted[seat][::-1][: max(0, self.options.rest - 1)]
        return {peg: self.options.rest - 1 - lately.index(peg) for peg in lately} if seat in self.playing else {}

    def actions(self) -> dict[str, str]:
        """Return every action of the seat to move that the die allows, with the peg it acts upon."""
        own = self.on_board(self.turn)
        empty = [cell for cell in CELLS if cell not in self.board]
        found = {}
        for peg in PEGS:
            if peg in own:
                found[f"{own[peg]}!"] = peg
                found |= {f"{own[peg]}-{cell}": peg for cell in empty}
            elif peg != "WK" or len(own) == 6:
                found |= {f"{peg}:{side}{cell}": peg for side in peg for cell in empty}
        return {action: peg for action, peg in found.items() if not self.die or self.die in peg or peg == "WK"}

    def legal(self) -> set[str]:
        """Return the legal actions: `a2!` flips, `a2-c3` moves, `RO:Ra2` places."""
        if self.result or (self.options.dice and not self.die):
            return set()
        usable = {action for action, peg in self.actions().items() if peg not in self.rests(self.turn)}
        return usable or set(self.actions())

    def play(self, action: str) -> None:
        """Make a legal action and end the turn."""
        seat, own = self.turn, {cell: peg for peg, cell in self.on_board(self.turn).items()}
        self.quiet += 1
        if ":" in action:
            peg, side, cell = action[:2], action[3], action[4:]
            self.board[cell] = {"owner": NAMES[seat], "peg": peg, "up": side}
            self.quiet = 0
        elif "!" in action:
            peg, cell = own[action[:2]], action[:2]
            self.board[cell]["up"] = peg.replace(self.board[cell]["up"], "")
        else:
            peg = own[action[:2]]
            self.board[action[3:]] = self.board.pop(action[:2])
        self.acted[seat].append(peg)
        self.die = None
        self.pass_turn()
        self.check_end(seat)

    def pass_turn(self) -> None:
        """Give the turn to the next seat in the match."""
        self.turn = next(
            seat for step in (1, 2, 3) if (seat := (self.turn + step) % len(self.acted)) in [*self.playing, self.turn]
        )

    def check_end(self, seat: int) -> None:
        """End the match if the turn of this seat completed a line or reached a guard."""
        others = [other for other in self.playing if other != seat]
        if self.lines():
            self.end("line", others if self.options.misere else [seat])
        elif not self.options.dice and self.is_third_occurrence():
            self.end("repetition", self.playing)
        elif self.quiet == self.options.quiet_limit != 0:
            self.end("quiet_limit", self.playing)

    def roll(self, colour: str) -> None:
        """Start the turn with a colour."""
        self.die = colour
        if self.is_third_occurrence():
            self.end("repetition", self.playing)

    def is_third_occurrence(self) -> bool:
        """Record the position and return whether it has occurred for the third time."""
        rests = [sorted(self.rests(seat).items()) for seat in self.playing]
        self.history.append(repr((sorted(self.board.items()), self.turn, rests, self.die, self.playing)))
        return self.options.repetition and self.history.count(self.history[-1]) == 3

    def drop(self, seat: int) -> None:
        """Let a seat drop out."""
        self.playing.remove(seat)
        self.left.append(seat)
        if len(self.playing) == 1:
            self.end("resigned", self.playing)
            return
        if self.turn == seat:
            self.pass_turn()
            self.die = None
        if self.die or not self.options.dice:
            self.is_third_occurrence()

    def end(self, reason: str, first: list[int]) -> None:
        """Record the result: by seat the place and the share of the stake."""
        losers = [seat for seat in self.playing if seat not in first]
        standings = [first, losers, *([seat] for seat in reversed(self.left))]
        places: dict[int, tuple[int, float]] = {}
        for group in standings:
            share = 1 / len(first) if group is first else 0
            places |= dict.fromkeys(group, (1 + len(places), share))
        self.result = reason, places

    def view(self) -> dict[str, Any]:
        """Return the view as plain JSON values, without the line."""
        seats = range(self.options.players)
        resting = {NAMES[seat]: tuple(peg for peg in PEGS if peg in self.rests(seat)) for seat in seats}
        if self.legal() and not set(self.actions().values()) - set(self.rests(self.turn)):
            resting[NAMES[self.turn]] = ()
        return {
            "cells": self.board,
            "off_board": {NAMES[seat]: tuple(peg for peg in PEGS if peg not in self.on_board(seat)) for seat in seats},
            "resting": resting,
            "die": self.die,
        }


def action_text(move: RainbowMove) -> str:
    """Return a move of the package in the reference's notation."""
    match move:
        case Place(peg, side, at):
            return f"{peg}:{side}{at}"
        case Flip(at):
            return f"{at}!"
        case Shift(start, to):
            return f"{start}-{to}"


def seeded_random(seed: str) -> random.Random:
    """Return a generator that gives the same values every time."""
    return random.Random(seed)  # noqa: S311 - play has to be repeatable, not unpredictable


def compare(state: Position, reference: ReferenceMatch) -> None:
    """Compare everything that the two implementations compute for a position."""
    view = msgspec.to_builtins(GAME.view(state, None))
    line = view.pop("line")
    assert view == reference.view()
    lines = reference.lines()
    assert line in lines if lines else line is None
    legal = [
        action_text(move) for seat in range(reference.options.players) for move in GAME.legal_moves(state, Seat(seat))
    ]
    assert sorted(legal) == sorted(reference.legal())
    assert GAME.to_move(state) == ((reference.turn,) if reference.legal() else ())
    compare_result(state, reference)


def compare_result(state: Position, reference: ReferenceMatch) -> None:
    """Compare the outcomes."""
    ended = GAME.outcome(state)
    assert (ended and ended.reason) == (reference.result and reference.result[0])
    if ended and reference.result:
        assert ended.scores is not None
        assert dict(enumerate(zip(ended.places, ended.scores, strict=True))) == reference.result[1]


def follow_both(state: Position, reference: ReferenceMatch, chance: Chance) -> Position:
    """Return the position after the events that follow by themselves, and apply the roll to the reference."""
    while events := GAME.follow(state, chance):
        (rolled,) = events
        assert isinstance(rolled, Rolled)
        assert rolled.seat == reference.turn
        assert GAME.to_move(state) == ()
        reference.roll(rolled.value)
        state = evolve_from_json(state, rolled)
    return state


def evolve_from_json(state: Position, event: object) -> Position:
    """Return the position after an event that was encoded and decoded."""
    written = msgspec.json.encode(event)
    return GAME.evolve(state, msgspec.json.decode(written, type=GAME.event))


Style = Literal["any", "long", "wild"]
STYLES: tuple[Style, ...] = ("any", "long", "wild")
"""How to play: at random, without lines, or without lines and flipping the white-and-black peg wherever possible."""


def choose(state: Position, style: Style, rng: random.Random) -> RainbowMove:
    """Return a random legal move of this style."""
    legal = list(GAME.legal_moves(state, state.turn))
    moves = rng.sample(legal, len(legal))
    if style == "any":
        return moves[0]
    if style == "wild":
        moves.sort(key=lambda move: wildness(event_by(state, move)))
    return next((move for move in moves if event_by(state, move).line is None), moves[0])


def event_by(state: Position, move: RainbowMove) -> Acted:
    """Return the event of a move."""
    (event,) = GAME.decide(state, state.turn, move)
    assert isinstance(event, Placed | Flipped | Moved)
    return event


def wildness(event: Acted) -> int:
    """Rank flips of the white-and-black peg before placements, which prepare them, and those before the rest."""
    if isinstance(event, Placed):
        return 1
    return 0 if isinstance(event, Flipped) and event.peg == "WK" else 2


def play_both(options: Options, style: Style, rng: random.Random, plies: int = 150) -> str | None:
    """Play in both implementations and return how the match ended; of three seats one sometimes drops out."""
    reference, chance = ReferenceMatch(options), Chance(rng.randbytes(32), [""] * options.players, DrawNumber(0))
    state = follow_both(GAME.start(options), reference, chance)
    for _ in range(plies):
        compare(state, reference)
        if reference.result:
            return reference.result[0]
        if options.players == 3 and rng.random() < 0.03:
            seat = rng.choice(reference.playing)
            reference.drop(seat)
            events = GAME.drop(state, Seat(seat), "resigned")
        else:
            move = choose(state, style, rng)
            reference.play(action_text(move))
            events = GAME.decide(state, state.turn, move)
        for event in events:
            state = evolve_from_json(state, event)
        state = follow_both(state, reference, chance)
    return None


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("rest", [0, 2, 3])
@pytest.mark.parametrize("dice", [False, True])
def test_both_implementations_agree_at_every_ply(players: int, rest: int, *, dice: bool) -> None:
    """The same actions give the same pegs, rests, rolls, legal moves and endings, under every option."""
    rng = seeded_random(f"{players} {rest} {dice}")
    for grid, misere, style in product(("square", "hex"), (False, True), STYLES):
        variant = {"grid": grid, "misere": misere, "rest": rest, "dice": dice, "players": players}
        guards = {"repetition": rng.random() < 0.5, "quiet_limit": rng.choice([0, 5, 100])}
        play_both(msgspec.convert(variant | guards, Options), style, rng)


@pytest.mark.parametrize("dice", [False, True])
def test_random_play_reaches_every_ending(*, dice: bool) -> None:
    """Otherwise the comparison would not cover them."""
    rng = seeded_random("endings")
    tables = [Options(dice=dice, quiet_limit=30), Options(dice=dice, quiet_limit=30, players=3)]
    endings = {play_both(options, style, rng) for options, style in product(tables, STYLES * 6)}
    assert endings == {"line", "repetition", "quiet_limit", "resigned"}
