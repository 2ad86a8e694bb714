"""Nine Men's Morris compared at every ply with a slow, independent implementation on three rings."""

import random
from itertools import product
from typing import Any, get_args

import msgspec
import pytest

from service.domain.game import Rejected
from service.domain.games.morris import GAME
from service.domain.games.morris.board import BIT, GEOMETRY
from service.domain.games.morris.model import EndReason, MorrisMove, Options, Place, Position, Remove, Shift

Cell = tuple[int, int]
"""A ring from the outside (0 to 2) and a corner or middle on it, clockwise from the top left (0 to 7)."""

COMPASS = [(-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0)]
SPOTS: list[Cell] = [(ring, turn) for ring in range(3) for turn in range(8)]
SIDES = [[(ring, turn), (ring, turn + 1), (ring, (turn + 2) % 8)] for ring in range(3) for turn in (0, 2, 4, 6)]
SPOKES = [[(ring, turn) for ring in range(3)] for turn in (1, 3, 5, 7)]
COLOURS = ("white", "black")


def name(spot: Cell) -> str:
    """Return a point's name: d4 is the middle of the board, the outer ring is three columns and rows away."""
    ring, turn = spot
    right, up = COMPASS[turn]
    return "abcdefg"[3 + right * (3 - ring)] + str(4 + up * (3 - ring))


def are_joined(one: Cell, other: Cell) -> bool:
    """Return whether a line joins two points without a point between them."""
    if one[0] == other[0]:
        return (one[1] - other[1]) % 8 in (1, 7)
    return one[1] == other[1] and one[1] % 2 == 1 and abs(one[0] - other[0]) == 1


class ReferenceMatch:
    """A match on three lists of eight that computes everything from scratch and records every turn."""

    def __init__(self, options: Options, rings: list[list[str | None]], hand: list[int], mover: int) -> None:
        self.options, self.rings, self.hand, self.mover = options, rings, hand, mover
        self.owed = self.quiet = 0
        self.history: list[object] = []
        self.result: tuple[str, tuple[int, ...]] | None = None

    def men(self, seat: int) -> list[Cell]:
        """Return where a seat has men."""
        return [(ring, turn) for ring, turn in SPOTS if self.rings[ring][turn] == COLOURS[seat]]

    def mills(self, seat: int) -> list[list[Cell]]:
        """Return the lines that a seat holds."""
        return [line for line in SIDES + SPOKES if all(spot in self.men(seat) for spot in line)]

    def left(self, seat: int) -> int:
        """Count a seat's men, board and hand together."""
        return len(self.men(seat)) + self.hand[seat]

    def can_fly(self, seat: int) -> bool:
        """Return whether a seat can fly."""
        has_three = [self.left(0) <= 3, self.left(1) <= 3]
        return {"both": any(has_three), "reduced": has_three[seat], "off": False}[self.options.flying]

    def targets(self) -> list[Cell]:
        """Return the men that the seat to move may remove."""
        victim = 1 - self.mover
        free = [spot for spot in self.men(victim) if not any(spot in mill for mill in self.mills(victim))]
        may_remove_from_mills = {"none": False, "three": self.left(victim) == 3, "any": True}[self.options.all_in_mills]
        return self.men(victim) if may_remove_from_mills and not free else free

    def legal_moves(self) -> set[str]:
        """Return the legal moves as `a1`, `a1-a4` and `xa1`."""
        empty = [(ring, turn) for ring, turn in SPOTS if self.rings[ring][turn] is None]
        if self.result:
            return set()
        if self.owed:
            return {f"x{name(spot)}" for spot in self.targets()}
        if self.hand[self.mover]:
            return {name(spot) for spot in empty}
        slides = product(self.men(self.mover), empty)
        return {f"{name(a)}-{name(b)}" for a, b in slides if are_joined(a, b) or self.can_fly(self.mover)}

    def play(self, move: str) -> None:
        """Make a legal move."""
        spot = {name(spot): spot for spot in SPOTS}
        if move[0] == "x":
            self.put(spot[move[1:]], None)
            self.owed, self.quiet = self.owed - 1, 0
        else:
            arrived = spot[move[-2:]]
            if "-" in move:
                self.put(spot[move[:2]], None)
                self.quiet += 1
            else:
                self.hand[self.mover] -= 1
                self.quiet = 0
            self.put(arrived, COLOURS[self.mover])
            closed = sum(arrived in mill for mill in self.mills(self.mover))
            self.owed = min(closed, {"one": 1, "two": 2}[self.options.double_mill])
        self.finish_turn()

    def put(self, spot: Cell, man: str | None) -> None:
        """Put a man on a point, or none."""
        self.rings[spot[0]][spot[1]] = man

    def finish_turn(self) -> None:
        """End the match, keep the same seat for a removal, or end the turn."""
        winner = (1, 2) if self.mover == 0 else (2, 1)
        if self.left(1 - self.mover) < 3:
            self.owed, self.mover, self.result = 0, 1 - self.mover, ("too_few_men", winner)
            return
        if self.owed and self.targets():
            return
        self.owed, self.mover = 0, 1 - self.mover
        now = repr((self.rings, self.hand, self.mover))
        self.history.append(now)
        if not self.legal_moves():
            self.result = "no_legal_move", winner
        elif self.options.repetition and self.history.count(now) == 3:
            self.result = "repetition", (1, 1)
        elif self.quiet == self.options.quiet_limit != 0:
            self.result = "quiet_limit", (1, 1)

    def view(self) -> dict[str, Any]:
        """Return the view as plain JSON values."""
        phases = ["placing" if self.hand[seat] else "flying" if self.can_fly(seat) else "moving" for seat in (0, 1)]
        return {
            "points": {name((ring, turn)): self.rings[ring][turn] for ring, turn in SPOTS},
            "phase": dict(zip(COLOURS, phases, strict=True)),
            "hand": dict(zip(COLOURS, self.hand, strict=True)),
            "on_board": {COLOURS[seat]: len(self.men(seat)) for seat in (0, 1)},
            "lost": {COLOURS[seat]: 9 - self.left(seat) for seat in (0, 1)},
            "mills": sorted(sorted(name(spot) for spot in mill) for seat in (0, 1) for mill in self.mills(seat)),
            "removals_owed": self.owed,
        }


