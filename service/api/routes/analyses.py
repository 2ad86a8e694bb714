"""What bots compute for people: analyses of finished matches, and hints."""

from typing import Annotated

import msgspec
from litestar.response.base import ASGIResponse

from service.api.http.headers import count
from service.api.http.json_routes import Call, change, read
from service.api.http.parameters import ROOM_CODES, ROOMS_CODES, AnySeat, Parameter, page_size
from service.api.http.responses import next_link, respond_json
from service.api.routes.matches import find_match
from service.api.routes.reading import load_for_caller
from service.bots.hints import Hint
from service.contests.reviews import MatchAnalysis, at_ply, page_of
from service.domain.game import Seat
from service.domain.ids import Player, PlayerId
from service.domain.room.model.review import ReviewStatus
from service.domain.validation import MAX_INTEGER
from service.rooms.match_index import MatchEntry
from service.rooms.repository import LoadedRoom
from service.streams.errors import ServiceError

PlyParameter = Annotated[int, msgspec.Meta(ge=0, le=MAX_INTEGER)]

PLY: Parameter[int | None] = Parameter(
    "ply",
    PlyParameter,
    "The position to read: how many entries of the match's text (docs/notation.md) have been made, moves and "
    "drop-outs, without those taken back. 0 is the position before the first move.",
    12,
)

POSITION: Parameter[int] = Parameter("cursor", PlyParameter, "The `next` of the previous page.", 1000, default=0)
POSITIONS_PER_PAGE = page_size("Positions", 1000, example=200)
MOVING_SEAT: Parameter[Seat | None] = Parameter(
    "seat", AnySeat, "The seat, if several seats of the caller are to move.", 0
)
OVER_CODES = (*ROOMS_CODES, "no_such_match", "members_only", "trimmed", "not_over")


class ReviewState(msgspec.Struct, frozen=True):
    """The state of a match's review."""

    match: str
    """The match's id."""
    status: ReviewStatus
    """Whether it is still `waiting`, or `done`."""


async def find_over(call: Call, match_id: str, reader: PlayerId | None) -> tuple[LoadedRoom, MatchEntry]:
    """Return the room of a match and its entry. Raises `ServiceError` with the `OVER_CODES`."""
    live, entry = await find_match(call.context, match_id, reader)
    if entry.last is None:
        raise ServiceError("not_over", version=live.head.version)
    return live, entry


@read(
    "/v1/matches/{match_id:str}/analysis",
    "Analyse a match",
    MatchAnalysis,
    parameters=(PLY, POSITION, POSITIONS_PER_PAGE),
    refusals=(*OVER_CODES, "no_such_ply"),
    headers=("Link",),
    tag="Matches",
)
async def read_analysis(call: Call, match_id: str) -> ASGIResponse:
    """Return the positions of a finished match page by page, or with `ply` one of them.

    Each has the moves that were played and a number for every seat. Once the match is reviewed, it also has the
    seats' chances to win, the best moves, and what the played ones lost.
    """
    request = call.request
    ply, cursor, limit = PLY.of(request), POSITION.of(request), POSITIONS_PER_PAGE.of(request)
    analysis = await call.context.analyses.analyse(*await find_over(call, match_id, call.reader))
    if ply is not None:
        return respond_json(at_ply(analysis, ply))
    page = page_of(analysis, cursor, limit)
    return respond_json(page, headers=next_link(request, "cursor", page.next))


@change(
    "POST",
    "/v1/matches/{match_id:str}/review",
    "Request a review",
    {200: ReviewState},
    limit="reviews",
    refusals=(*OVER_CODES, "no_review", "too_many_reviews"),
    tag="Matches",
)
async def request_review(call: Call, player: Player, match_id: str) -> ReviewState:
    """Have the bots evaluate every position of a finished match, for everybody who may read it.

    That is done once, in the background; the analysis of the match then has the result. Another request for the same
    match computes nothing.
    """
    _, entry = await find_over(call, match_id, player.id)
    review = await call.context.analyses.request_review(entry, player)
    return ReviewState(entry.id, review.status)


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
