"""Nine Men's Morris played twice, by the package and by a slow table of three rings, and compared at every ply."""

import random
from itertools import product
from typing import Any, get_args

import msgspec
import pytest

from service.domain.game import Rejected
from service.domain.games.morris import GAME
from service.domain.games.morris.board import BIT, GEOMETRY
from service.domain.games.morris.model import EndReason, MorrisMove, Options, Place, Position, Remove, Shift
from service.domain.games.morris.rules import REFUSALS

Cell = tuple[int, int]
"""A ring from the outside (0 to 2) and a corner or middle on it, clockwise from the top left (0 to 7)."""

COMPASS = [(-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0)]
SPOTS: list[Cell] = [(ring, turn) for ring in range(3) for turn in range(8)]
SIDES = [[(ring, turn), (ring, turn + 1), (ring, (turn + 2) % 8)] for ring in range(3) for turn in (0, 2, 4, 6)]
SPOKES = [[(ring, turn) for ring in range(3)] for turn in (1, 3, 5, 7)]
COLOURS = ("white", "black")


def name(spot: Cell) -> str:
    """Return a point's name: d4 is the middle of the board, the outer ring is three columns and rows away from it."""
    ring, turn = spot
    right, up = COMPASS[turn]
    return "abcdefg"[3 + right * (3 - ring)] + str(4 + up * (3 - ring))


def joined(one: Cell, other: Cell) -> bool:
    """Tell whether a line joins two points with none between them."""
    if one[0] == other[0]:
        return (one[1] - other[1]) % 8 in (1, 7)
    return one[1] == other[1] and one[1] % 2 == 1 and abs(one[0] - other[0]) == 1


class Slow:
    """A match on three lists of eight, which looks at everything anew and remembers every turn."""

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

    def flying(self, seat: int) -> bool:
        """Tell whether a seat flies."""
        down_to_three = [self.left(0) <= 3, self.left(1) <= 3]
        return {"both": any(down_to_three), "reduced": down_to_three[seat], "off": False}[self.options.flying]

    def targets(self) -> list[Cell]:
        """Return the men that the seat to move may remove."""
        victim = 1 - self.mover
        free = [spot for spot in self.men(victim) if not any(spot in mill for mill in self.mills(victim))]
        bared = {"none": False, "three": self.left(victim) == 3, "any": True}[self.options.all_in_mills]
        return self.men(victim) if bared and not free else free

    def legal(self) -> set[str]:
        """Return the legal moves as `a1`, `a1-a4` and `xa1`."""
        empty = [(ring, turn) for ring, turn in SPOTS if self.rings[ring][turn] is None]
        if self.result:
            return set()
        if self.owed:
            return {f"x{name(spot)}" for spot in self.targets()}
        if self.hand[self.mover]:
            return {name(spot) for spot in empty}
        slides = product(self.men(self.mover), empty)
        return {f"{name(a)}-{name(b)}" for a, b in slides if joined(a, b) or self.flying(self.mover)}

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
        self.go_on()

    def put(self, spot: Cell, man: str | None) -> None:
        """Put a man on a point, or none."""
        self.rings[spot[0]][spot[1]] = man

    def go_on(self) -> None:
        """End the match, let the same seat remove, or end the turn."""
        winner = (1, 2) if self.mover == 0 else (2, 1)
        if self.left(1 - self.mover) < 3:
            self.owed, self.mover, self.result = 0, 1 - self.mover, ("too_few_men", winner)
            return
        if self.owed and self.targets():
            return
        self.owed, self.mover = 0, 1 - self.mover
        now = repr((self.rings, self.hand, self.mover))
        self.history.append(now)
        if not self.legal():
            self.result = "no_legal_move", winner
        elif self.options.repetition and self.history.count(now) == 3:
            self.result = "repetition", (1, 1)
        elif self.quiet == self.options.quiet_limit != 0:
            self.result = "quiet_limit", (1, 1)

    def shown(self) -> dict[str, Any]:
        """Return the state as it is told on the wire."""
        phases = ["placing" if self.hand[seat] else "flying" if self.flying(seat) else "moving" for seat in (0, 1)]
        return {
            "points": {name((ring, turn)): self.rings[ring][turn] for ring, turn in SPOTS},
            "phase": dict(zip(COLOURS, phases, strict=True)),
            "hand": dict(zip(COLOURS, self.hand, strict=True)),
            "on_board": {COLOURS[seat]: len(self.men(seat)) for seat in (0, 1)},
            "lost": {COLOURS[seat]: 9 - self.left(seat) for seat in (0, 1)},
            "mills": sorted(sorted(name(spot) for spot in mill) for seat in (0, 1) for mill in self.mills(seat)),
            "removals_owed": self.owed,
        }


def told(move: MorrisMove) -> str:
    """Return a move of the package in the table's words."""
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


def seeded(seed: str) -> random.Random:
    """Return a generator that plays the same moves every time."""
    return random.Random(seed)  # noqa: S311 - play has to be repeatable, not unpredictable


