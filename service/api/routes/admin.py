"""Operators' routes: list all rooms, close one, mute and ban players, and read the audit log.

They need the operator token (`TURNSTREAM_ADMIN_TOKEN`), never a player's; without that setting they answer 404. They
have no CORS headers, so pages of other origins cannot use them. docs/operating.md describes them.
"""

from typing import Annotated, Any

import msgspec
from litestar import get, post
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.http.context import AppContext, context_of
from service.api.http.parameters import HttpRequest, Parameter, flag
from service.api.http.peers import peer_of
from service.api.http.read_limits import check_operator_token
from service.api.http.requests import headers_of, read_json
from service.api.http.responses import next_link, respond_document, respond_json
from service.api.http.route_docs import ROOM_CODES, STORE_CODES, document_route
from service.api.http.tokens import bearer_token
from service.domain.ids import Epoch, PlayerId, RoomKey, RoomName
from service.domain.room.due import due
from service.domain.room.model import names
from service.domain.timestamps import rfc3339
from service.domain.validation import Invalid
from service.rooms.access import audit_log
from service.rooms.repository import LoadedRoom
from service.streams.errors import ServiceError

Reason = Annotated[str, msgspec.Meta(max_length=500)]

LOG_PAGE_SIZE = 100


class AdminRoom(msgspec.Struct, frozen=True):
    """A room as operators see it, without hidden information of its seats."""

    room: str
    epoch: str
    title: str
    game: str
    status: str
    version: int
    opened: str
    """When the room was opened."""
    changed: str
    """When the latest event happened."""
    seats: tuple[PlayerId | None, ...]
    """The players of the seats, in turn order; null is an empty seat."""
    members: dict[PlayerId, str]
    """The nicknames of the members, by their ids."""
    due: str | None
    """When the service acts next in this room, and why."""


class AdminRooms(msgspec.Struct, frozen=True):
    """A page of all rooms, in no particular order."""

    rooms: tuple[AdminRoom, ...]
    """The rooms."""
    next: str | None
    """The cursor of the next page."""


class CloseRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reason for closing a room."""

    reason: Reason = ""
    """The reason, for the audit log."""


class ModerationRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether to begin or end a mute or ban, and the reason."""

    on: bool
    """Whether it begins or ends."""
    reason: Reason = ""
    """The reason, for the audit log."""


class LogEntry(msgspec.Struct, frozen=True):
    """An entry of the audit log."""

    id: str
    """The id of the entry."""
    time: str
    deed: msgspec.Raw
    """What was done, with the reason."""


class Log(msgspec.Struct, frozen=True):
    """A page of the audit log, oldest first; `next` is the `after` of the next page."""

    entries: tuple[LogEntry, ...]
    """The entries, oldest first."""
    next: str | None
    """The `after` of the next page."""


CLOSE_REQUEST = msgspec.json.Decoder(CloseRequest)
MODERATION_REQUEST = msgspec.json.Decoder(ModerationRequest)

OPERATOR_CODES = ("not_found", "rate_limited")
FOR_OPERATORS: dict[str, Any] = {"caller": "operator", "tag": "Operators"}


def require_operator(request: HttpRequest) -> AppContext:
    """Return the context if the request has the operator token.

    Raises `ServiceError` with `not_found` if no token is configured, `unauthenticated` for another token, and
    `rate_limited` after too many wrong ones from one address.
    """
    context = context_of(request)
    if context.admin_token is None:
        raise ServiceError("not_found")
    token = bearer_token(headers_of(request).get(b"authorization", b""))
    if not check_operator_token(context, peer_of(dict(request.scope)), token or b""):
        raise ServiceError("unauthenticated", "This URL needs the operator token.")
    return context


ALL = flag("all", "Whether closed rooms are listed, too.")
ROOMS_CURSOR: Parameter[str | None] = Parameter("cursor", str, "The `next` of the previous page.", "0:1536")
AFTER: Parameter[str | None] = Parameter("after", str, "The id of an entry; returns those after it.", "1768590000000-0")


@get(
    "/v1/admin/rooms",
    opt=document_route(
        "List all rooms",
        {200: AdminRooms},
        headers=("Link",),
        parameters=(ALL, ROOMS_CURSOR),
        refusals=(*OPERATOR_CODES, *STORE_CODES),
        **FOR_OPERATORS,
    ),
)
async def list_all_rooms(request: HttpRequest) -> ASGIResponse:
    """List rooms, including those that are not in the lobby."""
    context = require_operator(request)
    live = not ALL.of(request)
    try:
        page = await context.rooms.all_rooms(ROOMS_CURSOR.of(request), live=live)
    except ValueError:
        raise Invalid("Unknown cursor", parameter="cursor") from None
    found = [await find_admin_room(context, key) for key in page.rooms]
    answer = AdminRooms(tuple(room for room in found if room), page.next)
    return respond_json(answer, headers=next_link(request, "cursor", page.next))


async def find_admin_room(context: AppContext, key: RoomKey) -> AdminRoom | None:
    """Return a room for operators, None if it is damaged or was just removed."""
    try:
        return admin_room(await context.rooms.loaded(key))
    except ServiceError:
        return None


