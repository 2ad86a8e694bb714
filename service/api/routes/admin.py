"""Operators' routes: list all rooms, close one, and read the audit log; `moderation` has those about players.

They need an operator token (`TURNSTREAM_ADMIN_TOKEN` or one with a name), never a player's; without that setting they
answer 404. They have no CORS headers, so pages of other origins cannot use them. See docs/operating/moderate.md.
"""

from typing import Annotated, Any

import msgspec
from litestar.response.base import ASGIResponse

from service.api.http.context import AppContext
from service.api.http.json_routes import Call, Declaration, change, read
from service.api.http.parameters import ROOM_CODES, STORE_CODES, Parameter, flag
from service.api.http.responses import respond_document
from service.domain.ids import Epoch, Player, PlayerId, RoomKey, RoomName, rfc3339
from service.domain.room.due import due
from service.domain.room.model import names
from service.domain.structs import copied
from service.domain.validation import Invalid
from service.rooms.access.audit_log import ID, LogEntry
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


class Log(msgspec.Struct, frozen=True):
    """A page of the audit log, oldest first; `next` is the `after` of the next page."""

    entries: tuple[LogEntry, ...]
    """The entries, oldest first."""
    next: str | None
    """The `after` of the next page."""


OPERATOR_CODES = ("not_found", "rate_limited")
TAG = "Operators"


def read_as_operator(path: str, summary: str, answer: Any, *refusals: str, **more: Any) -> Declaration:
    """Declare a GET of operators, which reads from the store."""
    codes = (*OPERATOR_CODES, *STORE_CODES, *refusals)
    return read(path, summary, answer, scope="operator", media_types=(), refusals=codes, tag=TAG, **more)


def change_as_operator(path: str, summary: str, answers: dict[int, Any], *refusals: str, **more: Any) -> Declaration:
    """Declare a POST of operators, or another method, which writes to the store."""
    codes, method = (*OPERATOR_CODES, *STORE_CODES, *refusals), more.pop("method", "POST")
    return change(method, path, summary, answers, scope="operator", limit=None, refusals=codes, tag=TAG, **more)


ALL = flag("all", "Whether closed rooms are listed, too.")
CURSOR: Parameter[str | None] = Parameter("cursor", str, "The `next` of the previous page.", "0:1536")


def line_id(text: str, parameter: str = "after") -> str:
    """Return the id of an entry or a report. Raises `Invalid`."""
    if not ID.fullmatch(text):
        raise Invalid("No such entry", parameter=parameter)
    return text


AFTER: Parameter[str | None] = Parameter(
    "after", str, "The id of an entry; returns those after it.", "1768590000000-0", read=line_id
)


@read_as_operator("/v1/admin/rooms", "List all rooms", AdminRooms, link="cursor", parameters=(ALL, CURSOR))
async def list_all_rooms(call: Call, _operator: Player) -> AdminRooms:
    """List rooms, including those that are not in the lobby."""
    try:
        page = await call.context.rooms.all_rooms(CURSOR.of(call.request), live=not ALL.of(call.request))
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


@read_as_operator("/v1/admin/rooms/{room:str}", "Read a room", AdminRoom, *ROOM_CODES)
async def inspect_room(call: Call, _operator: Player, room: str) -> AdminRoom:
    """Show a room, including a private or closed one (`name:epoch`)."""
    return admin_room(await find_room(call.context, room))


@change_as_operator(
    "/v1/admin/rooms/{room:str}/close",
    "Close a room",
    {200: LogEntry},
    *(*ROOM_CODES, "busy", "outcome_unknown", "counter_damaged"),
    body=CloseRequest,
)
async def shut_room(call: Call, operator: Player, asked: CloseRequest, room: str) -> LogEntry:
    """Close a room; a running match does not count."""
    live = await find_room(call.context, room)
    return await call.context.rooms.close_room(live.key, asked.reason, operator.nickname)


@read_as_operator("/v1/admin/log", "Read the audit log", Log, link="after", parameters=(AFTER,))
async def read_log(call: Call, _operator: Player) -> Log:
    """Read the audit log, to which entries are only appended."""
    entries = await call.context.audit_log.page(AFTER.of(call.request), LOG_PAGE_SIZE)
    return Log(tuple(entries), entries[-1].id if len(entries) == LOG_PAGE_SIZE else None)


@read_as_operator("/v1/admin/openapi.json", "This document", dict[str, Any], compressed=False)
async def read_admin_openapi(call: Call, _operator: Player) -> ASGIResponse:
    """Return the OpenAPI document of the operators' routes."""
    return await respond_document(call.request, "admin")
