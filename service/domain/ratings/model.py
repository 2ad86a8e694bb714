"""Rating classes, the events of a list's stream, and the values in them.

The events are stored: a change of a field needs an upcaster.
"""

from typing import Literal, NewType, get_args

import msgspec
from msgspec import UNSET, UnsetType

from service.domain.catalog import GAMES
from service.domain.game import Event, Level
from service.domain.ids import Millis, PlayerId
from service.domain.room.model.clock import TimeClass
from service.domain.room.model.notices import PlayerEvent

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


MatchId = str
"""The id of a match, `<room>.<epoch>.<number>`."""


class Rating(msgspec.Struct, frozen=True, array_like=True):
    """A rating and its uncertainty, in hundredths of a point: whole numbers, the same on every machine."""

    value: int
    deviation: int
    """The standard deviation: with 95 % probability, the strength is within two deviations of `value`."""


class Parameters(msgspec.Struct, frozen=True):
    """The parameters of the model, that of Weng and Lin with Plackett and Luce's likelihood, in points."""

    beta: float
    """How much performance varies from match to match: the larger, the less results say about strength."""
    tau: float
    """How much deviations grow before each match, because strength changes."""
    kappa: float = 0.0001
    """The smallest factor by which one match reduces a variance."""


class SeatResult(msgspec.Struct, frozen=True):
    """A seat of a match that has ended: its player when the match began, and the place."""

    player: PlayerId
    place: int
    bot: Level | None = None
    """The level of a bot of the service; None for a player."""
    program: bool | UnsetType = UNSET
    """Whether the player was declared a bot; unset for people, and in matches of earlier releases."""


class RatedMatchEnded(Event, frozen=True):
    """What a room delivers to a rating list: a match that may count has ended."""

    match: MatchId
    ended: Millis
    seats: tuple[SeatResult, ...]
    members_only: bool = False
    """Whether only members of the room may read the match."""


class RatedSeat(msgspec.Struct, frozen=True):
    """A seat of a rated match: the player's rating before and after it."""

    player: PlayerId
    place: int
    before: Rating
    after: Rating
    bot: Level | None = None
    """The level of a bot of the service, whose rating is fixed; None for a player."""
    program: bool | UnsetType = UNSET
    """Whether the player was declared a bot; unset for people, and in matches of earlier releases."""


class MatchRated(Event, frozen=True):
    """A match was rated. The ratings after it are part of the event, so that every fold has the same ratings."""

    match: MatchId
    ended: Millis
    seats: tuple[RatedSeat, ...]
    parameters: Parameters
    members_only: bool = False
    """Whether only members of the room may read the match."""


class RatingVoided(Event, frozen=True):
    """An operator voided a match: what it changed for its players is reverted; changes by later matches remain."""

    match: MatchId
    seats: tuple[RatedSeat, ...]
    """The seats of the match's `match_rated`."""
    reason: str
    """The operator's reason."""
    members_only: bool = False
    """Whether only members of the room may read the match."""


class RatingChanged(PlayerEvent, frozen=True):
    """A match of the player was rated, or an operator voided it."""

    match_id: str
    """The id of the match."""
    game: str
    rating_class: RatingClass
    rating: float
    """The player's rating after that."""
    deviation: float
    """The standard deviation of the rating."""
    change: float
    """By how much the match changed the rating, or how much of that was undone."""
    voided: bool
    """Whether the match was voided and no longer counts."""


RatingEvent = MatchRated | RatingVoided
"""Every event of a list's stream."""
