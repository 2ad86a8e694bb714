"""How much one player, one address and one room may ask for; 0 means as much as they like."""

import msgspec


class Limits(msgspec.Struct, frozen=True):
    """The limits that one process holds its clients to; each counts for itself."""

    subscriptions: int = 100
    """Rooms that one socket may follow."""
