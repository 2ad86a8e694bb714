"""Challenges: asking particular players, or bots of the service, to play."""

import msgspec
from litestar import delete, get, post
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.callers.identify import identify_player
from service.api.callers.peers import peer_of
from service.api.http.commands import identify_commander
from service.api.http.common_headers import count
from service.api.http.requests import HttpRequest, context_of, headers_of, negotiate, read_json
from service.api.http.responses import JSON, respond, respond_json
from service.api.http.route_docs import NEGOTIATION_CODES, ROOMS_CODES, document_route
from service.domain.challenges.decide import ChallengeRequest
from service.domain.challenges.model import Challenge, DeclineReason


class OpenChallenges(msgspec.Struct, frozen=True):
    """The open challenges that the caller made or received."""

    made: tuple[Challenge, ...]
    """The challenges that the caller made, the oldest first."""
    received: tuple[Challenge, ...]
    """The challenges that others made, the oldest first."""


class Decline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to a challenge."""

    reason: DeclineReason | None = None
    """Why you decline; by default no reason is given."""


CHALLENGE = msgspec.json.Decoder(ChallengeRequest)
DECLINE = msgspec.json.Decoder(Decline)
ANSWER_CODES = (*ROOMS_CODES, "no_such_challenge", "rate_limited", "busy", "outcome_unknown")


@post(
    "/v1/challenges",
    opt=document_route(
        "Ask others to play",
        {201: Challenge},
        compressed=False,
        body=ChallengeRequest,
        refusals=(
            *ROOMS_CODES,
            *("no_such_seat", "opponent_unavailable", "too_many_challenges"),
            *("rate_limited", "busy", "outcome_unknown", "too_many_nicknames"),
        ),
        caller="required",
        tag="Challenges",
    ),
)
async def make_challenge(request: HttpRequest) -> ASGIResponse:
    """Ask particular players to play; bots of the service take seats without being asked.

    The players receive `challenge_made` in their own feeds. As soon as all of them have accepted, a room is opened, and
    `challenge_opened` names it; the match begins when all are `ready` there. If one of them declines, the challenge
    ends. A player can have five open challenges.
    """
    context, headers = context_of(request), headers_of(request)
    player = identify_player(context.callers, headers, "play")
    count(peer_of(dict(request.scope)), context.limits.challenges, player.id)
    asked = await read_json(request, headers, CHALLENGE)
    return respond_json(await context.matchmaking.challenges.challenge(asked, player), 201)


@post(
    "/v1/challenges/{challenge:str}/accept",
    status_code=200,
    opt=document_route("Accept a challenge", {204: None}, refusals=ANSWER_CODES, caller="required", tag="Challenges"),
)
async def accept_challenge(request: HttpRequest, challenge: FromPath[str]) -> ASGIResponse:
    """Accept a challenge; once everybody has, `challenge_opened` in your own feed names the room."""
    context = context_of(request)
    player = identify_commander(request)
    await context.matchmaking.challenges.accept(challenge, player)
    return respond(b"", 204)


@post(
    "/v1/challenges/{challenge:str}/decline",
    status_code=200,
    opt=document_route(
        "Decline a challenge", {204: None}, body=Decline, refusals=ANSWER_CODES, caller="required", tag="Challenges"
    ),
)
async def decline_challenge(request: HttpRequest, challenge: FromPath[str]) -> ASGIResponse:
    """Decline a challenge, which ends it for everybody. You can give a reason."""
    context, headers = context_of(request), headers_of(request)
    player = identify_commander(request)
    answer = await read_json(request, headers, DECLINE)
    await context.matchmaking.challenges.decline(challenge, player.id, answer.reason)
    return respond(b"", 204)


@delete(
    "/v1/challenges/{challenge:str}",
    status_code=200,
    opt=document_route("Withdraw a challenge", {204: None}, refusals=ANSWER_CODES, caller="required", tag="Challenges"),
)
async def withdraw_challenge(request: HttpRequest, challenge: FromPath[str]) -> ASGIResponse:
    """Withdraw a challenge that you made."""
    context = context_of(request)
    player = identify_commander(request)
    await context.matchmaking.challenges.withdraw(challenge, player.id)
    return respond(b"", 204)


@get(
    "/v1/players/me/challenges",
    opt=document_route(
        "Read your open challenges",
        {200: OpenChallenges},
        refusals=(*ROOMS_CODES, *NEGOTIATION_CODES),
        caller="required",
        tag="Challenges",
    ),
)
async def read_my_challenges(request: HttpRequest) -> ASGIResponse:
    """Return the open challenges that the caller made, and those that others made."""
    context, headers = context_of(request), headers_of(request)
    negotiate(headers, JSON)
    me = identify_player(context.callers, headers, "read").id
    received = [challenge for challenge in await context.players.challenges_of(me) if challenge.by != me]
    return respond_json(OpenChallenges(tuple(await context.matchmaking.challenges.made_by(me)), tuple(received)))
