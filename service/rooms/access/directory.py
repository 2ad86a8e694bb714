"""The players of a store for operators, by their ids and nicknames."""

from collections.abc import Collection

from service.domain.ids import PlayerId
from service.domain.room.model.names import skeleton
from service.store.contract import Store

SCANS = 40
"""How many times the keys of a server are scanned for one page of a search, which bounds its time."""

Nicknames = dict[PlayerId, tuple[str, ...]]


class Directory:
    """Finds players. Only those have a nickname here who have used one: in a room, a chat, a seek or a challenge."""

    def __init__(self, store: Store) -> None:
        self._names, self._admin_store = store.player_names, store.admin_store

    async def nicknames(self, players: Collection[PlayerId]) -> Nicknames:
        """Return the nicknames of those of these players who have any; erased players have none."""
        asked = [player for player in dict.fromkeys(players) if player not in self._names.erased]
        found = await self._names.table.read(asked) if asked else []
        return {player: tuple(each.names.values()) for player, each in zip(asked, found, strict=True) if each.names}

    async def search(self, text: str, cursor: str | None) -> tuple[Nicknames, str | None]:
        """Return players with this text in a nickname, or one that looks like it, and the next cursor or None.

        Raises `ValueError` for an invalid cursor.
        """
        wanted, matching = skeleton(text), Nicknames()
        for _ in range(SCANS):
            page = await self._admin_store.named_players(cursor)
            found = await self.nicknames(page.items)
            matching |= {player: names for player, names in found.items() if any(wanted in skeleton(n) for n in names)}
            cursor = page.next
            if cursor is None:
                break
        return matching, cursor
