"""Who is connected to a room, through all processes."""

from collections.abc import Iterable

import msgspec

from service.domain.room.state import Table
from service.domain.room.values import PlayerId


class PlayerPresence(msgspec.Struct, frozen=True):
    """Whether somebody is connected to the room."""

    online: bool
    """True from the first connection on, and for a moment after the last one, so that a reload goes unnoticed."""
    devices: int
    """How many connections they have to this room."""


class Share(msgspec.Struct, frozen=True):
    """Who is connected through one process; a player without devices has been gone for no more than a moment."""

    devices: dict[PlayerId, int] = {}
    strangers: int = 0
    """Connections without a token."""


ALWAYS = PlayerPresence(online=True, devices=0)
"""The presence of the house's own bots."""
AWAY = PlayerPresence(online=False, devices=0)


class Attendance:
    """The sum of all shares, and what was made of it for the latest table."""

    __slots__ = ("devices", "strangers", "table", "told")

    def __init__(self, shares: Iterable[Share]) -> None:
        """Add these up."""
        self.devices: dict[PlayerId, int] = {}
        self.strangers = 0
        for share in shares:
            self.strangers += share.strangers
            for player, count in share.devices.items():
                self.devices[player] = self.devices.get(player, 0) + count
        self.table: Table | None = None
        self.told = b""

    def of(self, table: Table, player: PlayerId) -> PlayerPresence:
        """Return the presence of a member."""
        if table.members[player].bot is not None:
            return ALWAYS
        devices = self.devices.get(player)
        return AWAY if devices is None else PlayerPresence(online=True, devices=devices)

    def watchers(self, table: Table) -> int:
        """Return how many look on: connections without a token, and everyone else who isn't here to play, each once."""
        players = {player for player, member in table.members.items() if member.role == "player"}
        return self.strangers + len(self.devices.keys() - players)
