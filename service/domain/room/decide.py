"""The room's rules: what a command leads to."""

from typing import assert_never

from service.domain.game import Event, Rejected
from service.domain.room.model import commands as asked
from service.domain.room.model import events as happened
from service.domain.room.model.command_context import Context
from service.domain.room.model.commands import AnyCommand, HouseCommand, MemberCommand
from service.domain.room.model.ids import PlayerId
from service.domain.room.model.state import Member, Room
from service.domain.room.subjects.absence import claim_abandoned, come_back, desert, returned
from service.domain.room.subjects.bots import add_bot, answer_for, play_for, remove_bot
from service.domain.room.subjects.configuration import configure
from service.domain.room.subjects.guards import created_by, member_of, own_seat
from service.domain.room.subjects.idle import closed_as_idle
from service.domain.room.subjects.kicking import kick, mute
from service.domain.room.subjects.matches import follow, ready, start, unready, veto_next
from service.domain.room.subjects.members import join, leave
from service.domain.room.subjects.moves import play, resign, voided
from service.domain.room.subjects.offers import answer, offer_draw, request_anew, request_takeback, withdraw
from service.domain.room.subjects.seats import assign_seats, take_seat


def decide(room: Room, command: AnyCommand, context: Context) -> list[Event]:
    """Return what a command leads to at once. Raises `Rejected`, or `Unfit` for a move that is none of this game."""
    table = room.table
    if table.status == "closed":
        raise Rejected("room_closed")
    if isinstance(command, MemberCommand):
        player, member = member_of(table, context.by)
        told = by_a_member(room, command, context, player, member)
        return [*returned(table, player), *told] if player in table.absent else told
    if isinstance(command, asked.Join):
        return join(room, command, context)
    return by_the_house(room, command, context)


def by_the_house(room: Room, command: HouseCommand, context: Context) -> list[Event]:
    """Return what a command of the house leads to."""
    match command:
        case asked.Proceed():
            return proceed(room, context)
        case asked.PlayFor():
            return play_for(room, command)
        case asked.AnswerFor():
            return answer_for(room, command)
        case asked.Shut():
            return [*voided(room.playing), happened.RoomClosed("by_operator")]
        case asked.Desert():
            return desert(room, command)
        case asked.Return():
            return come_back(room, command)


def by_a_member(  # noqa: C901, PLR0911, PLR0912 - one arm a command
    room: Room, command: MemberCommand, context: Context, player: PlayerId, member: Member
) -> list[Event]:
    """Return what a member's command leads to."""
    match command:
        case asked.Play():
            return play(room, command, player, context.now)
        case asked.Resign():
            return resign(room, command, player)
        case asked.Leave():
            return leave(room.table, room.playing, player)
        case asked.TakeSeat():
            return take_seat(room, command, player)
        case asked.LeaveSeat():
            seat = own_seat(room, player, command.seat)
            return [happened.SeatLeft(seat, player)]
        case asked.Ready():
            return ready(room.table, command, player, member)
        case asked.Unready():
            return unready(player, member)
        case asked.AssignSeats():
            return assign_seats(room, command, player)
        case asked.AddBot():
            return add_bot(room, command, player)
        case asked.RemoveBot():
            return remove_bot(room, command, player)
        case asked.Kick():
            return kick(room, command, player)
        case asked.Mute():
            return mute(room, command, player)
        case asked.ClaimAbandoned():
            return claim_abandoned(room, command, player, context.now)
        case asked.Configure():
            return configure(room, command, player, context.lock)
        case asked.VetoNext():
            return veto_next(room.table, player, member)
        case asked.Start():
            return start(room, player)
        case asked.Close():
            created_by(room.table, player)
            return [*voided(room.playing), happened.RoomClosed("by_creator")]
        case asked.OfferDraw():
            return offer_draw(room, player)
        case asked.RequestTakeback():
            return request_takeback(room, player)
        case asked.RequestRestart():
            return request_anew(room, player, "restart")
        case asked.RequestNew():
            return request_anew(room, player, "new")
        case asked.Answer():
            return answer(room, command, player)
        case asked.Withdraw():
            return withdraw(room, command, player)
        case _:
            assert_never(command)


def proceed(room: Room, context: Context) -> list[Event]:
    """Let the house do what is due: what follows by itself at this moment, or else to close an idle room."""
    if follow(room, context):
        return []
    if idle := closed_as_idle(room, context.now):
        return idle
    raise Rejected("nothing_due")
