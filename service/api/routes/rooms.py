"""Rooms: opening, listing, reading and commanding them."""

from typing import Any, Literal

import msgspec
from litestar import get, post
from litestar.params import FromPath
from litestar.response.base import ASGIResponse
from msgspec.structs import asdict, replace

from service.api.http import commands
from service.api.http.bodies import AnyEvent, CommandResponse, EventPage, LegalMoves, LobbyPage, OpenRoomResponse
from service.api.http.callers import require_caller
from service.api.http.commands import create_guest
from service.api.http.context import AppContext, context_of
from service.api.http.headers import count
from service.api.http.json_routes import Call, call_of, read
from service.api.http.parameters import (
    AT,
    KEY,
    NEGOTIATION_CODES,
    ROOM_CODES,
    ROOMS_CODES,
    SEAT,
    STORE_CODES,
    CursorVersion,
    HttpRequest,
    Parameter,
    document_route,
    flag,
    only_game,
    page_size,
)
from service.api.http.peers import peer_of
from service.api.http.requests import has_etag, headers_of, idempotency_key, negotiate, read_body, read_json, refuse_key
from service.api.http.responses import JSON, NDJSON, etag, next_link, respond, respond_json
from service.api.routes.matches import find_match
from service.api.routes.reading import TAG, load_for_caller, room_at_version
from service.domain.ids import Player, Version
from service.domain.room.model.commands import PlayerCommand
from service.domain.room.model.settings import MatchPosition, OpenAtPosition, OpenRoom
from service.domain.room.model.state import Room, audience
from service.domain.validation import Invalid
from service.rooms.views.event_view import event_lines, events_json
from service.rooms.views.match_view import Viewer, legal_moves
from service.rooms.views.room_view import RoomView, view_for

OPEN_ROOM = msgspec.json.Decoder(OpenRoom)

OPENING_CODES = (
    "rate_limited",
    "too_many_rooms",
    "passwords_busy",
    "outcome_unknown",
    "counter_damaged",
    "name_taken",
    "too_many_nicknames",
)
KEY_CODES = ("key_reused", "key_not_supported")
POSITION_CODES = (
    *("no_such_match", "members_only", "trimmed", "no_such_version"),
    *("rated_match", "position_over", "position_too_late"),
)

EXAMPLE_CURSOR = "MDAwMTc2ODU5MDAwMDAwMDpmcmlkYXktbmlnaHQ6bXp1dzR6bG8"
KEY_TO_OPEN = replace(KEY, about=f"{KEY.about} Needs a token.")

GAME = only_game("rooms of this game")
STATUS: Parameter[str | None] = Parameter(
    "status", Literal["open", "playing", "finished"], "Only rooms of this status.", "open"
)
JOINABLE = flag("joinable", "Only rooms with a free seat in which somebody is waiting, or was within the last minute.")
LIVE = flag("live", "Only rooms whose match everybody can watch now.")
LOBBY_CURSOR: Parameter[str | None] = Parameter("cursor", str, "The `next` of the previous page.", EXAMPLE_CURSOR)
ROOMS_PER_PAGE = page_size("Rooms", 50)
DRY_RUN = flag("dry_run", "Return what the command would do, without executing it.")
AFTER: Parameter[Version] = Parameter(
    "since", CursorVersion, "Return the events after this version, 0 by default.", 12, default=Version(0)
)
EVENTS_PER_PAGE = page_size("Events", 100)


