"""Invitations: a member admits others to the room by a code, without its password and for a limited time.

Whether an invitation is open is decided at the time of the command. Making and revoking are for members; declining and
joining for everybody who has the code.
"""

from msgspec import UNSET

from service.domain.game import Event, Rejected
from service.domain.ids import Millis, PlayerId
from service.domain.room.model import commands, events, names
from service.domain.room.model.commands import CommandContext
from service.domain.room.model.events import (
    MOST_DECLINED,
    MOST_OPEN,
    EndReason,
    Invitation,
    code_hash,
)
from service.domain.room.model.state import Table
from service.domain.room.subjects.seats import free_seat
from service.domain.validation import Invalid


def find_invitation(table: Table, code: str) -> Invitation | None:
    """Return the invitation with this code, open or ended; None if the room knows none."""
    hashed = code_hash(code)
    return next((each for each in table.invitations if each.secret.hash == hashed), None)


def end_reason(table: Table, found: Invitation, now: Millis) -> EndReason | None:
    """Return why an invitation admits nobody at a time; None if it is open."""
    return "room_closed" if table.status == "closed" else found.end_reason(now)


def require_open(table: Table, code: str, now: Millis) -> Invitation:
    """Return the open invitation with this code. Raises `Rejected` (`no_such_invitation`, `invitation_ended`)."""
    found = find_invitation(table, code)
    if found is None:
        raise Rejected("no_such_invitation")
    if (reason := end_reason(table, found, now)) is not None:
        raise Rejected("invitation_ended", reason=reason)
    return found


def invite(table: Table, command: commands.Invite, context: CommandContext, player: PlayerId) -> list[Event]:
    """Create an invitation, for one seat or for a number of players."""
    secret = context.invitation
    assert secret is not None  # noqa: S101 - the service makes one for every such command
    if sum(each.end_reason(context.now) is None for each in table.invitations) >= MOST_OPEN:
        raise Rejected("too_many_invitations", most=MOST_OPEN)
    if command.seat is not None:
        if command.uses != 1:
            raise Invalid("An invitation to one seat has one use; leave `uses` or `seat` out", "/uses")
        free_seat(table, command.seat)
    return [
        events.InvitationMade(
            table.invitations_made + 1,
            player,
            command.uses,
            Millis(command.expires_ms),
            UNSET if command.seat is None else command.seat,
            secret.hash,
            secret.nonce,
        )
    ]


def revoke_invitation(table: Table, command: commands.RevokeInvitation, player: PlayerId, now: Millis) -> list[Event]:
    """End the player's own invitation; the creator of the room may end any."""
    found = next((each for each in table.invitations if each.number == command.invitation), None)
    if found is None:
        raise Rejected("no_such_invitation")
    if player not in {found.by, table.creator}:
        raise Rejected("not_your_invitation")
    if (reason := end_reason(table, found, now)) is not None:
        raise Rejected("invitation_ended", reason=reason)
    return [events.InvitationRevoked(found.number)]


def decline_invitation(table: Table, command: commands.DeclineInvitation, context: CommandContext) -> list[Event]:
    """Record that somebody who was invited is not coming; once per player."""
    player = context.by
    if player is None or player in table.members:
        raise Rejected("already_joined")
    found = require_open(table, command.invitation, context.now)
    if player in found.declined or len(found.declined) >= MOST_DECLINED:
        raise Rejected("already_declined")
    nickname = names.choose_nickname(command.nickname, context.nickname)
    return [events.InvitationDeclined(found.number, player, nickname, context.name_ref, context.program or UNSET)]


def seat_wanted(command: commands.Join, found: Invitation) -> int | None:
    """Return the seat that a player joins on by an invitation; None for any. Raises `Rejected` (`invited_to_seat`)."""
    if found.seat is None:
        return command.seat
    if command.role == "spectator" or command.seat not in {None, found.seat}:
        raise Rejected("invited_to_seat", seat=found.seat)
    return found.seat
