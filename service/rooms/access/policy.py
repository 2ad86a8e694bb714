"""Who may read, enter and command: all of these decisions are made here, before the rules of the room.

These are pure functions of a room's table and the caller. For a caller who may not know of a private room, it does not
exist: every request is refused with `no_such_room`, except a `join` with the right password or an invitation.
"""

from collections.abc import Collection
from typing import Literal

import msgspec

from service.domain.accounts.model import Scope
from service.domain.ids import Player, PlayerId
from service.domain.room.model.commands import AnyCommand, DeclineInvitation, Join
from service.domain.room.model.state import Table
from service.domain.room.subjects.invitations import find_invitation
from service.domain.room.subjects.privacy import OPERATOR, opens
from service.streams.errors import ServiceError

ReadingRefusal = Literal["no_such_room", "members_only"]


class EntryLimits(msgspec.Struct, frozen=True):
    """Limits on rooms and members; 0 is no limit."""

    rooms: int = 0
    """Rooms that a player may be a member of."""
    members: int = 0
    """Members of one room."""


# Read


def reading_refusal(table: Table, player: PlayerId | None) -> ReadingRefusal | None:
    """Return the code with which a reader is refused; None if they may read the room."""
    if player is not None and (player in table.members or player == OPERATOR):
        return None
    if table.settings.visibility == "private":
        return "no_such_room"
    return None if table.settings.spectators else "members_only"


def is_member(table: Table, player: PlayerId | None) -> bool:
    """Return whether a player belongs to a room, and so may know of its matches."""
    return player is not None and player in table.members


def reads_match(
    table: Table, player: PlayerId | None, players: Collection[PlayerId | None], *, members_only: bool
) -> bool:
    """Return whether a reader of a room may read a match of it: one that was for members only is not for all of them.

    Members may, also those who came later, those who played it, and the operator.
    """
    return not members_only or is_member(table, player) or (player is not None and player in {*players, OPERATOR})


def knows_all_matches(caller: PlayerId | None, *players: PlayerId) -> bool:
    """Return whether a caller knows all matches of some players: one of them does, and the operator."""
    return caller in players or caller == OPERATOR


def check_reading(table: Table, player: PlayerId | None) -> None:
    """Raise `ServiceError` (`no_such_room`, `members_only`) if a player may not read a room."""
    if (code := reading_refusal(table, player)) is not None:
        raise ServiceError(code)


def counts_as_present(table: Table, player: PlayerId | None) -> bool:
    """Return whether a reader of a room counts as present: everyone but the operator."""
    return player != OPERATOR and reading_refusal(table, player) is None


# Enter


def check_room_count(count: int, limits: EntryLimits) -> None:
    """Raise `ServiceError` (`too_many_rooms`) if a player who would enter a room is already in too many."""
    if limits.rooms and count >= limits.rooms:
        raise ServiceError("too_many_rooms", params={"most": limits.rooms})


def check_crowd(table: Table, player: PlayerId, limits: EntryLimits) -> None:
    """Raise `ServiceError` (`room_crowded`) if a player would join a full room, unless the room is private."""
    if limits.members and len(table.members) >= limits.members and reading_refusal(table, player) != "no_such_room":
        raise ServiceError("room_crowded", params={"most": limits.members})


# Tokens


def require_scope(scopes: Collection[Scope], scope: Scope) -> None:
    """Raise `ServiceError` (`scope_missing`) for a token without a scope."""
    if scope not in scopes:
        raise ServiceError("scope_missing", params={"scope": scope})


# Command


def require_player(caller: Player | None) -> Player:
    """Return the player who sends a command. Raises `ServiceError` (`unauthenticated`) for strangers and operators."""
    if caller is None:
        raise ServiceError("unauthenticated")
    if caller.id == OPERATOR:
        raise ServiceError(
            "unauthenticated", "The operator token can only read here; get a player's token with POST /v1/players."
        )
    return caller


def check_command(table: Table, player: PlayerId | None, command: AnyCommand, password_hash: str | None) -> None:
    """Raise `ServiceError` (`no_such_room`) for a stranger to a private room without its password or an invitation.

    What a member may do is decided by the rules. A `player` of None means the service itself.
    """
    if player is None or reading_refusal(table, player) != "no_such_room":
        return
    if isinstance(command, Join | DeclineInvitation) and is_invited(table, command.invitation):
        return
    if not (isinstance(command, Join) and opens(table, password_hash)):
        raise ServiceError("no_such_room")


def is_invited(table: Table, code: str | None) -> bool:
    """Return whether somebody has the code of an invitation to the room, even if it has ended."""
    return code is not None and find_invitation(table, code) is not None
