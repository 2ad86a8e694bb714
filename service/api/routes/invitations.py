"""Invitations: those of a room, and what can be done with a code. Reading one never uses it.

The code is in the path, which no log, metric or trace names. Wrong codes are limited per address.
"""

from collections.abc import Mapping
from html import escape
from typing import Any, TypeVar

import msgspec
from litestar import get, post
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.http.bodies import CommandResponse
from service.api.http.callers import require_caller
from service.api.http.commands import REPLAYED, create_guest, result_json
from service.api.http.context import context_of
from service.api.http.headers import count
from service.api.http.json_routes import Call, read
from service.api.http.parameters import KEY, ROOM_CODES, ROOMS_CODES, HttpRequest, document_route
from service.api.http.peers import peer_of
from service.api.http.requests import headers_of, idempotency_key, read_json, refuse_key, room_name
from service.api.http.responses import etag, respond_json
from service.api.routes.static_files import SECURITY_POLICY, page, preview_address
from service.domain.catalog import GAMES
from service.domain.game import Rejected
from service.domain.ids import Player
from service.domain.room.model.clock import ClockSetting, Days, Fischer, PerMove
from service.domain.room.model.commands import DeclineInvitation, Join, SeatNumber
from service.domain.room.model.events import Role
from service.domain.room.model.settings import Nickname
from service.domain.room.subjects.invitations import require_open
from service.domain.room.subjects.seats import require_member
from service.domain.validation import Invalid
from service.rooms.commands.invitations import Invited
from service.rooms.commands.requests import CommandRequest
from service.rooms.views.invitation_view import (
    InvitationList,
    InvitationView,
    invitation_entry,
    invitation_view,
    visible_to,
)

SITE = "Turnstream"
NO_ROBOTS = '<meta name="robots" content="noindex">\n<meta name="referrer" content="no-referrer">\n'
WIDTH, HEIGHT = 1200, 630
"""The size of the pictures in pixels."""


def preview_tags(view: InvitationView | None, public_url: str, path: str, picture: str | None) -> str:
    """Return the tags of an invitation's page; without an open invitation only those for robots.

    Addresses in previews are absolute, so there are none without a `public_url`, and none come from the request.
    """
    if view is None:
        return NO_ROBOTS
    title = f"{view.host} invites you to play {view.title}"
    description = f"{GAMES[view.game].texts.tagline} {options_text(view)}".strip()
    tags = {"og:site_name": SITE, "og:type": "website", "og:title": title, "og:description": description}
    if public_url:
        tags["og:url"] = public_url + path
    if public_url and picture is not None:
        tags["og:image"] = public_url + picture
        tags["og:image:type"] = "image/png"
        tags["og:image:width"], tags["og:image:height"] = str(WIDTH), str(HEIGHT)
        tags["og:image:alt"] = f"A board of {view.title}"
    card = {"twitter:card": "summary_large_image" if "og:image" in tags else "summary"}
    return NO_ROBOTS + meta("property", tags) + meta("name", card)


def meta(kind: str, tags: Mapping[str, str]) -> str:
    """Return tags of `<head>`, one per line."""
    return "".join(f'<meta {kind}="{name}" content="{escape(content)}">\n' for name, content in tags.items())


def options_text(view: InvitationView) -> str:
    """Return the number of players, the options that are not the defaults, and the clock."""
    usual: dict[str, Any] = msgspec.to_builtins(GAMES[view.game].options())
    chosen = [f"{name}: {plain(value)}" for name, value in view.options.items() if usual.get(name) != value]
    parts = [f"{view.seats} players", *chosen, clock_text(view.settings.clock)]
    return ", ".join(part for part in parts if part) + "."


