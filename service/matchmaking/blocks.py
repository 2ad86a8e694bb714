"""Whom players have blocked, as far as matchmaking needs it."""

from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

from service.domain.room.model.ids import PlayerId


class BlockLists(Protocol):
    """The block lists of all players."""

    async def is_blocked(self, one: PlayerId, other: PlayerId) -> bool:
        """Return whether one of two players has blocked the other."""

    async def blocked_by(self, players: Iterable[PlayerId]) -> Mapping[PlayerId, Collection[PlayerId]]:
        """Return whom each of some players has blocked."""
