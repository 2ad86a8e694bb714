"""Analyses of finished matches."""

from typing import Annotated

import msgspec
from litestar import get
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.callers.peers import peer_of
from service.api.http.common_headers import count
from service.api.http.requests import HttpRequest, context_of, headers_of, identify, negotiate, query_parameter
from service.api.http.responses import JSON, respond_json
from service.api.http.route_docs import NEGOTIATION_CODES, ROOMS_CODES, Parameter, document_route
from service.api.routes.matches import find_match
from service.bot_engine.analyses import MatchAnalysis
from service.domain.validation import MAX_INTEGER
from service.rooms.errors import ServiceError

PlyParameter = Annotated[int, msgspec.Meta(ge=0, le=MAX_INTEGER)]

PLY = Parameter(
    "ply",
    PlyParameter,
    "The position to read, with the bot's moves: how many entries of the match's text (docs/notation.md) have been "
    "made, moves and drop-outs, without those taken back. 0 is the position before the first move.",
    12,
)


@get(
    "/v1/matches/{match_id:str}/analysis",
    opt=document_route(
        "Analyse a match",
        {200: MatchAnalysis},
        parameters=(PLY,),
        refusals=(
            *(*ROOMS_CODES, *NEGOTIATION_CODES, "no_such_match", "members_only", "trimmed"),
            *("not_over", "no_such_ply", "too_many_analyses"),
        ),
        tag="Matches",
    ),
)
async def read_analysis(request: HttpRequest, match_id: FromPath[str]) -> ASGIResponse:
    """Return a finished match for review.

    Without `ply` all positions, each with a number for every seat and with the moves that were played, for a graph.
    With `ply` that position, and for each seat to move the move of the strongest bot, from what the seat knew. What
    has been computed before is not counted against the limit of analyses.
    """
    context, headers = context_of(request), headers_of(request)
    negotiate(headers, JSON)
    player = identify(context.tokens, headers)
    ply = query_parameter(request, "ply", PlyParameter)
    live, entry = await find_match(context, match_id, player)
    if entry.last is None:
        raise ServiceError("not_over", version=live.head.version)
    analysis = context.analyses.known(entry, ply)
    if analysis is None:
        peer = peer_of(dict(request.scope))
        reader = peer.address(context.addresses) if player is None else player.id
        count(peer, context.limits.analyses, reader)
        analysis = await context.analyses.analyse(live, entry, ply, reader)
    return respond_json(analysis)
