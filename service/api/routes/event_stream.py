"""Feeds as server-sent events: the frames are those of the socket, for clients that only read.

A room's feed and the caller's own feed are streams; the past events of the latter can be read in pages, too.
"""

import asyncio
import re
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AbstractContextManager, nullcontext

import msgspec
from litestar import get
from litestar.params import FromPath
from litestar.response import Stream
from litestar.response.base import ASGIResponse

from service.api.http.callers import Caller, find_reader, require_caller
from service.api.http.context import AppContext, context_of
from service.api.http.json_routes import Call, read
from service.api.http.parameters import (
    MARK,
    NEGOTIATION_CODES,
    ROOM_CODES,
    ROOMS_CODES,
    SEAT,
    SINCE,
    CursorVersion,
    HttpRequest,
    Parameter,
    convert_parameter,
    document_route,
    page_size,
)
from service.api.http.peers import address_group
from service.api.http.requests import headers_of, negotiate, room_name
from service.api.http.responses import JSON, NDJSON, as_problem, next_link, respond, respond_json
from service.api.routes.reading import viewing_seat
from service.domain.game import Seat
from service.domain.ids import Player, PlayerId, Version
from service.domain.players.kind import Delivered
from service.domain.streams import Record
from service.domain.validation import Invalid
from service.people.player_service import PlayerFrame, record_json, records_json
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
from service.rooms.repository import LoadedRoom
from service.rooms.views.match_view import Omitted
from service.rooms.views.room_view import SentView
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


ROOM_EVENT_ID = re.compile(r"(?P<epoch>[^.]+)\.(?P<version>[0-9]{1,16})(?:\.(?P<mark>[^.]+))?")
"""The `id` of a frame. Earlier releases sent ids without a mark."""

LAST_EVENT_ID_DOC = "The `id` of the last frame, `<epoch>.<version>.<mark>`, which a browser sends when it reconnects."

StreamFrame = Subscribed | Snapshot | Update | CaughtUp | Chat | Presence | Heartbeat | Error
"""The frames that a stream can send; the others answer frames of a socket's client."""


class StreamSubscriber:
    """A subscriber of a room over a stream."""

    def __init__(self, context: AppContext, live: LoadedRoom, caller: Caller | None, wanted: Seat | None) -> None:
        """Subscribe to `live`, with views."""
        self.player = caller.player.id if caller else None
        self.wanted = wanted
        self.state: StateMode = True
        self.omitted: Omitted = frozenset()
        self.at = Version(0)
        self.on_own_feed = True
        self.view: SentView | None = None
        self._rooms = context.rooms
        self._live = live
        self._connection = StreamConnection(context, caller, f"{live.key.epoch}.", self._resync)
        self.offer = self._connection.offer
        """Hands a frame to the client."""
        self.drained = self._connection.drained

    def stream(self, since: Version | None, mark: str | None) -> AsyncIterator[bytes]:
        """Return the feed until the client or the server ends it."""
        subscribing = self._rooms.subscribe(self._live, self, since, mark)
        return self._connection.stream(
            subscribing, lambda: self._rooms.unsubscribe(self._live, self), self._live.key.name
        )

    def _resync(self) -> None:
        self._rooms.resync(self._live, self)