def move_text(move: MorrisMove) -> str:
    """Return a move of the package in the reference's notation."""
    match move:
        case Place(at):
            return at
        case Shift(start, to):
            return f"{start}-{to}"
        case Remove(at):
            return f"x{at}"


EVERY_MOVE: list[MorrisMove] = [
    *(Place(name(spot)) for spot in SPOTS),
    *(Remove(name(spot)) for spot in SPOTS),
    *(Shift(name(one), name(other)) for one in SPOTS for other in SPOTS),
]


def seeded_random(seed: str) -> random.Random:
    """Return a generator that gives the same values every time."""
    return random.Random(seed)  # noqa: S311 - play has to be repeatable, not unpredictable


def equal_positions(options: Options, rng: random.Random) -> tuple[Position, ReferenceMatch]:
    """Return the same position in both implementations: the start, or random men with none in hand."""
    empty: list[list[str | None]] = [[None] * 8 for _ in range(3)]
    kind = rng.choice(["start", "strewn", "crowded"])
    if kind == "start":
        return GAME.start(options), ReferenceMatch(options, empty, [9, 9], 0)
    reference = ReferenceMatch(options, empty, [0, 0], 0)
    spots = SPOTS if kind == "crowded" else rng.sample(SPOTS, 24)
    black, white = rng.randint(3, 9), rng.randint(3, 9)
    for spot in spots[: black + white]:
        reference.put(spot, "black" if spot in spots[:black] else "white")
    men = sum(BIT[name(spot)] for spot in reference.men(0)), sum(BIT[name(spot)] for spot in reference.men(1))
    return Position(options, men=men, hand=(0, 0)), reference


