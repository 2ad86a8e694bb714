"""Players: guests, created without registration."""

import msgspec
from litestar import get, post
from litestar.response.base import ASGIResponse

from service.api.callers.addresses import address_group
from service.api.context import AppContext
from service.api.http.bodies import Guest, NewPlayer
from service.api.http.requests import HttpRequest, context_of, headers_of, identify_player, read_json
from service.api.http.responses import respond_json
from service.api.http.route_docs import ROOMS_CODES, document_route
from service.api.limits import RETRY_SECONDS
from service.domain.room.model.ids import Millis, PlayerId, RoomKey, RoomName
from service.domain.room.model.state import Room
from service.domain.room.names import names
from service.domain.room.subjects.privacy import barred
from service.rooms.errors import ServiceError
from service.rooms.requests import Player
from service.rooms.room import LoadedRoom


class JoinedRoom(msgspec.Struct, frozen=True):
    """A room that the caller is a member of."""

    room: str
    title: str
    game: str
    status: str
    my_turn: bool


class CurrentPlayer(msgspec.Struct, frozen=True):
    """The caller and their rooms."""

    player: Player
    rooms: tuple[JoinedRoom, ...]


FORGET_AFTER = Millis(24 * 3600 * 1000)
"""How long, in milliseconds, a repeated `leave` or `close` still finds its first answer."""

NEW_PLAYER = msgspec.json.Decoder(NewPlayer)


def create_guest(request: HttpRequest, nickname: str, *, bot: bool = False) -> Guest:
    """Create a guest. Raises `Rejected` with `bad_nickname`, or `ServiceError` with `rate_limited`."""
    context = context_of(request)
    context.limits.guests.take(address_group(context.addresses.of(dict(request.scope))))
    player = Player(context.new_player(), names.new_nickname(nickname), bot)
    return Guest(player, context.tokens.signed(player))


@post(
    "/v1/players",
    opt=document_route(
        "Create a guest",
        {201: Guest},
        body=NewPlayer,
        refusals=("bad_nickname", "rate_limited"),
        caller="none",
        tag="Players",
    ),
)
async def create_player(request: HttpRequest) -> ASGIResponse:
    """Create a guest and return their token."""
    asked = await read_json(request, headers_of(request), NEW_PLAYER)
    return respond_json(create_guest(request, asked.nickname, bot=asked.bot), 201)


@get(
    "/v1/players/me",
    opt=document_route(
        "Read the caller and their rooms", {200: CurrentPlayer}, refusals=ROOMS_CODES, caller="required", tag="Players"
    ),
)
async def read_me(request: HttpRequest) -> ASGIResponse:
    """Return the token's player, their rooms, and where it is their turn."""
    context = context_of(request)
    me = identify_player(context.tokens, headers_of(request))
    return respond_json(CurrentPlayer(me, tuple(await joined_rooms(context, me.id))))


async def joined_rooms(context: AppContext, player: PlayerId) -> list[JoinedRoom]:
    """Return a player's rooms; records of rooms that they left long ago are deleted."""
    found = []
    for key in await context.rooms.store.rooms_of(player):
        live = await load_untrimmed(context, key)
        room = live.room if live else None
        if room is not None and player in room.table.members and room.table.status != "closed":
            found.append(joined_room(room, player))
        elif room is None or room.time < context.now() - FORGET_AFTER:
            await context.rooms.store.forget_room(player, key)
    return found


async def load_untrimmed(context: AppContext, key: RoomKey) -> LoadedRoom | None:
    """Return a room, None if its events have been removed."""
    try:
        return await context.rooms.present(key)
    except ServiceError as refused:
        if refused.problem.code != "trimmed":
            raise
        return None


async def may_enter(context: AppContext, player: PlayerId) -> None:
    """Refuse `too_many_rooms` to a player who is in as many rooms as they may be."""
    most = context.limits.settings.rooms
    if (
        most
        and len(await context.rooms.store.rooms_of(player)) >= most
        and len(await joined_rooms(context, player)) >= most
    ):
        raise ServiceError("too_many_rooms", params={"most": most}, retry_after=RETRY_SECONDS)


async def let_in(context: AppContext, name: RoomName, player: PlayerId) -> None:
    """Refuse `too_many_rooms`, `room_crowded` to who would join a room; a private one says nothing of itself."""
    try:
        table = (await context.rooms.repository.by_name(name)).room.table
    except ServiceError:  # there may be an earlier room of this name that remembers the command
        return
    if player in table.members:
        return
    await may_enter(context, player)
    most = context.limits.settings.members
    if most and len(table.members) >= most and barred(table, player) != "no_such_room":
        raise ServiceError("room_crowded", params={"most": most}, retry_after=RETRY_SECONDS)


def joined_room(room: Room, player: PlayerId) -> JoinedRoom:
    """Return a room for the list of its player's rooms."""
    table = room.table
    awaited = room.game.to_move(room.playing.state) if room.playing else ()
    my_turn = any(seat in awaited for seat in table.seats_of[player])
    return JoinedRoom(table.key.name, table.title, table.game, table.status, my_turn)
