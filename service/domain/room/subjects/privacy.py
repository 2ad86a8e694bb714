"""Who may know of a room: a private one is there for its members and the operator, another may admit members only."""

import hmac
from typing import Literal

from service.domain.room.model.ids import PlayerId
from service.domain.room.model.settings import SettingsAsked
from service.domain.room.model.state import Table
from service.domain.validation import Unfit

OPERATOR = PlayerId("operator")
"""Whoever reads with the operators' token: as a spectator would, but every room. No player is called so."""


def barred(table: Table, player: PlayerId | None) -> Literal["no_such_room", "members_only"] | None:
    """Return the code with which a reader is refused, None for one who may read."""
    if player is not None and (player in table.members or player == OPERATOR):
        return None
    if table.settings.visibility == "private":
        return "no_such_room"
    return None if table.settings.spectators else "members_only"


def opens(table: Table, lock: str | None) -> bool:
    """Tell whether a hashed password opens a room; one without a lock is open."""
    if table.lock is None:
        return True
    return lock is not None and hmac.compare_digest(lock, table.lock)


def lock_for(asked: SettingsAsked, lock: str | None, before: str | None = None) -> str | None:
    """Return the lock of a room under these settings, a fresh one or the one before. Raises `Unfit`."""
    if asked.visibility != "private":
        if asked.password is not None:
            raise Unfit("only a private room has a password", "/settings/password")
        return None
    if asked.password is not None:
        return lock
    if before is None:
        raise Unfit("a private room needs a password", "/settings/password")
    return before
