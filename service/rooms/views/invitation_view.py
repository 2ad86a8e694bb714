"""Invitations in their wire form: for the members of the room, and for everybody with a code."""

from typing import Any

import msgspec

from service.domain.game import Seat
from service.domain.ids import Millis, PlayerId, rfc3339
from service.domain.room.model.events import EndReason, Invitation
from service.domain.room.model.settings import Settings
from service.domain.room.model.state import Room, Table
from service.domain.room.subjects.invitations import end_reason
from service.domain.structs import copied


class InvitationEntry(msgspec.Struct, frozen=True):
    """An invitation, as the members of its room may see it."""

    invitation: int
    """Its number in the room, from 1."""
    player: PlayerId
    """Who made it."""
    uses: int
    """How many players it admits."""
    used: int
    """How many players it has admitted."""
    seat: Seat | None
    """The only seat that it is for; null for any."""
    expires: str
    """When it expires."""
    declined: int
    """How many players have declined it."""
    ended: EndReason | None
    """Why it has ended; null while it is open."""
    code: str | None
    """Its code, for its creator only: `/i/{code}` is the page to send. Null for all others, and once it has ended."""


class InvitationList(msgspec.Struct, frozen=True):
    """The invitations of a room that the caller may see, oldest first; only the latest of the ended ones."""

    invitations: tuple[InvitationEntry, ...]
    """The invitations."""


class InvitationView(msgspec.Struct, frozen=True):
    """An open invitation, for everybody with its code. The name and title of a private room are not shown."""

    host: str
    """The nickname of the member who made it."""
    bot: bool
    """Whether that member was declared a bot."""
    game: str
    title: str
    """The title of the game."""
    options: dict[str, Any]
    settings: Settings
    status: str
    """Whether the room waits for players (`open`), or plays (`playing`)."""
    seats: int
    """How many seats the game has."""
    seats_free: int
    """How many of them are free."""
    seat: Seat | None
    """The only seat that the invitation is for; null for any."""
    uses_left: int
    """How many players it still admits."""
    expires: str
    """When it expires."""
    room: str | None
    """The room's name; null for a private room, unless the caller is a member of it."""


def visible_to(table: Table, player: PlayerId) -> tuple[Invitation, ...]:
    """Return the invitations that a member may see: their own ones; for the creator, all."""
    return tuple(each for each in table.invitations if player in {each.by, table.creator})


def invitation_entry(table: Table, found: Invitation, now: Millis, code: str | None) -> InvitationEntry:
    """Return an invitation for the room's members; its code is left out once it has ended."""
    ended = end_reason(table, found, now)
    return copied(
        InvitationEntry,
        found,
        invitation=found.number,
        player=found.by,
        expires=rfc3339(found.expires),
        declined=len(found.declined),
        ended=ended,
        code=None if ended else code,
    )


def invitation_view(room: Room, found: Invitation, viewer: PlayerId | None) -> InvitationView:
    """Return an open invitation for somebody who holds its code."""
    table = room.table
    knows_name = table.settings.visibility != "private" or viewer in table.members
    return InvitationView(
        host=table.members[found.by].nickname,
        bot=table.members[found.by].program,
        game=table.game,
        title=room.game.texts.title,
        options=table.options,
        settings=table.settings,
        status=table.status,
        seats=len(table.seats),
        seats_free=table.seats.count(None),
        seat=found.seat,
        uses_left=found.uses - found.used,
        expires=rfc3339(found.expires),
        room=table.key.name if knows_name else None,
    )
