"""A stream of server-sent events: the transport of frames, which are those of the socket."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractContextManager, nullcontext

from litestar.response import Stream

from service.api.http.callers import Caller
from service.api.http.context import AppContext
from service.api.http.parameters import HttpRequest
from service.api.http.peers import address_group
from service.api.http.responses import as_problem
from service.domain.ids import PlayerId
from service.rooms.feeds.frames import Error, OutgoingFrame, Position, encode_frame
from service.rooms.feeds.send_queue import SendQueue
from service.runtime import metrics
from service.streams.errors import ServiceError

EVENT_STREAM = "text/event-stream"


class EventStream:
    """The transport of a stream: holds one encoded frame until the client takes it."""

    def __init__(self) -> None:
        """Hold nothing."""
        self._waiting: deque[bytes] = deque()
        self._filled = asyncio.Event()
        self.wake = self._filled.set
        """Lets the reader check again whether the stream has ended."""
        self._emptied = asyncio.Event()

    @property
    def is_clear(self) -> bool:
        """Whether the client has taken everything."""
        return not self._waiting

    def write(self, data: bytes) -> None:
        """Hold an encoded frame for the client."""
        self._waiting.append(data)
        self._filled.set()

    async def cleared(self) -> None:
        """Wait until the client has taken everything."""
        while self._waiting:
            self._emptied.clear()
            await self._emptied.wait()

    async def read(self, has_ended: Callable[[], bool]) -> AsyncIterator[bytes]:
        """Yield what is written, until the stream has ended."""
        while True:
            while self._waiting:
                yield self._waiting.popleft()
                self._emptied.set()
            if has_ended():
                return
            self._filled.clear()
            await self._filled.wait()


class StreamConnection:
    """A connection that is sent frames as server-sent events."""

    def __init__(self, context: AppContext, caller: Caller | None, id_prefix: str, on_lag: Callable[[], None]) -> None:
        """End when the token of the caller, if any, is no longer accepted; `on_lag` replaces frames by a snapshot."""
        self._context = context
        self._caller = caller
        self._id_prefix = id_prefix
        self._transport = EventStream()
        self._queue = SendQueue(self._transport, lambda _: on_lag(), self._overflow, self._encode)
        self.offer = self._queue.offer
        """Hands a frame to the client."""
        self.drained = self._queue.drained
        """Waits until the queue is empty."""
        self._is_ending = False
        self._marked: Position | None = None
        """The latest position with a mark."""

    async def stream(
        self, subscribing: Coroutine[None, None, None], unsubscribe: Callable[[], None], room: str | None = None
    ) -> AsyncIterator[bytes]:
        """Yield the feed until the client or the server ends it; `room` is named in errors."""
        subscription = asyncio.create_task(subscribing)
        subscription.add_done_callback(lambda done: self._subscribed(done, room))
        try:
            with (
                self._context.shutdown.connected(self.leave),
                metrics.count_subscriber("stream"),
                self._watched(),
            ):
                async for event in self._transport.read(self._has_ended):
                    yield event
        finally:
            self._queue.close()
            # A stream that is being cancelled may not await anything.
            subscription.cancel()
            subscription.add_done_callback(lambda done: unsubscribe() if succeeded(done) else None)

    def leave(self) -> None:
        """End the stream after the queued frames; the client reconnects and resumes."""
        self._is_ending = True
        self._transport.wake()

    def _watched(self) -> AbstractContextManager[None]:
        """Return the context in which the stream ends when the caller's token is no longer accepted."""
        return nullcontext() if self._caller is None else self._context.callers.hold(self._caller, self.refuse)

    def refuse(self, refusal: ServiceError) -> None:
        """Report that the caller's token is no longer accepted, or why the feed cannot continue, and end the stream."""
        self.offer(encode_frame(Error(refusal.problem)))
        self.leave()

    def _has_ended(self) -> bool:
        return self._is_ending and not self._queue.depth()

    def _subscribed(self, subscription: asyncio.Task[None], room: str | None) -> None:
        """Report to the client why a subscription failed."""
        if (failure := subscription_error(subscription)) is not None:
            self.offer(encode_frame(Error(as_problem(failure), room)))
            self.leave()

    async def _overflow(self) -> None:
        self.leave()

    def _encode(self, frame: OutgoingFrame) -> bytes:
        """Return a frame as an event, with an `id` if the client can resume after it."""
        position = frame.position
        if position is not None and position.mark is not None:
            self._marked = position
        return self._event_id(position) + b"data: " + frame.json + b"\n\n"

    def _event_id(self, position: Position | None) -> bytes:
        """Return the `id` line of a frame, empty if no frame had the mark of its version."""
        marked = self._marked
        if position is None or not position.is_complete or marked is None or marked.version != position.version:
            return b""
        return f"id: {self._id_prefix}{position.version}.{marked.mark}\n".encode()


def subscription_error(subscription: asyncio.Task[None]) -> Exception | None:
    """Return the exception of a failed subscription; None for any other, and if the client disconnected."""
    failure = None if subscription.cancelled() or not subscription.done() else subscription.exception()
    return failure if isinstance(failure, Exception) else None


def succeeded(subscription: asyncio.Task[None]) -> bool:
    """Return whether a subscription that has ended had been accepted."""
    return not subscription.cancelled() and subscription.exception() is None


def respond_stream(
    request: HttpRequest, context: AppContext, player: PlayerId | None, lines: AsyncIterator[bytes]
) -> Stream:
    """Return the response with a stream, counted against the limits of its address and its player."""
    address = address_group(context.addresses.of(dict(request.scope)))
    context.limits.addresses.check(address)
    context.limits.players.check(player)
    return Stream(
        count_stream(context, address, player, lines),
        media_type=EVENT_STREAM,
        headers={"cache-control": "no-store", "x-accel-buffering": "no"},
    )


async def count_stream(
    context: AppContext, address: str, player: PlayerId | None, lines: AsyncIterator[bytes]
) -> AsyncIterator[bytes]:
    """Yield the lines of a stream, counted against the limits of its address and player."""
    with context.limits.addresses.hold(address), context.limits.players.hold(player or id(lines)):
        async for line in lines:
            yield line
