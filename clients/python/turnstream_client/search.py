"""Looking for other players."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from types import TracebackType
from typing import Self

from turnstream_client.errors import RefusedError, TurnstreamError
from turnstream_client.own_feed import AnyPlayerEvent, OwnFeed
from turnstream_client.schema import OwnSeek, SeekDroppedEvent, SeekMatchedEvent, SeekRequest, SeekResumedEvent

RENEW_SECONDS = 25.0
"""The interval in which a seek is renewed; the service ends it after a minute."""


class Search:
    """A search for other players: `async with client.find_matches(SeekRequest("morris")) as matches`.

    Iterate over it for the rooms that are opened for the player, who has to be `ready` there before the `deadline`. The
    seek is renewed while the iteration waits, and withdrawn at the end of the block.
    """

    def __init__(
        self,
        request: SeekRequest,
        feed: OwnFeed,
        make: Callable[[SeekRequest], Awaitable[OwnSeek]],
        withdraw: Callable[[str], Awaitable[None]],
    ) -> None:
        """Prepare to search; `Client.find_matches` does this."""
        self._request = request
        self._feed = feed
        self._make = make
        self._withdraw = withdraw
        self._seek: OwnSeek | None = None
        self._matched: SeekMatchedEvent | None = None
        self._failure: TurnstreamError | None = None
        self._due = 0.0
        self._news = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Follow the player's own feed before the seek is created, so that no event of it is missed."""
        self._watching = asyncio.create_task(self._watch(self._feed.events()))
        await self._feed.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Withdraw the seek. Without a connection it expires."""
        await self._feed.__aexit__(kind, error, trace)
        if self._watching is not None:
            await self._watching
        if self._seek is not None:
            with contextlib.suppress(TurnstreamError):
                await self._withdraw(self._seek.id)

    async def __aiter__(self) -> AsyncIterator[SeekMatchedEvent]:
        """Yield each room that is opened for the player, as long as it waits for the player.

        Raises `RefusedError`, for example `seeking_paused`, `EventsMissedError` and the failure of the feed.
        """
        while True:
            self._due = 0.0
            yield await self._match()

    async def _match(self) -> SeekMatchedEvent:
        """Create the seek and renew it until other players are found."""
        clock = asyncio.get_running_loop().time
        while (found := self._matched) is None:
            if self._failure is not None:
                raise self._failure
            self._news.clear()
            if clock() >= self._due:
                self._due = clock() + RENEW_SECONDS
                await self._renew()
            else:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._due - clock()):
                        await self._news.wait()
        self._matched = None
        return found

    async def _renew(self) -> None:
        """Create or renew the seek; while a room waits for the player, there is nothing to renew."""
        try:
            self._seek = await self._make(self._request)
        except RefusedError as refused:
            if refused.code != "already_paired":
                raise

    async def _watch(self, events: AsyncIterator[AnyPlayerEvent]) -> None:
        try:
            async for event in events:
                self._take(event)
        except TurnstreamError as failure:
            self._failure = failure
            self._news.set()

    def _take(self, event: AnyPlayerEvent) -> None:
        match event:
            case SeekMatchedEvent():
                self._matched = event
            case SeekResumedEvent() | SeekDroppedEvent():
                self._matched, self._due = None, 0.0
            case _:
                return
        self._news.set()