def admin_room(live: LoadedRoom) -> AdminRoom:
    """Return a room as operators see it."""
    room, table = live.state, live.state.table
    moment = due(room)
    return AdminRoom(
        room=table.key.name,
        epoch=table.key.epoch,
        title=table.title,
        game=table.game,
        status=table.status,
        version=room.version,
        opened=rfc3339(table.opened),
        changed=rfc3339(room.time),
        seats=table.seats,
        members={player: member.nickname for player, member in table.members.items()},
        due=None if moment is None else f"{moment.why} at {rfc3339(moment.at)}",
    )


async def find_room(context: AppContext, room: str) -> LoadedRoom:
    """Return a room by its name, or by `name:epoch` if it is closed. Raises `ServiceError` with `no_such_room`."""
    name, _, epoch = room.partition(":")
    if not epoch:
        return await context.rooms.named(names.room_name(name))
    return await context.rooms.by_key(RoomKey(RoomName(name), Epoch(epoch)))


@get(
    "/v1/admin/rooms/{room:str}",
    opt=document_route("Read a room", {200: AdminRoom}, refusals=(*OPERATOR_CODES, *ROOM_CODES), **FOR_OPERATORS),
)
async def inspect_room(request: HttpRequest, room: FromPath[str]) -> ASGIResponse:
    """Show a room, including a private or closed one (`name:epoch`)."""
    return respond_json(admin_room(await find_room(require_operator(request), room)))


@post(
    "/v1/admin/rooms/{room:str}/close",
    opt=document_route(
        "Close a room",
        {200: LogEntry},
        body=CloseRequest,
        refusals=(*OPERATOR_CODES, *ROOM_CODES, "busy", "outcome_unknown", "counter_damaged"),
        **FOR_OPERATORS,
    ),
)
async def shut_room(request: HttpRequest, room: FromPath[str]) -> ASGIResponse:
    """Close a room; a running match does not count."""
    context = require_operator(request)
    asked = await read_json(request, headers_of(request), CLOSE_REQUEST)
    live = await find_room(context, room)
    return respond_json(log_entry(await context.rooms.close_room(live.key, asked.reason)))


async def record_action(context: AppContext, action: audit_log.AnyAction) -> LogEntry:
    """Record an action; it takes effect immediately in this process, and within seconds in the others."""
    done = await context.audit_log.record(action)
    audit_log.apply(context.moderation, action)
    return log_entry(done)


def log_entry(done: audit_log.AuditEntry) -> LogEntry:
    """Return an entry of the audit log in JSON form."""
    return LogEntry(done.id, rfc3339(done.time), done.action)


@post(
    "/v1/admin/players/{player:str}/mute",
    opt=document_route(
        "Mute a player",
        {200: LogEntry},
        body=ModerationRequest,
        refusals=(*OPERATOR_CODES, *STORE_CODES),
        **FOR_OPERATORS,
    ),
)
async def mute_player(request: HttpRequest, player: FromPath[str]) -> ASGIResponse:
    """Mute a player in all chats, or unmute them."""
    context = require_operator(request)
    asked = await read_json(request, headers_of(request), MODERATION_REQUEST)
    return respond_json(await record_action(context, audit_log.PlayerMuted(asked.reason, PlayerId(player), asked.on)))


@post(
    "/v1/admin/players/{player:str}/ban",
    opt=document_route(
        "Ban a player",
        {200: LogEntry},
        body=ModerationRequest,
        refusals=(*OPERATOR_CODES, *STORE_CODES),
        **FOR_OPERATORS,
    ),
)
async def ban_player(request: HttpRequest, player: FromPath[str]) -> ASGIResponse:
    """Reject a player's token everywhere, or accept it again. A banned player can still read without a token.

    A ban also removes the player from every open tournament, permanently.
    """
    context = require_operator(request)
    asked = await read_json(request, headers_of(request), MODERATION_REQUEST)
    done = await record_action(context, audit_log.PlayerBanned(asked.reason, PlayerId(player), asked.on))
    if asked.on:
        await context.tournaments.remove_everywhere(PlayerId(player))
    return respond_json(done)


@get(
    "/v1/admin/log",
    opt=document_route(
        "Read the audit log",
        {200: Log},
        headers=("Link",),
        parameters=(AFTER,),
        refusals=(*OPERATOR_CODES, *STORE_CODES),
        **FOR_OPERATORS,
    ),
)
async def read_log(request: HttpRequest) -> ASGIResponse:
    """Read the audit log, to which entries are only appended."""
    context = require_operator(request)
    after = AFTER.of(request)
    if after is not None and not audit_log.ID.fullmatch(after):
        raise Invalid("No such entry", parameter="after")
    entries = tuple(log_entry(entry) for entry in await context.audit_log.page(after, LOG_PAGE_SIZE))
    page = Log(entries, entries[-1].id if len(entries) == LOG_PAGE_SIZE else None)
    return respond_json(page, headers=next_link(request, "after", page.next))


@get(
    "/v1/admin/openapi.json",
    opt=document_route(
        "This document", {200: dict[str, Any]}, refusals=OPERATOR_CODES, compressed=False, **FOR_OPERATORS
    ),
)
async def read_admin_openapi(request: HttpRequest) -> ASGIResponse:
    """Return the OpenAPI document of the operators' routes."""
    require_operator(request)
    return await respond_document(request, "admin")
