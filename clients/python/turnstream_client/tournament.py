"""A tournament that is followed: its standings and tables, kept up to date by its feed."""

from collections.abc import AsyncIterator
from typing import Any

import msgspec

from turnstream_client.errors import GapError
from turnstream_client.feed import Feed, Followed
from turnstream_client.frames import Frame, TournamentSnapshot, TournamentUpdate
from turnstream_client.patch import apply_patch
from turnstream_client.retries import Retries
from turnstream_client.schema import FollowedTournament


class Tournament(Followed):
    """A tournament, followed: `async with client.follow_tournament(id) as tournament`.

    The block begins when its `view` has arrived. After a lost connection it reconnects.
    """

    def __init__(self, url: str, *, token: str | None, retries: Retries, tournament: str) -> None:
        """Prepare to follow; `Client.follow_tournament` does this."""
        self.version = 0
        """The version of `view`."""
        self._document: Any = None
        self._view: FollowedTournament | None = None
        self._feed = Feed(url, "/v1/feed", token, retries, {"tournament": tournament}, self)

    @property
    def view(self) -> FollowedTournament:
        """The tournament with its standings, by player, and its tables, by number."""
        if self._view is None:
            raise RuntimeError("enter the block first: async with client.follow_tournament(id)")
        return self._view

    async def changes(self) -> AsyncIterator[FollowedTournament]:
        """Yield the view, then each later one; several changes in a short time may be one."""
        version = self.version
        yield self.view
        while True:
            while self.version == version:
                await self._feed.next_change()
            version = self.version
            yield self.view

    # Frames

    def receive(self, frame: Frame) -> None:
        """Use a frame. Raises `GapError` if one before it is missing."""
        if isinstance(frame, TournamentSnapshot):
            self._document = msgspec.json.decode(frame.view)
        elif isinstance(frame, TournamentUpdate):
            if self._document is None or frame.from_ != self.version:
                raise GapError(f"{frame.from_} is not {self.version}")
            self._document = apply_patch(self._document, frame.patch)
        else:
            return
        self._view = msgspec.convert(self._document, FollowedTournament)
        self.version, self._is_loaded = frame.version, True
