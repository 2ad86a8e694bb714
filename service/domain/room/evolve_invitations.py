"""The fold of a room's invitations."""

import msgspec
from msgspec.structs import replace

from service.domain.room.model import invitation
from service.domain.room.model.ids import Millis, PlayerId
from service.domain.room.model.invitation import MOST_ENDED, Invitation, InvitationEvent, InvitationSecret
from service.domain.room.model.state import Table


def apply_to_invitations(table: Table, event: InvitationEvent, time: Millis) -> Table:
    """Return the table after an event of an invitation."""
    match event:
        case invitation.InvitationMade():
            made = new_invitation(event, time)
            known = without_old(table.invitations, time)
            return replace(table, invitations=(*known, made), invitations_made=made.number)
        case invitation.InvitationDeclined(invitation=number, player=player):
            return with_invitation(table, number, declined=player)
        case invitation.InvitationRevoked(invitation=number):
            return with_invitation(table, number, revoked=True)


def new_invitation(made: invitation.InvitationMade, time: Millis) -> Invitation:
    """Return an invitation as it was made."""
    secret, expires = InvitationSecret(made.hash or "", made.nonce or ""), Millis(time + made.expires_ms)
    seat = None if made.seat is msgspec.UNSET else made.seat
    return Invitation(made.invitation, made.player, made.uses, expires, secret, seat)


def without_old(known: tuple[Invitation, ...], now: Millis) -> tuple[Invitation, ...]:
    """Return a room's invitations without the oldest ended ones, so that their number has a limit."""
    ended = [each.number for each in known if each.end_reason(now) is not None]
    forgotten = set(ended[: max(0, len(ended) - MOST_ENDED)])
    return tuple(each for each in known if each.number not in forgotten)


def with_invitation(
    table: Table, number: int | None, *, declined: PlayerId | None = None, used: bool = False, revoked: bool = False
) -> Table:
    """Return the table with one invitation changed; unchanged without one of this number."""
    changed = tuple(
        replace(
            each,
            used=each.used + used,
            revoked=each.revoked or revoked,
            declined=each.declined if declined is None else (*each.declined, declined),
        )
        if each.number == number
        else each
        for each in table.invitations
    )
    return replace(table, invitations=changed)


def without_maker(table: Table, player: PlayerId) -> Table:
    """Return the table after a member has left: their invitations end."""
    changed = tuple(replace(each, revoked=True) if each.by == player else each for each in table.invitations)
    return replace(table, invitations=changed)
