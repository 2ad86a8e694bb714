"""The nicknames of players in the memory of one process."""

from collections.abc import Collection

from service.domain.room.model.ids import PlayerId
from service.store.player_names import Names


class MemoryNameTable:
    """The contract `NameTable`."""

    def __init__(self) -> None:
        """Start without nicknames."""
        self.names: dict[PlayerId, Names] = {}
        """By player."""

    async def read(self, players: Collection[PlayerId]) -> list[Names]:
        """Return the nicknames of each of some players."""
        return [dict(self.names.get(player, {})) for player in players]

    async def add(self, player: PlayerId, number: str, nickname: str) -> bool:
        """Add a nickname under a number; return whether that was free."""
        return self.names.setdefault(player, {}).setdefault(number, nickname) == nickname

    async def delete(self, player: PlayerId) -> None:
        """Delete all nicknames of a player."""
        self.names.pop(player, None)
