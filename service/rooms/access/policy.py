"""Who may read, enter and command: the only place where that is decided before the rules of the room themselves.

Pure functions of a room's table, the caller, and the few facts that they need. To somebody who may not know of a
private room it does not exist: everything is refused with `no_such_room`, except the right password.
"""

from typing import Literal

import msgspec

from service.domain.room.model.commands import AnyCommand, Join
from service.domain.room.model.ids import PlayerId
from service.domain.room.model.state import Table
from service.domain.room.subjects.privacy import OPERATOR, opens
from service.rooms.errors import ServiceError
from service.rooms.player import Player

RETRY_SECONDS = 60
"""After how many seconds it may be worth while to try again where something is full."""

ReadingRefusal = Literal["no_such_room", "members_only"]


class EntryLimits(msgspec.Struct, frozen=True):
    """How many rooms and members there may be; 0 is any number."""

    rooms: int = 0
    """Rooms that a player may be in."""
    members: int = 0
    """Members of one room."""


# Read


def reading_refusal(table: Table, player: PlayerId | None) -> ReadingRefusal | None:
    """Return the code with which a reader is refused, None for one who may read."""
    if player is not None and (player in table.members or player == OPERATOR):
        return None
    if table.settings.visibility == "private":
        return "no_such_room"
    return None if table.settings.spectators else "members_only"


def check_reading(table: Table, player: PlayerId | None) -> None:
    """Refuse `no_such_room`, `members_only` to who may not read a room."""
    if (code := reading_refusal(table, player)) is not None:
        raise ServiceError(code)


def counts_as_present(table: Table, player: PlayerId | None) -> bool:
    """Return whether somebody who reads a room counts among the people there: the operator does not."""
    return player != OPERATOR and reading_refusal(table, player) is None


# Enter


def check_room_count(count: int, limits: EntryLimits) -> None:
    """Refuse `too_many_rooms` to a player who would enter a room and is in so many already."""
    if limits.rooms and count >= limits.rooms:
        raise ServiceError("too_many_rooms", params={"most": limits.rooms}, retry_after=RETRY_SECONDS)


def check_crowd(table: Table, player: PlayerId, limits: EntryLimits) -> None:
    """Refuse `room_crowded` to who would join a full room; a private one says nothing of itself."""
    if limits.members and len(table.members) >= limits.members and reading_refusal(table, player) != "no_such_room":
        raise ServiceError("room_crowded", params={"most": limits.members}, retry_after=RETRY_SECONDS)


# Command


def require_player(caller: Player | None) -> Player:
    """Return who asks for more than to read. Refuses `unauthenticated` for a stranger and for the operator."""
    if caller is None:
        raise ServiceError("unauthenticated")
    if caller.id == OPERATOR:
        raise ServiceError(
            "unauthenticated", "The operators' token only reads here: POST /v1/players gives a player's."
        )
    return caller


def check_command(table: Table, player: PlayerId | None, command: AnyCommand, password_hash: str | None) -> None:
    """Refuse `no_such_room` to a stranger of a private room, whatever they ask, except for the right password.

    What a member may do is decided by the rules; a `player` of None is the service itself.
    """
    if player is None or reading_refusal(table, player) != "no_such_room":
        return
    if not (isinstance(command, Join) and opens(table, password_hash)):
        raise ServiceError("no_such_room")
