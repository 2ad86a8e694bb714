"""Profiles: a player's ratings, results and latest matches, and whether others may see them."""

import asyncio
from collections.abc import Sequence

import msgspec

from service.api.http.bodies import MatchSummary, match_summary
from service.api.http.json_routes import Call, change, read
from service.api.http.parameters import ROOMS_CODES
from service.api.http.read_limits import limit_read
from service.api.routes.contests.rating_bodies import PlayerRating, player_ratings, rating_list
from service.api.routes.reading import admit_reader
from service.domain.game import Seat
from service.domain.ids import Player, PlayerId, rfc3339
from service.domain.ratings.kind import points
from service.domain.ratings.model import RatingClass
from service.domain.room.model.clock import TimeClass
from service.people.player_matches.rated import NotRated
from service.people.player_matches.rows import position_of
from service.people.player_matches.service import FoundMatch, GameResults, ShownAs, Wanted
from service.rooms.access.policy import knows_all_matches
from service.rooms.match_index import Outcome


class PlayerMatch(MatchSummary, frozen=True):
    """A match in the list of one of its players."""

    cursor: str
    """The place of the match among the player's matches, for `cursor` and `since`."""
    seats: tuple[Seat, ...]
    """The player's seats."""
    place: int | None
    """The player's place, from 1; null without a result, and for a player who had several seats."""
    outcome: Outcome | None
    """How the match ended for the player: a shared first place is a draw; null without a place.

    Also null if the match does not count, see `counts`.
    """
    rated: bool
    """Whether the match counts for ratings."""
    not_rated: NotRated | None
    """Why it does not; null if it does."""
    rating_class: TimeClass | None
    """The class of the clock; null without one."""
    members_only: bool
    """Whether only members of the room see the match in this list."""


class PlayerMatches(msgspec.Struct, frozen=True):
    """A page of a player's matches, the latest first."""

    player: str
    matches: tuple[PlayerMatch, ...]
    """The matches; with filters, a page that is not the last one may have fewer than `limit`."""
    next: str | None
    """The cursor of the next page."""


class GameResult(msgspec.Struct, frozen=True):
    """A player's results in a game, of matches that count and in which the player had one seat and a place."""

    game: str
    matches: int
    """How many matches there are."""
    wins: int
    """How many the player won alone."""
    draws: int
    """How many times the player shared the first place; against one opponent, how often they had the same place."""
    losses: int
    """How many the player lost."""


class PlayerProfile(msgspec.Struct, frozen=True):
    """A player, as the caller may see them."""

    player: str
    nickname: str | None
    """The player's nickname in their latest match; null without a match."""
    bot: bool
    """Whether the player was declared a bot in their latest match."""
    hidden: bool
    """Whether others may not see the profile."""
    since: str | None
    """When their first match ended; null without a match."""
    ratings: tuple[PlayerRating, ...]
    """The ratings in all lists in which the player has a rated match."""
    results: tuple[GameResult, ...]
    """The results by game, the game with the most matches first."""
    latest: tuple[PlayerMatch, ...]
    """The latest matches, up to ten."""


class HeadToHead(msgspec.Struct, frozen=True):
    """The results of a player against another player, by their places alone."""

    player: str
    other: str
    """The other player's id."""
    bot: bool
    """Whether `player` was declared a bot in their latest match that everybody may see."""
    other_bot: bool
    """Whether `other` was, in theirs."""
    results: tuple[GameResult, ...]
    """The results by game, from the side of `player`."""


class RatingPoint(msgspec.Struct, frozen=True):
    """A player's rating after a match."""

    time: str
    """When the match ended."""
    rating: float
    """The rating, in points."""
    deviation: float
    """Its standard deviation."""
    voided: bool
    """Whether an operator voided the match later, so that the current rating is without its change."""


class RatingHistory(msgspec.Struct, frozen=True):
    """The history of a player's rating in a list."""

    player: str
    game: str
    rating_class: RatingClass
    rating: float | None
    """The current rating; null without a rated match."""
    deviation: float | None
    """Its standard deviation."""
    points: tuple[RatingPoint, ...]
    """Up to 500, evenly spread over the player's matches, with the first and the latest; none for members only."""


class ProfileSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who may see a profile."""

    hidden: bool
    """Whether others may not see it."""


def player_match(found: FoundMatch) -> PlayerMatch:
    """Return a match of a player as clients see it."""
    played, summary = found.played, match_summary(found.key, found.entry)
    return PlayerMatch(
        **msgspec.structs.asdict(summary),
        cursor=position_of(played).cursor,
        seats=played.seats,
        place=played.place or None,
        outcome=played.outcome if played.kind.counts else None,
        rated=found.not_rated is None,
        not_rated=found.not_rated,
        rating_class=played.kind.time_class,
        members_only=played.kind.members_only,
    )


def game_results(results: Sequence[GameResults]) -> tuple[GameResult, ...]:
    """Return results as clients see them."""
    return tuple(GameResult(each.game, each.matches, *each.tally) for each in results)


LATEST = 10
"""How many matches a profile has."""

PROFILE_COST = 10
"""How many additional reads a profile counts as: it is read from all rating lists."""


@read(
    "/v1/players/{player:str}",
    "Read a player's profile",
    PlayerProfile,
    refusals=(*ROOMS_CODES, "profile_hidden"),
    tag="Players",
)
async def read_profile(call: Call, player: str) -> PlayerProfile:
    """Return a player's ratings, results by game and latest matches; an unknown player has none.

    Matches for members only are left out and not counted for everybody but the player and operators. They have changed
    the ratings that are shown; a rating that only they have changed is left out.
    """
    context, about = call.context, PlayerId(player)
    caller = await admit_reader(call, about)
    knows_all = knows_all_matches(caller, about)
    limit_read(context, call.peer, caller, PROFILE_COST)
    hidden, since, standings, results, page = await asyncio.gather(
        context.accounts.is_hidden(about),
        context.player_matches.since(about, caller),
        context.ratings.standings(about),
        context.player_matches.results(about, caller),
        context.player_matches.page(about, caller, Wanted(), None, LATEST),
    )
    latest = tuple(map(player_match, page.matches))
    seats = (seat for match in latest[:1] for seat in match.players if seat.player == player)
    shown = next((ShownAs(seat.nickname, seat.bot) for seat in seats), ShownAs())
    return PlayerProfile(
        player=player,
        nickname=shown.nickname,
        bot=shown.is_bot,
        hidden=hidden,
        since=None if since is None else rfc3339(since),
        ratings=player_ratings(standings, knows_all=knows_all),
        results=game_results(results),
        latest=latest,
    )


@read(
    "/v1/players/{player:str}/against/{other:str}",
    "Read a player's results against another player",
    HeadToHead,
    refusals=(*ROOMS_CODES, "profile_hidden"),
    tag="Players",
)
async def read_head_to_head(call: Call, player: str, other: str) -> HeadToHead:
    """Return how matches between two players ended, by game.

    Matches for members only are left out for everybody but the two and operators. If one of them hides the profile,
    only the two and operators can read this.
    """
    caller = await admit_reader(call, PlayerId(player), PlayerId(other))
    matches = call.context.player_matches
    results, one, two = await asyncio.gather(
        matches.against(PlayerId(player), PlayerId(other), caller),
        matches.shown_as(PlayerId(player)),
        matches.shown_as(PlayerId(other)),
    )
    return HeadToHead(player, other, one.is_bot, two.is_bot, game_results(results))


@read(
    "/v1/players/{player:str}/ratings/{game:str}/{rating_class:str}",
    "Read the history of a player's rating",
    RatingHistory,
    refusals=(*ROOMS_CODES, "no_such_rating_list", "profile_hidden"),
    tag="Ratings",
)
async def read_rating_history(call: Call, player: str, game: str, rating_class: str) -> RatingHistory:
    """Return a player's ratings after matches of a list, for a chart."""
    ratings, about = call.context.ratings, PlayerId(player)
    name, slug, found = rating_list(game, rating_class)
    caller = await admit_reader(call, about)
    standing, history = await asyncio.gather(ratings.standing(name, about), ratings.history(name, about))
    is_known = standing is not None and (knows_all_matches(caller, about) or standing.row.public.matches)
    rating, deviation = (standing.row.value, standing.row.deviation) if standing and is_known else (None, None)
    return RatingHistory(
        player=player,
        game=slug,
        rating_class=found,
        rating=None if rating is None else points(rating),
        deviation=None if deviation is None else points(deviation),
        points=tuple(
            RatingPoint(rfc3339(each.time), points(each.value), points(each.deviation), each.voided) for each in history
        ),
    )


@change(
    "PUT",
    "/v1/players/me/profile",
    "Hide or show your profile",
    {200: ProfileSettings},
    scope="account",
    body=ProfileSettings,
    tag="Players",
)
async def set_profile(call: Call, me: Player, wanted: ProfileSettings) -> ProfileSettings:
    """Hide your profile from others, or show it again, with your matches, exports, ratings and results.

    Leaderboards, rating lists and the matches themselves can still be read.
    """
    await call.context.accounts.hide(me.id, hidden=wanted.hidden)
    return wanted
