"""What bots compute for people: analyses of finished matches, and hints."""

from typing import Annotated

import msgspec
from litestar.response.base import ASGIResponse

from service.api.http.common_headers import count
from service.api.http.json_routes import Call, read
from service.api.http.parameters import AnySeat, Parameter, page_size
from service.api.http.responses import next_link, respond_json
from service.api.http.route_docs import ROOM_CODES, ROOMS_CODES
from service.api.routes.matches import find_match
from service.api.routes.reading import load_for_caller
from service.bots.analyses import MatchAnalysis, page_of
from service.bots.hints import Hint
from service.domain.game import Seat
from service.domain.ids import Player
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


@read(
    "/v1/matches/{match_id:str}/analysis",
    "Analyse a match",
    MatchAnalysis,
    parameters=(PLY, POSITION, POSITIONS_PER_PAGE),
    refusals=(
        *(*ROOMS_CODES, "no_such_match", "members_only", "trimmed"),
        *("not_over", "no_such_ply", "too_many_analyses"),
    ),
    headers=("Link",),
    tag="Matches",
)
async def read_analysis(call: Call, match_id: str) -> ASGIResponse:
    """Return a finished match for review.

    Without `ply`, return its positions page by page for a graph, each with a number for every seat and the moves that
    were played.
    With `ply`, return that position and, for each seat to move, the move of the strongest bot with that seat's
    knowledge. Moves that were computed before do not count against the limit of analyses.
    """
    context, request, reader = call.context, call.request, call.reader
    ply, cursor, limit = PLY.of(request), POSITION.of(request), POSITIONS_PER_PAGE.of(request)
    live, entry = await find_match(context, match_id, reader)
    if entry.last is None:
        raise ServiceError("not_over", version=live.head.version)
    analysis = context.analyses.known(entry, ply)
    if analysis is None:
        asker = reader or call.address
        count(call.peer, context.limits.analyses, asker)
        analysis = await context.analyses.analyse(live, entry, ply, asker)
    if ply is not None:
        return respond_json(analysis)
    page = page_of(analysis, cursor, limit)
    return respond_json(page, headers=next_link(request, "cursor", page.next))


@read(
    "/v1/rooms/{room:str}/hint",
    "Read a hint",
    Hint,
    scope="read",
    parameters=(MOVING_SEAT,),
    refusals=(
        *ROOM_CODES,
        *("not_playing", "not_a_member", "not_seated", "not_your_seat", "seat_required", "not_your_turn"),
        *("no_hints", "rated_match", "too_many_hints"),
    ),
)
async def read_hint(call: Call, player: Player, room: str) -> Hint:
    """Return the move that the strongest bot would play with the caller's knowledge."""
    wanted = MOVING_SEAT.of(call.request)
    live, _ = await load_for_caller(call, room)
    count(call.peer, call.context.limits.hints, player.id)
    return await call.context.hints.hint(live, player, wanted)
