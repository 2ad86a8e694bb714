"""A room's feed as server-sent events: the frames of the socket, for clients that only read."""

import re
from collections.abc import AsyncIterator

from litestar import get
from litestar.params import FromPath
from litestar.response import Stream

from service.api.http.callers import Caller, find_reader
from service.api.http.context import AppContext, context_of
from service.api.http.parameters import MARK, SEAT, SINCE, CursorVersion, HttpRequest, Parameter, convert_parameter
from service.api.http.requests import headers_of, negotiate, room_name
from service.api.http.route_docs import NEGOTIATION_CODES, ROOM_CODES, document_route
from service.api.routes.event_stream import EVENT_STREAM, StreamConnection, respond_stream
from service.api.routes.reading import viewing_seat
from service.domain.game import Seat
from service.domain.ids import Version
from service.domain.validation import Invalid
from service.rooms.feeds.frames import (
    CaughtUp,
    Chat,
    Error,
    Heartbeat,
    Presence,
    Snapshot,
    StateMode,
    Subscribed,
    Update,
)
from service.rooms.repository import LoadedRoom
from service.rooms.views.match_view import Omitted
from service.rooms.views.room_view import SentView

EVENT_ID = re.compile(r"(?P<epoch>[^.]+)\.(?P<version>[0-9]{1,16})(?:\.(?P<mark>[^.]+))?")
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
        self._rooms.resync(self._live, self, "too_slow")


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
        since, mark = parse_event_id(live, last_event)
    context.limits.check_subscribers(context.rooms.subscriber_count(live))
    reader = StreamSubscriber(context, live, caller, wanted)
    return respond_stream(request, context, reader.player, reader.stream(since, mark))


def parse_event_id(live: LoadedRoom, last_event: str) -> tuple[Version, str | None]:
    """Return the version to resume after and its mark, None for an id without one. Raises `Invalid`.

    For another epoch the version is one after the newest, which leads to a snapshot.
    """
    read = EVENT_ID.fullmatch(last_event)
    if read is None:
        raise Invalid("Expected `<epoch>.<version>.<mark>`", parameter="Last-Event-ID")
    since: Version = convert_parameter(int(read["version"]), CursorVersion, "Last-Event-ID")
    return since if read["epoch"] == live.key.epoch else Version(live.head.version + 1), read["mark"]
