"""Who is connected to a room, over all processes."""

from collections.abc import Iterable, Mapping

import msgspec

from service.domain.ids import PlayerId
from service.domain.room.model.state import Table
from service.store.side_channels import ProcessId


class PlayerPresence(msgspec.Struct, frozen=True):
    """Whether a player is connected to the room."""

    online: bool
    """True from the first connection until some seconds after the last one has ended, so that reloads do not show."""
    devices: int
    """How many connections the player has to this room."""


class ProcessShare(msgspec.Struct, frozen=True):
    """Who is connected through one process; a player with 0 devices was connected until some seconds ago."""

    devices: dict[PlayerId, int] = {}
    strangers: int = 0
    """Connections without a token."""
    watched: bool = False
    """Whether somebody follows the room's own feed, as on its page; TV and feeds of many rooms do not."""


NOBODY = ProcessShare()
SHARE = msgspec.json.Decoder(ProcessShare)

ALWAYS = PlayerPresence(online=True, devices=0)
"""The presence of bots."""
AWAY = PlayerPresence(online=False, devices=0)


class PresenceCounts:
    """The sum of all processes' shares, updated with each change."""

    __slots__ = ("_shares", "devices", "strangers", "table", "table_json")

    def __init__(self, shares: Iterable[ProcessShare] = ()) -> None:
        """Add up these shares."""
        self.devices: dict[PlayerId, int] = {}
        self.strangers = 0
        self._shares: dict[PlayerId, int] = {}
        """In how many shares each player is."""
        self.table: Table | None = None
        self.table_json = b""
        for share in shares:
            self.replace(NOBODY, share)

    def count(self, player: PlayerId, before: int | None, after: int | None) -> None:
        """Update a player's connections in one share; None if the share does not have the player."""
        self.table = None
        shares = self._shares.get(player, 0) + (after is not None) - (before is not None)
        if shares:
            self._shares[player] = shares
            self.devices[player] = self.devices.get(player, 0) + (after or 0) - (before or 0)
        else:
            self._shares.pop(player, None)
            self.devices.pop(player, None)

    def count_strangers(self, change: int) -> None:
        """Add to the number of connections without a token."""
        self.table = None
        self.strangers += change

    def replace(self, before: ProcessShare, after: ProcessShare) -> set[PlayerId]:
        """Replace one share by another, and return the players whose connections differ."""
        self.count_strangers(after.strangers - before.strangers)
        changed = {player for player, _ in before.devices.items() ^ after.devices.items()}
        for player in changed:
            self.count(player, before.devices.get(player), after.devices.get(player))
        return changed

    def of(self, table: Table, player: PlayerId) -> PlayerPresence:
        """Return the presence of a member."""
        if table.members[player].bot is not None:
            return ALWAYS
        devices = self.devices.get(player)
        return AWAY if devices is None else PlayerPresence(online=True, devices=devices)

    def watchers(self, table: Table) -> int:
        """Return the number of spectators: connections without a token, and connected people who are not players."""
        members = table.members.items()
        players = sum(member.role == "player" and player in self.devices for player, member in members)
        return self.strangers + len(self.devices) - players


def decode_shares(shares: Mapping[ProcessId, bytes]) -> dict[ProcessId, ProcessShare]:
    """Return the decoded shares."""
    return {process: SHARE.decode(data) for process, data in shares.items()}
