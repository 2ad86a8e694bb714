"""A room's feed as server-sent events: the frames of the socket, for clients that only read."""

import asyncio
import re
from collections import deque
from collections.abc import AsyncIterator, Callable

from litestar import get
from litestar.params import FromPath
from litestar.response import Stream

from service.api.callers.addresses import address_group
from service.api.context import AppContext
from service.api.http.requests import (
    CursorVersion,
    HttpRequest,
    SeatParameter,
    context_of,
    convert_parameter,
    headers_of,
    identify,
    negotiate,
    query_parameter,
    query_text,
    room_name,
)
from service.api.http.responses import as_problem
from service.api.http.route_docs import NEGOTIATION_CODES, ROOM_CODES, Parameter, document_route
from service.api.routes.reading import SEAT, viewing_seat
from service.domain.game import Seat
from service.domain.room.model.ids import PlayerId, Version
from service.domain.validation import Invalid
from service.rooms.feeds.frames import (
    CaughtUp,
    Chat,
    Error,
    Heartbeat,
    OutgoingFrame,
    Position,
    Presence,
    Snapshot,
    StateMode,
    Subscribed,
    Update,
    encode_frame,
)
from service.rooms.feeds.send_queue import SendQueue
from service.rooms.loading.room import LoadedRoom
from service.rooms.views.match_view import Omitted
from service.rooms.views.room_view import SentView
from service.telemetry import metrics

EVENT_STREAM = "text/event-stream"
EVENT_ID = re.compile(r"(?P<epoch>[^.]+)\.(?P<version>[0-9]{1,16})(?:\.(?P<mark>[^.]+))?")
"""The `id` of a frame. Earlier releases sent ids without a mark."""

LAST_EVENT_ID_DOC = "The `id` of the last frame, `<epoch>.<version>.<mark>`, which a browser sends when it reconnects."

StreamFrame = Subscribed | Snapshot | Update | CaughtUp | Chat | Presence | Heartbeat | Error
"""The frames that a stream can send; the others answer frames of a socket's client."""


class EventStream:
    """The transport of a stream: holds one encoded frame until the client takes it."""

    def __init__(self) -> None:
        """Hold nothing."""
        self._waiting: deque[bytes] = deque()
        self._filled = asyncio.Event()
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

    def wake(self) -> None:
        """Let the reader look again whether the stream has ended."""
        self._filled.set()

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


class StreamSubscriber:
    """A subscriber of a room over a stream."""

    def __init__(self, context: AppContext, live: LoadedRoom, player: PlayerId | None, wanted: Seat | None) -> None:
        """Subscribe to `live`, with views."""
        self.player = player
        self.wanted = wanted
        self.state: StateMode = True
        self.omitted: Omitted = frozenset()
        self.at = Version(0)
        self.view: SentView | None = None
        self._context = context
        self._live = live
        self._transport = EventStream()
        self._queue = SendQueue(self._transport, self._resync, self._overflow, self._encode)
        self.offer = self._queue.offer
        """Hands a frame to the client."""
        self._is_ending = False
        self._marked: Position | None = None
        """The latest position with a mark."""

    async def drained(self) -> None:
        """Wait until the queue is empty."""
        await self._queue.drained()

    async def stream(self, since: Version | None, mark: str | None) -> AsyncIterator[bytes]:
        """Yield the feed until the client or the server ends it."""
        subscription = asyncio.create_task(self._context.rooms.subscribe(self._live, self, since, mark))
        subscription.add_done_callback(self._subscribed)
        try:
            with self._context.shutdown.connected(self.leave), metrics.count_subscriber("stream"):
                async for event in self._transport.read(self._has_ended):
                    yield event
        finally:
            self._queue.close()
            self._unsubscribe(subscription)

    def leave(self) -> None:
        """End the stream after the queued frames; the client reconnects and resumes."""
        self._is_ending = True
        self._transport.wake()

    def _has_ended(self) -> bool:
        return self._is_ending and not self._queue.depth()

    def _subscribed(self, subscription: asyncio.Task[None]) -> None:
        """Report to the client why a subscription failed."""
        if (failure := subscription_error(subscription)) is not None:
            self.offer(encode_frame(Error(as_problem(failure), self._live.key.name)))
            self.leave()

    def _resync(self, _: set[str]) -> None:
        self._context.rooms.resync(self._live, self, "too_slow")

    async def _overflow(self) -> None:
        self.leave()

    def _unsubscribe(self, subscription: asyncio.Task[None]) -> None:
        """Unsubscribe without waiting: a stream that is being cancelled may not await anything."""
        subscription.cancel()
        subscription.add_done_callback(self._unsubscribed)

    def _unsubscribed(self, subscription: asyncio.Task[None]) -> None:
        if not subscription.cancelled() and not subscription.exception():
            self._context.rooms.unsubscribe(self._live, self)

    def _encode(self, frame: OutgoingFrame) -> bytes:
        """Return a frame as an event, with an `id` if the client can resume behind it."""
        position = frame.position
        if position is not None and position.mark is not None:
            self._marked = position
        return self._event_id(position) + b"data: " + frame.json + b"\n\n"

    def _event_id(self, position: Position | None) -> bytes:
        """Return the `id` line of a frame, empty if no frame had the mark of its version."""
        marked = self._marked
        if position is None or not position.is_complete or marked is None or marked.version != position.version:
            return b""
        return f"id: {self._live.key.epoch}.{position.version}.{marked.mark}\n".encode()


