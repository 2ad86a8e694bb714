"""The routes of ratings: leaderboards, a player's ratings, how a match was rated, and all entries of a list."""

import asyncio

from service.api.http.json_routes import Call, read
from service.api.http.parameters import CURSOR, ROOMS_CODES, STORE_CODES, CursorVersion, Parameter, page_size
from service.api.http.read_limits import limit_read, reader_of
from service.api.routes.contests.rating_bodies import (
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
    rating_list,
    seats_json,
)
from service.api.routes.matches import find_match
from service.api.routes.reading import admit_reader
from service.contests.rating_service import LISTS
from service.domain.ids import PlayerId, Version
from service.domain.ratings.model import ListId, parse_list
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


@read("/v1/ratings", "Read all rating lists", RatingLists, refusals=STORE_CODES, caller="none", tag="Ratings")
async def read_rating_lists(call: Call) -> RatingLists:
    """Return the rating lists of all games and classes: how many players have a place, and who is first."""
    context = call.context
    limit_read(context, call.peer, reader_of(context, call.request), LISTS_COST)
    lists = await asyncio.gather(*(list_summary(context.ratings, context.player_matches, name) for name in LISTS))
    return RatingLists(tuple(lists))


@read(
    "/v1/ratings/{game:str}/{rating_class:str}",
    "Read a leaderboard",
    Leaderboard,
    parameters=(CURSOR, AROUND, PLACES_PER_PAGE),
    refusals=(*ROOMS_CODES, "no_such_rating_list"),
    link="cursor",
    caller="none",
    tag="Ratings",
)
async def read_leaderboard(call: Call, game: str, rating_class: str) -> Leaderboard:
    """Return a page of the leaderboard of a game and a rating class; with `around`, the player is in the middle."""
    context = call.context
    name, slug, found = rating_list(game, rating_class)
    limit = PLACES_PER_PAGE.of(call.request)
    place = await place_around(call, name)
    start = CURSOR.of(call.request) or max(0, (place or 1) - 1 - limit // 2)
    ranked, total, is_provisional = await context.ratings.leaderboard(name, start, limit)
    places = await asyncio.gather(*(leaderboard_place(context.player_matches, each) for each in ranked))
    following = start + limit if start + limit < total else None
    return Leaderboard(slug, found, total, is_provisional, place_needs(found), place, tuple(places), following)


async def place_around(call: Call, name: ListId) -> int | None:
    """Return the place of the player in `around`, from 1; None without one. Raises `Invalid`."""
    around = AROUND.of(call.request)
    if around is None:
        return None
    if CURSOR.name in call.request.query_params:
        raise Invalid("Expected either `around` or `cursor`, got both", parameter="around")
    place = await call.context.ratings.place(name, PlayerId(around))
    return None if place is None else place + 1


@read(
    "/v1/players/{player:str}/ratings",
    "Read a player's ratings",
    PlayerRatings,
    refusals=(*ROOMS_CODES, "profile_hidden"),
    tag="Ratings",
)
async def read_player_ratings(call: Call, player: str) -> PlayerRatings:
    """Return a player's ratings in all games and classes; none for a player without a rated match.

    A rating that only matches for members have changed is shown to the player and operators only.
    """
    about = PlayerId(player)
    knows_all = knows_all_matches(await admit_reader(call, about), about)
    standings = await call.context.ratings.standings(about)
    return PlayerRatings(about, player_ratings(standings, knows_all=knows_all))


@read(
    "/v1/matches/{match_id:str}/ratings",
    "Read how a match was rated",
    MatchRatings,
    refusals=(*ROOMS_CODES, "no_such_match", "members_only"),
    tag="Ratings",
)
async def read_match_ratings(call: Call, match_id: str) -> MatchRatings:
    """Return the ratings of a match's players before and after it, for those who may read the match.

    A match is rated within a second after its end.
    """
    context = call.context
    _, entry = await find_match(context, match_id, call.reader)
    found = await context.ratings.match(entry.game, entry.id)
    if found is None:
        why = await context.player_matches.why_not_rated(entry)
        return MatchRatings(entry.id, entry.game, why is None, why, None)
    (_, rating_class), rated = parse_list(found.list), found.rated
    why = "voided" if found.voided else None
    seats = seats_json(rated.seats, entry.programs or ())
    more = (rating_class, found.version, seats, rated.parameters, found.voided)
    return MatchRatings(rated.match, entry.game, why is None, why, *more)


@read(
    "/v1/ratings/{game:str}/{rating_class:str}/entries",
    "Read the entries of a rating list",
    RatingEntries,
    parameters=(AFTER, ENTRIES_PER_PAGE),
    refusals=(*ROOMS_CODES, "no_such_rating_list"),
    link="since",
    caller="none",
    tag="Ratings",
)
async def read_entries(call: Call, game: str, rating_class: str) -> RatingEntries:
    """Return everything from which the ratings of a list are computed, in order, so that anybody can recompute them.

    A match that only members of its room may read has an entry without a match and seats.
    """
    name, slug, found = rating_list(game, rating_class)
    limit = ENTRIES_PER_PAGE.of(call.request)
    records = await call.context.ratings.entries(name, AFTER.of(call.request), limit)
    following = records[-1].version if len(records) == limit else None
    return RatingEntries(slug, found, tuple(map(entry_json, records)), following)
