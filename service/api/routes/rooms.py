"""Rooms: opened, listed, looked at and commanded."""

from typing import Annotated, Any, Literal

import msgspec
from litestar import get, post
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.callers.peers import peer_of
from service.api.context import House
from service.api.http import commands
from service.api.http.bodies import Commanded, Events, LegalMoves, Lobby, Opened
from service.api.http.requests import (
    CursorVersion,
    Headers,
    SeatParameter,
    VersionParameter,
    Web,
    accepts,
    body,
    caller,
    flag,
    has,
    headers_of,
    house_of,
    idempotency_key,
    known_caller,
    parameter,
    room_of,
    sent,
    text_parameter,
)
from service.api.http.responses import JSON, NDJSON, answered, etag, told
from service.api.http.route_docs import NEGOTIATED, READS, READS_A_ROOM, READS_ROOMS, Parameter, described
from service.api.routes.players import may_enter, new_guest
from service.bot_engine.hints import Hint
from service.domain.catalog import GAMES
from service.domain.game import Seat
from service.domain.room.model.commands import OpenRoom, PlayerCommand
from service.domain.room.model.ids import Version
from service.domain.room.model.state import Room, audience
from service.domain.validation import Unfit
from service.rooms.errors import ServiceError
from service.rooms.idempotency import idempotency_stamp
from service.rooms.requests import Player
from service.rooms.room import LoadedRoom
from service.rooms.views.event_view import event_lines, events_json
from service.rooms.views.room_view import RoomView, legal_moves, view_json

OPEN_ROOM = msgspec.json.Decoder(OpenRoom)

PageSize = Annotated[int, msgspec.Meta(ge=1, le=1000)]
OPENING_REFUSALS = ("rate_limited", "too_many_rooms", "passwords_busy", "outcome_unknown", "name_taken", "key_reused")
LOBBY_PAGE = 50
EVENTS_PAGE = 100

AT = Parameter("at", VersionParameter, "The version to look back to; absent for now.")
SEAT = Parameter("seat", SeatParameter, "Whose knowledge to see, for a holder of several seats.")
KEY = Parameter("Idempotency-Key", str, "Sent again with the same body, it gets the first answer.", "header")
KEY_TO_OPEN = Parameter(
    KEY.name, str, f"{KEY.about} Only with a token: without one, each request is another guest's.", "header"
)
TAG = Parameter(
    "If-None-Match", str, "The ETag of what the caller has; browsers get the whole answer all the same.", "header"
)


@post(
    "/v1/rooms",
    opt=described(
        "Open a room",
        {201: Opened},
        body=OpenRoom,
        parameters=(KEY_TO_OPEN,),
        refusals=("bad_name", "bad_nickname", *OPENING_REFUSALS, *READS_ROOMS),
        headers=("ETag", "Location", "Idempotency-Replayed"),
    ),
)
async def open_room(request: Web) -> ASGIResponse:
    """Open a room under a free name; a caller without a token becomes a guest."""
    house, headers = house_of(request), headers_of(request)
    player = known_caller(house.tokens, headers) if b"authorization" in headers else None
    key = idempotency_key(headers)
    asked = await body(request, headers, OPEN_ROOM)
    token = None
    if player is None:
        if asked.nickname is None:
            raise Unfit("Object missing required field `nickname` (or send a token)", "/nickname")
        guest = new_guest(request, asked.nickname)
        player, token = guest.player, guest.token
    else:
        house.gate.commands.take(player.id)
        await may_enter(house, player.id)
    if asked.settings.password is not None:
        commands.count_password(house, peer_of(dict(request.scope)), player.id, None)
    answer = await house.rooms.open(asked, player, idempotency_stamp(key, asked))
    return opened(house, answer.room, player, token, replayed=answer.replayed)


def opened(house: House, room: Room, player: Player, token: str | None, *, replayed: bool) -> ASGIResponse:
    """Answer with the room that was opened."""
    name = room.table.key.name
    view = msgspec.Raw(view_json(room, audience(room.table, player.id), house.now()))
    value: dict[str, Any] = {"room": name, "version": room.version, "view": view}
    headers = [("location", f"/v1/rooms/{name}"), etag(room), *(commands.REPLAYED if replayed else ())]
    return told(value if token is None else {**value, "token": token}, 201, headers)


