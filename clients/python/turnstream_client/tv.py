"""A channel of TV that is followed: which match it shows."""

from collections.abc import AsyncIterator

from turnstream_client.feed import Feed, Followed
from turnstream_client.frames import Frame, TvUpdate
from turnstream_client.retries import Retries
from turnstream_client.schema import TvMatch


class Tv(Followed):
    """A channel, followed: `async with client.follow_tv("morris") as tv`. The block begins when its match is known.

    The match itself is followed like any other, by the name of its room. After a lost connection the channel
    reconnects.
    """

    def __init__(self, url: str, *, token: str | None, retries: Retries, channel: str) -> None:
        """Prepare to follow; `Client.follow_tv` does this."""
        self.match: TvMatch | None = None
        """The match that the channel shows; None while there is none."""
        self._feed = Feed(url, "/v1/feed", token, retries, {"tv": channel}, self)

    async def matches(self) -> AsyncIterator[TvMatch | None]:
        """Yield what the channel shows, then each later match; None while there is none."""
        shown = self.match
        yield shown
        while True:
            while self.match == shown:
                await self._feed.next_change()
            shown = self.match
            yield shown

    # Frames

    def receive(self, frame: Frame) -> None:
        """Use a frame."""
        if isinstance(frame, TvUpdate):
            self.match, self._is_loaded = frame.match, True
