"""Operators' routes: list all rooms, close one, mute and ban players, and read the audit log.

They need the operator token (`TURNSTREAM_ADMIN_TOKEN`), never a player's; without that setting they answer 404. They
have no CORS headers, so pages of other origins cannot use them. docs/operating.md describes them.
"""

from functools import partial
from typing import Annotated, Any

import msgspec
from litestar.response.base import ASGIResponse

from service.api.http.context import AppContext
from service.api.http.json_routes import Call, change, read
from service.api.http.parameters import ROOM_CODES, STORE_CODES, Parameter, flag
from service.api.http.responses import respond_document
from service.domain.ids import Epoch, Player, PlayerId, RoomKey, RoomName, rfc3339
from service.domain.room.due import due
from service.domain.room.model import names
from service.domain.structs import copied
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


OPERATOR_CODES = ("not_found", "rate_limited")
TAG = "Operators"

read_as_operator = partial(read, scope="operator", media_types=(), tag=TAG)
change_as_operator = partial(change, scope="operator", limit=None, tag=TAG)

ALL = flag("all", "Whether closed rooms are listed, too.")
ROOMS_CURSOR: Parameter[str | None] = Parameter("cursor", str, "The `next` of the previous page.", "0:1536")
AFTER: Parameter[str | None] = Parameter("after", str, "The id of an entry; returns those after it.", "1768590000000-0")


@read_as_operator(
    "/v1/admin/rooms",
    "List all rooms",
    AdminRooms,
    link="cursor",
    parameters=(ALL, ROOMS_CURSOR),
    refusals=(*OPERATOR_CODES, *STORE_CODES),
)
async def list_all_rooms(call: Call, _operator: Player) -> AdminRooms:
    """List rooms, including those that are not in the lobby."""
    try:
        page = await call.context.rooms.all_rooms(ROOMS_CURSOR.of(call.request), live=not ALL.of(call.request))
    except ValueError:
        raise Invalid("Unknown cursor", parameter="cursor") from None
    found = [await find_admin_room(call.context, key) for key in page.items]
    return AdminRooms(tuple(room for room in found if room), page.next)


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
    return copied(
        AdminRoom,
        table,
        room=table.key.name,
        epoch=table.key.epoch,
        version=room.version,
        opened=rfc3339(table.opened),
        changed=rfc3339(room.time),
        members={player: member.nickname for player, member in table.members.items()},
        due=None if moment is None else f"{moment.why} at {rfc3339(moment.at)}",
    )


async def find_room(context: AppContext, room: str) -> LoadedRoom:
    """Return a room by its name, or by `name:epoch` if it is closed. Raises `ServiceError` with `no_such_room`."""
    name, _, epoch = room.partition(":")
    if not epoch:
        return await context.rooms.named(names.room_name(name))
    return await context.rooms.by_key(RoomKey(RoomName(name), Epoch(epoch)))


@read_as_operator("/v1/admin/rooms/{room:str}", "Read a room", AdminRoom, refusals=(*OPERATOR_CODES, *ROOM_CODES))
async def inspect_room(call: Call, _operator: Player, room: str) -> AdminRoom:
    """Show a room, including a private or closed one (`name:epoch`)."""
    return admin_room(await find_room(call.context, room))


@change_as_operator(
    "POST",
    "/v1/admin/rooms/{room:str}/close",
    "Close a room",
    {200: LogEntry},
    body=CloseRequest,
    refusals=(*OPERATOR_CODES, *ROOM_CODES, "busy", "outcome_unknown", "counter_damaged"),
)
async def shut_room(call: Call, _operator: Player, asked: CloseRequest, room: str) -> LogEntry:
    """Close a room; a running match does not count."""
    live = await find_room(call.context, room)
    return log_entry(await call.context.rooms.close_room(live.key, asked.reason))


async def record_action(context: AppContext, action: audit_log.AnyAction) -> LogEntry:
    """Record an action; it takes effect immediately in this process, and within seconds in the others."""
    done = await context.audit_log.record(action)
    audit_log.apply(context.moderation, action)
    return log_entry(done)


def log_entry(done: audit_log.AuditEntry) -> LogEntry:
    """Return an entry of the audit log in JSON form."""
    return LogEntry(done.id, rfc3339(done.time), done.action)


@change_as_operator(
    "POST",
    "/v1/admin/players/{player:str}/mute",
    "Mute a player",
    {200: LogEntry},
    body=ModerationRequest,
    refusals=(*OPERATOR_CODES, *STORE_CODES),
)
async def mute_player(call: Call, _operator: Player, asked: ModerationRequest, player: PlayerId) -> LogEntry:
    """Mute a player in all chats, or unmute them."""
    return await record_action(call.context, audit_log.PlayerMuted(asked.reason, player, asked.on))


@change_as_operator(
    "POST",
    "/v1/admin/players/{player:str}/ban",
    "Ban a player",
    {200: LogEntry},
    body=ModerationRequest,
    refusals=(*OPERATOR_CODES, *STORE_CODES),
)
async def ban_player(call: Call, _operator: Player, asked: ModerationRequest, player: PlayerId) -> LogEntry:
    """Reject a player's token everywhere, or accept it again. A banned player can still read without a token.

    A ban also removes the player from every open tournament, permanently.
    """
    done = await record_action(call.context, audit_log.PlayerBanned(asked.reason, player, asked.on))
    if asked.on:
        await call.context.tournaments.remove_everywhere(player)
    return done


@read_as_operator(
    "/v1/admin/log",
    "Read the audit log",
    Log,
    link="after",
    parameters=(AFTER,),
    refusals=(*OPERATOR_CODES, *STORE_CODES),
)
async def read_log(call: Call, _operator: Player) -> Log:
    """Read the audit log, to which entries are only appended."""
    after = AFTER.of(call.request)
    if after is not None and not audit_log.ID.fullmatch(after):
        raise Invalid("No such entry", parameter="after")
    entries = tuple(log_entry(entry) for entry in await call.context.audit_log.page(after, LOG_PAGE_SIZE))
    return Log(entries, entries[-1].id if len(entries) == LOG_PAGE_SIZE else None)


@read_as_operator("/v1/admin/openapi.json", "This document", dict[str, Any], refusals=OPERATOR_CODES, compressed=False)
async def read_admin_openapi(call: Call, _operator: Player) -> ASGIResponse:
    """Return the OpenAPI document of the operators' routes."""
    return await respond_document(call.request, "admin")
