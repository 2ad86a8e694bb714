"""What bots compute for people: analyses of finished matches, and hints."""

from typing import Annotated

import msgspec
from litestar import get
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.callers.identify import identify_player, identify_reader
from service.api.callers.peers import peer_of
from service.api.http.common_headers import count
from service.api.http.parameters import AnySeat, HttpRequest, Parameter, page_size
from service.api.http.requests import context_of, headers_of, negotiate
from service.api.http.responses import JSON, next_link, respond_json
from service.api.http.route_docs import NEGOTIATION_CODES, ROOM_CODES, ROOMS_CODES, document_route
from service.api.routes.matches import find_match
from service.api.routes.reading import load_for_caller
from service.bots.analyses import MatchAnalysis, page_of
from service.bots.hints import Hint
from service.domain.game import Seat
from service.domain.validation import MAX_INTEGER
from service.streams.errors import ServiceError

PlyParameter = Annotated[int, msgspec.Meta(ge=0, le=MAX_INTEGER)]

PLY: Parameter[int | None] = Parameter(
    "ply",
    PlyParameter,
    "The position to read, with the bot's moves: how many entries of the match's text (docs/notation.md) have been "
    "made, moves and drop-outs, without those taken back. 0 is the position before the first move.",
    12,
)

POSITION: Parameter[int] = Parameter("cursor", PlyParameter, "The `next` of the previous page.", 1000, default=0)
POSITIONS_PER_PAGE = page_size("Positions", 1000, example=200)
MOVING_SEAT: Parameter[Seat | None] = Parameter(
    "seat", AnySeat, "The seat, if several seats of the caller are to move.", 0
)


@get(
    "/v1/matches/{match_id:str}/analysis",
    opt=document_route(
        "Analyse a match",
        {200: MatchAnalysis},
        parameters=(PLY, POSITION, POSITIONS_PER_PAGE),
        refusals=(
            *(*ROOMS_CODES, *NEGOTIATION_CODES, "no_such_match", "members_only", "trimmed"),
            *("not_over", "no_such_ply", "too_many_analyses"),
        ),
        headers=("Link",),
        tag="Matches",
    ),
)
async def read_analysis(request: HttpRequest, match_id: FromPath[str]) -> ASGIResponse:
    """Return a finished match for review.

    Without `ply`, return its positions page by page for a graph, each with a number for every seat and the moves that
    were played.
    With `ply`, return that position and, for each seat to move, the move of the strongest bot with that seat's
    knowledge. Moves that were computed before do not count against the limit of analyses.
    """
    context, headers = context_of(request), headers_of(request)
    negotiate(headers, JSON)
    player = identify_reader(context.callers, headers)
    ply, cursor, limit = PLY.of(request), POSITION.of(request), POSITIONS_PER_PAGE.of(request)
    live, entry = await find_match(context, match_id, player)
    if entry.last is None:
        raise ServiceError("not_over", version=live.head.version)
    analysis = context.analyses.known(entry, ply)
    if analysis is None:
        peer = peer_of(dict(request.scope))
        reader = peer.address(context.addresses) if player is None else player.id
        count(peer, context.limits.analyses, reader)
        analysis = await context.analyses.analyse(live, entry, ply, reader)
    if ply is not None:
        return respond_json(analysis)
    page = page_of(analysis, cursor, limit)
    return respond_json(page, headers=next_link(request, "cursor", page.next))


@get(
    "/v1/rooms/{room:str}/hint",
    opt=document_route(
        "Read a hint",
        {200: Hint},
        parameters=(MOVING_SEAT,),
        refusals=(
            *ROOM_CODES,
            *NEGOTIATION_CODES,
            *("not_playing", "not_a_member", "not_seated", "not_your_seat", "seat_required", "not_your_turn"),
            *("no_hints", "rated_match", "too_many_hints"),
        ),
        caller="required",
    ),
)
async def read_hint(request: HttpRequest, room: FromPath[str]) -> ASGIResponse:
    """Return the move that the strongest bot would play with the caller's knowledge."""
    context, headers = context_of(request), headers_of(request)
    negotiate(headers, JSON)
    player = identify_player(context.callers, headers, "read")
    wanted = MOVING_SEAT.of(request)
    live, _ = await load_for_caller(request, context, headers, room)
    count(peer_of(dict(request.scope)), context.limits.hints, player.id)
    return respond_json(await context.hints.hint(live, player, wanted))
