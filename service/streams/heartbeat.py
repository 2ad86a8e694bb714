"""The heartbeat of a process: the heads of all streams that it follows are compared with those in the store.

A notification may be lost, and what it announced may not be readable at first. So what could not be read is read again
until it is, and of each followed stream, whatever its kind, the head is compared regularly, in requests for many heads
at once. As long as these are answered, notifications can be trusted. After one that was not, everything is compared,
and until then a stream is only current if it was compared itself.
"""

import asyncio
from collections.abc import Callable
from itertools import islice
from math import ceil, inf
from typing import Any, NamedTuple

import structlog

from service.domain.ids import Version
from service.runtime.timers import until_next
from service.store.contract import NOT_BEGUN, Store, StoreUnavailable
from service.store.stream_keys import StreamKey
from service.streams.loaded import LoadedStream

log = structlog.get_logger()

BEAT = 1.0
"""Seconds between two requests for heads, and until one without an answer has failed."""

FIRST_PAUSE = 0.1
LONGEST_PAUSE = 0.5
"""Seconds until the next request after one that failed, doubled each time."""

CURRENT_FOR = 2.0
"""For how many seconds a stream is current after the store was last asked with success."""

LEAST = 50
"""How many streams are compared per beat at least; with many, each one is compared once per interval."""

PAGE = 500
"""How many heads are requested at once."""


Read = Callable[[LoadedStream[Any]], None]
"""Reads what is new in a stream in the background, and calls `Heartbeat.read_again` if that fails."""


class Followed(NamedTuple):
    """A followed stream, and what reads it."""

    stream: LoadedStream[Any]
    read: Read


class Heartbeat:
    """Keeps the followed streams of a process up to date where notifications do not."""

    def __init__(self, store: Store, interval: float = 15.0) -> None:
        """Follow streams of a store. Compare each stream at least once per `interval`, in seconds, while `run` runs."""
        self.store = store
        self._interval = interval
        self._streams: dict[StreamKey, Followed] = {}
        """The followed streams, the one whose last comparison was the longest ago first."""
        self._unread: dict[StreamKey, None] = {}
        """Those that could not be read, or only in part."""
        self._answered = -inf
        """When the latest request was sent, by the clock of the event loop; -inf if it failed."""
        self._unbroken_since = inf
        """When the first of the requests was sent of which none has failed since; inf if the latest one failed."""

    def add(self, stream: LoadedStream[Any], read: Read) -> None:
        """Keep a stream up to date from now on."""
        self._streams[stream.key] = Followed(stream, read)

    def remove(self, stream: LoadedStream[Any]) -> None:
        """Stop keeping a stream up to date."""
        self._streams.pop(stream.key, None)
        self._unread.pop(stream.key, None)

    def read_again(self, stream: LoadedStream[Any]) -> None:
        """Read a stream again soon, because that has failed; it is not current until then."""
        self.doubt(stream)
        if stream.key in self._streams:
            self._unread[stream.key] = None

    def doubt(self, stream: LoadedStream[Any]) -> None:
        """Do not call a stream current until it has been read."""
        stream.confirmed = -inf

    def is_current(self, stream: LoadedStream[Any]) -> bool:
        """Return whether a followed stream has all that was appended until some seconds ago (`CURRENT_FOR`)."""
        confirmed = self._answered if stream.confirmed >= self._unbroken_since else stream.confirmed
        return asyncio.get_running_loop().time() - confirmed <= CURRENT_FOR

    async def run(self) -> None:
        """Compare heads, and read what could not be read, until cancelled."""
        pause = BEAT
        while True:
            await asyncio.sleep(until_next(BEAT) if pause == BEAT else pause)
            longer = FIRST_PAUSE if pause == BEAT else min(2 * pause, LONGEST_PAUSE)
            pause = BEAT if await self.beat() else longer

    async def beat(self) -> bool:
        """Compare the heads of some streams, or of all if a request has failed since. Return whether nothing failed."""
        if asyncio.get_running_loop().time() - self._answered > CURRENT_FOR:
            self._lose()
        share = max(LEAST, ceil(len(self._streams) * BEAT / self._interval))
        count = share if self._unbroken_since < inf else len(self._streams)
        keys = list(dict.fromkeys([*self._unread, *islice(self._streams, count)]))
        for begin in range(0, len(keys), PAGE):
            if not await self._compare(keys[begin : begin + PAGE]):
                return False
        return not self._unread

    async def _compare(self, keys: list[StreamKey]) -> bool:
        """Compare the heads of some streams with those in memory, and read where they differ."""
        began = asyncio.get_running_loop().time()
        news = {key: self._streams[key].stream.news for key in keys if key in self._streams}
        try:
            async with asyncio.timeout(BEAT):
                heads = await self.store.heads(list(news))
        except (StoreUnavailable, TimeoutError) as failure:
            log.warning("heads_not_read", streams=len(news), error=str(failure))
            self._lose()
            return False
        self._answered, self._unbroken_since = began, min(began, self._unbroken_since)
        for (key, announced), head in zip(news.items(), heads, strict=True):
            if (followed := self._streams.pop(key, None)) is None:
                continue
            self._streams[key] = followed
            self._unread.pop(key, None)
            if followed.stream.head == (head or NOT_BEGUN):
                followed.stream.confirm(began, announced)
            else:
                self.doubt(followed.stream)
                followed.stream.announce(followed.read, key, Version(0))
        return True

    def _lose(self) -> None:
        """Do not trust notifications until all streams were compared again."""
        self._answered, self._unbroken_since = -inf, inf