def subscription_error(subscription: asyncio.Task[None]) -> Exception | None:
    """Return the exception of a failed subscription; None for any other, also for one whose client hung up."""
    failure = None if subscription.cancelled() or not subscription.done() else subscription.exception()
    return failure if isinstance(failure, Exception) else None


@get(
    "/v1/rooms/{room:str}/feed",
    opt=document_route(
        "Follow a room by server-sent events",
        {200: None},
        compressed=False,
        parameters=(
            SEAT,
            Parameter("since", CursorVersion, "The last version that the client has.", 12),
            Parameter("mark", str, "The mark of that version.", "seCZu9E6a-nNZxAh"),
            Parameter("Last-Event-ID", str, LAST_EVENT_ID_DOC, "mzuw4zlo.12.seCZu9E6a-nNZxAh", "header"),
        ),
        refusals=(*ROOM_CODES, *NEGOTIATION_CODES, "not_your_seat", "too_many_sockets", "too_many_watchers"),
        frames=StreamFrame,
        line=StreamFrame,
        also=(
            (
                EVENT_STREAM,
                "The frames of the socket as `data`; `id` is `<epoch>.<version>.<mark>`. See /asyncapi.json.",
            ),
        ),
        tag="Feeds",
    ),
)
async def stream_room(request: HttpRequest, room: FromPath[str]) -> Stream:
    """Stream the room's frames, for the caller's seat with a token, for spectators without."""
    context, headers = context_of(request), headers_of(request)
    negotiate(headers, EVENT_STREAM)
    player = identify(context.tokens, headers)
    live = await context.rooms.read(room_name(room), player.id if player else None)
    wanted = query_parameter(request, "seat", SeatParameter)
    viewing_seat(live.room, player, wanted)
    since, mark = query_parameter(request, "since", CursorVersion), query_text(request, "mark")
    last_event = headers.get(b"last-event-id", b"").decode("latin-1")
    if last_event:
        since, mark = parse_event_id(live, last_event)
    context.limits.check_subscribers(context.rooms.subscriber_count(live))
    address = address_group(context.addresses.of(dict(request.scope)))
    context.limits.addresses.check(address)
    context.limits.players.check(player.id if player else None)
    reader = StreamSubscriber(context, live, player.id if player else None, wanted)
    return Stream(
        count_stream(context, address, reader, reader.stream(since, mark)),
        media_type=EVENT_STREAM,
        headers={"cache-control": "no-store", "x-accel-buffering": "no"},
    )


async def count_stream(
    context: AppContext, address: str, reader: StreamSubscriber, lines: AsyncIterator[bytes]
) -> AsyncIterator[bytes]:
    """Yield the lines of a stream, counted against the limits of its address and player."""
    with context.limits.addresses.hold(address), context.limits.players.hold(reader.player or reader):
        async for line in lines:
            yield line


def parse_event_id(live: LoadedRoom, last_event: str) -> tuple[Version, str | None]:
    """Return the version to resume after and its mark, None for an id without one. Raises `Invalid`.

    For another epoch the version is one after the newest, which leads to a snapshot.
    """
    read = EVENT_ID.fullmatch(last_event)
    if read is None:
        raise Invalid("Expected `<epoch>.<version>.<mark>`", parameter="Last-Event-ID")
    since: Version = convert_parameter(int(read["version"]), CursorVersion, "Last-Event-ID")
    return since if read["epoch"] == live.key.epoch else Version(live.head.version + 1), read["mark"]
