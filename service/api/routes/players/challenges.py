"""Challenges: asking particular players, or bots of the service, to play."""

import msgspec
from litestar import delete, get, post, put
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.callers.identify import identify_player
from service.api.callers.peers import peer_of
from service.api.http.commands import identify_commander
from service.api.http.common_headers import count
from service.api.http.parameters import HttpRequest
from service.api.http.requests import context_of, headers_of, negotiate, read_json
from service.api.http.responses import JSON, respond, respond_json
from service.api.http.route_docs import CHANGE_CODES, NEGOTIATION_CODES, ROOMS_CODES, document_route
from service.domain.accounts.model import Challengers
from service.domain.challenges.decide import ChallengeRequest
from service.domain.challenges.model import Challenge, DeclineReason
from service.rooms.views.timestamps import wire_form


class OpenChallenges(msgspec.Struct, frozen=True):
    """The open challenges that the caller made or received."""

    made: tuple[Challenge, ...]
    """The challenges that the caller made, the oldest first."""
    received: tuple[Challenge, ...]
    """The challenges that others made, the oldest first."""


class ChallengeSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who may challenge the caller."""

    challengers: Challengers
    """Everybody, those who have played a match with the caller, or nobody."""


class Decline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to a challenge."""

    reason: DeclineReason | None = None
    """Why you decline; by default no reason is given."""


CHALLENGE = msgspec.json.Decoder(ChallengeRequest)
SETTINGS = msgspec.json.Decoder(ChallengeSettings)
DECLINE = msgspec.json.Decoder(Decline)
ANSWER_CODES = (*ROOMS_CODES, "no_such_challenge", "rate_limited", "busy", "outcome_unknown", "counter_damaged")


@post(
    "/v1/challenges",
    opt=document_route(
        "Ask others to play",
        {201: Challenge},
        compressed=False,
        body=ChallengeRequest,
        refusals=(
            *ROOMS_CODES,
            *("no_such_seat", "opponent_unavailable", "already_challenged", "too_many_challenges"),
            *("rate_limited", "busy", "outcome_unknown", "counter_damaged", "too_many_nicknames"),
        ),
        caller="required",
        tag="Challenges",
    ),
)
async def make_challenge(request: HttpRequest) -> ASGIResponse:
    """Ask particular players to play; bots of the service take seats without being asked.

    The others receive `challenge_made` in their own feeds. As soon as all of them have accepted, a room is opened, and
    `challenge_opened` names it; the match begins when all are `ready` there. If one of them declines, the challenge
    ends. A player can have five open challenges, and one for each other player. Challenges of somebody with whom a
    player has not played a match expire after ten minutes at most, and a player receives twenty of them at a time.
    """
    context, headers = context_of(request), headers_of(request)
    player = identify_player(context.callers, headers, "play")
    count(peer_of(dict(request.scope)), context.limits.challenges, player.id)
    asked = await read_json(request, headers, CHALLENGE)
    return respond_json(wire_form(await context.matchmaking.challenges.challenge(asked, player)), 201)


@post(
    "/v1/challenges/{challenge:str}/accept",
    status_code=200,
    opt=document_route("Accept a challenge", {204: None}, refusals=ANSWER_CODES, caller="required", tag="Challenges"),
)
async def accept_challenge(request: HttpRequest, challenge: FromPath[str]) -> ASGIResponse:
    """Accept a challenge; once everybody has, `challenge_opened` in your own feed names the room."""
    context, peer = context_of(request), peer_of(dict(request.scope))
    player = identify_commander(request)
    count(peer, context.limits.openings, peer.address(context.addresses))
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
    made = await context.matchmaking.challenges.made_by(me)
    received = [challenge for challenge in await context.players.challenges_of(me) if challenge.by != me]
    return respond_json(OpenChallenges(tuple(map(wire_form, made)), tuple(map(wire_form, received))))


@post(
    "/v1/players/me/challenges/decline",
    status_code=200,
    opt=document_route(
        "Decline all challenges",
        {204: None},
        body=Decline,
        refusals=(*CHANGE_CODES, "rate_limited"),
        caller="required",
        tag="Challenges",
    ),
)
async def decline_all_challenges(request: HttpRequest) -> ASGIResponse:
    """Decline all open challenges that the caller has received and not accepted. You can give a reason."""
    context, headers = context_of(request), headers_of(request)
    me = identify_commander(request).id
    answer = await read_json(request, headers, DECLINE)
    received = await context.players.challenges_of(me)
    await context.matchmaking.challenges.decline_all(received, me, answer.reason)
    return respond(b"", 204)


@get(
    "/v1/players/me/challengers",
    opt=document_route(
        "Read who may challenge you",
        {200: ChallengeSettings},
        refusals=(*ROOMS_CODES, *NEGOTIATION_CODES),
        caller="required",
        tag="Challenges",
    ),
)
async def read_challengers(request: HttpRequest) -> ASGIResponse:
    """Return who may challenge the caller."""
    context, headers = context_of(request), headers_of(request)
    negotiate(headers, JSON)
    me = identify_player(context.callers, headers, "read").id
    return respond_json(ChallengeSettings(await context.accounts.challengers_of(me)))


@put(
    "/v1/players/me/challengers",
    opt=document_route(
        "Choose who may challenge you",
        {200: ChallengeSettings},
        body=ChallengeSettings,
        refusals=(*CHANGE_CODES, "rate_limited"),
        caller="required",
        tag="Challenges",
    ),
)
async def set_challengers(request: HttpRequest) -> ASGIResponse:
    """Choose who may challenge you: everybody, those who have played a match with you, or nobody.

    All others are refused with `opponent_unavailable`, as if you had blocked them. Challenges that you have received
    stay open.
    """
    context, headers = context_of(request), headers_of(request)
    me = identify_commander(request).id
    wanted = await read_json(request, headers, SETTINGS)
    await context.accounts.admit_challengers(me, wanted.challengers)
    return respond_json(wanted)
