"""Commands and their results, the same over HTTP and over a socket."""

import msgspec

from service.api.http.bodies import Guest, NewInvitation
from service.api.http.callers import require_caller
from service.api.http.context import AppContext, context_of
from service.api.http.headers import count
from service.api.http.parameters import HttpRequest
from service.api.http.peers import Peer, peer_of
from service.api.http.requests import (
    Headers,
    check_content_type,
    idempotency_key,
    if_match,
    parse_json,
    room_name,
    wants_minimal,
)
from service.api.http.responses import etag
from service.domain.catalog import GAMES
from service.domain.ids import Millis, Player, PlayerId, RoomName
from service.domain.room.model import names
from service.domain.room.model.commands import Invite, Leave, Play, PlayerCommand, Resign
from service.domain.room.model.state import audience
from service.domain.validation import KNOWN_MOVES
from service.rooms.access.passwords import has_password
from service.rooms.commands.requests import CommandRequest, CommandResult
from service.rooms.views.event_view import event_json
from service.rooms.views.match_view import Viewer
from service.rooms.views.room_view import view_for
from service.streams.codes import CATALOGUE

LIMIT_CODES = ("rate_limited", "too_many_rooms", "room_crowded", "passwords_busy", "too_many_nicknames")
COMMAND = msgspec.json.Decoder(PlayerCommand)
LONGEST_KNOWN = 256
RULE_CODES = (
    *(code for code in CATALOGUE.rooms if code not in {"bad_name", "members_only", "nothing_due"}),
    *LIMIT_CODES,
    *(code for game in GAMES.values() for code in game.texts.refusals),
)
"""Every refusal code of players' commands; those left out are for opening, reading, and the service's own commands."""

known_commands: dict[bytes, PlayerCommand] = {}
"""Some valid moves by their JSON: the same few are played again and again."""

REPLAYED = (("idempotency-replayed", "true"),)
"""The header of a repeated answer."""

MINIMAL = (("preference-applied", "return=minimal"), ("vary", "Prefer"))
"""The headers of an answer without the view."""

UNKNOWN_EVENT = b'{"type":"unknown"}'
"""The last event of a dry run that stopped before a reveal or a random draw."""


class PostedCommand(msgspec.Struct, frozen=True):
    """A command sent by POST."""

    headers: Headers
    data: bytes
    peer: Peer
    dry_run: bool = False


def parse_command(data: bytes) -> PlayerCommand:
    """Return a command from its JSON, which is parsed once for each move. Raises what `parse_json` raises."""
    known = known_commands.get(text := bytes(data))
    if known is not None:
        return known
    command: PlayerCommand = parse_json(data, COMMAND)
    if type(command) is Play and len(text) <= LONGEST_KNOWN:
        if len(known_commands) >= KNOWN_MOVES:
            known_commands.clear()
        known_commands[text] = command
    return command


def limit_password(context: AppContext, peer: Peer, player: PlayerId, room: RoomName | None) -> None:
    """Count a password that has to be hashed; `room` is None for a new one. Raises `ServiceError` (`rate_limited`)."""
    count(peer, context.limits.passwords, (player, room))
    count(peer, context.limits.passwords_address, peer.address(context.addresses))


def create_guest(request: HttpRequest, nickname: str, *, bot: bool = False) -> Guest:
    """Create a guest. Raises `Rejected` with `bad_nickname`, or `ServiceError` with `rate_limited`."""
    context = context_of(request)
    peer = peer_of(dict(request.scope))
    count(peer, context.limits.guests, peer.address(context.addresses))
    player = Player(context.new_player(), names.new_nickname(nickname), bot)
    return Guest(player, context.tokens.signed(player))


async def execute_posted(context: AppContext, room: str, sent: PostedCommand) -> tuple[bytes, list[tuple[str, str]]]:
    """Execute a command sent by POST and return the body and headers of the response.

    Raises `ServiceError`, `Rejected` or `Unfit` if the command is refused.
    """
    headers = sent.headers
    player = require_caller(context.callers, headers, "play").player
    count(sent.peer, context.limits.commands, player.id)
    check_content_type(headers)
    command = parse_command(sent.data)
    epoch, version = if_match(headers)
    request = CommandRequest(command, player, idempotency_key(headers, command), version, epoch)
    name = room_name(room)
    if type(command) is not Play and has_password(command):
        limit_password(context, sent.peer, player.id, name)
    answer = await (context.rooms.dry_run(name, request) if sent.dry_run else context.rooms.command(name, request))
    if type(command) is Leave and not sent.dry_run:
        await context.matchmaking.seeks.decline(player.id, answer.room.table.key)
    response_headers = [etag(answer.room), *(REPLAYED if answer.replayed else ())]
    is_invited = type(command) is Invite and not sent.dry_run
    invitation = new_invitation(context, answer) if is_invited else None
    if wants_minimal(headers):
        return result_json(answer, player, command, None, invitation), [*response_headers, *MINIMAL]
    return result_json(answer, player, command, context.now(), invitation), response_headers


def new_invitation(context: AppContext, answer: CommandResult) -> NewInvitation | None:
    """Return the invitation that a command created, with its code; None if it created none."""
    made = context.rooms.invitations.made_by(answer)
    return None if made is None else NewInvitation(*made)


def result_json(
    answer: CommandResult,
    player: Player,
    command: PlayerCommand,
    now: Millis | None,
    invitation: NewInvitation | None = None,
) -> bytes:
    """Return the result of a command as JSON, redacted for its sender, with the view at `now`; None for no view."""
    room = answer.room
    wanted = command.seat if isinstance(command, (Play, Resign)) else None
    seat = audience(room.table, player.id, wanted)
    events = [event_json(recorded, seat, room.table.game) for recorded in answer.recorded]
    if answer.open_end:
        events.append(UNKNOWN_EVENT)
    parts = [b'{"version":%d,"events":[' % room.version, b",".join(events), b"]"]
    if now is not None:
        parts += b',"view":', view_for(Viewer(seat), room, now, answer.presence).json
    if invitation is not None:
        parts += b',"invitation":', msgspec.json.encode(invitation)
    return b"".join((*parts, b"}"))
