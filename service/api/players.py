"""Who plays: guests, at once and without e-mail."""

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.response.base import ASGIResponse

from service.api.answers import told
from service.api.docs import READS_ROOMS, described
from service.api.house import House, house_of
from service.api.requests import Web, body, headers_of, known_caller
from service.domain.room import names
from service.domain.room.state import Room, own_seats
from service.domain.room.values import Millis, PlayerId, RoomKey
from service.rooms.asking import Player
from service.rooms.live import LiveRoom
from service.rooms.problems import Refused


class NewPlayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A guest who wants to play."""

    nickname: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    """1 to 24 visible characters after normalisation."""
    bot: bool = False
    """Whether a program will play for this guest; rooms tell everyone so, and treat it like everyone."""


class Guest(msgspec.Struct, frozen=True):
    """A player and the token that speaks for them; losing the token is losing the guest."""

    player: Player
    token: str


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


def new_guest(house: House, nickname: str, *, bot: bool = False) -> Guest:
    """Make a guest. Raises `Rejected` with `bad_nickname`."""
    player = Player(house.new_player(), names.nickname(nickname), bot)
    return Guest(player, house.tokens.signed(player))


@post(
    "/v1/players",
    opt=described(
        "Become a guest",
        {201: Guest},
        body=NewPlayer,
        refusals=("bad_nickname",),
        caller="none",
        tag="Players",
    ),
)
async def create_player(request: Web) -> ASGIResponse:
    """Make a guest, at once, and sign a token for them."""
    asked = await body(request, headers_of(request), NEW_PLAYER)
    return told(new_guest(house_of(request), asked.nickname, bot=asked.bot), 201)


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


async def not_trimmed(house: House, key: RoomKey) -> LiveRoom | None:
    """Return a room, None for one whose events are gone."""
    try:
        return await house.rooms.present(key)
    except Refused as refused:
        if refused.problem.code != "trimmed":
            raise
        return None


def my_room(room: Room, player: PlayerId) -> MyRoom:
    """Return a room as its player's list shows it."""
    table = room.table
    awaited = room.game.to_move(room.playing.state) if room.playing else ()
    my_turn = any(seat in awaited for seat in own_seats(table, player))
    return MyRoom(table.key.name, table.title, table.game, table.status, my_turn)
