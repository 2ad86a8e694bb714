"""The subscribers of a room, grouped into audiences that may know the same, and the frames for them."""

import hashlib
from binascii import b2a_base64
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import NamedTuple, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from service.domain.game import Seat
from service.domain.ids import Millis, PlayerId, RoomName, Version, rfc3339
from service.domain.room.model.state import Table, audience
from service.domain.streams import Stored
from service.rooms.feeds import frames
from service.rooms.feeds.frames import FrameReceiver, OutgoingFrame, Position, SnapshotReason, StateMode, position_of
from service.rooms.repository import LoadedRoom
from service.rooms.views.event_view import events_json
from service.rooms.views.match_view import ClockView, Omitted, Viewer, clock_view
from service.rooms.views.room_view import SentView, view_for
from service.streams.errors import problem

AudienceKey = tuple[Viewer, StateMode]
"""What frames a subscriber gets: for whom their views are, and what they contain of the view."""

EVENTS_ONLY: AudienceKey = (Viewer(None), False)
"""The audience of subscribers without views while nothing is hidden from anyone."""


class Subscriber(FrameReceiver, Protocol):
    """A connection that follows a room."""

    player: PlayerId | None
    wanted: Seat | None
    state: StateMode
    """What updates contain of the view."""
    omitted: Omitted
    """What its views do not contain."""
    view: SentView | None
    """The last view that was sent to the subscriber, if it gets patches."""
    at: Version
    """The version up to which everything was sent, so that nothing is sent twice."""
    on_own_feed: bool
    """Whether it is a connection for this room only, which keeps bots playing, and not one for many feeds."""

    async def drained(self) -> None:
        """Wait until the frames offered so far have been sent."""


Audience = tuple[AudienceKey, list[Subscriber]]


class Audiences(NamedTuple):
    """The audiences of a room."""

    table: Table
    """The table for which they were determined."""
    apart: list[Audience]
    """The audiences for events that hide something."""
    open: list[Audience]
    """The audiences for public events, of which all subscribers without views are one."""


def audience_of(table: Table, subscriber: Subscriber) -> AudienceKey:
    """Return the audience of a subscriber."""
    seat = audience(table, subscriber.player, subscriber.wanted)
    return Viewer(seat, subscriber.omitted), subscriber.state


def audiences_of(table: Table, subscribers: Iterable[Subscriber]) -> Audiences:
    """Return the audiences of these subscribers."""
    apart: dict[AudienceKey, list[Subscriber]] = {}
    openly: dict[AudienceKey, list[Subscriber]] = {}
    for subscriber in subscribers:
        key = audience_of(table, subscriber)
        apart.setdefault(key, []).append(subscriber)
        openly.setdefault(key if subscriber.state else EVENTS_ONLY, []).append(subscriber)
    return Audiences(table, [*apart.items()], [*openly.items()])


RECORDED = attrgetter("recorded")
URL_SAFE = bytes.maketrans(b"+/", b"-_")


def history_mark(key: bytes, digest: bytes) -> str:
    """Return the mark of a history: a keyed hash that does not reveal its digest."""
    keyed = hashlib.blake2b(digest, key=key, digest_size=12).digest()
    return b2a_base64(keyed, newline=False).translate(URL_SAFE).decode()


class Beginning(msgspec.Struct, frozen=True, gc=False):
    """The fields of an `Update` up to its events. It is made without that struct, which costs more."""

    json: bytes
    room: RoomName
    position: Position

    def frame(self, *more: bytes) -> OutgoingFrame:
        """Return the frame with the other fields."""
        return OutgoingFrame(b"".join((self.json, *more, b"}")), self.room, self.position)


class RoomFrames:
    """Makes the frames of rooms."""

    def __init__(self, mark_key: bytes, now: Callable[[], Millis]) -> None:
        """All processes share the `mark_key`."""
        self._mark_key = mark_key
        self.now = now
        self._latest_mark = (b"", "")
        """The latest digest and its mark, which is the same in the frames of all audiences."""

    def mark(self, digest: bytes) -> str:
        """Return the mark of a history: a keyed hash that does not reveal its digest."""
        known, mark = self._latest_mark
        if known != digest:
            mark = history_mark(self._mark_key, digest)
            self._latest_mark = digest, mark
        return mark

    def subscribed(self, live: LoadedRoom, *, recovered: bool) -> OutgoingFrame:
        """Return the frame that answers a subscription."""
        name, epoch = live.key.name, live.key.epoch
        frame = frames.Subscribed(name, live.head.version, epoch, self.mark(live.head.digest), recovered)
        return frames.encode_frame(frame, name)

    def snapshot(self, live: LoadedRoom, viewer: Viewer, reason: SnapshotReason) -> OutgoingFrame:
        """Return the frame with the full view."""
        sent = view_for(viewer, live.state, self.now(), live.presence, live.kept_until)
        mark = self.mark(live.head.digest)
        name, epoch = live.key.name, live.key.epoch
        frame = frames.Snapshot(name, sent.views.version, epoch, mark, reason, msgspec.Raw(sent.json))
        return OutgoingFrame(msgspec.json.encode(frame), name, position_of(frame), sent)

    def begin(self, live: LoadedRoom, command: Sequence[Stored], seat: Seat | None) -> Beginning:
        """Return the beginning of the frames of one command's events, as `seat` may know them (None: the public)."""
        name, last = live.key.name, command[-1]
        version, mark = last.recorded.version, self.mark(last.digest)
        head = f'{{"type":"update","room":"{name}","version":{version},"mark":"{mark}","events":'.encode()
        events = events_json(map(RECORDED, command), seat, live.state.table.game)
        return Beginning(head + events, name, Position(version, mark, is_complete=True))

    def update(self, live: LoadedRoom, beginning: Beginning, now: Millis) -> OutgoingFrame:
        """Return the frame of events without a view."""
        clock = current_clock(live, now)
        return beginning.frame() if clock is UNSET else beginning.frame(b',"clock":', msgspec.json.encode(clock))

    def heartbeat(self, live: LoadedRoom) -> OutgoingFrame:
        """Return the heartbeat of a room, with its version."""
        name, now = live.key.name, self.now()
        frame = frames.Heartbeat(name, live.head.version, rfc3339(now), current_clock(live, now))
        return frames.encode_frame(frame, name)


def caught_up(live: LoadedRoom) -> OutgoingFrame:
    """Return the frame after which everything is live."""
    return frames.encode_frame(frames.CaughtUp(live.key.name, live.head.version), live.key.name)


def error_frame(live: LoadedRoom, code: str) -> OutgoingFrame:
    """Return the frame with the reason why a room can no longer be followed."""
    return frames.encode_frame(frames.Error(problem(code), live.key.name), live.key.name)


def current_clock(live: LoadedRoom, now: Millis) -> ClockView | UnsetType:
    """Return the clocks of the running match, unset if time is not limited."""
    match = live.state.match
    return UNSET if match is None or not match.clocks.clock.runs else clock_view(match, now)
