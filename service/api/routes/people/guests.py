"""Players: guests, created without registration."""

import msgspec

from service.api.http.bodies import Guest, NewPlayer
from service.api.http.commands import create_guest
from service.api.http.json_routes import Call, change, read
from service.api.http.parameters import CHANGE_CODES
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


@read("/v1/players/me", "Read the caller and their rooms", CurrentPlayer, scope="read", media_types=(), tag="Players")
async def read_me(call: Call, me: Player) -> CurrentPlayer:
    """Return the token's player, their rooms, and whether it is their turn there."""
    rooms = await call.context.rooms.rooms_of(me.id)
    return CurrentPlayer(me, tuple(joined_room(room, me.id) for room in rooms))


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
