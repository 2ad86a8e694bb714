"""Profiles: a player's ratings, results and latest matches, and whether others may see them."""

import asyncio

from service.api.http.json_routes import Call, change, read
from service.api.http.read_limits import limit_read
from service.api.http.route_docs import ROOMS_CODES
from service.api.routes.contests.rating_bodies import player_ratings, rating_list
from service.api.routes.people.profile_bodies import (
    HeadToHead,
    PlayerProfile,
    ProfileSettings,
    RatingHistory,
    game_results,
    player_match,
    rating_points,
    shown_in,
)
from service.api.routes.reading import admit_reader
from service.domain.ids import Player, PlayerId
from service.domain.ratings.kind import points
from service.domain.timestamps import rfc3339
from service.people.player_matches.service import Wanted
from service.rooms.access.policy import knows_all_matches

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
    shown = shown_in(player, latest)
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
        points=rating_points(history),
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
