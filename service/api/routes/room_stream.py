"""The room feed as server-sent events: the frames of the socket, for whoever only listens."""

import asyncio
import re
from collections import deque
from collections.abc import AsyncIterator

import msgspec
from litestar import get
from litestar.params import FromPath
from litestar.response import Stream

from service.api.callers.addresses import network
from service.api.context import House
from service.api.http.requests import (
    CursorVersion,
    SeatParameter,
    Web,
    accepts,
    caller,
    headers_of,
    house_of,
    parameter,
    room_of,
    text_parameter,
)
from service.api.http.responses import as_problem
from service.api.http.route_docs import NEGOTIATED, READS_A_ROOM, Parameter, described
from service.api.routes.rooms import SEAT, viewer
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
QUEUE = 256
"""How many frames may wait for a slow reader before they are dropped for a fresh snapshot."""

PLACED = frozenset({"snapshot", "update", "caught_up"})
"""Frames after which the reader has everything up to their version."""

EVENT_ID = re.compile(r"(?P<epoch>[^.]+)\.(?P<version>[0-9]{1,16})(?:\.(?P<mark>[^.]+))?")
"""The `id` of a frame. Ids without a mark come from readers that began under an earlier release."""

LAST_EVENT = "The `id` of the last frame, `<epoch>.<version>.<mark>`, as a browser sends it after a break."

FromStream = Subscribed | Snapshot | Update | CaughtUp | Chat | Presence | Heartbeat | Error
"""The frames that a stream can carry; the others answer what only a socket can ask."""


class Placed(msgspec.Struct, frozen=True):
    """What a frame says of its place."""

    type: str
    version: int = 0
    mark: str | None = None


PLACE = msgspec.json.Decoder(Placed)


class Reader:
    """One who reads a room's feed as a stream."""

    def __init__(self, house: House, live: LoadedRoom, player: PlayerId | None, wanted: Seat | None) -> None:
        """Follow `live` with the view."""
        self.player = player
        self.wanted = wanted
        self.state = True
        self.at = Version(0)
        self._house = house
        self._live = live
        self._queue: deque[OutgoingFrame] = deque()
        self._filled = asyncio.Event()
        self._emptied = asyncio.Event()
        self._behind = False
        self._ended = False
        self._mark = Placed("")
        """The latest frame that carried a mark."""
        metrics.READERS.add(self)

    def depth(self) -> int:
        """Return how many frames wait."""
        return len(self._queue)

    def offer(self, frame: OutgoingFrame) -> None:
        """Queue a frame; a reader who falls behind gets a fresh snapshot, one who does so twice is let go."""
        self._queue.append(frame)
        self._filled.set()
        if len(self._queue) > QUEUE:
            self._queue.clear()
            if self._behind:
                metrics.SLOW_CLOSES.inc()
                self._ended = True
                return
            metrics.SLOW_READERS.inc()
            self._behind = True
            self._house.rooms.hub.resync(self._live, self, "too_slow")

    async def drained(self) -> None:
        """Wait until the queue is empty."""
        self._emptied.clear()
        while self._queue:
            await self._emptied.wait()

    async def stream(self, since: Version | None, mark: str | None) -> AsyncIterator[str]:
        """Tell the feed for as long as somebody reads."""
        subscriptions = self._house.rooms.subscriptions
        coming = asyncio.create_task(subscriptions.subscribe(self._live, self, since, mark))
        coming.add_done_callback(lambda _: self._filled.set())
        try:
            with self._house.doors.visit(self.leave), metrics.following("stream"):
                while not self._ended and failure_of(coming) is None:
                    async for line in self._lines():
                        yield line
                if (failure := failure_of(coming)) is not None:
                    yield self._line(encode_frame(Error(as_problem(failure), self._live.key.name)))
        finally:
            self._leave(coming)

    def leave(self) -> None:
        """End the stream after what was offered; the reader comes back with the place where it was."""
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
        """Stop following, without waiting: a stream that is being ended may not wait for anything any more."""
        coming.cancel()
        coming.add_done_callback(self._left)

    def _left(self, coming: asyncio.Task[None]) -> None:
        if not coming.cancelled() and not coming.exception():
            self._house.rooms.subscriptions.unsubscribe(self._live, self)

    def _line(self, frame: OutgoingFrame) -> str:
        place = PLACE.decode(frame.json)
        if place.mark is not None:
            self._mark = place
        event_id = self._event_id(place.version) if place.type in PLACED else ""
        return f"{event_id}data: {frame.json.decode()}\n\n"

    def _event_id(self, version: int) -> str:
        """Return the line with the place of a frame, `""` where no frame carried the mark of its version."""
        mark = self._mark
        return f"id: {self._live.key.epoch}.{version}.{mark.mark}\n" if mark.version == version else ""


