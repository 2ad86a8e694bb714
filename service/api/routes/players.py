"""Who plays: guests, at once and without e-mail."""

import msgspec
from litestar import get, post
from litestar.response.base import ASGIResponse

from service.api.callers.addresses import network
from service.api.context import House
from service.api.http.bodies import Guest, NewPlayer
from service.api.http.requests import Web, body, headers_of, house_of, known_caller
from service.api.http.responses import told
from service.api.http.route_docs import READS_ROOMS, described
from service.api.limits import LATER
from service.domain.room.model.ids import Millis, PlayerId, RoomKey, RoomName
from service.domain.room.model.state import Room
from service.domain.room.names import names
from service.domain.room.subjects.privacy import barred
from service.rooms.errors import ServiceError
from service.rooms.requests import Player
from service.rooms.room import LoadedRoom


class MyRoom(msgspec.Struct, frozen=True):
    """A room that I am in."""

    room: str
    title: str
    game: str
    status: str
    my_turn: bool


class Me(msgspec.Struct, frozen=True):
    """Who I am and where I play."""

    player: Player
    rooms: tuple[MyRoom, ...]


FORGOTTEN_AFTER = Millis(24 * 3600 * 1000)
"""Until then a repeated `leave` or `close` finds its first answer."""

NEW_PLAYER = msgspec.json.Decoder(NewPlayer)


def new_guest(request: Web, nickname: str, *, bot: bool = False) -> Guest:
    """Make a guest. Raises `Rejected` with `bad_nickname`; refuses `rate_limited`."""
    house = house_of(request)
    house.gate.guests.take(network(house.addresses.of(dict(request.scope))))
    player = Player(house.new_player(), names.new_nickname(nickname), bot)
    return Guest(player, house.tokens.signed(player))


@post(
    "/v1/players",
    opt=described(
        "Become a guest",
        {201: Guest},
        body=NewPlayer,
        refusals=("bad_nickname", "rate_limited"),
        caller="none",
        tag="Players",
    ),
)
async def create_player(request: Web) -> ASGIResponse:
    """Make a guest, at once, and sign a token for them."""
    asked = await body(request, headers_of(request), NEW_PLAYER)
    return told(new_guest(request, asked.nickname, bot=asked.bot), 201)


@get(
    "/v1/players/me",
    opt=described(
        "Who I am and where it is my turn", {200: Me}, refusals=READS_ROOMS, caller="required", tag="Players"
    ),
)
async def read_me(request: Web) -> ASGIResponse:
    """Tell who the token speaks for and their rooms."""
    house = house_of(request)
    me = known_caller(house.tokens, headers_of(request))
    return told(Me(me, tuple(await my_rooms(house, me.id))))


async def my_rooms(house: House, player: PlayerId) -> list[MyRoom]:
    """Return a player's rooms; notes of rooms that they left long ago are dropped."""
    found = []
    for key in await house.rooms.store.rooms_of(player):
        live = await not_trimmed(house, key)
        room = live.room if live else None
        if room is not None and player in room.table.members and room.table.status != "closed":
            found.append(my_room(room, player))
        elif room is None or room.time < house.now() - FORGOTTEN_AFTER:
            await house.rooms.store.forget_room(player, key)
    return found


async def not_trimmed(house: House, key: RoomKey) -> LoadedRoom | None:
    """Return a room, None for one whose events are gone."""
    try:
        return await house.rooms.present(key)
    except ServiceError as refused:
        if refused.problem.code != "trimmed":
            raise
        return None


async def may_enter(house: House, player: PlayerId) -> None:
    """Refuse `too_many_rooms` to a player who is in as many rooms as they may be."""
    most = house.gate.limits.rooms
    if most and len(await house.rooms.store.rooms_of(player)) >= most and len(await my_rooms(house, player)) >= most:
        raise ServiceError("too_many_rooms", params={"most": most}, retry_after=LATER)


async def let_in(house: House, name: RoomName, player: PlayerId) -> None:
    """Refuse `too_many_rooms`, `room_crowded` to who would join a room; a private one says nothing of itself."""
    try:
        table = (await house.rooms.repository.by_name(name)).room.table
    except ServiceError:  # there may be an earlier room of this name that remembers the command
        return
    if player in table.members:
        return
    await may_enter(house, player)
    most = house.gate.limits.members
    if most and len(table.members) >= most and barred(table, player) != "no_such_room":
        raise ServiceError("room_crowded", params={"most": most}, retry_after=LATER)


def my_room(room: Room, player: PlayerId) -> MyRoom:
    """Return a room as its player's list shows it."""
    table = room.table
    awaited = room.game.to_move(room.playing.state) if room.playing else ()
    my_turn = any(seat in awaited for seat in table.seats_of[player])
    return MyRoom(table.key.name, table.title, table.game, table.status, my_turn)
