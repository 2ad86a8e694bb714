"""The contract of the leaderboards: a projection of the streams of rating lists, which can be deleted and made again.

A board has the rows of all players of a list, the places of those who have one, and where each rated match is in the
stream. It is written after the stream, together with the version up to which it has everything. A writer that was
killed in between leaves a board behind its stream, and the next one continues from the board's version.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from service.domain.room.model.ids import PlayerId, Version


class BoardRow(NamedTuple):
    """A player's row."""

    player: PlayerId
    data: bytes
    score: int | None
    """By which the board is sorted, the highest first and equal ones by player; None for a player without a place."""


class RatedMatch(NamedTuple):
    """Where a match is in the stream."""

    match: str
    version: Version


class Leaderboards(Protocol):
    """The leaderboards of a store. Every method may raise `StoreUnavailable`."""

    async def version(self, board: str) -> Version:
        """Return up to which version of its stream a board has everything, 0 for one that does not exist."""

    async def update(
        self, board: str, since: Version, until: Version, rows: Sequence[BoardRow], matches: Sequence[RatedMatch]
    ) -> bool:
        """Write what changed from a version on, if the board has that version and not `until`.

        The rows are as of `until`. Return whether they were written.
        """

    async def stage(self, board: str, rows: Sequence[BoardRow], matches: Sequence[RatedMatch]) -> None:
        """Write a part of a board that is made again beside the present one."""

    async def publish(self, board: str, until: Version) -> None:
        """Replace a board by what was staged for it, which has everything up to a version."""

    async def discard(self, board: str) -> None:
        """Delete what was staged for a board."""

    async def page(self, board: str, start: int, limit: int) -> list[tuple[PlayerId, bytes]]:
        """Return rows in the order of their places; `start` 0 is the first one."""

    async def places(self, board: str) -> int:
        """Return how many players have a place."""

    async def place(self, board: str, player: PlayerId) -> int | None:
        """Return the place of a player, 0 for the first one; None for a player without one."""

    async def rows(self, board: str, players: Sequence[PlayerId]) -> list[bytes | None]:
        """Return the rows of players, None for one who is not in the list."""

    async def match(self, board: str, match: str) -> Version | None:
        """Return the version of a rated match, None if it is not in the list."""
