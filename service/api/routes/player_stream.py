"""The caller's own feed: as server-sent events, and its past events in pages."""

import re
from collections.abc import AsyncIterator, Sequence

import msgspec
from litestar import get
from litestar.response import Stream
from litestar.response.base import ASGIResponse

from service.api.http.callers import Caller, require_caller
from service.api.http.context import AppContext, context_of
from service.api.http.json_routes import Call, read
from service.api.http.parameters import MARK, SINCE, CursorVersion, HttpRequest, Parameter, convert_parameter, page_size
from service.api.http.requests import headers_of, negotiate
from service.api.http.responses import JSON, NDJSON, next_link, respond, respond_json
from service.api.http.route_docs import NEGOTIATION_CODES, ROOMS_CODES, document_route
from service.api.routes.event_stream import EVENT_STREAM, StreamConnection, respond_stream
from service.domain.ids import Player, Version
from service.domain.players.events import Delivered
from service.domain.streams import Record
from service.domain.validation import Invalid
from service.people.player_service import PlayerFrame, record_json, records_json
from service.rooms.feeds.frames import Error

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
    page = await call.context.players.page(player.id, AFTER.of(request), EVENTS_PER_PAGE.of(request))
    link = next_link(request, "since", page.next)
    if call.media_type == NDJSON:
        return respond(event_lines(page.records), headers=link, media_type=NDJSON)
    events = msgspec.Raw(records_json(page.records))
    return respond_json({"version": page.version, "events": events, "next": page.next}, headers=link)


def event_lines(records: Sequence[Record]) -> bytes:
    """Return events in their wire form, one per line."""
    return b"".join([record_json(record) + b"\n" for record in records])
