"""Chat over HTTP, in rooms and in the lobby: history and new lines. Live lines are sent over the feeds."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from litestar import post
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.http.callers import Caller, require_caller
from service.api.http.commands import REPLAYED
from service.api.http.context import context_of
from service.api.http.headers import count
from service.api.http.json_routes import Call, read
from service.api.http.parameters import (
    KEY,
    ROOM_CODES,
    ROOMS_CODES,
    STORE_CODES,
    HttpRequest,
    Parameter,
    convert_parameter,
    document_route,
    page_size,
)
from service.api.http.peers import peer_of
from service.api.http.requests import headers_of, idempotency_key, read_json, room_name
from service.api.http.responses import next_link, respond_json
from service.domain.room.model.commands import Ready, Unready
from service.rooms.access.policy import require_scope
from service.rooms.commands.requests import CommandRequest
from service.rooms.feeds.frames import ChatLine
from service.rooms.repository import LoadedRoom
from service.rooms.social.chat import ChatPage, LineId, in_room, new_line, normalised_line
from service.streams.errors import ServiceError


class NewChatLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new line of chat."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=4000)]
    """1 to 500 visible characters after normalisation. `/ready` and `/unready` are also commands to a room."""


NEW_CHAT_LINE = msgspec.json.Decoder(NewChatLine)
COMMANDS: dict[str, Ready | Unready] = {"/ready": Ready(), "/unready": Unready()}
"""Lines that are also commands to the room."""

PageSize = Annotated[int, msgspec.Meta(ge=1, le=200)]
EXAMPLE_LINE = "1768590000000-0"
BEFORE: Parameter[LineId | None] = Parameter(
    "cursor", LineId, "The `next` of a page; returns the lines before it.", EXAMPLE_LINE
)
AFTER: Parameter[LineId | None] = Parameter(
    "since", LineId, "The id of a line; returns the lines after it.", EXAMPLE_LINE
)
LINES_PER_PAGE = page_size("Lines", 50, PageSize)
PAGE_PARAMETERS = (BEFORE, AFTER, LINES_PER_PAGE)


ViewName = Annotated[str, msgspec.Meta(max_length=200)]
VIEW: Parameter[str] = Parameter(
    "view",
    ViewName,
    "`all`, which is the default, `lobby`, or the name of a room.",
    "all",
    default="all",
    read=lambda text: convert_parameter(text, ViewName, "view"),
)


@read(
    "/v1/chat",
    "Read the chat",
    ChatPage,
    parameters=(VIEW, *PAGE_PARAMETERS),
    headers=("Link",),
    refusals=(*ROOMS_CODES, "no_such_room"),
    tag="Chat",
)
async def read_chat(call: Call) -> ASGIResponse:
    """Return the latest lines of a view in one order, by time and then id, or those before or after a line.

    The view `all` has the lobby and the caller's rooms (the newest fifty), without a token only the lobby; a
    line has the room where it was written. Lines that the caller may not read, and those of players whom the caller has
    blocked, or who have blocked the caller, are left out. A page has more lines than `limit` if their ids are the same.
    """
    context, by = call.context, call.reader
    view = room_name(VIEW.of(call.request))
    live = await context.rooms.of_view(view, by)
    return await respond_page(call, await context.social.views.places(view, live, by))


@read(
    "/v1/rooms/{room:str}/chat",
    "Read a room's chat",
    ChatPage,
    parameters=PAGE_PARAMETERS,
    headers=("Link",),
    refusals=ROOM_CODES,
    tag="Chat",
)
async def read_room_chat(call: Call, room: str) -> ASGIResponse:
    """Return the latest lines that the caller may read, or those before or after a line.

    A subscriber of the room who reads them after `caught_up` misses none. Lines of players whom the caller has blocked,
    or who have blocked the caller, are left out.
    """
    reader = call.reader
    return await respond_page(call, [await call.context.rooms.read(room_name(room), reader)])


@post(
    "/v1/rooms/{room:str}/chat",
    opt=document_route(
        "Send a line to a room's chat",
        {201: ChatLine},
        body=NewChatLine,
        parameters=(KEY,),
        headers=("Idempotency-Replayed",),
        refusals=(
            *(*ROOM_CODES, "not_a_member", "muted", "muted_by_operator", "rate_limited", "key_reused", "bad_line"),
            *("already_ready", "not_ready", "not_seated", "needs_a_seat", "room_closed", "trimmed"),
            *("busy", "outcome_unknown", "counter_damaged"),
        ),
        caller="required",
        tag="Chat",
    ),
)
async def say_in_room(request: HttpRequest, room: FromPath[str]) -> ASGIResponse:
    """Send a line as a member of the room; spectators who joined are members.

    `/ready` and `/unready` are also commands; if the room refuses the command, the line is not sent.
    """
    context = context_of(request)
    caller, asked = await read_line(request)
    player = caller.player
    text, key = normalised_line(asked.text), idempotency_key(headers_of(request), asked)
    live = await context.rooms.read(room_name(room), player.id)
    said = new_line(live.state.table, player, text)
    command = COMMANDS.get(text.casefold())
    if command is not None:
        require_scope(caller.scopes, "play")
        if player.id not in live.state.table.seats:
            raise ServiceError("needs_a_seat")
        await context.rooms.command(live.key.name, CommandRequest(command, player, key))
    line, replayed = await context.social.chat.add_line(live.key, said, key)
    return respond_line(in_room(line, live.state.table), replayed)


async def read_line(request: HttpRequest) -> tuple[Caller, NewChatLine]:
    """Return who sends a line, and the line. Raises `ServiceError` or `Invalid` if either is refused."""
    context, headers = context_of(request), headers_of(request)
    caller = require_caller(context.callers, headers, "chat")
    context.moderation.refuse_muted(caller.player.id)
    count(peer_of(dict(request.scope)), context.limits.lines, caller.player.id)
    return caller, await read_json(request, headers, NEW_CHAT_LINE)


def respond_line(line: ChatLine, replayed: bool) -> ASGIResponse:  # noqa: FBT001 - what `add_line` returns
    """Return the response to a new line, or to one that was sent before with the same key."""
    return respond_json(line, 201, list(REPLAYED) if replayed else [])


@read(
    "/v1/lobby/chat",
    "Read the lobby's chat",
    ChatPage,
    parameters=PAGE_PARAMETERS,
    headers=("Link",),
    refusals=STORE_CODES,
    tag="Chat",
)
async def read_lobby_chat(call: Call) -> ASGIResponse:
    """Return the latest lines, or those before or after a line.

    With a token, lines of players whom the caller has blocked, or who have blocked the caller, are left out.
    """
    return await respond_page(call, [None])


async def respond_page(call: Call, places: Sequence[LoadedRoom | None]) -> ASGIResponse:
    """Return the page of some places that the query parameters select, with the link to the next one."""
    request, views = call.request, call.context.social.views
    before, after = BEFORE.of(request), AFTER.of(request)
    page = await views.page(places, call.reader, LINES_PER_PAGE.of(request), before=before, after=after)
    return respond_json(page, headers=next_link(request, "cursor" if after is None else "since", page.next))


@post(
    "/v1/lobby/chat",
    opt=document_route(
        "Send a line to the lobby's chat",
        {201: ChatLine},
        body=NewChatLine,
        parameters=(KEY,),
        headers=("Idempotency-Replayed",),
        refusals=(
            *(*STORE_CODES, "key_reused", "bad_line", "muted_by_operator", "rate_limited", "too_many_nicknames"),
            "needs_a_seat",
        ),
        caller="required",
        tag="Chat",
    ),
)
async def say_in_lobby(request: HttpRequest) -> ASGIResponse:
    """Send a line to the lobby's chat. `/ready` and `/unready`, which are commands to a room, are refused."""
    caller, asked = await read_line(request)
    text = normalised_line(asked.text)
    if text.casefold() in COMMANDS:
        raise ServiceError("needs_a_seat")
    chat = context_of(request).social.chat
    said = await chat.lobby_line(caller.player, text)
    key = idempotency_key(headers_of(request), asked)
    return respond_line(*await chat.add_line(None, said, key))
