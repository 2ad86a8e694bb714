"""What a decision needs besides the room and the command."""

import msgspec

from service.domain.ids import Millis, NameRef, PlayerId
from service.domain.room.model.events import InvitationSecret
from service.domain.timestamps import Outage


class CommandContext(msgspec.Struct, frozen=True):
    """What a decision needs besides the room and the command: who commands, the time, fresh random bytes."""

    by: PlayerId | None
    """None for a system command."""
    nickname: str
    """The player's nickname outside the room."""
    now: Millis
    seed: bytes
    """32 fresh random bytes, used if a match starts."""
    lock: str | None = None
    """The hash of the password in the command: with the room's salt for `join`, else with a fresh one."""
    program: bool = False
    """Whether the player declared that a program plays for them."""
    outages: tuple[Outage, ...] = ()
    """The latest outages of the service."""
    invitation: InvitationSecret | None = None
    """What is stored of the code of a new invitation, for `invite`."""
    name_ref: NameRef | msgspec.UnsetType = msgspec.UNSET
    """Where the nickname is stored that `join`, `decline_invitation` or the opening of a room chooses."""
    all_present: bool = False
    """Whether all players are known to be present; else the next match does not start automatically."""