def failure_of(coming: asyncio.Task[None]) -> Exception | None:
    """Return with what a subscription has failed, None where it has not."""
    failure = coming.exception() if coming.done() else None
    return failure if isinstance(failure, Exception) else None


@get(
    "/v1/rooms/{room:str}/feed",
    opt=described(
        "The room's feed as server-sent events",
        {200: None},
        parameters=(
            SEAT,
            Parameter("since", CursorVersion, "The last version that the reader has."),
            Parameter("mark", str, "The mark of that version."),
            Parameter("Last-Event-ID", str, LAST_EVENT, "header"),
        ),
        refusals=(*READS_A_ROOM, *NEGOTIATED, "not_your_seat", "too_many_sockets", "too_many_watchers"),
        frames=FromStream,
        also=(
            (
                EVENT_STREAM,
                "The frames of the socket as `data`; `id` is `<epoch>.<version>.<mark>`. See /asyncapi.json.",
            ),
        ),
        tag="Feeds",
    ),
)
async def stream_room(request: Web, room: FromPath[str]) -> Stream:
    """Stream the room's frames to a caller with a token as their seat, to any other as a spectator."""
    house, headers = house_of(request), headers_of(request)
    accepts(headers, EVENT_STREAM)
    player = caller(house.tokens, headers)
    live = await house.rooms.fresh_room(room_of(room), player.id if player else None)
    wanted = parameter(request, "seat", SeatParameter)
    viewer(live.room, player, wanted)
    since, mark = parameter(request, "since", CursorVersion), text_parameter(request, "mark")
    last_event = headers.get(b"last-event-id", b"").decode("latin-1")
    if last_event:
        since, mark = resumed(live, last_event)
    house.gate.watch(len(live.watchers))
    address = network(house.addresses.of(dict(request.scope)))
    house.gate.addresses.check(address)
    house.gate.players.check(player.id if player else None)
    reader = Reader(house, live, player.id if player else None, wanted)
    return Stream(
        counted(house, address, reader, reader.stream(since, mark)),
        media_type=EVENT_STREAM,
        headers={"cache-control": "no-store", "x-accel-buffering": "no"},
    )


async def counted(house: House, address: str, reader: Reader, lines: AsyncIterator[str]) -> AsyncIterator[str]:
    """Count a stream among those of its address and its player for as long as somebody reads."""
    with house.gate.addresses.inside(address), house.gate.players.inside(reader.player or reader):
        async for line in lines:
            yield line


def resumed(live: LoadedRoom, last_event: str) -> tuple[Version, str | None]:
    """Return the version to resume after and its mark, None where the id carries none. Raises `Unfit`.

    A version of another epoch is given as ahead of everything, which leads to a snapshot.
    """
    read = EVENT_ID.fullmatch(last_event)
    if read is None:
        raise Unfit("Expected `<epoch>.<version>.<mark>`", "Last-Event-ID")
    since: Version = fit(int(read["version"]), CursorVersion, at="Last-Event-ID")
    return since if read["epoch"] == live.key.epoch else Version(live.head.version + 1), read["mark"]