@get(
    "/v1/rooms",
    opt=described(
        "The lobby",
        {200: Lobby},
        parameters=(
            Parameter("game", str, "Only rooms of this game."),
            Parameter("status", Literal["open", "playing", "finished"], "Only rooms of this status."),
            Parameter("cursor", str, "The `next` of the page before."),
            Parameter("limit", PageSize, f"Rooms a page; {LOBBY_PAGE} if absent."),
        ),
        refusals=(*NEGOTIATED, *READS),
        caller="none",
    ),
)
async def read_lobby(request: Web) -> ASGIResponse:
    """List the public rooms, newest first."""
    accepts(headers_of(request), JSON)
    game, status = text_parameter(request, "game"), parameter(request, "status", Literal["open", "playing", "finished"])
    if game is not None and game not in GAMES:
        raise Unfit(f"no such game; the catalogue has {', '.join(GAMES)}", "?game")
    limit = parameter(request, "limit", PageSize) or LOBBY_PAGE
    try:
        page = await house_of(request).company.lobby.page(text_parameter(request, "cursor"), limit)
    except ValueError:
        raise Unfit("This is no cursor of ours", "?cursor") from None
    shown = [card for card in page.cards if game in {None, card.game} and status in {None, card.status}]
    return told(Lobby(tuple(shown), page.next))


@get(
    "/v1/rooms/{room:str}",
    opt=described(
        "A room as I may see it",
        {200: RoomView, 304: None},
        parameters=(AT, SEAT, TAG),
        refusals=(*READS_A_ROOM, *NEGOTIATED, "no_such_version", "trimmed", "not_your_seat"),
        headers=("ETag",),
    ),
)
async def read_room(request: Web, room: FromPath[str]) -> ASGIResponse:
    """Tell the room's view, now or at an earlier version."""
    house, headers = house_of(request), headers_of(request)
    accepts(headers, JSON)
    live, seat = await seen(request, house, headers, room)
    past = await at_version(request, house, live)
    tag = etag(past)
    if has(headers, tag[1]):
        return answered(b"", 304, [tag])
    here = await house.company.attendance(live) if past is live.room else None
    return answered(view_json(past, seat, house.now(), here), headers=[tag])


async def seen(request: Web, house: House, headers: Headers, name: str) -> tuple[LoadedRoom, Seat | None]:
    """Return a room level with the store, and whose knowledge of it the caller shares."""
    player = caller(house.tokens, headers)
    live = await house.rooms.fresh_room(room_of(name), player.id if player else None)
    return live, viewer(live.room, player, parameter(request, "seat", SeatParameter))


def viewer(room: Room, player: Player | None, wanted: Seat | None) -> Seat | None:
    """Return whose knowledge a caller shares. Refuses `not_your_seat` for a seat that isn't theirs."""
    player_id = player.id if player else None
    if wanted is not None and wanted not in room.table.seats_of[player_id]:
        raise ServiceError("not_your_seat", params={"seat": wanted})
    return audience(room.table, player_id, wanted)


async def at_version(request: Web, house: House, live: LoadedRoom) -> Room:
    """Return the room at the version that `?at=` names, or now."""
    at = parameter(request, "at", VersionParameter)
    return live.room if at is None else await house.rooms.at(live, at)


