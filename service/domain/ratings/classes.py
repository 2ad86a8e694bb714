"""Rating classes: those of the clock, and one for matches against bots of the service."""

from typing import Literal, NewType, get_args

from service.domain.catalog import GAMES
from service.domain.room.model.clock import TimeClass

RatingClass = TimeClass | Literal["bots"]
"""Matches against bots of the service count in a separate list, whatever the clock."""

CLASSES: tuple[RatingClass, ...] = (*get_args(TimeClass), "bots")

ListId = NewType("ListId", str)
"""A game and a rating class, such as `morris.blitz`; the id of the stream of the list's matches."""


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