def compare(state: Position, reference: ReferenceMatch) -> None:
    """Compare everything that the two implementations compute for a position."""
    view = msgspec.to_builtins(GAME.view(state, None))
    view["mills"] = sorted(sorted(mill) for mill in view["mills"])
    assert view == reference.view()
    legal_moves = [move_text(move) for seat in GAME.to_move(state) for move in GAME.legal_moves(state, seat)]
    assert sorted(legal_moves) == sorted(reference.legal_moves())
    ended = GAME.outcome(state)
    assert (ended and (ended.reason, ended.places)) == reference.result
    assert GAME.to_move(state) == (() if reference.result else (reference.mover,))


def choose(moves: list[MorrisMove], before: str, rng: random.Random) -> MorrisMove:
    """Return a random move, often one that undoes the seat's last move, so that positions repeat."""
    back = [move for move in moves if move_text(move) == f"{before[3:]}-{before[:2]}"]
    return back[0] if back and rng.random() < 0.5 else rng.choice(moves)


def play_both(options: Options, rng: random.Random) -> str | None:
    """Play at random in both implementations, 400 plies at most, and return how the match ended."""
    state, reference = equal_positions(options, rng)
    before = ["", ""]
    for _ in range(400):
        compare(state, reference)
        if reference.result:
            return reference.result[0]
        seat = GAME.to_move(state)[0]
        move = choose(list(GAME.legal_moves(state, seat)), before[seat], rng)
        before[seat] = move_text(move)
        for event in GAME.decide(state, seat, move):
            state = GAME.evolve(state, event)
        reference.play(move_text(move))
    return None


@pytest.mark.parametrize("flying", ["both", "reduced", "off"])
@pytest.mark.parametrize("all_in_mills", ["none", "three", "any"])
@pytest.mark.parametrize("double_mill", ["two", "one"])
def test_both_implementations_agree_at_every_ply(flying: str, all_in_mills: str, double_mill: str) -> None:
    """The same moves give the same men, mills, phases, removals, legal moves and endings, under every option."""
    rng = seeded_random(f"{flying} {all_in_mills} {double_mill}")
    for repetition, quiet_limit in product((True, False), (0, 6, 100)):
        variant = {"flying": flying, "all_in_mills": all_in_mills, "double_mill": double_mill}
        guards = {"repetition": repetition, "quiet_limit": quiet_limit}
        play_both(msgspec.convert(variant | guards, Options), rng)


def test_random_play_reaches_every_ending() -> None:
    """Otherwise the comparison would not cover them."""
    rng = seeded_random("endings")
    options = Options(flying="off", all_in_mills="any", quiet_limit=30)
    missing: set[str | None] = {*get_args(EndReason)}
    for _ in range(100):
        missing.discard(play_both(options, rng))
        if not missing:
            break
    assert not missing


def test_every_illegal_move_is_rejected_with_a_known_code() -> None:
    """Of the 624 possible moves exactly the legal ones are accepted; each code occurs."""
    rng = seeded_random("refusals")
    codes = set()
    for _ in range(12):
        state, _ = equal_positions(Options(), rng)
        while GAME.to_move(state):
            legal_moves = list(GAME.legal_moves(state, state.mover))
            if rng.random() < 0.1 or state.removals_owed:
                codes |= rejection_codes(state, {move_text(move) for move in legal_moves})
            (event,) = GAME.decide(state, state.mover, rng.choice(legal_moves))
            state = GAME.evolve(state, event)
    assert codes == set(GAME.texts.refusals)


def rejection_codes(state: Position, legal_moves: set[str]) -> set[str]:
    """Try every possible move, and return the codes of those that are rejected."""
    codes = set()
    for move in EVERY_MOVE:
        try:
            GAME.decide(state, state.mover, move)
        except Rejected as refusal:
            assert move_text(move) not in legal_moves
            codes.add(refusal.code)
        else:
            assert move_text(move) in legal_moves
    return codes


def test_the_board_is_three_rings_joined_by_four_spokes() -> None:
    """The same points, joined by the same edges, as in the reference."""
    assert {point.name for point in GEOMETRY.cells} == {name(spot) for spot in SPOTS}
    assert {frozenset(edge) for edge in GEOMETRY.edges} == {
        frozenset((name(one), name(other))) for one in SPOTS for other in SPOTS if are_joined(one, other)
    }
