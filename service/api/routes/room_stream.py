"""A room's feed as server-sent events: the frames of the socket, for clients that only read."""

import asyncio
import re
from collections import deque
from collections.abc import AsyncIterator

import msgspec
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
from service.domain.validation import Unfit, fit
from service.rooms.feeds.frames import (
    CaughtUp,
    Chat,
    Error,
    Heartbeat,
    OutgoingFrame,
    Presence,
    Snapshot,
    Subscribed,
    Update,
    encode_frame,
)
from service.rooms.room import LoadedRoom
from service.telemetry import metrics

EVENT_STREAM = "text/event-stream"
QUEUE_SIZE = 256
"""How many frames may wait for a slow client before a snapshot replaces them."""

POSITIONED_TYPES = frozenset({"snapshot", "update", "caught_up"})
"""The types of frames after which the client has everything up to their version."""

EVENT_ID = re.compile(r"(?P<epoch>[^.]+)\.(?P<version>[0-9]{1,16})(?:\.(?P<mark>[^.]+))?")
"""The `id` of a frame. Earlier releases sent ids without a mark."""

LAST_EVENT_ID_DOC = "The `id` of the last frame, `<epoch>.<version>.<mark>`, which a browser sends when it reconnects."

StreamFrame = Subscribed | Snapshot | Update | CaughtUp | Chat | Presence | Heartbeat | Error
"""The frames that a stream can send; the others answer frames of a socket's client."""


class FramePosition(msgspec.Struct, frozen=True):
    """The position in the feed that a frame states."""

    type: str
    version: int = 0
    mark: str | None = None


FRAME_POSITION = msgspec.json.Decoder(FramePosition)


class StreamSubscriber:
    """A subscriber of a room over a stream."""

    def __init__(self, context: AppContext, live: LoadedRoom, player: PlayerId | None, wanted: Seat | None) -> None:
        """Subscribe to `live`, with views."""
        self.player = player
        self.wanted = wanted
        self.state = True
        self.at = Version(0)
        self._context = context
        self._live = live
        self._queue: deque[OutgoingFrame] = deque()
        self._filled = asyncio.Event()
        self._emptied = asyncio.Event()
        self._behind = False
        self._ended = False
        self._mark = FramePosition("")
        """The latest frame with a mark."""
        metrics.READERS.add(self)

    def depth(self) -> int:
        """Return how many frames are queued."""
        return len(self._queue)

    def offer(self, frame: OutgoingFrame) -> None:
        """Queue a frame.

        A client that falls behind gets a snapshot; if it falls behind again before that is sent, the stream ends.
        """
        self._queue.append(frame)
        self._filled.set()
        if len(self._queue) > QUEUE_SIZE:
            self._queue.clear()
            if self._behind:
                metrics.SLOW_CLOSES.inc()
                self._ended = True
                return
            metrics.SLOW_READERS.inc()
            self._behind = True
            self._context.rooms.resync(self._live, self, "too_slow")

    async def drained(self) -> None:
        """Wait until the queue is empty."""
        self._emptied.clear()
        while self._queue:
            await self._emptied.wait()

    async def stream(self, since: Version | None, mark: str | None) -> AsyncIterator[str]:
        """Tell the feed for as long as somebody reads."""
        coming = asyncio.create_task(self._context.rooms.subscribe(self._live, self, since, mark))
        coming.add_done_callback(lambda _: self._filled.set())
        try:
            with self._context.shutdown.connected(self.leave), metrics.following("stream"):
                while not self._ended and subscription_error(coming) is None:
                    async for line in self._lines():
                        yield line
                if (failure := subscription_error(coming)) is not None:
                    yield self._line(encode_frame(Error(as_problem(failure), self._live.key.name)))
        finally:
            self._leave(coming)

    def leave(self) -> None:
        """End the stream after the queued frames; the client reconnects and resumes."""
        self._ended = True
        self._filled.set()

    async def _lines(self) -> AsyncIterator[str]:
        await self._filled.wait()
        self._filled.clear()
        while self._queue:
            yield self._line(self._queue.popleft())
        self._behind = False
        self._emptied.set()

    def _leave(self, coming: asyncio.Task[None]) -> None:
        """Unsubscribe without waiting: a stream that is being cancelled may not await anything."""
        coming.cancel()
        coming.add_done_callback(self._left)

    def _left(self, coming: asyncio.Task[None]) -> None:
        if not coming.cancelled() and not coming.exception():
            self._context.rooms.unsubscribe(self._live, self)

    def _line(self, frame: OutgoingFrame) -> str:
        place = FRAME_POSITION.decode(frame.json)
        if place.mark is not None:
            self._mark = place
        event_id = self._event_id(place.version) if place.type in POSITIONED_TYPES else ""
        return f"{event_id}data: {frame.json.decode()}\n\n"

    def _event_id(self, version: int) -> str:
        """Return the `id` line of a frame, `""` if no frame had the mark of its version."""
        mark = self._mark
        return f"id: {self._live.key.epoch}.{version}.{mark.mark}\n" if mark.version == version else ""


def subscription_error(coming: asyncio.Task[None]) -> Exception | None:
    """Return the exception of a failed subscription, None otherwise."""
    failure = coming.exception() if coming.done() else None
    return failure if isinstance(failure, Exception) else None


@get(
    "/v1/rooms/{room:str}/feed",
    opt=document_route(
        "Follow a room by server-sent events",
        {200: None},
        parameters=(
            SEAT,
            Parameter("since", CursorVersion, "The last version that the client has."),
            Parameter("mark", str, "The mark of that version."),
            Parameter("Last-Event-ID", str, LAST_EVENT_ID_DOC, "header"),
        ),
        refusals=(*ROOM_CODES, *NEGOTIATION_CODES, "not_your_seat", "too_many_sockets", "too_many_watchers"),
        frames=StreamFrame,
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
    context: AppContext, address: str, reader: StreamSubscriber, lines: AsyncIterator[str]
) -> AsyncIterator[str]:
    """Yield the lines of a stream, counted against the limits of its address and player."""
    with context.limits.addresses.hold(address), context.limits.players.hold(reader.player or reader):
        async for line in lines:
            yield line


def parse_event_id(live: LoadedRoom, last_event: str) -> tuple[Version, str | None]:
    """Return the version to resume after and its mark, None for an id without one. Raises `Unfit`.

    For another epoch the version is one after the newest, which leads to a snapshot.
    """
    read = EVENT_ID.fullmatch(last_event)
    if read is None:
        raise Unfit("Expected `<epoch>.<version>.<mark>`", "Last-Event-ID")
    since: Version = fit(int(read["version"]), CursorVersion, at="Last-Event-ID")
    return since if read["epoch"] == live.key.epoch else Version(live.head.version + 1), read["mark"]