@get(
    "/v1/rooms/{room:str}/feed",
    opt=document_route(
        "Follow a room with server-sent events",
        {200: None},
        compressed=False,
        parameters=(
            SEAT,
            SINCE,
            MARK,
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
    """Stream the room's frames: for the caller's seat with a token, for spectators without one."""
    context, headers = context_of(request), headers_of(request)
    negotiate(headers, EVENT_STREAM)
    caller = find_reader(context.callers, headers)
    player = caller.player if caller else None
    live = await context.rooms.read(room_name(room), player.id if player else None)
    wanted = SEAT.of(request)
    viewing_seat(live.state, player.id if player else None, wanted)
    since, mark = SINCE.of(request), MARK.of(request)
    last_event = headers.get(b"last-event-id", b"").decode("latin-1")
    if last_event:
        since, mark = parse_room_event_id(live, last_event)
    context.limits.check_subscribers(context.rooms.subscriber_count(live))
    reader = StreamSubscriber(context, live, caller, wanted)
    return respond_stream(request, context, reader.player, reader.stream(since, mark))


def parse_room_event_id(live: LoadedRoom, last_event: str) -> tuple[Version, str | None]:
    """Return the version to resume after and its mark, None for an id without one. Raises `Invalid`.

    For another epoch the version is one after the newest, which leads to a snapshot.
    """
    read = ROOM_EVENT_ID.fullmatch(last_event)
    if read is None:
        raise Invalid("Expected `<epoch>.<version>.<mark>`", parameter="Last-Event-ID")
    since: Version = convert_parameter(int(read["version"]), CursorVersion, "Last-Event-ID")
    return since if read["epoch"] == live.key.epoch else Version(live.head.version + 1), read["mark"]


EVENT_ID = re.compile(r"(?P<version>[0-9]{1,16})\.(?P<mark>[^.]+)")
AFTER: Parameter[Version | None] = Parameter(
    "since", CursorVersion, "Return the events after this version, by default all.", 12
)
EVENTS_PER_PAGE = page_size("Events", 100)


class PlayerEventPage(msgspec.Struct, frozen=True):
    """A page of the caller's own events."""

    version: Version
    """The version of the feed."""
    events: tuple[Delivered, ...]
    next: Version | None
    """The `since` of the next page; null at the end."""


class PlayerStream:
    """A subscriber of the caller's own feed over a stream."""

    def __init__(self, context: AppContext, caller: Caller) -> None:
        """Follow the feed of the caller."""
        self._players = context.players
        self._player = caller.player.id
        self._connection = StreamConnection(context, caller, "", self._resync)
        self.offer = self._connection.offer
        """Hands a frame to the client."""
        self.refuse = self._connection.refuse
        """Ends the stream."""

    def stream(self, since: Version | None, mark: str | None) -> AsyncIterator[bytes]:
        """Return the feed until the client or the server ends it."""
        following = self._players.follow(self._player, self, since, mark)
        return self._connection.stream(following, lambda: self._players.unfollow(self._player, self))

    def _resync(self) -> None:
        self._players.resync(self._player, self)


@get(
    "/v1/players/me/feed",
    opt=document_route(
        "Follow your own feed with server-sent events",
        {200: None},
        compressed=False,
        parameters=(
            SINCE,
            MARK,
            Parameter(
                "Last-Event-ID",
                str,
                "The `id` of the last frame, `<version>.<mark>`, which a browser sends when it reconnects.",
                "12.seCZu9E6a-nNZxAh",
                "header",
            ),
        ),
        refusals=(*ROOMS_CODES, *NEGOTIATION_CODES, "too_many_sockets"),
        caller="required",
        frames=PlayerFrame | Error,
        line=PlayerFrame | Error,
        also=((EVENT_STREAM, "The frames of the socket as `data`; `id` is `<version>.<mark>`. See /asyncapi.json."),),
        tag="Players",
    ),
)
async def stream_me(request: HttpRequest) -> Stream:
    """Stream what happens to the caller in all rooms: turns, matches, offers."""
    context, headers = context_of(request), headers_of(request)
    negotiate(headers, EVENT_STREAM)
    caller = require_caller(context.callers, headers, "read")
    since, mark = SINCE.of(request), MARK.of(request)
    last_event = headers.get(b"last-event-id", b"").decode("latin-1")
    if last_event:
        since, mark = parse_event_id(last_event)
    return respond_stream(request, context, caller.player.id, PlayerStream(context, caller).stream(since, mark))


def parse_event_id(last_event: str) -> tuple[Version, str]:
    """Return the version to resume after, and its mark. Raises `Invalid`."""
    read = EVENT_ID.fullmatch(last_event)
    if read is None:
        raise Invalid("Expected `<version>.<mark>`", parameter="Last-Event-ID")
    since: Version = convert_parameter(int(read["version"]), CursorVersion, "Last-Event-ID")
    return since, read["mark"]


@read(
    "/v1/players/me/events",
    "Read your own events",
    PlayerEventPage,
    scope="read",
    media_types=(JSON, NDJSON),
    parameters=(AFTER, EVENTS_PER_PAGE),
    refusals=(*ROOMS_CODES, "trimmed"),
    headers=("Link",),
    also=((NDJSON, "One event per line."),),
    line=Delivered,
    tag="Players",
)
async def read_my_events(call: Call, player: Player) -> ASGIResponse:
    """Return a page of what happened to the caller in all rooms, as JSON or as one event per line.

    Only the latest 1,000 events are kept, for 30 days. Without `since`, the page begins with the oldest one.
    """
    request = call.request
    page = await call.context.players.read_page(player.id, AFTER.of(request), EVENTS_PER_PAGE.of(request))
    link = next_link(request, "since", page.next)
    if call.media_type == NDJSON:
        return respond(event_lines(page.records), headers=link, media_type=NDJSON)
    events = msgspec.Raw(records_json(page.records))
    return respond_json({"version": page.version, "events": events, "next": page.next}, headers=link)


def event_lines(records: Sequence[Record]) -> bytes:
    """Return events in their wire form, one per line."""
    return b"".join([record_json(record) + b"\n" for record in records])
