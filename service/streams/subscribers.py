"""The subscribers of streams: they are brought up to date, again if that fails, and closed if it is impossible."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, Protocol, TypeVar

import msgspec

from service.domain.ids import Version
from service.domain.streams import State
from service.store.contract import StoreUnavailable
from service.store.stream_keys import StreamKey
from service.streams.background import BackgroundTasks
from service.streams.errors import ServiceError
from service.streams.loaded import LoadedStream
from service.streams.repository import StreamRepository

FIRST_PAUSE = 0.1
LONGEST_PAUSE = 1.0
"""Seconds until another attempt when the store was unavailable, doubled each time."""

PATIENCE = 10.0
"""Seconds after which a subscriber that is not up to date is closed."""


class Closable(Protocol):
    """A connection."""

    @property
    def refuse(self) -> Callable[[ServiceError], None]:
        """Closes the connection for this reason, so that the client resumes on another one; does not block."""


Subscriber = TypeVar("Subscriber", bound=Closable)


class Position(msgspec.Struct):
    """The position of a subscriber in its feed."""

    version: Version = Version(0)
    is_live: bool = False
    """Whether new events are sent to it as they arrive; before that, it is being brought up to date."""
    is_outdated: bool = False
    """Whether the history was replaced while it was being brought up to date."""
    has_left: bool = False


Bring = Callable[[LoadedStream[State], Position], Awaitable[None]]
"""Sends what a subscriber at a position does not have, after which it is live."""


class Subscribers(Generic[State, Subscriber]):
    """All subscribers of this process, by stream."""

    def __init__(
        self,
        repository: StreamRepository[State],
        failure: str,
        on_empty: Callable[[StreamKey], object] = lambda _: None,
    ) -> None:
        """Follow streams of a repository; failures are logged under this name.

        `on_empty` is called with each stream that has lost its last subscriber.
        """
        self._repository = repository
        self._on_empty = on_empty
        self._by_stream: dict[StreamKey, dict[Subscriber, Position]] = {}
        self._background = BackgroundTasks(failure)
        repository.on_failure = lambda stream, failure: self._refuse(stream.key, self.of(stream.key), failure)
        self.close = self._background.close

    def of(self, key: StreamKey) -> dict[Subscriber, Position]:
        """Return the subscribers of a stream."""
        return self._by_stream.get(key, {})

    async def add(self, key: StreamKey, subscriber: Subscriber, bring: Bring[State]) -> None:
        """Follow a stream, and bring a subscriber up to date. Raises what the two raise."""
        position = self._by_stream.setdefault(key, {})[subscriber] = Position()
        try:
            await bring(await self._repository.follow(key), position)
        except BaseException:
            self.remove(key, subscriber)
            raise

    def remove(self, key: StreamKey, subscriber: Subscriber) -> None:
        """End a subscription; after the last one, the stream is no longer followed."""
        subscribers = self.of(key)
        if (position := subscribers.pop(subscriber, None)) is not None:
            position.has_left = True
        if not subscribers and self._by_stream.pop(key, None) is not None:
            self._repository.unfollow(key)
            self._on_empty(key)

    def bring(self, key: StreamKey, subscriber: Subscriber, bring: Bring[State]) -> None:
        """Bring a live subscriber up to date in the background."""
        position = self.of(key).get(subscriber)
        if position is not None and position.is_live:
            position.is_live = False
            self.start(key, {subscriber: position}, lambda stream: bring(stream, position))

    def start(
        self,
        key: StreamKey,
        concerned: dict[Subscriber, Position],
        work: Callable[[LoadedStream[State]], Awaitable[None]],
    ) -> None:
        """Work for subscribers in the background, again while the store is unavailable; close them if it fails."""
        self._background.start(self._persist(key, concerned, work))

    async def _persist(
        self,
        key: StreamKey,
        concerned: dict[Subscriber, Position],
        work: Callable[[LoadedStream[State]], Awaitable[None]],
    ) -> None:
        pause, until = FIRST_PAUSE, asyncio.get_running_loop().time() + PATIENCE
        while not all(position.has_left for position in concerned.values()):
            try:
                await work(await self._repository.get(key))
            except Exception as failure:
                if not isinstance(failure, StoreUnavailable) or asyncio.get_running_loop().time() >= until:
                    self._refuse(key, concerned, failure)
                    raise
            else:
                return
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _refuse(self, key: StreamKey, concerned: dict[Subscriber, Position], failure: Exception) -> None:
        """Close the connections of subscribers that cannot be brought up to date."""
        refusal = failure if isinstance(failure, ServiceError) else ServiceError("store_unavailable")
        for subscriber, position in list(concerned.items()):
            if not position.has_left:
                self.remove(key, subscriber)
                subscriber.refuse(refusal)
