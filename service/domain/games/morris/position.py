"""A position of Nine Men's Morris: what it consists of, what the rules say of it, and how it is shown."""

import msgspec

from service.domain.game import Outcome, Seat
from service.domain.games.morris.board import ALL, NAMES, POINTS, Mill, Spots, can_slide, in_mills, mills_in
from service.domain.games.morris.values import BLACK, MEN, WHITE, Colour, Options, Phase


class State(msgspec.Struct, frozen=True):
    """A position, and what the guards against endless play have to remember. Pairs are by seat."""

    options: Options
    men: tuple[Spots, Spots] = (0, 0)
    hand: tuple[int, int] = (MEN, MEN)
    mover: Seat = WHITE
    removals_owed: int = 0
    quiet: int = 0
    """Turns in a row without a placement or removal."""
    seen: tuple[int, ...] = ()
    """The positions after each turn since the last placement or removal, which none before can equal.

    Packed: white's men, black's men and the seat to move, which have to be equal in a repetition; the hands then are.
    """
    outcome: Outcome | None = None

    @property
    def empty(self) -> Spots:
        """The points on which nobody stands."""
        return ~(self.men[0] | self.men[1]) & ALL

    def men_left(self, seat: Seat) -> int:
        """Return how many men a seat still has, board and hand together."""
        return self.men[seat].bit_count() + self.hand[seat]


class View(msgspec.Struct, frozen=True):
    """The state as everybody may know it; nothing in this game is secret."""

    points: dict[str, Colour | None]
    phase: dict[Colour, Phase]
    hand: dict[Colour, int]
    on_board: dict[Colour, int]
    lost: dict[Colour, int]
    mills: tuple[Mill, ...]
    removals_owed: int


def removable(state: State, victim: Seat) -> Spots:
    """Return the men of a seat that its opponent may remove: those outside mills, else as `all_in_mills` says."""
    men = state.men[victim]
    rule = state.options.all_in_mills
    exposed = men & ~in_mills(men)
    if exposed or rule == "none" or (rule == "three" and state.men_left(victim) > 3):
        return exposed
    return men


def flies(state: State, seat: Seat) -> bool:
    """Tell whether a seat's men may go to any empty point, once they move at all."""
    match state.options.flying:
        case "both":
            return state.men_left(WHITE) <= 3 or state.men_left(BLACK) <= 3
        case "reduced":
            return state.men_left(seat) <= 3
        case "off":
            return False


def is_stuck(state: State, seat: Seat) -> bool:
    """Tell whether a seat has no legal move at the beginning of its turn; a man in hand always finds a point."""
    return not (state.hand[seat] or can_slide(state.men[seat], state.empty) or flies(state, seat))


def view(state: State, _seat: Seat | None) -> View:
    """Return the whole state; everybody may know it."""
    white, black = state.men
    white_hand, black_hand = state.hand
    white_board, black_board = white.bit_count(), black.bit_count()
    return View(
        points=points(white, black),
        phase={"white": phase(state, WHITE), "black": phase(state, BLACK)},
        hand={"white": white_hand, "black": black_hand},
        on_board={"white": white_board, "black": black_board},
        lost={"white": MEN - white_hand - white_board, "black": MEN - black_hand - black_board},
        mills=mills_in(white) + mills_in(black),
        removals_owed=state.removals_owed,
    )


BARE: dict[str, Colour | None] = dict.fromkeys(POINTS)


def points(white: Spots, black: Spots) -> dict[str, Colour | None]:
    """Return every point with the colour of the man on it."""
    standing = BARE.copy()
    for name in NAMES.of(white):
        standing[name] = "white"
    for name in NAMES.of(black):
        standing[name] = "black"
    return standing


def phase(state: State, seat: Seat) -> Phase:
    """Return what a seat does on its turns now."""
    if state.hand[seat]:
        return "placing"
    return "flying" if flies(state, seat) else "moving"
