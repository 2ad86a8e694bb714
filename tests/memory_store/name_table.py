"""The nicknames of players in the memory of one process."""

from collections.abc import Collection

from service.domain.ids import PlayerId
from service.store.player_names import CheckedNames, Signed, checked_names
from service.store.protection import Protection
from service.store.stream_keys import names_key

Stored = dict[PlayerId, dict[bytes, bytes]]


class MemoryNameTable:
    """The contract `NameTable`."""

    def __init__(self, protection: Protection) -> None:
        """Start without nicknames."""
        self.protection = protection
        self.names, self.macs = Stored(), Stored()
        """By player and number."""

    async def read(self, players: Collection[PlayerId]) -> list[CheckedNames]:
        """Return the nicknames of each of some players."""
        return [checked_names(*await self._checked(player)) for player in players]

    async def _checked(self, player: PlayerId) -> tuple[dict[bytes, bytes], list[bytes]]:
        names, macs = self.names.get(player, {}), self.macs.get(player, {})
        return await self.protection.check(names_key(player), names, macs)

    async def add(self, player: PlayerId, number: str, nickname: str) -> bool:
        """Add a nickname under a number; return whether that was free."""
        names, field, value = self.names.setdefault(player, {}), number.encode(), nickname.encode()
        if field in names:
            return False
        names[field] = value
        if mac := self.protection.sign(names_key(player), field, value):
            self.macs.setdefault(player, {})[field] = mac
        return True

    async def sign(self, player: PlayerId) -> Signed:
        """Sign the nicknames of a player that have no MAC of the current key."""
        found, damaged = await self._checked(player)
        macs = self.protection.missing(names_key(player), found, self.macs.get(player, {}))
        self.macs.setdefault(player, {}).update(macs)
        return Signed(len(macs), len(damaged))

    async def delete(self, player: PlayerId) -> None:
        """Delete all nicknames of a player."""
        self.names.pop(player, None)
        self.macs.pop(player, None)