def plain(value: Any) -> str:
    """Return an option's value for people."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def clock_text(clock: ClockSetting) -> str:
    """Return a clock for people, "" for none."""
    match clock:
        case PerMove(ms=ms):
            return f"{seconds(ms)} a move"
        case Fischer(initial_ms=initial, increment_ms=increment):
            return f"{minutes(initial)} and {seconds(increment)} a move" if increment else minutes(initial)
        case Days(days=days):
            return f"{days} days a move"
    return ""


def seconds(ms: int) -> str:
    """Return a time in seconds: `5 s`."""
    return f"{ms / 1000:g} s"


def minutes(ms: int) -> str:
    """Return a time in minutes, or in seconds if it is shorter than one."""
    return f"{ms / 60_000:g} min" if ms >= 60_000 else seconds(ms)


CODE_CODES = ("no_such_invitation", "invitation_ended")
ANSWER_CODES = (
    *(*CODE_CODES, *ROOMS_CODES, "no_such_room", "room_closed", "already_joined", "bad_nickname"),
    *("too_many_nicknames", "rate_limited", "trimmed"),
    *("key_reused", "key_not_supported", "outcome_unknown", "counter_damaged", "busy"),
)
JOIN_CODES = (
    *("kicked", "nickname_taken", "no_spectators", "invited_to_seat", "no_such_seat", "seat_taken", "room_full"),
    *("rated_match", "too_many_rooms", "room_crowded"),
)


class AcceptInvitation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How to join by an invitation."""

    role: Role = msgspec.field(name="as", default="player")
    nickname: Nickname | None = None
    """The nickname in this room; required without a token."""
    seat: SeatNumber | None = None
    """The seat to take; by default the invitation's seat, or else the lowest free one."""


class DeclineRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who declines an invitation."""

    nickname: Nickname | None = None
    """The nickname that the room sees; required without a token."""


class DeclinedInvitation(msgspec.Struct, frozen=True):
    """The invitation that was declined."""

    invitation: int
    """Its number in the room."""


class AcceptedInvitation(CommandResponse, frozen=True, kw_only=True):
    """The room that was joined, with the events and the view, as for any command."""

    room: str
    token: str | None = None
    """The token of the new guest, if the request had none."""


ACCEPT = msgspec.json.Decoder(AcceptInvitation)
DECLINE = msgspec.json.Decoder(DeclineRequest)

Asked = TypeVar("Asked", AcceptInvitation, DeclineRequest)


@read(
    "/v1/rooms/{room:str}/invitations",
    "List a room's invitations",
    InvitationList,
    scope="read",
    compressed=False,
    refusals=(*ROOM_CODES, "not_a_member"),
)
async def read_invitations(call: Call, player: Player, room: str) -> InvitationList:
    """List the caller's invitations with their codes; the creator also sees all others, without codes."""
    context = call.context
    live = await context.rooms.read(room_name(room), player.id)
    table, rooms = live.state.table, context.rooms.invitations
    require_member(table, player.id)
    entries = [
        invitation_entry(table, each, context.now(), rooms.code(each) if each.by == player.id else None)
        for each in visible_to(table, player.id)
    ]
    return InvitationList(tuple(entries))


async def find(request: HttpRequest, code: str, *, ended: bool = False) -> Invited:
    """Return the invitation with this code; with `ended` it may have ended.

    Raises `Rejected` (`no_such_invitation`, `invitation_ended`), and `ServiceError` (`rate_limited`) after too many
    wrong codes from one address.
    """
    context, peer = context_of(request), peer_of(dict(request.scope))
    address = peer.address(context.addresses)
    context.limits.invitations.check(address)
    try:
        found = await context.rooms.invitations.find(code)
    except Rejected:
        count(peer, context.limits.invitations, address)
        raise
    if not ended:
        require_open(found.live.state.table, code, context.now())
    return found


@read("/v1/invitations/{code:str}", "Read an invitation", InvitationView, refusals=(*CODE_CODES, *ROOMS_CODES))
async def read_invitation(call: Call, code: str) -> InvitationView:
    """Return who invites, and to which game and settings. Reading an invitation does not use it."""
    viewer = call.reader
    found = await find(call.request, code)
    return invitation_view(found.live.state, found.invitation, viewer)


