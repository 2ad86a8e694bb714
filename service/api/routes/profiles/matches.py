"""A player's matches: a page as JSON, or an export of all of them."""

from datetime import UTC, datetime

from litestar import get
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.callers.peers import peer_of
from service.api.http.parameters import HttpRequest, PageSize, Parameter, only_game
from service.api.http.read_limits import ITEMS_PER_READ, limit_read
from service.api.http.requests import context_of, headers_of, negotiate
from service.api.http.responses import JSON, NDJSON, next_link, respond_json
from service.api.http.route_docs import NEGOTIATION_CODES, ROOMS_CODES, document_route
from service.api.routes.matches import TEXT
from service.api.routes.profiles.bodies import PlayerMatch, PlayerMatches, player_match
from service.api.routes.profiles.export import Asked, export
from service.api.routes.reading import admit_reader
from service.domain.room.model.ids import Millis, PlayerId
from service.domain.validation import Invalid
from service.people.player_matches.rows import Position
from service.people.player_matches.service import Page, Wanted
from service.rooms.access.policy import knows_all_matches


def parse_since(text: str) -> Position:
    """Return after which position matches are wanted; a time without a zone is UTC. Raises `Invalid`."""
    if "T" not in text:
        return Position.parse(text, "since")
    try:
        time = datetime.fromisoformat(text)
        in_zone = time.replace(tzinfo=UTC) if time.tzinfo is None else time
        return Position(Millis(round(in_zone.timestamp() * 1000)), "")
    except (ValueError, OverflowError):
        raise Invalid("Expected a time such as 2026-01-01T00:00:00Z, or a `cursor`", parameter="since") from None


MATCHES_PER_PAGE = 20

GAME = only_game("matches of this game")
RATED: Parameter[bool | None] = Parameter("rated", bool, "Only rated matches, or only unrated ones.", example=True)
OPPONENT: Parameter[PlayerId | None] = Parameter(
    "opponent", str, "Only matches against this player.", "p-aaaaaaaaaaaaaaaa"
)
AFTER: Parameter[Position | None] = Parameter(
    "since",
    str,
    "Only matches that ended after this one, by its `cursor`, or after this time (UTC without a zone).",
    "2026-01-01T00:00:00Z",
    read=parse_since,
)
BEFORE: Parameter[Position | None] = Parameter(
    "cursor",
    str,
    "The `next` of the previous page, for JSON.",
    "1764000000000.friday-night.mzuw4zlo.1",
    read=lambda cursor: Position.parse(cursor, "cursor"),
)
LIMIT: Parameter[int | None] = Parameter(
    "limit", PageSize, f"Matches, {MATCHES_PER_PAGE} by default; in an export all by default.", 20
)

OTHERS_COST = 10
"""How many additional reads a page counts as for a caller who may not know all matches of the player."""


@get(
    "/v1/players/{player:str}/matches",
    opt=document_route(
        "List or export a player's matches",
        {200: PlayerMatches},
        compressed=False,
        parameters=(GAME, RATED, OPPONENT, AFTER, BEFORE, LIMIT),
        refusals=(*ROOMS_CODES, *NEGOTIATION_CODES, "too_many_exports", "profile_hidden"),
        headers=("Link",),
        also=(
            (NDJSON, "All matches, one per line, the oldest first."),
            (TEXT, "All matches in the notation of docs/notation.md, the oldest first, each with its cursor."),
        ),
        line=PlayerMatch,
        tag="Players",
    ),
)
async def read_player_matches(request: HttpRequest, player: FromPath[str]) -> ASGIResponse:
    """Return a page of the matches of a player that have ended, the latest first, or stream all of them.

    A match for members only is shown to the player, to members of its room and to operators. A stream begins with the
    oldest match after `since` and is sent at the pace that the limits allow. If it breaks off, continue it with the
    `cursor` of the last complete line as `since`. A caller gets one stream at a time.
    """
    context, headers = context_of(request), headers_of(request)
    media_type = negotiate(headers, JSON, NDJSON, TEXT)
    caller_id = await admit_reader(request, context, PlayerId(player))
    wanted = Wanted(GAME.of(request), RATED.of(request), OPPONENT.of(request) or None, AFTER.of(request))
    limit = LIMIT.of(request)
    if media_type != JSON:
        return await export(request, context, Asked(PlayerId(player), caller_id, wanted, limit, media_type))
    before = BEFORE.of(request)
    page = await context.player_matches.page(PlayerId(player), caller_id, wanted, before, limit or MATCHES_PER_PAGE)
    cost = cost_of_page(page, knows_all=knows_all_matches(caller_id, PlayerId(player)))
    limit_read(context, peer_of(dict(request.scope)), caller_id, cost)
    following = page.next.cursor if page.next else None
    body = PlayerMatches(player, tuple(map(player_match, page.matches)), following)
    return respond_json(body, headers=next_link(request, "cursor", following))


def cost_of_page(page: Page, *, knows_all: bool) -> int:
    """Return as how many additional reads a page counts; for others it reveals nothing about what was left out."""
    return page.work // ITEMS_PER_READ if knows_all else OTHERS_COST
