"""Profiles: a player's ratings, results and latest matches, and whether others may see them."""

import asyncio

import msgspec
from litestar import get, put
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.callers.identify import identify_player
from service.api.callers.peers import peer_of
from service.api.http.common_headers import count
from service.api.http.parameters import HttpRequest
from service.api.http.read_limits import limit_read
from service.api.http.requests import context_of, headers_of, negotiate, read_json
from service.api.http.responses import JSON, respond_json
from service.api.http.route_docs import CHANGE_CODES, NEGOTIATION_CODES, ROOMS_CODES, document_route
from service.api.routes.profiles.bodies import (
    HeadToHead,
    PlayerProfile,
    ProfileSettings,
    RatingHistory,
    game_results,
    player_match,
    rating_points,
    shown_in,
)
from service.api.routes.ratings.bodies import player_ratings
from service.api.routes.ratings.lists import rating_list
from service.api.routes.reading import admit_reader
from service.domain.ratings.kind import points
from service.domain.room.model.ids import PlayerId
from service.people.player_matches.service import Wanted
from service.rooms.access.policy import knows_all_matches
from service.rooms.views.timestamps import rfc3339

LATEST = 10
"""How many matches a profile has."""

PROFILE_COST = 10
"""How many additional reads a profile counts as: it is read from all rating lists."""

SETTINGS = msgspec.json.Decoder(ProfileSettings)


@get(
    "/v1/players/{player:str}",
    opt=document_route(
        "Read a player's profile",
        {200: PlayerProfile},
        refusals=(*ROOMS_CODES, *NEGOTIATION_CODES, "profile_hidden"),
        tag="Players",
    ),
)
async def read_profile(request: HttpRequest, player: FromPath[str]) -> ASGIResponse:
    """Return a player's ratings, results by game and latest matches; an unknown player has none.

    Matches for members only are left out and not counted for everybody but the player and operators. They have changed
    the ratings that are shown; a rating that only they have changed is left out.
    """
    context, about = context_of(request), PlayerId(player)
    negotiate(headers_of(request), JSON)
    caller = await admit_reader(request, context, about)
    knows_all = knows_all_matches(caller, about)
    limit_read(context, peer_of(dict(request.scope)), caller, PROFILE_COST)
    hidden, since, standings, results, page = await asyncio.gather(
        context.accounts.is_hidden(about),
        context.player_matches.since(about, caller),
        context.ratings.standings(about),
        context.player_matches.results(about, caller),
        context.player_matches.page(about, caller, Wanted(), None, LATEST),
    )
    latest = tuple(map(player_match, page.matches))
    shown = shown_in(player, latest)
    return respond_json(
        PlayerProfile(
            player=player,
            nickname=shown.nickname,
            bot=shown.is_bot,
            hidden=hidden,
            since=None if since is None else rfc3339(since),
            ratings=player_ratings(standings, knows_all=knows_all),
            results=game_results(results),
            latest=latest,
        )
    )


@get(
    "/v1/players/{player:str}/against/{other:str}",
    opt=document_route(
        "Read a player's results against another player",
        {200: HeadToHead},
        refusals=(*ROOMS_CODES, *NEGOTIATION_CODES, "profile_hidden"),
        tag="Players",
    ),
)
async def read_head_to_head(request: HttpRequest, player: FromPath[str], other: FromPath[str]) -> ASGIResponse:
    """Return how matches between two players ended, by game.

    Matches for members only are left out for everybody but the two and operators. If one of them hides the profile,
    only the two and operators can read this.
    """
    context = context_of(request)
    negotiate(headers_of(request), JSON)
    caller = await admit_reader(request, context, PlayerId(player), PlayerId(other))
    results, one, two = await asyncio.gather(
        context.player_matches.against(PlayerId(player), PlayerId(other), caller),
        context.player_matches.shown_as(PlayerId(player)),
        context.player_matches.shown_as(PlayerId(other)),
    )
    return respond_json(HeadToHead(player, other, one.is_bot, two.is_bot, game_results(results)))


@get(
    "/v1/players/{player:str}/ratings/{game:str}/{rating_class:str}",
    opt=document_route(
        "Read the history of a player's rating",
        {200: RatingHistory},
        refusals=(*ROOMS_CODES, *NEGOTIATION_CODES, "no_such_rating_list", "profile_hidden"),
        tag="Ratings",
    ),
)
async def read_rating_history(
    request: HttpRequest, player: FromPath[str], game: FromPath[str], rating_class: FromPath[str]
) -> ASGIResponse:
    """Return a player's ratings after matches of a list, for a chart."""
    context, about = context_of(request), PlayerId(player)
    negotiate(headers_of(request), JSON)
    name, slug, found = rating_list(game, rating_class)
    caller = await admit_reader(request, context, about)
    standing, history = await asyncio.gather(
        context.ratings.standing(name, about), context.ratings.history(name, about)
    )
    is_known = standing is not None and (knows_all_matches(caller, about) or standing.row.public.matches)
    rating, deviation = (standing.row.value, standing.row.deviation) if standing and is_known else (None, None)
    return respond_json(
        RatingHistory(
            player=player,
            game=slug,
            rating_class=found,
            rating=None if rating is None else points(rating),
            deviation=None if deviation is None else points(deviation),
            points=rating_points(history),
        )
    )


@put(
    "/v1/players/me/profile",
    opt=document_route(
        "Hide or show your profile",
        {200: ProfileSettings},
        body=ProfileSettings,
        refusals=(*CHANGE_CODES, "rate_limited"),
        caller="required",
        tag="Players",
    ),
)
async def set_profile(request: HttpRequest) -> ASGIResponse:
    """Hide your profile from others, or show it again, with your matches, exports, ratings and results.

    Leaderboards, rating lists and the matches themselves can still be read.
    """
    context, headers = context_of(request), headers_of(request)
    me = identify_player(context.callers, headers, "account")
    count(peer_of(dict(request.scope)), context.limits.commands, me.id)
    wanted = await read_json(request, headers, SETTINGS)
    await context.accounts.hide(me.id, hidden=wanted.hidden)
    return respond_json(wanted)