@post(
    "/v1/invitations/{code:str}",
    status_code=200,
    opt=document_route(
        "Join by an invitation",
        {200: AcceptedInvitation},
        compressed=False,
        body=AcceptInvitation,
        parameters=(KEY,),
        refusals=(*ANSWER_CODES, *JOIN_CODES),
        headers=("ETag", "Idempotency-Replayed"),
    ),
)
async def accept_invitation(request: HttpRequest, code: FromPath[str]) -> ASGIResponse:
    """Join the room of an invitation, which needs no password. A caller without a token becomes a guest."""
    context = context_of(request)
    asked, found, player, token = await read_answer(request, code, ACCEPT)
    command = Join(asked.role, asked.nickname, asked.seat, None, code)
    name, key = found.live.key.name, idempotency_key(headers_of(request), command)
    answer = await context.rooms.command(name, CommandRequest(command, player, key))
    result = msgspec.json.decode(result_json(answer, player, command, context.now()), type=dict[str, msgspec.Raw])
    value: dict[str, Any] = {"room": name, **result, **({} if token is None else {"token": token})}
    return respond_json(value, headers=[etag(answer.room), *(REPLAYED if answer.replayed else ())])


@post(
    "/v1/invitations/{code:str}/decline",
    status_code=200,
    opt=document_route(
        "Decline an invitation",
        {200: DeclinedInvitation},
        body=DeclineRequest,
        parameters=(KEY,),
        refusals=(*ANSWER_CODES, "already_declined"),
    ),
)
async def decline_invitation(request: HttpRequest, code: FromPath[str]) -> ASGIResponse:
    """Show the room that the caller is not coming. The invitation stays open."""
    asked, found, player, _ = await read_answer(request, code, DECLINE)
    command, name = DeclineInvitation(code, asked.nickname), found.live.key.name
    key = idempotency_key(headers_of(request), command)
    await context_of(request).rooms.command(name, CommandRequest(command, player, key))
    return respond_json(DeclinedInvitation(found.invitation.number))


async def read_answer(
    request: HttpRequest, code: str, decoder: msgspec.json.Decoder[Asked]
) -> tuple[Asked, Invited, Player, str | None]:
    """Return an answer, the invitation, who answers, and the token of a new guest.

    A known player's command is counted. Raises what `find` raises, `Invalid` for a guest without a nickname, and
    `ServiceError` (`key_not_supported`) for one with a key.
    """
    context, headers = context_of(request), headers_of(request)
    known = require_caller(context.callers, headers, "play").player if b"authorization" in headers else None
    asked = await read_json(request, headers, decoder)
    found = await find(request, code, ended=b"idempotency-key" in headers)
    if known is not None:
        count(peer_of(dict(request.scope)), context.limits.commands, known.id)
        return asked, found, known, None
    refuse_key(headers)
    if asked.nickname is None:
        raise Invalid("Object missing required field `nickname`; or send a token", "/nickname")
    guest = create_guest(request, asked.nickname)
    return asked, found, guest.player, guest.token


PAGE_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": SECURITY_POLICY,
    "x-robots-tag": "noindex",
}


@get(
    "/i/{code:str}",
    opt=document_route(
        "An invitation as a page",
        {200: None},
        refusals=("rate_limited", *ROOMS_CODES),
        caller="none",
        tag="Pages",
        also=(("text/html", "The page, with a preview for messengers if the invitation is open."),),
    ),
)
async def read_invitation_page(request: HttpRequest, code: FromPath[str]) -> ASGIResponse:
    """Show the invitation in the browser client. Opening the page does not use the invitation."""
    public_url = context_of(request).public_url
    try:
        found = await find(request, code)
    except Rejected:
        tags = preview_tags(None, public_url, "", None)
    else:
        view = invitation_view(found.live.state, found.invitation, None)
        tags = preview_tags(view, public_url, f"/i/{code}", preview_address(view.game))
    body = page("invitation").replace(b"</head>", tags.encode() + b"</head>", 1)
    return ASGIResponse(body=body, media_type="text/html", headers=PAGE_HEADERS)
