"""A command from begin to end: the events that it leads to by the room's rules, and all followups."""

from typing import assert_never

import msgspec

from service.domain.game import Event, Rejected
from service.domain.ids import Epoch, Millis, PlayerId, RoomName, Version
from service.domain.room.evolve import evolve
from service.domain.room.model import commands
from service.domain.room.model.commands import (
    AnyCommand,
    CommandContext,
    MatchCommand,
    MemberCommand,
    Proceed,
    SystemCommand,
    TableCommand,
)
from service.domain.room.model.events import MatchEnded, MatchStarted, Recorded
from service.domain.room.model.settings import OpenRoom
from service.domain.room.model.state import Member, Room, Table
from service.domain.room.subjects import lifecycle
from service.domain.room.subjects.absence import claim_abandoned, mark_absent, mark_present, return_to_seats
from service.domain.room.subjects.bots import answer_for, offer_for, play_for
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
from service.domain.room.subjects.seats import add_bot, assign_seats, leave_seat, remove_bot, require_member, take_seat
from service.domain.room.subjects.timeouts import extend_clocks


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


def decide_system(  # noqa: PLR0911 - one arm per command
    room: Room, command: SystemCommand, context: CommandContext
) -> list[Event]:
    """Return the events that a system command leads to."""
    match command:
        case commands.Proceed():
            return proceed(room, command, context)
        case commands.PlayFor():
            return play_for(room, command)
        case commands.AnswerFor():
            return answer_for(room, command)
        case commands.OfferFor():
            return offer_for(room, command)
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


REVEALING = (MatchStarted, MatchEnded)
"""Events with secrets that nobody may know before they are stored: draws of chance, a seed."""


class UnitOfWork(msgspec.Struct):
    """The events of one command, which are stored together or not at all, and the room after them."""

    room: Room
    by: PlayerId | None
    now: Millis
    first: Version
    """The version of the first event."""
    recorded: list[Recorded] = []

    def record(self, history: list[Event]) -> None:
        """Add the next events, and apply them to the room."""
        room = self.room
        for event in history:
            version, match = Version(room.version + 1), match_number(room.table, event)
            recorded = Recorded(version, self.now, self.first, match, self.by, event)
            self.recorded.append(recorded)
            room = evolve(room, recorded)
        self.room = room


def match_number(table: Table, event: Event) -> int | None:
    """Return the number of the match that an event belongs to; None between two matches."""
    if table.status == "playing":
        return table.matches
    return table.matches + 1 if isinstance(event, MatchStarted) else None


def run(room: Room, command: AnyCommand, context: CommandContext) -> UnitOfWork:
    """Return the unit of work of a command and all its followups. Raises what `decide` raises.

    Only a worker's `Proceed`, and a `ready`, know whether the players are present whom the next match needs.
    """
    if type(command) is Proceed:
        context = msgspec.structs.replace(context, all_present=command.all_present)
    work = begin(room, command, context)
    work.record(decide(work.room, command, context))
    return run_followups(work, context)


def begin(room: Room, command: AnyCommand, context: CommandContext) -> UnitOfWork:
    """Return the unit of work of a command before the command is decided.

    A player's command finds the clocks extended by any down time, and a match under outdated rules already ended. Time
    in a room never runs backwards.
    """
    work = UnitOfWork(room, context.by, max(context.now, room.time), Version(room.version + 1))
    if type(command) is Proceed:
        return work
    if room.is_outdated:
        work.record(end_outdated(room))
    elif context.outages:
        work.record(extend_clocks(room, context))
    return work


def open_room(request: OpenRoom, name: RoomName, epoch: Epoch, context: CommandContext) -> UnitOfWork:
    """Return the unit of work that opens a room, with all followups. Raises `Rejected` or `Invalid`."""
    first, *more = lifecycle.open_room(request, name, epoch, context)
    recorded = Recorded(Version(1), context.now, Version(1), None, context.by, first)
    work = UnitOfWork(evolve(None, recorded), context.by, context.now, Version(1), [recorded])
    work.record(more)
    return run_followups(work, context)


def run_followups(work: UnitOfWork, context: CommandContext) -> UnitOfWork:
    """Record what happens without a command until nothing more does."""
    while more := followups(work.room, context):
        work.record(more)
    return work


def dry_run(room: Room, command: AnyCommand, context: CommandContext) -> tuple[list[Recorded], bool]:
    """Return the events that a command would lead to, as far as its sender may know, and whether more would follow.

    Stops before any reveal and any draw of chance. Raises what `run` raises.
    """
    work = begin(room, command, context)
    history = decide(work.room, command, context)
    if isinstance(command, Proceed):  # it leads to followups only
        return work.recorded, True
    for index, event in enumerate(history):
        if isinstance(event, REVEALING):
            return work.recorded, True
        work.record(history[index : index + 1])
    return work.recorded, bool(followups(work.room, context))
