"""The passwords of private rooms, as hashes, and the id with which operators read."""

import hmac

from service.domain.ids import PlayerId
from service.domain.room.model.settings import RequestedSettings
from service.domain.room.model.state import Table
from service.domain.validation import Invalid

OPERATOR = PlayerId("operator")
"""The reader with the operator token, who sees every room like a spectator. No player has this id."""


def opens(table: Table, lock: str | None) -> bool:
    """Return whether a password's hash is that of the room's password; rooms without a password accept any."""
    if table.lock is None:
        return True
    return lock is not None and hmac.compare_digest(lock, table.lock)


def lock_for(requested: RequestedSettings, lock: str | None, before: str | None = None) -> str | None:
    """Return the password hash of a room with these settings: the new one, or else the one before. Raises `Invalid`."""
    if requested.visibility != "private":
        if requested.password is not None:
            raise Invalid(
                "Only private rooms have a password; set `visibility` to private, or leave the password out",
                "/settings/password",
            )
        return None
    if requested.password is not None:
        return lock
    if before is None:
        raise Invalid("Expected a password, as private rooms need one", "/settings/password")
    return before
