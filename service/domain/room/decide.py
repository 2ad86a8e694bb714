"""The room's rules: the events that a command leads to."""

from typing import assert_never

from service.domain.game import Event, Rejected
from service.domain.ids import Millis, PlayerId
from service.domain.room.model import commands
from service.domain.room.model.command_context import CommandContext
from service.domain.room.model.commands import AnyCommand, MatchCommand, MemberCommand, SystemCommand, TableCommand
from service.domain.room.model.state import Member, Room
from service.domain.room.subjects.absence import claim_abandoned, mark_absent, mark_present, return_to_seats
from service.domain.room.subjects.bots import add_bot, answer_for, play_for, remove_bot
from service.domain.room.subjects.configuration import configure
from service.domain.room.subjects.invitations import decline_invitation, invite, revoke_invitation
from service.domain.room.subjects.lifecycle import close, close_if_idle, shut
from service.domain.room.subjects.matches import followups, play, ready, resign, start, unready, veto_next
from service.domain.room.subjects.members import join, kick, leave, mute
from service.domain.room.subjects.offers import (
    answer_offer,
    offer_draw,
    request_match,
    request_takeback,
    withdraw_offer,
)
from service.domain.room.subjects.outcomes import end_outdated
from service.domain.room.subjects.seats import assign_seats, leave_seat, require_member, take_seat


def decide(room: Room, command: AnyCommand, context: CommandContext) -> list[Event]:
    """Return the events that a command leads to, without its followups.

    Raises `Rejected`, or `Invalid` for a move, options or settings that are not valid.
    """
    table = room.table
    if table.status == "closed":
        raise Rejected("room_closed")
    if isinstance(command, MemberCommand):
        player, member = require_member(table, context.by)
        if isinstance(command, MatchCommand):
            decided = decide_in_match(room, command, player, context.now)
        else:
            decided = decide_at_table(room, command, context, player, member)
        return [*return_to_seats(table, player), *decided] if player in table.absent else decided
    if isinstance(command, commands.Join):
        return join(room, command, context)
    if isinstance(command, commands.DeclineInvitation):
        return decline_invitation(table, command, context)
    return decide_system(room, command, context)


def decide_system(room: Room, command: SystemCommand, context: CommandContext) -> list[Event]:
    """Return the events that a system command leads to."""
    match command:
        case commands.Proceed():
            return proceed(room, command, context)
        case commands.PlayFor():
            return play_for(room, command)
        case commands.AnswerFor():
            return answer_for(room, command)
        case commands.Shut():
            return shut(room)
        case commands.Desert():
            return mark_absent(room, command)
        case commands.Return():
            return mark_present(room, command)


def decide_in_match(  # noqa: PLR0911 - one arm per command
    room: Room, command: MatchCommand, player: PlayerId, now: Millis
) -> list[Event]:
    """Return the events that a member's command about the match leads to."""
    match command:
        case commands.Play():
            return play(room, command, player, now)
        case commands.Resign():
            return resign(room, command, player)
        case commands.OfferDraw():
            return offer_draw(room, player)
        case commands.RequestTakeback():
            return request_takeback(room, player)
        case commands.RequestRestart():
            return request_match(room, player, "restart")
        case commands.RequestNew():
            return request_match(room, player, "new")
        case commands.Answer():
            return answer_offer(room, command, player)
        case commands.Withdraw():
            return withdraw_offer(room, command, player)
        case commands.ClaimAbandoned():
            return claim_abandoned(room, command, player, now)
        case _:
            assert_never(command)


def decide_at_table(  # noqa: C901, PLR0911, PLR0912 - one arm per command
    room: Room, command: TableCommand, context: CommandContext, player: PlayerId, member: Member
) -> list[Event]:
    """Return the events that a member's command about the table leads to."""
    match command:
        case commands.Leave():
            return leave(room.table, room.playing, player)
        case commands.TakeSeat():
            return take_seat(room, command, player)
        case commands.LeaveSeat():
            return leave_seat(room, command, player)
        case commands.Ready():
            return ready(room.table, command, player, member)
        case commands.Unready():
            return unready(player, member)
        case commands.AssignSeats():
            return assign_seats(room, command, player)
        case commands.AddBot():
            return add_bot(room, command, player)
        case commands.RemoveBot():
            return remove_bot(room, command, player)
        case commands.Kick():
            return kick(room, command, player)
        case commands.Mute():
            return mute(room, command, player)
        case commands.Invite():
            return invite(room.table, command, context, player)
        case commands.RevokeInvitation():
            return revoke_invitation(room.table, command, player, context.now)
        case commands.Configure():
            return configure(room, command, player, context.lock)
        case commands.VetoNext():
            return veto_next(room.table, player, member)
        case commands.Start():
            return start(room, player)
        case commands.Close():
            return close(room, player)
        case _:
            assert_never(command)


def proceed(room: Room, command: commands.Proceed, context: CommandContext) -> list[Event]:
    """Return what is due now: the next followups, or else the end of an idle room. Rejects with `nothing_due`."""
    due_now = end_outdated(room) or followups(room, context) or close_if_idle(room, context.now, command.kept_until)
    if not due_now:
        raise Rejected("nothing_due")
    return due_now
