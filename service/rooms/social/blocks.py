"""Which players' lines of chat are hidden from whom, because one of them has blocked the other."""

from collections.abc import Collection
from typing import Protocol

from service.domain.ids import PlayerId


class Blocks(Protocol):
    """The blocks of all players, as far as this process has loaded them."""

    async def prepare(self, players: Collection[PlayerId]) -> None:
        """Load the blocks of some players. If the store fails, `hides` does not know them."""

    def is_ready(self, players: Collection[PlayerId]) -> bool:
        """Return whether the blocks of all of these players are loaded."""

    def hides(self, one: PlayerId, other: PlayerId) -> bool:
        """Return whether one of two players is known to have blocked the other."""


class NoBlocks:
    """Nobody has blocked anybody."""

    async def prepare(self, players: Collection[PlayerId]) -> None:
        """Do nothing."""

    def is_ready(self, players: Collection[PlayerId]) -> bool:  # noqa: ARG002 - nothing is needed
        """Return true."""
        return True

    def hides(self, one: PlayerId, other: PlayerId) -> bool:  # noqa: ARG002 - none
        """Return false."""
        return False
