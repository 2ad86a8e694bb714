"""The answers of the routes of ratings, and how they are made from stored ratings."""

from collections.abc import Collection, Sequence

import msgspec

from service.contests.leaderboards import Ranked
from service.contests.rating_service import RatingService
from service.domain.ids import PlayerId, Version, rfc3339
from service.domain.ratings.decide import PLACES_NEEDED
from service.domain.ratings.kind import points
from service.domain.ratings.model import (
    ListId,
    MatchRated,
    Parameters,
    RatedSeat,
    Rating,
    RatingClass,
    RatingVoided,
    parse_list,
)
from service.domain.ratings.state import OPPONENTS_NEEDED, RANKED_DEVIATION, Counts
from service.domain.room.model.events import BotKind
from service.domain.streams import Record
from service.people.player_matches.rated import NotRated
from service.people.player_matches.service import PlayerMatchService
from service.streams.errors import ServiceError


class PlayerRating(msgspec.Struct, frozen=True):
    """A player's rating in a list."""

    game: str
    rating_class: RatingClass
    rating: float
    """The rating, in points."""
    deviation: float
    """Its standard deviation."""
    matches: int
    """How many rated matches the player has played; those for members only count for the player and operators only."""
    wins: int
    """How many of them the player won alone."""
    draws: int
    """How many of them the player drew by sharing the first place."""
    opponents: int
    """How many different opponents, whose own deviation was small enough for a place when the match ended, up to ten.

    In the list `bots`, a match against bots of the service counts as one.
    """
    place: int | None
    """The place on the leaderboard, from 1; null until the player has what `place_needs` there says."""
    provisional: bool
    """Whether the leaderboard is provisional, so that everybody in the list has a place."""


class PlayerRatings(msgspec.Struct, frozen=True):
    """The ratings of a player."""

    player: PlayerId
    ratings: tuple[PlayerRating, ...]
    """The ratings in all lists in which the reader may know of a rated match of the player."""


class LeaderboardPlace(msgspec.Struct, frozen=True):
    """A place on a leaderboard."""

    place: int
    """The place, from 1."""
    player: PlayerId
    nickname: str | None
    """The player's nickname in their latest match that everybody may see; null without one, or if it is not known."""
    bot: bool
    """Whether the player was declared a bot in that match."""
    rating: float
    """The rating, in points."""
    deviation: float
    """Its standard deviation."""
    matches: int
    """How many rated matches the player has played, without those for members only."""
    wins: int
    """How many of them the player won alone."""


class RatingListSummary(msgspec.Struct, frozen=True):
    """A rating list at a glance."""

    game: str
    rating_class: RatingClass
    total: int
    """How many players are on the leaderboard."""
    provisional: bool
    """Whether fewer than twenty players have what a place requires; until then everybody is on the leaderboard."""
    best: LeaderboardPlace | None
    """The first place of the leaderboard; null while nobody is on it."""


class RatingLists(msgspec.Struct, frozen=True):
    """All rating lists."""

    lists: tuple[RatingListSummary, ...]
    """One for each game and rating class, in the order of the games and the classes."""


class PlaceNeeds(msgspec.Struct, frozen=True):
    """What a place on a leaderboard requires."""

    opponents: int | None
    """The number of different opponents whose own deviation was not larger than this one; null against bots."""
    matches: int | None
    """The number of matches against bots of the service; null in other lists."""
    deviation: float
    """The largest deviation."""
    players: int
    """How many players must have all this; until then the leaderboard is provisional."""


class Leaderboard(msgspec.Struct, frozen=True):
    """A page of a leaderboard, the best first."""

    game: str
    rating_class: RatingClass
    total: int
    """How many players are on the leaderboard."""
    provisional: bool
    """Whether too few players have what a place requires; until then everybody is on the leaderboard."""
    place_needs: PlaceNeeds
    """What a place requires."""
    place: int | None
    """The place of the player of `around`; null if they have none, and without `around`."""
    places: tuple[LeaderboardPlace, ...]
    """The places."""
    next: int | None
    """The cursor of the next page."""


class RatedPlayer(msgspec.Struct, frozen=True):
    """A seat of a rated match."""

    seat: int
    player: PlayerId
    bot: BotKind | None
    """The level of a bot of the service, whose rating is fixed; `external` for a player who was declared a bot."""
    place: int
    """The place in the match, from 1; equal places are a draw."""
    rating_before: float
    """The rating before the match, in points."""
    deviation_before: float
    """Its standard deviation."""
    rating: float
    """The rating after the match."""
    deviation: float
    """Its standard deviation."""


class MatchRatings(msgspec.Struct, frozen=True):
    """How a match was rated."""

    match_id: str
    """The id of the match."""
    game: str
    rated: bool
    """Whether the match counts for ratings."""
    not_rated: NotRated | None
    """Why it does not; null if it does."""
    rating_class: RatingClass | None
    """The rating class; null, like the fields after it, if the match was not rated, or not yet."""
    version: Version | None = None
    """The version of the entry in its list."""
    seats: tuple[RatedPlayer, ...] = ()
    """The seats, with the ratings of their players."""
    parameters: Parameters | None = None
    """The parameters of the model."""
    voided: bool = False
    """Whether an operator voided the match: what it changed was reverted."""