@post(
    "/v1/rooms",
    opt=document_route(
        "Open a room",
        {201: OpenRoomResponse},
        compressed=False,
        body=OpenRoom,
        parameters=(KEY_TO_OPEN,),
        refusals=(*("bad_name", "bad_nickname"), *OPENING_CODES, *KEY_CODES, *ROOMS_CODES, *POSITION_CODES),
        headers=("ETag", "Location", "Idempotency-Replayed"),
    ),
)
async def open_room(request: HttpRequest) -> ASGIResponse:
    """Open a room with an unused name. A caller without a token becomes a guest."""
    context, headers = context_of(request), headers_of(request)
    player = require_caller(context.callers, headers, "play").player if b"authorization" in headers else None
    asked = await read_json(request, headers, OPEN_ROOM)
    token = None
    if player is None:
        refuse_key(headers)
        if asked.nickname is None:
            raise Invalid("Object missing required field `nickname`; or send a token", "/nickname")
        guest = create_guest(request, asked.nickname)
        player, token = guest.player, guest.token
    else:
        count(peer_of(dict(request.scope)), context.limits.commands, player.id)
    key = idempotency_key(headers, asked)
    if asked.from_ is not None:
        asked = await at_position(context, asked, asked.from_, player)
    peer = peer_of(dict(request.scope))
    if asked.settings.password is not None:
        commands.limit_password(context, peer, player.id, None)

    def count_new() -> None:
        count(peer, context.limits.openings, peer.address(context.addresses))

    answer = await context.rooms.open(asked, player, key, count_new)
    return respond_opened(context, answer.room, player, token, replayed=answer.replayed)


async def at_position(context: AppContext, asked: OpenRoom, source: MatchPosition, by: Player) -> OpenAtPosition:
    """Return a request for a room from a position with a copy of it. Raises `ServiceError`, `Rejected`, `Invalid`."""
    if asked.options:
        raise Invalid("A position has the options of its match; leave these out", "/options")
    live, entry = await find_match(context, source.match, by.id)
    if asked.game not in {"", entry.game}:
        raise Invalid(f"The game of this match is {entry.game}", "/game")
    position = await context.rooms.position(live, entry, source.version)
    fields = {**asdict(asked), "game": entry.game, "options": position.options}
    return OpenAtPosition(**fields, position=position)


def respond_opened(
    context: AppContext, room: Room, player: Player, token: str | None, *, replayed: bool
) -> ASGIResponse:
    """Return the response to opening a room."""
    name = room.table.key.name
    view = msgspec.Raw(view_for(Viewer(audience(room.table, player.id)), room, context.now()).json)
    value: dict[str, Any] = {"room": name, "version": room.version, "view": view}
    headers = [("location", f"/v1/rooms/{name}"), etag(room), *(commands.REPLAYED if replayed else ())]
    return respond_json(value if token is None else {**value, "token": token}, 201, headers)


@read(
    "/v1/rooms",
    "List the rooms of the lobby",
    LobbyPage,
    parameters=(GAME, STATUS, JOINABLE, LIVE, LOBBY_CURSOR, ROOMS_PER_PAGE),
    refusals=STORE_CODES,
    link="cursor",
    caller="none",
)
async def read_lobby(call: Call) -> LobbyPage:
    """List the public rooms, newest first. A page may have fewer rooms than `limit`, as others are filtered out."""
    request, context = call.request, call.context
    status, game = STATUS.of(request), GAME.of(request)
    try:
        page = await context.social.lobby.page(LOBBY_CURSOR.of(request), ROOMS_PER_PAGE.of(request))
    except ValueError:
        raise Invalid("Invalid cursor; expected the `next` of a page", parameter="cursor") from None
    joinable, live, now = JOINABLE.of(request), LIVE.of(request), context.now()
    shown = [
        entry
        for entry in page.entries
        if game in {None, entry.game}
        and status in {None, entry.status}
        and (not joinable or entry.is_joinable(now))
        and (not live or entry.is_live)
    ]
    return LobbyPage(tuple(shown), page.next)