def tables(options: Options, rng: random.Random) -> tuple[Position, Slow]:
    """Set the same position up twice: the start, or men strewn over the board or crowded together, none in hand."""
    empty: list[list[str | None]] = [[None] * 8 for _ in range(3)]
    kind = rng.choice(["start", "strewn", "crowded"])
    if kind == "start":
        return GAME.start(options), Slow(options, empty, [9, 9], 0)
    slow = Slow(options, empty, [0, 0], 0)
    spots = SPOTS if kind == "crowded" else rng.sample(SPOTS, 24)
    black, white = rng.randint(3, 9), rng.randint(3, 9)
    for spot in spots[: black + white]:
        slow.put(spot, "black" if spot in spots[:black] else "white")
    men = sum(BIT[name(spot)] for spot in slow.men(0)), sum(BIT[name(spot)] for spot in slow.men(1))
    return Position(options, men=men, hand=(0, 0)), slow


def compare(state: Position, slow: Slow) -> None:
    """Hold everything that one table tells against the other."""
    shown = msgspec.to_builtins(GAME.view(state, None))
    shown["mills"] = sorted(sorted(mill) for mill in shown["mills"])
    assert shown == slow.shown()
    legal = [told(move) for seat in GAME.to_move(state) for move in GAME.legal_moves(state, seat)]
    assert sorted(legal) == sorted(slow.legal())
    ended = GAME.outcome(state)
    assert (ended and (ended.reason, ended.places)) == slow.result
    assert GAME.to_move(state) == (() if slow.result else (slow.mover,))


def chosen(moves: list[MorrisMove], before: str, rng: random.Random) -> MorrisMove:
    """Return a random move, often the one that takes the seat's last move back, so that positions come again."""
    back = [move for move in moves if told(move) == f"{before[3:]}-{before[:2]}"]
    return back[0] if back and rng.random() < 0.5 else rng.choice(moves)


def played_twice(options: Options, rng: random.Random) -> str | None:
    """Play at random on both tables, 400 plies at most, and return why it ended."""
    state, slow = tables(options, rng)
    before = ["", ""]
    for _ in range(400):
        compare(state, slow)
        if slow.result:
            return slow.result[0]
        seat = GAME.to_move(state)[0]
        move = chosen(list(GAME.legal_moves(state, seat)), before[seat], rng)
        before[seat] = told(move)
        for event in GAME.decide(state, seat, move):
            state = GAME.evolve(state, event)
        slow.play(told(move))
    return None


@pytest.mark.parametrize("flying", ["both", "reduced", "off"])
@pytest.mark.parametrize("all_in_mills", ["none", "three", "any"])
@pytest.mark.parametrize("double_mill", ["two", "one"])
def test_both_tables_agree_at_every_ply(flying: str, all_in_mills: str, double_mill: str) -> None:
    """The same moves give the same men, mills, phases, removals, legal moves and endings, under every option."""
    rng = seeded(f"{flying} {all_in_mills} {double_mill}")
    for repetition, quiet_limit in product((True, False), (0, 6, 100)):
        variant = {"flying": flying, "all_in_mills": all_in_mills, "double_mill": double_mill}
        guards = {"repetition": repetition, "quiet_limit": quiet_limit}
        played_twice(msgspec.convert(variant | guards, Options), rng)


def test_random_play_meets_every_ending() -> None:
    """The comparison is worth something only if play on both tables ends in each of the ways there are."""
    rng = seeded("endings")
    options = Options(flying="off", all_in_mills="any", quiet_limit=30)
    assert {played_twice(options, rng) for _ in range(100)} == set(get_args(EndReason))


def test_every_move_that_is_not_legal_is_refused_with_a_known_code() -> None:
    """Of the 624 moves that can be said, exactly the legal ones are accepted; each code occurs."""
    rng = seeded("refusals")
    codes = set()
    for _ in range(12):
        state, _ = tables(Options(), rng)
        while GAME.to_move(state):
            legal = list(GAME.legal_moves(state, state.mover))
            if rng.random() < 0.1 or state.removals_owed:
                codes |= codes_of_the_refused(state, {told(move) for move in legal})
            (event,) = GAME.decide(state, state.mover, rng.choice(legal))
            state = GAME.evolve(state, event)
    assert codes == set(REFUSALS)


def codes_of_the_refused(state: Position, legal: set[str]) -> set[str]:
    """Try every move there is, and return the codes of those that are refused."""
    codes = set()
    for move in EVERY_MOVE:
        try:
            GAME.decide(state, state.mover, move)
        except Rejected as refusal:
            assert told(move) not in legal
            codes.add(refusal.code)
        else:
            assert told(move) in legal
    return codes


def test_the_board_is_three_rings_joined_by_four_spokes() -> None:
    """The same points, joined by the same edges, as on the slow table."""
    assert {point.name for point in GEOMETRY.cells} == {name(spot) for spot in SPOTS}
    assert {frozenset(edge) for edge in GEOMETRY.edges} == {
        frozenset((name(one), name(other))) for one in SPOTS for other in SPOTS if joined(one, other)
    }
