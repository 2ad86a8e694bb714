"""Who comes and goes."""

from service.domain.game import Event, Rejected
from service.domain.room.model import commands as asked
from service.domain.room.model import events as happened
from service.domain.room.model.command_context import Context
from service.domain.room.model.ids import PlayerId
from service.domain.room.model.state import Match, Room, Table
from service.domain.room.names import names
from service.domain.room.subjects.moves import voided
from service.domain.room.subjects.privacy import opens
from service.domain.room.subjects.seats import free_seat


def join(room: Room, command: asked.Join, context: Context) -> list[Event]:
    """Let somebody in, and onto a seat if they came to play."""
    table, player = room.table, context.by
    if player is None or player in table.members:
        raise Rejected("already_joined")
    if not opens(table, context.lock) or (table.lock and player in table.kicked):
        raise Rejected("no_such_room")
    if player in table.kicked:
        raise Rejected("kicked")
    if command.role == "spectator" and not table.settings.spectators:
        raise Rejected("no_spectators")
    nickname = names.asked_for(command.nickname, context.nickname)
    known = {names.skeleton(member.nickname) for member in table.members.values()}
    if names.skeleton(nickname) in known:
        raise Rejected("nickname_taken", nickname=nickname)
    joined = happened.PlayerJoined(player, nickname, command.role, "external" if context.program else None)
    if command.role == "spectator":
        return [joined]
    return [joined, happened.SeatTaken(free_seat(table, command.seat), player)]


def kicked(table: Table, player: PlayerId) -> list[Event]:
    """Send somebody away, for good; a bot just goes, for another one may be called as it was."""
    left: list[Event] = [happened.SeatLeft(seat, player) for seat in table.seats_of[player]]
    return [*left, happened.PlayerLeft(player) if table.members[player].bot else happened.PlayerKicked(player)]


def leave(table: Table, playing: Match | None, player: PlayerId) -> list[Event]:
    """Let somebody go; the longest-present player inherits the room, muted no more, and one without people closes."""
    left: list[Event] = [happened.SeatLeft(seat, player) for seat in table.seats_of[player]]
    left.append(happened.PlayerLeft(player))
    others = {other: member for other, member in table.members.items() if other != player and not member.bot}
    if not others:
        return [*left, *voided(playing), happened.RoomClosed("deserted")]
    if player == table.creator:
        heirs = [other for other, member in others.items() if member.role == "player"] or list(others)
        left.append(happened.CreatorChanged(heirs[0]))
        left += [happened.PlayerMuted(heirs[0], on=False)] if others[heirs[0]].muted else []
    return left
