"""Invitations: those of a room, and what can be done with a code. Reading one never uses it.

The code is in the path, which no log, metric or trace names. Wrong codes are limited per address.
"""

from typing import Any

import msgspec
from litestar import get, post
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.callers.identify import identify_player, identify_reader
from service.api.callers.peers import peer_of
from service.api.http.bodies import CommandResponse
from service.api.http.commands import REPLAYED, result_json
from service.api.http.common_headers import count
from service.api.http.parameters import HttpRequest
from service.api.http.previews import preview_tags
from service.api.http.requests import (
    context_of,
    headers_of,
    idempotency_key,
    negotiate,
    read_json,
    refuse_key,
    room_name,
)
from service.api.http.responses import JSON, etag, respond_json
from service.api.http.route_docs import KEY, NEGOTIATION_CODES, ROOM_CODES, ROOMS_CODES, document_route
from service.api.routes.players.guests import create_guest
from service.api.routes.static_files import SECURITY_POLICY, page, preview_address
from service.domain.game import Rejected
from service.domain.room.model.commands import DeclineInvitation, Join, SeatNumber
from service.domain.room.model.events import Role
from service.domain.room.model.opening import Nickname
from service.domain.room.subjects.guards import require_member
from service.domain.room.subjects.invitations import require_open
from service.domain.validation import Invalid
from service.rooms.commands.invitations import Invited
from service.rooms.commands.requests import CommandRequest, with_fingerprint
from service.rooms.player import Player
from service.rooms.views.invitation_view import (
    InvitationList,
    InvitationView,
    invitation_entry,
    invitation_view,
    visible_to,
)

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


@get(
    "/v1/rooms/{room:str}/invitations",
    opt=document_route(
        "List a room's invitations",
        {200: InvitationList},
        compressed=False,
        refusals=(*ROOM_CODES, *NEGOTIATION_CODES, "not_a_member"),
        caller="required",
    ),
)
async def read_invitations(request: HttpRequest, room: FromPath[str]) -> ASGIResponse:
    """List the caller's invitations with their codes; the creator also sees all others, without codes."""
    context, headers = context_of(request), headers_of(request)
    negotiate(headers, JSON)
    player = identify_player(context.callers, headers, "read")
    live = await context.rooms.read(room_name(room), player.id)
    table, rooms = live.state.table, context.rooms.invitations
    require_member(table, player.id)
    entries = [
        invitation_entry(table, each, context.now(), rooms.code(each) if each.by == player.id else None)
        for each in visible_to(table, player.id)
    ]
    return respond_json(InvitationList(tuple(entries)))


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


@get(
    "/v1/invitations/{code:str}",
    opt=document_route(
        "Read an invitation",
        {200: InvitationView},
        refusals=(*CODE_CODES, *NEGOTIATION_CODES, *ROOMS_CODES),
    ),
)
async def read_invitation(request: HttpRequest, code: FromPath[str]) -> ASGIResponse:
    """Return who invites, and to which game and settings. Reading an invitation does not use it."""
    context, headers = context_of(request), headers_of(request)
    negotiate(headers, JSON)
    viewer = identify_reader(context.callers, headers)
    found = await find(request, code)
    return respond_json(invitation_view(found.live.state, found.invitation, viewer.id if viewer else None))


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
    context, headers = context_of(request), headers_of(request)
    known = identify_player(context.callers, headers, "play") if b"authorization" in headers else None
    key = idempotency_key(headers)
    asked = await read_json(request, headers, ACCEPT)
    found = await find(request, code, ended=key is not None)
    player, token = caller(request, known, asked.nickname, key)
    command = Join(asked.role, asked.nickname, asked.seat, None, code)
    name = found.live.key.name
    answer = await context.rooms.command(name, CommandRequest(command, player, with_fingerprint(key, command)))
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
    context, headers = context_of(request), headers_of(request)
    known = identify_player(context.callers, headers, "play") if b"authorization" in headers else None
    key = idempotency_key(headers)
    asked = await read_json(request, headers, DECLINE)
    found = await find(request, code, ended=key is not None)
    player, _ = caller(request, known, asked.nickname, key)
    command = DeclineInvitation(code, asked.nickname)
    await context.rooms.command(found.live.key.name, CommandRequest(command, player, with_fingerprint(key, command)))
    return respond_json(DeclinedInvitation(found.invitation.number))


def caller(
    request: HttpRequest, known: Player | None, nickname: str | None, key: str | None
) -> tuple[Player, str | None]:
    """Return the player who answers an invitation, and the token of a new guest; a known player's command is counted.

    Raises `Invalid` for a guest without a nickname, `ServiceError` (`key_not_supported`) for one with a key.
    """
    context = context_of(request)
    if known is not None:
        count(peer_of(dict(request.scope)), context.limits.commands, known.id)
        return known, None
    refuse_key(key)
    if nickname is None:
        raise Invalid("Object missing required field `nickname`; or send a token", "/nickname")
    guest = create_guest(request, nickname)
    return guest.player, guest.token


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
