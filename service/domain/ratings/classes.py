"""Rating classes, by the time that the clock gives each seat for a match of ordinary length."""

from typing import Literal, NewType, get_args

from service.domain.catalog import GAMES
from service.domain.room.model.clock import DAY, SECOND, Clock, Days, Fischer, NoClock, PerMove
from service.domain.room.model.ids import Millis

TimeClass = Literal["bullet", "blitz", "rapid", "correspondence"]
RatingClass = TimeClass | Literal["bots"]
"""Matches against bots of the service count in a separate list, whatever the clock."""

CLASSES: tuple[RatingClass, ...] = (*get_args(TimeClass), "bots")

ListId = NewType("ListId", str)
"""A game and a rating class, such as `morris.blitz`; the id of the stream of the list's matches."""

TURNS = 30
"""How many turns a seat is assumed to have in a match."""

BULLET_BELOW = Millis(180 * SECOND)
BLITZ_BELOW = Millis(600 * SECOND)
RAPID_BELOW = Millis(DAY)
"""The time for `TURNS` turns below which a clock belongs to each class."""


def time_class(clock: Clock) -> TimeClass | None:
    """Return the class of a clock; None for a clock that does not run."""
    time = time_of_match(clock)
    if time is None:
        return None
    if time < BULLET_BELOW:
        return "bullet"
    if time < BLITZ_BELOW:
        return "blitz"
    return "rapid" if time < RAPID_BELOW else "correspondence"


def time_of_match(clock: Clock) -> int | None:
    """Return how many milliseconds a clock gives a seat for `TURNS` turns, None for a clock that does not run."""
    match clock:
        case NoClock():
            return None
        case Days(days=days):
            return days * DAY * TURNS
        case PerMove(ms=ms):
            return ms * TURNS
        case Fischer(initial_ms=initial, increment_ms=increment):
            return initial + increment * TURNS


def list_id(game: str, rating_class: RatingClass) -> ListId:
    """Return the id of a list."""
    return ListId(f"{game}.{rating_class}")


def parse_list(name: ListId) -> tuple[str, RatingClass]:
    """Return the game and the class of a list. Raises `ValueError` for an invalid name."""
    game, _, rating_class = name.partition(".")
    found: RatingClass | None = next((each for each in CLASSES if each == rating_class), None)
    if found is None or game not in GAMES:
        raise ValueError(f"{name!r} is not a game and a rating class, such as morris.blitz")
    return game, found
