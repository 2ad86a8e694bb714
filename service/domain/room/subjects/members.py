"""Who joins and leaves, whom the creator removes, and whom the creator mutes."""

from msgspec.structs import replace

from service.domain.game import Event, Rejected, Seat
from service.domain.ids import PlayerId
from service.domain.room.model import commands, events, names
from service.domain.room.model.commands import CommandContext
from service.domain.room.model.events import BotKind
from service.domain.room.model.state import Match, Member, Room, Table
from service.domain.room.subjects.invitations import require_open, seat_wanted
from service.domain.room.subjects.offers import active_humans, make_offer, new_offer
from service.domain.room.subjects.outcomes import void_match
from service.domain.room.subjects.privacy import opens
from service.domain.room.subjects.seats import free_seat_for, refuse_in_rated_match, require_creator, vacate_seats


def join(room: Room, command: commands.Join, context: CommandContext) -> list[Event]:
    """Admit a player to the room, and to a seat unless they come as a spectator."""
    table, player = room.table, context.by
    if player is None or player in table.members:
        raise Rejected("already_joined")
    invited = None if command.invitation is None else require_open(table, command.invitation, context.now)
    if invited is None and (not opens(table, context.lock) or (table.lock and player in table.kicked)):
        raise Rejected("no_such_room")
    if player in table.kicked:
        raise Rejected("kicked")
    if command.role == "spectator" and not table.settings.spectators:
        raise Rejected("no_spectators")
    nickname = names.choose_nickname(command.nickname, context.nickname)
    if names.skeleton(nickname) in {names.skeleton(member.nickname) for member in table.members.values()}:
        raise Rejected("nickname_taken", nickname=nickname)
    wanted = command.seat if invited is None else seat_wanted(command, invited)
    kind: BotKind | None = "external" if context.program else None
    joined = events.PlayerJoined(player, nickname, command.role, kind, name_ref=context.name_ref)
    if invited is not None:
        joined = replace(joined, invitation=invited.number)
    if command.role == "spectator":
        return [joined]
    return [joined, events.SeatTaken(free_seat_for(room, player, wanted), player)]


def leave(table: Table, playing: Match | None, player: PlayerId) -> list[Event]:
    """Let a player leave, who forfeits a running rated match.

    If the creator leaves, the player who has been here longest becomes the creator and is no longer muted. If the last
    human leaves, the room closes, and a running match has no result.
    """
    history = [*vacate_seats(table, player), events.PlayerLeft(player)]
    others = {other: member for other, member in table.members.items() if other != player and not member.bot}
    if not others:
        return [*history, *void_match(playing), events.RoomClosed("deserted")]
    history = [*forfeit(playing, player), *history]
    if player == table.creator:
        heirs = [other for other, member in others.items() if member.role == "player"] or list(others)
        history.append(events.CreatorChanged(heirs[0]))
        history += [events.PlayerMuted(heirs[0], on=False)] if others[heirs[0]].muted else []
    return history


def forfeit(playing: Match | None, player: PlayerId) -> list[Event]:
    """Drop the seat of a player who leaves a rated match, unless it has dropped out before."""
    if playing is None or not playing.settings.rated or player not in playing.players:
        return []
    seat = Seat(playing.players.index(player))
    return [] if seat in playing.dropped else playing.game.drop(playing.state, seat, "forfeited")


def kick(room: Room, command: commands.Kick, player: PlayerId) -> list[Event]:
    """Remove somebody from the room; those who play in a running match only if the other players in it agree.

    A bot can be added again afterwards; a player cannot come back.
    """
    target = command.player
    require_other_member(room.table, target, player)
    if room.playing and target in room.playing.players:
        refuse_in_rated_match(room)
    if room.playing and target in active_humans(room):
        return make_offer(room, replace(new_offer(room, "kick", player), target=target))
    removed = events.PlayerLeft(target) if room.table.members[target].bot else events.PlayerKicked(target)
    return [*vacate_seats(room.table, target), removed]


def mute(room: Room, command: commands.Mute, player: PlayerId) -> list[Event]:
    """Mute somebody in the room's chat, or let them write again."""
    member = require_other_member(room.table, command.player, player)
    if member.muted == command.on:
        raise Rejected("already_so")
    return [events.PlayerMuted(command.player, command.on)]


def require_other_member(table: Table, other: PlayerId, player: PlayerId) -> Member:
    """Return another member of the creator's room. Raises `Rejected`."""
    require_creator(table, player)
    if other == player:
        raise Rejected("not_yourself")
    member = table.members.get(other)
    if member is None:
        raise Rejected("no_such_player", player=other)
    return member