@get(
    "/v1/rooms/{room:str}",
    opt=document_route(
        "Read a room",
        {200: RoomView, 304: None},
        parameters=(AT, SEAT, TAG),
        refusals=(*ROOM_CODES, *NEGOTIATION_CODES, "no_such_version", "trimmed", "not_your_seat"),
        headers=("ETag",),
    ),
)
async def read_room(request: HttpRequest, room: FromPath[str]) -> ASGIResponse:
    """Return the room's view, now or at an earlier version."""
    context, headers = context_of(request), headers_of(request)
    negotiate(headers, JSON)
    live, seat = await load_for_caller(call_of(request), room)
    past = await room_at_version(call_of(request), live)
    tag = etag(past)
    if has_etag(headers, tag[1]):
        return respond(b"", 304, [tag])
    here = await context.social.presence_of(live) if past is live.state else None
    view = view_for(Viewer(seat), past, context.now(), here, live.kept_until).json
    return respond(view, headers=[tag])


@post(
    "/v1/rooms/{room:str}/commands",
    status_code=200,
    opt=document_route(
        "Send a command to a room",
        {200: CommandResponse},
        compressed=False,
        body=PlayerCommand,
        parameters=(
            KEY,
            Parameter("If-Match", str, "The ETag or version that the room must be at.", '"mzuw4zlo.12"', "header"),
            Parameter(
                "Prefer",
                str,
                "`return=minimal` (RFC 7240) leaves the view out.",
                "return=minimal",
                "header",
            ),
            DRY_RUN,
        ),
        refusals=(
            *(*ROOMS_CODES, "no_such_room"),
            *("version_mismatch", "key_reused", "trimmed", "outcome_unknown", "counter_damaged", "busy"),
            *commands.RULE_CODES,
        ),
        headers=("ETag", "Idempotency-Replayed", "Preference-Applied"),
        caller="required",
    ),
)
async def command_room(request: HttpRequest, room: FromPath[str]) -> ASGIResponse:
    """Execute a command, once per idempotency key, and return its events and the view."""
    context, headers = context_of(request), headers_of(request)
    dry_run = DRY_RUN.of(request)
    asked = commands.PostedCommand(headers, await read_body(request), peer_of(dict(request.scope)), dry_run)
    body_, headers_back = await commands.execute_posted(context, room, asked)
    return respond(body_, headers=headers_back)


@read(
    "/v1/rooms/{room:str}/events",
    "Read a room's events",
    EventPage,
    media_types=(JSON, NDJSON),
    parameters=(AFTER, EVENTS_PER_PAGE, SEAT),
    refusals=(*ROOM_CODES, "trimmed", "not_your_seat"),
    headers=("ETag", "Link"),
    also=((NDJSON, "One event per line."),),
    line=AnyEvent,
)
async def read_events(call: Call, room: str) -> ASGIResponse:
    """Return a page of events, redacted for the caller, as JSON or as one event per line."""
    request = call.request
    live, seat = await load_for_caller(call, room)
    page = await call.context.rooms.history(live, AFTER.of(request), EVENTS_PER_PAGE.of(request))
    following = None if not page or page[-1].version == live.head.version else page[-1].version
    headers_back = [etag(live.state), *next_link(request, "since", following)]
    if call.media_type == NDJSON:
        return respond(event_lines(page, seat, live.state.table.game), headers=headers_back, media_type=NDJSON)
    value = {
        "room": live.key.name,
        "epoch": live.key.epoch,
        "version": live.head.version,
        "events": msgspec.Raw(events_json(page, seat, live.state.table.game)),
        "next": following,
    }
    return respond_json(value, headers=headers_back)


@read(
    "/v1/rooms/{room:str}/legal-moves",
    "List the legal moves",
    LegalMoves,
    parameters=(SEAT, AT),
    refusals=(*ROOM_CODES, "no_such_version", "trimmed", "not_your_seat"),
    headers=("ETag",),
)
async def read_legal_moves(call: Call, room: str) -> ASGIResponse:
    """List the legal moves of the caller's seat; a spectator gets those of the seat to move, if seats move in turn."""
    live, seat = await load_for_caller(call, room)
    past = await room_at_version(call, live)
    match = past.playing
    awaited = match.to_move if match else ()
    value = LegalMoves(past.table.game, past.version, seat, awaited, legal_moves(past, seat))
    return respond_json(value, headers=[etag(past)])
