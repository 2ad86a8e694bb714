"""Commands, the same over HTTP and over a socket: what is asked, and how the answer looks."""

import msgspec

from service.api.callers.peers import Peer
from service.api.context import House
from service.api.http.requests import Headers, idempotency_key, if_match, known_caller, parsed, room_of, says_json
from service.api.http.responses import etag
from service.api.routes.players import let_in
from service.domain.catalog import GAMES
from service.domain.room.model.codes import ROOM_CODES
from service.domain.room.model.commands import Join, Play, PlayerCommand, Resign
from service.domain.room.model.ids import Millis, PlayerId, RoomName
from service.domain.room.model.state import audience
from service.rooms.access.passwords import carries_password
from service.rooms.idempotency import idempotency_stamp
from service.rooms.requests import CommandRequest, CommandResult, Player
from service.rooms.views.event_view import event_json
from service.rooms.views.room_view import view_json

LIMITED = ("rate_limited", "too_many_rooms", "room_crowded", "passwords_busy")
COMMAND = msgspec.json.Decoder(PlayerCommand)
REFUSALS = (*ROOM_CODES, *LIMITED, *(code for game in GAMES.values() for code in game.refusals))
"""Every code that the rules of rooms and games refuse a command with."""

REPLAYED = (("idempotency-replayed", "true"),)
"""The header that marks a first answer given again."""

UNKNOWN = b'{"type":"unknown"}'
"""Ends the events of a dry run that stopped before a reveal or a draw of chance."""


class Sent(msgspec.Struct, frozen=True):
    """A command as a POST brings it."""

    headers: Headers
    data: bytes
    peer: Peer
    dry_run: bool = False


def count_password(house: House, peer: Peer, player: PlayerId, room: RoomName | None) -> None:
    """Count a password that is about to be hashed, for a room or for a new one. Refuses `rate_limited`."""
    house.gate.passwords.take((player, room))
    house.gate.passwords_address.take(peer.address(house.addresses))


async def commanded(house: House, room: str, sent: Sent) -> tuple[bytes, list[tuple[str, str]]]:
    """Do what a POST asks and return the body and the headers of its answer. Refuses and raises as the rules do."""
    headers = sent.headers
    player = known_caller(house.tokens, headers)
    house.gate.commands.take(player.id)
    key = idempotency_key(headers)
    says_json(headers)
    command: PlayerCommand = parsed(sent.data, COMMAND)
    epoch, version = if_match(headers)
    asked = CommandRequest(command, player, idempotency_stamp(key, command), version, epoch)
    name = room_of(room)
    if carries_password(command):
        count_password(house, sent.peer, player.id, name)
    if type(command) is Join:
        await let_in(house, name, player.id)
    answer = await (house.rooms.foretell(name, asked) if sent.dry_run else house.rooms.command(name, asked))
    told = [etag(answer.room), *REPLAYED] if answer.replayed else [etag(answer.room)]
    return result_json(answer, player, command, house.now()), told


def result_json(answer: CommandResult, player: Player, command: PlayerCommand, now: Millis) -> bytes:
    """Return what a command led to, as its sender may know it."""
    room = answer.room
    wanted = command.seat if isinstance(command, (Play, Resign)) else None
    seat = audience(room.table, player.id, wanted)
    events = [event_json(recorded, seat) for recorded in answer.recorded]
    if answer.open_end:
        events.append(UNKNOWN)
    view = view_json(room, seat, now, answer.attendance)
    return b"".join((b'{"version":%d,"events":[' % room.version, b",".join(events), b'],"view":', view, b"}"))
