"""The passwords of private rooms, as hashes, and the id with which operators read."""

import hmac

from service.domain.room.model.ids import PlayerId
from service.domain.room.model.settings import SettingsAsked
from service.domain.room.model.state import Table
from service.domain.validation import Unfit

OPERATOR = PlayerId("operator")
"""Whoever reads with an operator's token: they see every room as a spectator does. No player has this id."""


def opens(table: Table, lock: str | None) -> bool:
    """Return whether a password's hash is that of the room's password; rooms without a password accept any."""
    if table.lock is None:
        return True
    return lock is not None and hmac.compare_digest(lock, table.lock)


def lock_for(asked: SettingsAsked, lock: str | None, before: str | None = None) -> str | None:
    """Return the password hash of a room with these settings: the new one, or else the one before. Raises `Unfit`."""
    if asked.visibility != "private":
        if asked.password is not None:
            raise Unfit("only a private room has a password", "/settings/password")
        return None
    if asked.password is not None:
        return lock
    if before is None:
        raise Unfit("a private room needs a password", "/settings/password")
    return before
