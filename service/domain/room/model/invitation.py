"""Invitations: what a room knows about each, and their events. The room never has their codes."""

import hashlib
from typing import Annotated, Literal

import msgspec

from service.domain.game import Hidden, Seat
from service.domain.room.model.ids import Millis, NameRef, PlayerId
from service.domain.room.model.room_event import RoomEvent

CODE_BYTES = 16
"""The length of a code: 128 bits, which nobody can guess."""

InvitationNumber = Annotated[int, msgspec.Meta(ge=1, le=1_000_000_000)]
"""The number of an invitation in its room, from 1."""

EndReason = Literal["room_closed", "revoked", "used_up", "expired"]
"""Why an invitation admits nobody."""

MOST_OPEN = 20
"""How many invitations of a room may be open at a time."""

MOST_ENDED = 20
"""How many of a room's ended invitations are remembered."""

MOST_DECLINED = 20
"""How many players who declined an invitation are remembered; after that it cannot be declined."""


def code_hash(code: str) -> str:
    """Return the hash under which a code is stored: SHA-256, in hex. Codes are random, so they need no salt."""
    return hashlib.sha256(code.encode()).hexdigest()


class InvitationSecret(msgspec.Struct, frozen=True):
    """What is stored of a new invitation's code: its hash, and the random bytes that it was derived from with a key."""

    hash: str
    nonce: str


class Invitation(msgspec.Struct, frozen=True):
    """An invitation, open or ended."""

    number: int
    by: PlayerId
    uses: int
    """How many players it admits."""
    expires: Millis
    secret: InvitationSecret
    seat: Seat | None = None
    """The only seat that it is for; None for any seat, or none."""
    used: int = 0
    """How many players it has admitted."""
    revoked: bool = False
    """Whether it was revoked, or its creator has left the room."""
    declined: tuple[PlayerId, ...] = ()
    """Who declined it."""

    def end_reason(self, now: Millis) -> EndReason | None:
        """Return why it admits nobody at a time; None if it is open. It does not know whether its room is closed."""
        if self.revoked:
            return "revoked"
        if self.used >= self.uses:
            return "used_up"
        return "expired" if now >= self.expires else None


class InvitationMade(RoomEvent, frozen=True):
    """A member created an invitation; only they received its code."""

    invitation: int
    """The invitation's number in this room, from 1."""
    player: PlayerId
    """Who made it."""
    uses: int
    """How many players it admits."""
    expires_ms: Millis
    """After how many milliseconds it expires."""
    seat: Seat | msgspec.UnsetType = msgspec.UNSET
    """The only seat that it is for; absent for any."""
    hash: Annotated[str | msgspec.UnsetType, Hidden.FROM_ALL] = msgspec.UNSET
    """The SHA-256 of its code, in hex."""
    nonce: Annotated[str | msgspec.UnsetType, Hidden.FROM_ALL] = msgspec.UNSET
    """The random bytes from which the code is derived with a key, in hex."""


class InvitationDeclined(RoomEvent, frozen=True):
    """Somebody who is not in the room declined an invitation, which stays open."""

    invitation: int
    """The invitation's number in this room."""
    player: PlayerId
    nickname: str
    name_ref: NameRef | msgspec.UnsetType = msgspec.UNSET
    """Where the nickname is stored; absent in events of earlier releases."""
    bot: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether the player was declared a bot; absent for people, and in events of earlier releases."""


class InvitationRevoked(RoomEvent, frozen=True):
    """An invitation was revoked, by the member who created it or by the creator of the room."""

    invitation: int
    """The invitation's number in this room."""


InvitationEvent = InvitationMade | InvitationDeclined | InvitationRevoked
"""The events of an invitation; `player_joined` names the invitation that was used."""