@post(
    "/v1/rooms/{room:str}/commands",
    status_code=200,
    opt=described(
        "Command a room",
        {200: Commanded},
        body=PlayerCommand,
        parameters=(
            KEY,
            Parameter("If-Match", str, "The ETag, or the bare version, that the room must be at.", "header"),
            Parameter("dry_run", bool, "Only tell what it would lead to."),
        ),
        refusals=(
            *READS_A_ROOM,
            *("version_mismatch", "key_reused", "trimmed", "outcome_unknown", "busy"),
            *commands.REFUSALS,
        ),
        headers=("ETag", "Idempotency-Replayed"),
        caller="required",
    ),
)
async def command_room(request: Web, room: FromPath[str]) -> ASGIResponse:
    """Do what is asked, exactly once a key, and tell what it led to."""
    house, headers = house_of(request), headers_of(request)
    dry_run = flag(request, "dry_run")
    asked = commands.Sent(headers, await sent(request), peer_of(dict(request.scope)), dry_run)
    body_, headers_back = await commands.commanded(house, room, asked)
    return answered(body_, headers=headers_back)


@get(
    "/v1/rooms/{room:str}/events",
    opt=described(
        "A room's history",
        {200: Events},
        parameters=(
            Parameter("since", CursorVersion, "The version after which to begin; 0, the beginning, if absent."),
            Parameter("limit", PageSize, f"Events a page; {EVENTS_PAGE} if absent."),
            SEAT,
        ),
        refusals=(*READS_A_ROOM, *NEGOTIATED, "trimmed", "not_your_seat"),
        headers=("ETag",),
        also=((NDJSON, "One event a line."),),
    ),
)
async def read_events(request: Web, room: FromPath[str]) -> ASGIResponse:
    """Tell a page of events as the caller may know them, as JSON or as a line each."""
    house, headers = house_of(request), headers_of(request)
    media_type = accepts(headers, JSON, NDJSON)
    live, seat = await seen(request, house, headers, room)
    since = parameter(request, "since", CursorVersion) or Version(0)
    limit = parameter(request, "limit", PageSize) or EVENTS_PAGE
    page = await house.rooms.history(live, since, limit)
    if media_type == NDJSON:
        return answered(event_lines(page, seat), headers=[etag(live.room)], media_type=NDJSON)
    ends = not page or page[-1].version == live.head.version
    value = {
        "room": live.key.name,
        "epoch": live.key.epoch,
        "version": live.head.version,
        "events": msgspec.Raw(events_json(page, seat)),
        "next": None if ends else page[-1].version,
    }
    return told(value, headers=[etag(live.room)])


@get(
    "/v1/rooms/{room:str}/legal-moves",
    opt=described(
        "The legal moves of my seat",
        {200: LegalMoves},
        parameters=(SEAT, AT),
        refusals=(*READS_A_ROOM, *NEGOTIATED, "no_such_version", "trimmed", "not_your_seat"),
        headers=("ETag",),
    ),
)
async def read_legal_moves(request: Web, room: FromPath[str]) -> ASGIResponse:
    """List the caller's legal moves; a spectator is told the mover's where the seats move in turn."""
    house, headers = house_of(request), headers_of(request)
    accepts(headers, JSON)
    live, seat = await seen(request, house, headers, room)
    past = await at_version(request, house, live)
    match = past.playing
    awaited = past.game.to_move(match.state) if match else ()
    value = {"version": past.version, "seat": seat, "to_move": awaited, "legal_moves": legal_moves(past, seat)}
    return told(value, headers=[etag(past)])


@get(
    "/v1/rooms/{room:str}/hint",
    opt=described(
        "A good move for my seat",
        {200: Hint},
        parameters=(Parameter("seat", SeatParameter, "Which seat to help, for a holder of several that are to move."),),
        refusals=(
            *READS_A_ROOM,
            *NEGOTIATED,
            *("not_playing", "not_a_member", "not_seated", "not_your_seat", "seat_required", "not_your_turn"),
            *("no_hints", "too_many_hints"),
        ),
        caller="required",
    ),
)
async def read_hint(request: Web, room: FromPath[str]) -> ASGIResponse:
    """Tell what the best bot would play here, knowing what the caller knows."""
    house, headers = house_of(request), headers_of(request)
    accepts(headers, JSON)
    player = known_caller(house.tokens, headers)
    wanted = parameter(request, "seat", SeatParameter)
    live, _ = await seen(request, house, headers, room)
    house.gate.hints.take(player.id)
    return told(await house.hints.hint(live, player, wanted))
