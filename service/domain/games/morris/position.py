"""A position of Nine Men's Morris: what it consists of, what the rules say of it, and how it is shown."""

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

import msgspec

from service.domain.game import Outcome, Seat
from service.domain.games.morris.board import (
    ALL,
    HALF,
    POINTS,
    UPPER,
    Mill,
    Spots,
    can_slide,
    in_mills,
    mills_on,
    standing,
)
from service.domain.games.morris.model import MEN, OPPONENT, WHITE, Colour, Flying, Options, Phase
from service.domain.games.morris.sets import choices


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

    def empty(self) -> Spots:
        """Return the points on which nobody stands."""
        white, black = self.men
        return (white | black) ^ ALL

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
    return few_fly(state.options.flying, state.men_left(seat), state.men_left(OPPONENT[seat]))


def few_fly(flying: Flying, left: int, others_left: int) -> bool:
    """Tell whether an option lets a seat fly that has so many men left, and its opponent so many."""
    return (left <= 3 and flying != "off") or (others_left <= 3 and flying == "both")


def is_stuck(state: State, seat: Seat) -> bool:
    """Tell whether a seat has no legal move at the beginning of its turn; a man in hand always finds a point."""
    return not (state.hand[seat] or can_slide(state.men[seat], state.men[OPPONENT[seat]]) or flies(state, seat))


def view(state: State, _seat: Seat | None) -> View:
    """Return the whole state; everybody may know it."""
    white, black = state.men
    return View(
        points(white, black),
        *tallies(state.options.flying, state.hand, (white.bit_count(), black.bit_count())),
        mills=mills_on(standing(white)) + mills_on(standing(black)),
        removals_owed=state.removals_owed,
    )


Tallies: TypeAlias = tuple[dict[Colour, Phase], dict[Colour, int], dict[Colour, int], dict[Colour, int]]
"""By colour: the phase, and how many men are in hand, on the board and lost."""


@cache  # a match sees some dozen of a few thousand
def tallies(flying: Flying, hand: tuple[int, int], on_board: tuple[int, int]) -> Tallies:
    """Return what a view counts."""
    white, black = hand[0] + on_board[0], hand[1] + on_board[1]
    return (
        {"white": phase(flying, hand[0], white, black), "black": phase(flying, hand[1], black, white)},
        {"white": hand[0], "black": hand[1]},
        {"white": on_board[0], "black": on_board[1]},
        {"white": MEN - white, "black": MEN - black},
    )


def shown(colour: Colour, names: Sequence[str]) -> list[dict[str, Colour | None]]:
    """Return by the men of a colour on these points, as a set, what they show."""
    return [dict.fromkeys(chosen, colour) for chosen in choices(names)]


BARE: dict[str, Colour | None] = dict.fromkeys(POINTS)
WHITE_ABOVE, WHITE_BELOW = shown("white", POINTS[:HALF]), shown("white", POINTS[HALF:])
BLACK_ABOVE, BLACK_BELOW = shown("black", POINTS[:HALF]), shown("black", POINTS[HALF:])


def points(white: Spots, black: Spots) -> dict[str, Colour | None]:
    """Return every point with the colour of the man on it."""
    return {
        **BARE,
        **WHITE_ABOVE[white & UPPER],
        **WHITE_BELOW[white >> HALF],
        **BLACK_ABOVE[black & UPPER],
        **BLACK_BELOW[black >> HALF],
    }


def phase(flying: Flying, hand: int, left: int, others_left: int) -> Phase:
    """Return what a seat does on its turns now."""
    if hand:
        return "placing"
    return "flying" if few_fly(flying, left, others_left) else "moving"
