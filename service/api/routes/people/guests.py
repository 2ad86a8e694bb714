"""Players: guests, created without registration."""

import msgspec
from litestar import get
from litestar.response.base import ASGIResponse

from service.api.http.bodies import Guest, NewPlayer
from service.api.http.callers import require_caller
from service.api.http.commands import create_guest
from service.api.http.context import context_of
from service.api.http.json_routes import Call, change
from service.api.http.parameters import CHANGE_CODES, ROOMS_CODES, HttpRequest, document_route
from service.api.http.requests import headers_of
from service.api.http.responses import respond_json
from service.domain.ids import Player
from service.rooms.views.lobby_entry import JoinedRoom, joined_room
from service.streams.errors import ServiceError


class CurrentPlayer(msgspec.Struct, frozen=True):
    """The caller and their rooms."""

    player: Player
    """The caller."""
    rooms: tuple[JoinedRoom, ...]
    """The rooms in which the caller is a member."""


@change(
    "POST",
    "/v1/players",
    "Create a guest",
    {201: Guest},
    scope=None,
    secret=True,
    body=NewPlayer,
    refusals=("bad_nickname",),
    tag="Players",
)
async def create_player(call: Call, asked: NewPlayer) -> Guest:
    """Create a guest and return their token."""
    return create_guest(call.request, asked.nickname, bot=asked.bot)


@get(
    "/v1/players/me",
    opt=document_route(
        "Read the caller and their rooms", {200: CurrentPlayer}, refusals=ROOMS_CODES, caller="required", tag="Players"
    ),
)
async def read_me(request: HttpRequest) -> ASGIResponse:
    """Return the token's player, their rooms, and whether it is their turn there."""
    context = context_of(request)
    me = require_caller(context.callers, headers_of(request), "read").player
    rooms = await context.rooms.rooms_of(me.id)
    return respond_json(CurrentPlayer(me, tuple(joined_room(room, me.id) for room in rooms)))


@change(
    "DELETE",
    "/v1/players/{player:str}",
    "Erase yourself",
    {204: None},
    scope="account",
    refusals=(*CHANGE_CODES, "not_you"),
    tag="Players",
)
async def erase_player(call: Call, me: Player, player: str) -> None:
    """Erase the caller permanently; the path has your own id, because this cannot be undone.

    Afterwards, your tokens are not accepted, and your nicknames are not shown anywhere. You leave your rooms. Your
    lines in chats, tokens, codes, blocks, webhooks, challenges and own events are deleted within a minute. Your matches
    are kept as those of an "Erased player".
    """
    if player != me.id:
        raise ServiceError("not_you")
    await call.context.erase(me)
