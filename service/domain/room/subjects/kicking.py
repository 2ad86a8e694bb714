"""What the creator may do to others: send them away, and mute them."""

from msgspec.structs import replace

from service.domain.game import Event, Rejected
from service.domain.room.model import commands as asked
from service.domain.room.model import events as happened
from service.domain.room.model.ids import PlayerId
from service.domain.room.model.state import Member, Room, Table
from service.domain.room.subjects.guards import created_by
from service.domain.room.subjects.members import kicked
from service.domain.room.subjects.offers import voices, wish, wished


def kick(room: Room, command: asked.Kick, player: PlayerId) -> list[Event]:
    """Send somebody away, during their match by agreement of the others; where there are no others, by their own."""
    other_member(room.table, command.player, player)
    if room.playing and command.player in voices(room):
        return wish(room, replace(wished(room, "kick", player), target=command.player))
    return kicked(room.table, command.player)


def mute(room: Room, command: asked.Mute, player: PlayerId) -> list[Event]:
    """Let somebody's lines in the chat be refused, or no longer."""
    member = other_member(room.table, command.player, player)
    if member.muted == command.on:
        raise Rejected("already_so")
    return [happened.PlayerMuted(command.player, command.on)]


def other_member(table: Table, other: PlayerId, player: PlayerId) -> Member:
    """Return somebody else in the creator's room."""
    created_by(table, player)
    if other == player:
        raise Rejected("not_yourself")
    member = table.members.get(other)
    if member is None:
        raise Rejected("no_such_player", player=other)
    return member
