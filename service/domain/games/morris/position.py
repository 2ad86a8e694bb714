"""A position of Nine Men's Morris: what it consists of, what the rules say of it, and how it is shown."""

import msgspec

from service.domain.game import Outcome, Seat
from service.domain.games.morris.board import ALL, POINTS, Mill, Spots, can_slide, each_of, in_mills, mills_in
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
    """The positions after each turn since the last placement or removal, which none before can equal."""
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
        case "off":
            return False
        case "reduced":
            return state.men_left(seat) <= 3
        case "both":
            return min(state.men_left(WHITE), state.men_left(BLACK)) <= 3


def is_stuck(state: State, seat: Seat) -> bool:
    """Tell whether a seat has no legal move at the beginning of its turn; a man in hand always finds a point."""
    return not (state.hand[seat] or can_slide(state.men[seat], state.empty) or flies(state, seat))


def view(state: State, _seat: Seat | None) -> View:
    """Return the whole state; everybody may know it."""
    return View(
        points=points(state),
        phase={"white": phase(state, WHITE), "black": phase(state, BLACK)},
        hand={"white": state.hand[WHITE], "black": state.hand[BLACK]},
        on_board={"white": state.men[WHITE].bit_count(), "black": state.men[BLACK].bit_count()},
        lost={"white": MEN - state.men_left(WHITE), "black": MEN - state.men_left(BLACK)},
        mills=mills_in(state.men[WHITE]) + mills_in(state.men[BLACK]),
        removals_owed=state.removals_owed,
    )


def points(state: State) -> dict[str, Colour | None]:
    """Return every point with the colour of the man on it."""
    standing: dict[str, Colour | None] = dict.fromkeys(POINTS)
    for spot in each_of(state.men[WHITE]):
        standing[POINTS[spot]] = "white"
    for spot in each_of(state.men[BLACK]):
        standing[POINTS[spot]] = "black"
    return standing


def phase(state: State, seat: Seat) -> Phase:
    """Return what a seat does on its turns now."""
    if state.hand[seat]:
        return "placing"
    return "flying" if flies(state, seat) else "moving"
