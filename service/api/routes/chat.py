"""Chat over HTTP: what was said in a room or in the lobby, and saying something. Live lines come with the feeds."""

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.http.commands import REFUSALS
from service.api.http.requests import Web, accepts, body, caller, headers_of, house_of, known_caller, parameter, room_of
from service.api.http.responses import JSON, told
from service.api.http.route_docs import NEGOTIATED, READS, READS_A_ROOM, Parameter, described
from service.domain.room.model.commands import Ready, Unready
from service.domain.room.model.ids import RoomKey
from service.rooms.chat import ChatLine, ChatPage, LineId, StoredLine, can_hear, line_said_by, normalised_line
from service.rooms.requests import CommandRequest


class NewLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to say."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=4000)]
    """1 to 500 visible characters after normalisation; `/ready` and `/unready` in a room are commands too."""


NEW_LINE = msgspec.json.Decoder(NewLine)
COMMANDS: dict[str, Ready | Unready] = {"/ready": Ready(), "/unready": Unready()}
"""Lines that also say so to the room."""

PageSize = Annotated[int, msgspec.Meta(ge=1, le=200)]
PAGE = 50
PAGES = (
    Parameter("cursor", LineId, "The `next` of a page: the lines before it."),
    Parameter("since", LineId, "A line's id: the lines after it, for a reader who comes back."),
    Parameter("limit", PageSize, f"Lines a page; {PAGE} if absent."),
)


@get(
    "/v1/rooms/{room:str}/chat",
    opt=described(
        "What was said in a room",
        {200: ChatPage},
        parameters=PAGES,
        refusals=(*READS_A_ROOM, *NEGOTIATED),
        tag="Chat",
    ),
)
async def read_chat(request: Web, room: FromPath[str]) -> ASGIResponse:
    """Tell the latest lines that the caller may read, or those before or after a line.

    Whoever also follows the room reads them after `caught_up`, and misses none. A reader who would rather not hear
    somebody leaves out lines by `player.id`.
    """
    house, headers = house_of(request), headers_of(request)
    accepts(headers, JSON)
    player = caller(house.tokens, headers)
    live = await house.rooms.fresh_room(room_of(room), player.id if player else None)
    page = await lines(request, live.key)
    heard = [line for line in page.lines if can_hear(live.room.table, player.id if player else None, line.audience)]
    return told(ChatPage(tuple(heard), page.next))


@post(
    "/v1/rooms/{room:str}/chat",
    opt=described(
        "Say something in a room",
        {201: ChatLine},
        body=NewLine,
        refusals=(*READS_A_ROOM, *REFUSALS, "bad_line", "muted", "muted_by_operator", "busy", "outcome_unknown"),
        caller="required",
        tag="Chat",
    ),
)
async def say_in_room(request: Web, room: FromPath[str]) -> ASGIResponse:
    """Say something as a member of the room, spectators included.

    `/ready` and `/unready` are commands too: where the room refuses one, that is the answer and nothing is said.
    """
    house, headers = house_of(request), headers_of(request)
    player = known_caller(house.tokens, headers)
    house.sanctions.refuse_muted(player.id)
    house.gate.lines.take(player.id)
    text = normalised_line((await body(request, headers, NEW_LINE)).text)
    live = await house.rooms.fresh_room(room_of(room), player.id)
    said = line_said_by(live.room.table, player, text)
    command = COMMANDS.get(text.casefold())
    if command is not None:
        await house.rooms.command(live.key.name, CommandRequest(command, player))
    return told(await house.company.chat.say(live.key, said), 201)


@get(
    "/v1/lobby/chat",
    opt=described(
        "What was said in the lobby",
        {200: ChatPage},
        parameters=PAGES,
        refusals=(*READS, *NEGOTIATED),
        caller="none",
        tag="Chat",
    ),
)
async def read_lobby_chat(request: Web) -> ASGIResponse:
    """Tell the latest lines, or those before or after a line."""
    accepts(headers_of(request), JSON)
    return told(await lines(request, None))


@post(
    "/v1/lobby/chat",
    opt=described(
        "Say something in the lobby",
        {201: ChatLine},
        body=NewLine,
        refusals=(*READS, "bad_line", "muted_by_operator", "rate_limited"),
        caller="required",
        tag="Chat",
    ),
)
async def say_in_lobby(request: Web) -> ASGIResponse:
    """Say something to everyone in the lobby."""
    house, headers = house_of(request), headers_of(request)
    player = known_caller(house.tokens, headers)
    house.sanctions.refuse_muted(player.id)
    house.gate.lines.take(player.id)
    text = normalised_line((await body(request, headers, NEW_LINE)).text)
    return told(await house.company.chat.say(None, StoredLine(player.id, player.nickname, "all", text)), 201)


async def lines(request: Web, where: RoomKey | None) -> ChatPage:
    """Return the page of a chat that the query asks for."""
    before, after = parameter(request, "cursor", LineId), parameter(request, "since", LineId)
    limit = parameter(request, "limit", PageSize) or PAGE
    found, more = await house_of(request).company.chat.page(where, limit, before=before, after=after)
    return ChatPage(tuple(found), more)
