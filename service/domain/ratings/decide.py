"""The decisions about rating lists: pure functions of the state, an ended match, and the figures of the model."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Literal, NamedTuple

from service.domain.catalog import GAMES
from service.domain.game import Event, Level
from service.domain.ratings import model
from service.domain.ratings.model import Parameters, RatedSeat, Rating, SeatResult, parse_list
from service.domain.ratings.state import (
    DAYS_KEPT,
    RatingList,
    day_of,
    pairs,
)

PARAMETERS = Parameters(beta=125.0, tau=3.5)
"""The parameters of new matches; docs/ratings.md has the study that they come from."""

NEWCOMER = Rating(150_000, 35_000)
"""The rating of a player before the first match."""

BOT_DEVIATION = 2_500
"""The deviation assumed for the fixed rating of a bot, in hundredths of a point."""

MOST_MEETINGS = 5
"""How many matches between the same two players count per day."""

PLACES_NEEDED = 20
"""Until so many players have a place, a leaderboard is provisional: everybody is on it."""

LEAST, MOST = -500_000, 800_000
"""The bounds of all ratings, in hundredths of a point."""

NotRated = Literal["known", "too_late", "pair_limit", "unknown_bot"]
"""Why a match does not count: it was rated before; it ended too long ago; its players met too often that day; the
strength of a bot was not measured."""


class Figures(NamedTuple):
    """The figures that the model computed for a seat, in points."""

    value: float
    deviation: float


class BadFigures(Exception):  # noqa: N818 - what was found
    """The model computed figures that no rating can have."""


def reason_not_rated(state: RatingList, ended: model.RatedMatchEnded) -> NotRated | None:
    """Return why a match does not count; None if it does."""
    number = day_of(ended.ended)
    day = state.day(number)
    if ended.match in day.matches:
        return "known"
    if is_too_late(state, number):
        return "too_late"
    people = tuple(seat.player for seat in ended.seats if seat.bot is None)
    if any(day.meetings.get(key, 0) >= MOST_MEETINGS for key in pairs(people)):
        return "pair_limit"
    ratings = bot_ratings(state)
    return "unknown_bot" if any(seat.bot and seat.bot not in ratings for seat in ended.seats) else None


def bot_ratings(state: RatingList) -> Mapping[Level, int]:
    """Return the fixed ratings of the bots of a list's game, in points."""
    game, _ = parse_list(state.id)
    return GAMES[game].bot_ratings


def is_too_late(state: RatingList, number: int) -> bool:
    """Return whether the matches of a day may no longer be remembered."""
    return len(state.days) == DAYS_KEPT and number < state.days[0].number


def rating_before(state: RatingList, seat: SeatResult) -> Rating:
    """Return the rating with which a seat begins a match. Raises `KeyError` for a bot without one."""
    if seat.bot is not None:
        return Rating(bot_ratings(state)[seat.bot] * 100, BOT_DEVIATION)
    standing = state.players.get(seat.player)
    return standing.rating if standing else NEWCOMER


def rate(state: RatingList, ended: model.RatedMatchEnded, computed: Sequence[Figures]) -> model.MatchRated:
    """Return the event of a rated match, with the figures that the model computed for its seats from `PARAMETERS`.

    Raises `BadFigures`.
    """
    if len(computed) != len(ended.seats):
        raise BadFigures(f"there are {len(computed)} figures for {len(ended.seats)} seats")
    seats = tuple(rated_seat(state, seat, figures) for seat, figures in zip(ended.seats, computed, strict=True))
    return model.MatchRated(ended.match, ended.ended, seats, PARAMETERS, ended.members_only)


def rated_seat(state: RatingList, seat: SeatResult, figures: Figures) -> RatedSeat:
    """Return a seat with its new rating; that of a bot does not change. Raises `BadFigures`."""
    before = rating_before(state, seat)
    after = before if seat.bot else rounded(figures)
    return RatedSeat(seat.player, seat.place, before, after, seat.bot, seat.program)


def rounded(figures: Figures) -> Rating:
    """Return figures as a rating. Raises `BadFigures` for those that no rating can have."""
    value, deviation = figures
    if not (isfinite(value) and isfinite(deviation)):
        raise BadFigures(f"{figures} is not finite")
    rating = Rating(round(value * 100), round(deviation * 100))
    if not (LEAST <= rating.value <= MOST and 0 < rating.deviation <= NEWCOMER.deviation):
        raise BadFigures(f"{figures} is out of bounds")
    return rating


def void(state: RatingList, rated: model.MatchRated, reason: str) -> list[Event]:
    """Void a match, whose entry is in the stream; nothing if it was voided before."""
    return (
        []
        if rated.match in state.voided
        else [model.RatingVoided(rated.match, rated.seats, reason, rated.members_only)]
    )
