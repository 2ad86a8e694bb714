"""The routes of ratings: leaderboards, a player's ratings, how a match was rated, and all entries of a list."""

import asyncio

from litestar import get
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.callers.identify import identify_reader
from service.api.callers.peers import peer_of
from service.api.context import AppContext
from service.api.http.parameters import CURSOR, CursorVersion, HttpRequest, Parameter, page_size
from service.api.http.read_limits import limit_read, reader_of
from service.api.http.requests import context_of, headers_of, negotiate
from service.api.http.responses import JSON, next_link, respond_json
from service.api.http.route_docs import NEGOTIATION_CODES, ROOMS_CODES, STORE_CODES, document_route
from service.api.routes.matches import find_match
from service.api.routes.ratings.bodies import (
    Leaderboard,
    MatchRatings,
    PlayerRatings,
    RatingEntries,
    RatingLists,
    entry_json,
    leaderboard_place,
    list_summary,
    place_needs,
    player_ratings,
    seats_json,
)
from service.api.routes.ratings.lists import rating_list
from service.api.routes.reading import admit_reader
from service.contests.ratings.service import LISTS
from service.domain.ratings.classes import ListId, parse_list
from service.domain.room.model.ids import PlayerId, Version
from service.domain.validation import Invalid
from service.rooms.access.policy import knows_all_matches

PLACES_PER_PAGE = page_size("Places", 50)
AROUND: Parameter[str | None] = Parameter(
    "around",
    str,
    "The id of a player; returns the page with their place, the first page if they have none. "
    "Not together with `cursor`.",
    "p-aaaaaaaaaaaaaaaa",
)
AFTER: Parameter[Version] = Parameter(
    "since", CursorVersion, "Only entries after this version.", 41, default=Version(0)
)
ENTRIES_PER_PAGE = page_size("Entries", 100, example=100)


LISTS_COST = 10
"""How many additional reads all lists count as."""


@get(
    "/v1/ratings",
    opt=document_route(
        "Read all rating lists",
        {200: RatingLists},
        refusals=(*STORE_CODES, *NEGOTIATION_CODES),
        caller="none",
        tag="Ratings",
    ),
)
async def read_rating_lists(request: HttpRequest) -> ASGIResponse:
    """Return the rating lists of all games and classes: how many players have a place, and who is first."""
    context = context_of(request)
    negotiate(headers_of(request), JSON)
    caller = reader_of(context, request)
    limit_read(context, peer_of(dict(request.scope)), caller, LISTS_COST)
    lists = await asyncio.gather(*(list_summary(context.ratings, context.player_matches, name) for name in LISTS))
    return respond_json(RatingLists(tuple(lists)))


@get(
    "/v1/ratings/{game:str}/{rating_class:str}",
    opt=document_route(
        "Read a leaderboard",
        {200: Leaderboard},
        parameters=(CURSOR, AROUND, PLACES_PER_PAGE),
        refusals=(*ROOMS_CODES, *NEGOTIATION_CODES, "no_such_rating_list"),
        headers=("Link",),
        caller="none",
        tag="Ratings",
    ),
)
async def read_leaderboard(request: HttpRequest, game: FromPath[str], rating_class: FromPath[str]) -> ASGIResponse:
    """Return a page of the leaderboard of a game and a rating class; with `around`, the player is in the middle."""
    context = context_of(request)
    negotiate(headers_of(request), JSON)
    name, slug, found = rating_list(game, rating_class)
    limit = PLACES_PER_PAGE.of(request)
    place = await place_around(request, context, name)
    start = CURSOR.of(request) or max(0, (place or 1) - 1 - limit // 2)
    ranked, total, is_provisional = await context.ratings.leaderboard(name, start, limit)
    places = await asyncio.gather(*(leaderboard_place(context.player_matches, each) for each in ranked))
    following = start + limit if start + limit < total else None
    page = Leaderboard(slug, found, total, is_provisional, place_needs(found), place, tuple(places), following)
    return respond_json(page, headers=next_link(request, "cursor", following))


async def place_around(request: HttpRequest, context: AppContext, name: ListId) -> int | None:
    """Return the place of the player in `around`, from 1; None without one. Raises `Invalid`."""
    around = AROUND.of(request)
    if around is None:
        return None
    if CURSOR.name in request.query_params:
        raise Invalid("Expected either `around` or `cursor`, got both", parameter="around")
    place = await context.ratings.place(name, PlayerId(around))
    return None if place is None else place + 1


@get(
    "/v1/players/{player:str}/ratings",
    opt=document_route(
        "Read a player's ratings",
        {200: PlayerRatings},
        refusals=(*ROOMS_CODES, *NEGOTIATION_CODES, "profile_hidden"),
        tag="Ratings",
    ),
)
async def read_player_ratings(request: HttpRequest, player: FromPath[str]) -> ASGIResponse:
    """Return a player's ratings in all games and classes; none for a player without a rated match.

    A rating that only matches for members have changed is shown to the player and operators only.
    """
    context = context_of(request)
    negotiate(headers_of(request), JSON)
    about = PlayerId(player)
    knows_all = knows_all_matches(await admit_reader(request, context, about), about)
    standings = await context.ratings.standings(about)
    return respond_json(PlayerRatings(about, player_ratings(standings, knows_all=knows_all)))


@get(
    "/v1/matches/{match_id:str}/ratings",
    opt=document_route(
        "Read how a match was rated",
        {200: MatchRatings},
        refusals=(*ROOMS_CODES, *NEGOTIATION_CODES, "no_such_match", "members_only"),
        tag="Ratings",
    ),
)
async def read_match_ratings(request: HttpRequest, match_id: FromPath[str]) -> ASGIResponse:
    """Return the ratings of a match's players before and after it, for those who may read the match.

    A match is rated within a second after its end.
    """
    context, headers = context_of(request), headers_of(request)
    negotiate(headers, JSON)
    _, entry = await find_match(context, match_id, identify_reader(context.callers, headers))
    found = await context.ratings.match(entry.game, entry.id)
    if found is None:
        why = await context.player_matches.why_not_rated(entry)
        return respond_json(MatchRatings(entry.id, entry.game, why is None, why, None))
    (_, rating_class), rated = parse_list(found.list), found.rated
    why = "voided" if found.voided else None
    seats = seats_json(rated.seats, entry.programs or ())
    more = (rating_class, found.version, seats, rated.parameters, found.voided)
    return respond_json(MatchRatings(rated.match, entry.game, why is None, why, *more))


@get(
    "/v1/ratings/{game:str}/{rating_class:str}/entries",
    opt=document_route(
        "Read the entries of a rating list",
        {200: RatingEntries},
        parameters=(AFTER, ENTRIES_PER_PAGE),
        refusals=(*ROOMS_CODES, *NEGOTIATION_CODES, "no_such_rating_list"),
        headers=("Link",),
        caller="none",
        tag="Ratings",
    ),
)
async def read_entries(request: HttpRequest, game: FromPath[str], rating_class: FromPath[str]) -> ASGIResponse:
    """Return everything from which the ratings of a list are computed, in order, so that anybody can recompute them.

    A match that only members of its room may read has an entry without a match and seats.
    """
    context = context_of(request)
    negotiate(headers_of(request), JSON)
    name, slug, found = rating_list(game, rating_class)
    limit = ENTRIES_PER_PAGE.of(request)
    records = await context.ratings.entries(name, AFTER.of(request), limit)
    following = records[-1].version if len(records) == limit else None
    page = RatingEntries(slug, found, tuple(map(entry_json, records)), following)
    return respond_json(page, headers=next_link(request, "since", following))
