"""A position of Tic-Tac-Rainbow: what it consists of, what the rules say of it, and how it is shown."""

from typing import TypeAlias

from msgspec import Struct

from service.domain.game import Outcome, Seat
from service.domain.games.rainbow.board import CELLS, THROUGH, Grid, Line, Spot
from service.domain.games.rainbow.model import COLOURS, PEGS, SEAT_NAMES, Colour, Options, Peg, SeatName, Side

Pegs: TypeAlias = int
"""A set of one seat's pegs: bit n stands for `PEGS[n]`."""

PEG_BIT: dict[Peg, Pegs] = {peg: 1 << n for n, peg in enumerate(PEGS)}
ALL_PEGS: Pegs = sum(PEG_BIT.values())
WHITE_BLACK: Pegs = PEG_BIT["WK"]
COLOURED: Pegs = ALL_PEGS ^ WHITE_BLACK

LISTED: list[tuple[Peg, ...]] = [
    tuple(peg for peg, bit in PEG_BIT.items() if pegs & bit) for pegs in range(ALL_PEGS + 1)
]
"""By set, its pegs in the order of the rainbow, the white-and-black one last."""

FITTING: dict[Colour | None, Pegs] = {
    None: ALL_PEGS,
    **{colour: sum(PEG_BIT[peg] for peg in PEGS if colour in peg) | WHITE_BLACK for colour in COLOURS},
}
"""The pegs that a roll of the die lets a seat act upon."""

MATCHING: dict[Side, int] = {**{colour: 1 << n for n, colour in enumerate(COLOURS)}, "W": 63, "K": 0}
"""The colours that a side counts as, a bit each: white as all six, black as none."""


class Standing(Struct, frozen=True):
    """A peg on the board."""

    owner: SeatName
    peg: Peg
    up: Side


class Face(Struct, frozen=True):
    """A seat's peg with one side up. `FACES` holds the only copy of each."""

    owner: Seat
    peg: Peg
    up: Side
    shown: Standing
    """The same in a view."""

    @property
    def hidden(self) -> Side:
        """The side that lies underneath."""
        return SIDES[self.peg][self.up == SIDES[self.peg][0]]


SIDES: dict[Peg, tuple[Side, Side]] = {
    "RO": ("R", "O"),
    "OY": ("O", "Y"),
    "YG": ("Y", "G"),
    "GB": ("G", "B"),
    "BV": ("B", "V"),
    "VR": ("V", "R"),
    "WK": ("W", "K"),
}
FACES: dict[tuple[int, Peg, Side], Face] = {
    (owner, peg, side): Face(Seat(owner), peg, side, Standing(SEAT_NAMES[owner], peg, side))
    for owner in range(len(SEAT_NAMES))
    for peg in PEGS
    for side in SIDES[peg]
}

Cells: TypeAlias = tuple[Face | None, ...]
"""What stands on each cell, in the order of `CELLS`."""

Rest: TypeAlias = tuple[Pegs, Pegs]
"""The pegs of a seat that rest on its coming turn, and those of them that rest on the turn after it as well."""

Occurrence: TypeAlias = tuple[Cells, Seat, tuple[Rest, ...], Colour | None]
"""What has to be equal in a repetition: the cells, the seat to move, the pegs at rest and the colour rolled."""


class State(Struct, frozen=True):
    """A position, and what the guards against endless play have to remember. Tuples are by seat."""

    options: Options
    cells: Cells
    on_board: tuple[Pegs, ...]
    rests: tuple[Rest, ...]
    turn: Seat = Seat(0)
    die: Colour | None = None
    """The colour rolled for this turn; with `dice` nobody can act before there is one."""
    dropped: tuple[Seat, ...] = ()
    """The seats that left, in this order."""
    quiet: int = 0
    """Turns in a row without a placement."""
    seen: tuple[Occurrence, ...] = ()
    """The positions since the last placement or drop-out, which none before can equal."""
    line: Line | None = None
    outcome: Outcome | None = None


def start(options: Options) -> State:
    """Return the empty board with all pegs beside it."""
    return State(
        options,
        cells=(None,) * len(CELLS),
        on_board=(0,) * options.players,
        rests=((0, 0),) * options.players,
    )


def awaits_roll(state: State) -> bool:
    """Tell whether the turn begins with a roll that has not been made yet."""
    return state.options.dice and state.die is None and state.outcome is None


def to_move(state: State) -> tuple[Seat, ...]:
    """Return the one seat that is awaited, or none when the match is over or chance has to roll first."""
    return () if state.outcome or awaits_roll(state) else (state.turn,)


def playable(state: State) -> Pegs:
    """Return the pegs of the seat to move that it could act upon if none had to rest.

    That is never none: each colour is on two pegs of which each is in hand, and then there is an empty cell because
    there are no more pegs than cells, or on the board, where it can be flipped. (Rules: A turn, Variants.)
    """
    on_board = state.on_board[state.turn]
    placeable = ALL_PEGS if on_board & COLOURED == COLOURED else COLOURED
    return (placeable | on_board) & FITTING[state.die]


def resting(state: State, seat: Seat) -> Pegs:
    """Return the pegs that a seat may not act upon on its coming turn, none when that is waived for want of another."""
    rest, _ = state.rests[seat]
    if not rest or seat in state.dropped:
        return 0
    waived = to_move(state) == (seat,) and not playable(state) & ~rest
    return 0 if waived else rest


def usable(state: State) -> Pegs:
    """Return the pegs that the seat to move may act upon."""
    return playable(state) & ~resting(state, state.turn)


def line_through(cells: Cells, at: Spot, grid: Grid) -> Line | None:
    """Return the first line that stands on these cells and runs through `at`, on which a peg stands."""
    face = cells[at]
    colours = MATCHING[face.up] if face else 0
    for one, other, line in THROUGH[grid][at]:
        if (a := cells[one]) and (b := cells[other]) and colours & MATCHING[a.up] & MATCHING[b.up]:
            return line
    return None


class View(Struct, frozen=True):
    """The state as everybody may know it; nothing in this game is secret."""

    cells: dict[str, Standing]
    """The occupied cells."""
    off_board: dict[SeatName, tuple[Peg, ...]]
    resting: dict[SeatName, tuple[Peg, ...]]
    """The pegs that each seat may not act upon on its coming turn, none when that is waived."""
    die: Colour | None
    """The colour rolled for this turn."""
    line: Line | None
    """The line that ended the match."""


def view(state: State, _seat: Seat | None) -> View:
    """Return the whole state; everybody may know it."""
    seats = [(Seat(n), name) for n, name in enumerate(SEAT_NAMES[: state.options.players])]
    return View(
        cells={name: face.shown for name, face in zip(CELLS, state.cells, strict=True) if face},
        off_board={name: LISTED[ALL_PEGS & ~state.on_board[seat]] for seat, name in seats},
        resting={name: LISTED[resting(state, seat)] for seat, name in seats},
        die=state.die,
        line=state.line,
    )
