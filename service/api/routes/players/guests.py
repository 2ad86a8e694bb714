"""Players: guests, created without registration."""

import msgspec
from litestar import delete, get, post
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.callers.identify import identify_player
from service.api.callers.peers import peer_of
from service.api.http.bodies import Guest, NewPlayer
from service.api.http.common_headers import count
from service.api.http.parameters import HttpRequest
from service.api.http.requests import context_of, headers_of, idempotency_key, read_json, refuse_key
from service.api.http.responses import respond, respond_json
from service.api.http.route_docs import CHANGE_CODES, ROOMS_CODES, document_route
from service.domain.room.names import names
from service.rooms.player import Player
from service.rooms.views.joined_room import JoinedRoom, joined_room
from service.streams.errors import ServiceError


class CurrentPlayer(msgspec.Struct, frozen=True):
    """The caller and their rooms."""

    player: Player
    """The caller."""
    rooms: tuple[JoinedRoom, ...]
    """The rooms in which the caller is a member."""


NEW_PLAYER = msgspec.json.Decoder(NewPlayer)


def create_guest(request: HttpRequest, nickname: str, *, bot: bool = False) -> Guest:
    """Create a guest. Raises `Rejected` with `bad_nickname`, or `ServiceError` with `rate_limited`."""
    context = context_of(request)
    peer = peer_of(dict(request.scope))
    count(peer, context.limits.guests, peer.address(context.addresses))
    player = Player(context.new_player(), names.new_nickname(nickname), bot)
    return Guest(player, context.tokens.signed(player))


@post(
    "/v1/players",
    opt=document_route(
        "Create a guest",
        {201: Guest},
        compressed=False,
        body=NewPlayer,
        refusals=("bad_nickname", "rate_limited", "key_not_supported"),
        caller="none",
        tag="Players",
    ),
)
async def create_player(request: HttpRequest) -> ASGIResponse:
    """Create a guest and return their token."""
    refuse_key(idempotency_key(headers_of(request)))
    asked = await read_json(request, headers_of(request), NEW_PLAYER)
    return respond_json(create_guest(request, asked.nickname, bot=asked.bot), 201)


@get(
    "/v1/players/me",
    opt=document_route(
        "Read the caller and their rooms", {200: CurrentPlayer}, refusals=ROOMS_CODES, caller="required", tag="Players"
    ),
)
async def read_me(request: HttpRequest) -> ASGIResponse:
    """Return the token's player, their rooms, and whether it is their turn there."""
    context = context_of(request)
    me = identify_player(context.callers, headers_of(request), "read")
    rooms = await context.rooms.rooms_of(me.id)
    return respond_json(CurrentPlayer(me, tuple(joined_room(room, me.id) for room in rooms)))


@delete(
    "/v1/players/{player:str}",
    status_code=200,
    opt=document_route(
        "Erase yourself",
        {204: None},
        refusals=(*CHANGE_CODES, "not_you", "rate_limited"),
        caller="required",
        tag="Players",
    ),
)
async def erase_player(request: HttpRequest, player: FromPath[str]) -> ASGIResponse:
    """Erase the caller permanently; the path has your own id, because this cannot be undone.

    Afterwards, your tokens are not accepted, and your nicknames are not shown anywhere. You leave your rooms. Your
    lines in chats, tokens, codes, blocks, webhooks, challenges and own events are deleted within a minute. Your matches
    are kept as those of an "Erased player".
    """
    context = context_of(request)
    me = identify_player(context.callers, headers_of(request), "account")
    count(peer_of(dict(request.scope)), context.limits.commands, me.id)
    if player != me.id:
        raise ServiceError("not_you")
    await context.erasure.erase(me)
    return respond(b"", 204)
