"""Chat over HTTP, in rooms and in the lobby: history and new lines. Live lines are sent over the feeds."""

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.callers.caller import Caller
from service.api.callers.identify import identify, require_caller
from service.api.callers.peers import peer_of
from service.api.http.commands import REPLAYED, RULE_CODES
from service.api.http.common_headers import count
from service.api.http.requests import (
    HttpRequest,
    context_of,
    headers_of,
    idempotency_key,
    negotiate,
    query_parameter,
    read_json,
    room_name,
)
from service.api.http.responses import JSON, next_link, respond_json
from service.api.http.route_docs import KEY, NEGOTIATION_CODES, ROOM_CODES, STORE_CODES, Parameter, document_route
from service.domain.room.model.commands import Ready, Unready
from service.domain.room.model.ids import RoomKey
from service.rooms.access.policy import require_scope
from service.rooms.commands.requests import CommandRequest
from service.rooms.loading.idempotency import with_fingerprint
from service.rooms.social.chat import ChatPage, LineId, may_read_line, new_line, normalised_line
from service.rooms.views.chat_line import ChatLine


class NewChatLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new line of chat."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=4000)]
    """1 to 500 visible characters after normalisation. `/ready` and `/unready` in a room are also commands."""


NEW_CHAT_LINE = msgspec.json.Decoder(NewChatLine)
COMMANDS: dict[str, Ready | Unready] = {"/ready": Ready(), "/unready": Unready()}
"""Lines that are also commands to the room."""

PageSize = Annotated[int, msgspec.Meta(ge=1, le=200)]
DEFAULT_PAGE_SIZE = 50
EXAMPLE_LINE = "1768590000000-0"
PAGE_PARAMETERS = (
    Parameter("cursor", LineId, "The `next` of a page; returns the lines before it.", EXAMPLE_LINE),
    Parameter("since", LineId, "The id of a line; returns the lines after it.", EXAMPLE_LINE),
    Parameter("limit", PageSize, f"Lines per page, {DEFAULT_PAGE_SIZE} by default.", 20),
)


@get(
    "/v1/rooms/{room:str}/chat",
    opt=document_route(
        "Read a room's chat",
        {200: ChatPage},
        parameters=PAGE_PARAMETERS,
        headers=("Link",),
        refusals=(*ROOM_CODES, *NEGOTIATION_CODES),
        tag="Chat",
    ),
)
async def read_chat(request: HttpRequest, room: FromPath[str]) -> ASGIResponse:
    """Return the latest lines that the caller may read, or those before or after a line.

    A subscriber of the room who reads them after `caught_up` misses none. Lines of players whom the caller has blocked,
    or who have blocked the caller, are left out.
    """
    context, headers = context_of(request), headers_of(request)
    negotiate(headers, JSON)
    player = identify(context.callers, headers, "read")
    live = await context.rooms.read(room_name(room), player.id if player else None)
    page = await read_page(request, live.key)
    lines = [
        line for line in page.lines if may_read_line(live.room.table, player.id if player else None, line.audience)
    ]
    shown = await context.social.visible(player.id if player else None, lines)
    return respond_page(request, ChatPage(tuple(shown), page.next))


@post(
    "/v1/rooms/{room:str}/chat",
    opt=document_route(
        "Send a line to a room's chat",
        {201: ChatLine},
        body=NewChatLine,
        parameters=(KEY,),
        headers=("Idempotency-Replayed",),
        refusals=(
            *ROOM_CODES,
            *RULE_CODES,
            "key_reused",
            "bad_line",
            "muted",
            "muted_by_operator",
            "busy",
            "outcome_unknown",
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
    text, key = normalised_line(asked.text), with_fingerprint(idempotency_key(headers_of(request)), asked)
    live = await context.rooms.read(room_name(room), player.id)
    said = new_line(live.room.table, player, text)
    command = COMMANDS.get(text.casefold())
    if command is not None:
        require_scope(caller.scopes, "play")
        await context.rooms.command(live.key.name, CommandRequest(command, player, key))
    return respond_line(*await context.social.chat.add_line(live.key, said, key))


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


@get(
    "/v1/lobby/chat",
    opt=document_route(
        "Read the lobby's chat",
        {200: ChatPage},
        parameters=PAGE_PARAMETERS,
        headers=("Link",),
        refusals=(*STORE_CODES, *NEGOTIATION_CODES),
        tag="Chat",
    ),
)
async def read_lobby_chat(request: HttpRequest) -> ASGIResponse:
    """Return the latest lines, or those before or after a line.

    With a token, lines of players whom the caller has blocked, or who have blocked the caller, are left out.
    """
    context, headers = context_of(request), headers_of(request)
    negotiate(headers, JSON)
    player = identify(context.callers, headers, "read")
    page = await read_page(request, None)
    shown = await context.social.visible(player.id if player else None, page.lines)
    return respond_page(request, ChatPage(tuple(shown), page.next))


def respond_page(request: HttpRequest, page: ChatPage) -> ASGIResponse:
    """Return a page of a chat, with the link to the next one in the same direction."""
    direction = "since" if "since" in request.query_params else "cursor"
    return respond_json(page, headers=next_link(request, direction, page.next))


@post(
    "/v1/lobby/chat",
    opt=document_route(
        "Send a line to the lobby's chat",
        {201: ChatLine},
        body=NewChatLine,
        parameters=(KEY,),
        headers=("Idempotency-Replayed",),
        refusals=(*STORE_CODES, "key_reused", "bad_line", "muted_by_operator", "rate_limited", "too_many_nicknames"),
        caller="required",
        tag="Chat",
    ),
)
async def say_in_lobby(request: HttpRequest) -> ASGIResponse:
    """Send a line to the lobby's chat."""
    caller, asked = await read_line(request)
    player = caller.player
    chat = context_of(request).social.chat
    said = await chat.lobby_line(player, normalised_line(asked.text))
    key = with_fingerprint(idempotency_key(headers_of(request)), asked)
    return respond_line(*await chat.add_line(None, said, key))


async def read_page(request: HttpRequest, where: RoomKey | None) -> ChatPage:
    """Return the page of a chat that the query parameters select."""
    before, after = query_parameter(request, "cursor", LineId), query_parameter(request, "since", LineId)
    limit = query_parameter(request, "limit", PageSize) or DEFAULT_PAGE_SIZE
    found, more = await context_of(request).social.chat.page(where, limit, before=before, after=after)
    return ChatPage(tuple(found), more)