class RatingEntry(msgspec.Struct, frozen=True):
    """An entry of a list."""

    version: Version
    """Its number in the list, from 1."""
    time: str
    type: str
    """`match_rated`, or `rating_voided` for a match that an operator voided."""
    match_id: str | None
    """The id of the match; null if only members of its room may read it."""
    seats: tuple[RatedPlayer, ...]
    """The seats, with the ratings of their players; empty if only members may read the match."""
    parameters: Parameters | None
    """The parameters of the model; null for a match that was voided."""


class RatingEntries(msgspec.Struct, frozen=True):
    """A page of the entries of a list, the oldest first."""

    game: str
    rating_class: RatingClass
    entries: tuple[RatingEntry, ...]
    """The entries."""
    next: Version | None
    """The `since` of the next page."""


async def leaderboard_place(matches: PlayerMatchService, ranked: Ranked) -> LeaderboardPlace:
    """Return a place as clients see it."""
    shown = await matches.shown_as(ranked.player, ranked.row.latest)
    return LeaderboardPlace(
        place=(ranked.place or 0) + 1,
        player=ranked.player,
        nickname=shown.nickname,
        bot=shown.is_bot,
        rating=points(ranked.row.value),
        deviation=points(ranked.row.deviation),
        matches=ranked.row.public.matches,
        wins=ranked.row.public.wins,
    )


async def list_summary(ratings: RatingService, matches: PlayerMatchService, name: ListId) -> RatingListSummary:
    """Return a rating list at a glance."""
    board = await ratings.leaderboard(name, 0, 1)
    best = await leaderboard_place(matches, board.ranked[0]) if board.ranked else None
    return RatingListSummary(*parse_list(name), board.total, board.provisional, best)


def place_needs(rating_class: RatingClass) -> PlaceNeeds:
    """Return what a place on the leaderboards of a class requires."""
    is_bots = rating_class == "bots"
    opponents, matches = (None, OPPONENTS_NEEDED) if is_bots else (OPPONENTS_NEEDED, None)
    return PlaceNeeds(opponents, matches, points(RANKED_DEVIATION), PLACES_NEEDED)


def player_ratings(standings: Sequence[tuple[ListId, Ranked]], *, knows_all: bool) -> tuple[PlayerRating, ...]:
    """Return a player's ratings as clients see them, without lists in which the client may know no match."""
    found = (player_rating(name, ranked, knows_all=knows_all) for name, ranked in standings)
    return tuple(rating for rating in found if knows_all or rating.matches)


def player_rating(name: ListId, ranked: Ranked, *, knows_all: bool) -> PlayerRating:
    """Return a player's rating as clients see it: all matches are counted for clients who may know all of them."""
    game, rating_class = parse_list(name)
    row = ranked.row
    counts = Counts(row.matches, row.wins, row.draws) if knows_all else row.public
    return PlayerRating(
        game=game,
        rating_class=rating_class,
        rating=points(row.value),
        deviation=points(row.deviation),
        matches=counts.matches,
        wins=counts.wins,
        draws=counts.draws,
        opponents=row.opponents if knows_all else row.public_opponents,
        place=None if ranked.place is None else ranked.place + 1,
        provisional=ranked.provisional,
    )


def seats_json(seats: tuple[RatedSeat, ...], programs: Collection[int] = ()) -> tuple[RatedPlayer, ...]:
    """Return the seats of a rated match as clients see them; `programs` are further seats of declared bots."""
    return tuple(
        RatedPlayer(number, seat.player, bot, seat.place, *figures(seat.before), *figures(seat.after))
        for number, seat in enumerate(seats)
        for bot in ("external" if seat.program or number in programs else seat.bot,)
    )


def figures(rating: Rating) -> tuple[float, float]:
    """Return a rating and its deviation in points."""
    return points(rating.value), points(rating.deviation)


def entry_json(record: Record) -> RatingEntry:
    """Return an entry as everybody may see it."""
    event = record.event
    if not isinstance(event, MatchRated | RatingVoided):
        raise TypeError(type(event))
    kind = "match_rated" if isinstance(event, MatchRated) else "rating_voided"
    parameters = event.parameters if isinstance(event, MatchRated) else None
    is_withheld = event.members_only
    seats = () if is_withheld else seats_json(event.seats)
    match_id = None if is_withheld else event.match
    return RatingEntry(record.version, rfc3339(record.time), kind, match_id, seats, parameters)


def rating_list(game: str, rating_class: str) -> tuple[ListId, str, RatingClass]:
    """Return the list that a path names. Raises `ServiceError` (`no_such_rating_list`)."""
    try:
        return ListId(f"{game}.{rating_class}"), *parse_list(ListId(f"{game}.{rating_class}"))
    except ValueError:
        raise ServiceError("no_such_rating_list") from None
