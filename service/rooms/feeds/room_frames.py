"""Makes and encodes the frames of rooms."""

import base64
import hashlib
from collections.abc import Callable, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from service.domain.room.model.ids import Millis
from service.domain.streams import Stored
from service.rooms.feeds import frames
from service.rooms.feeds.audiences import AudienceKey
from service.rooms.feeds.frames import OutgoingFrame, Position, SnapshotReason, position_of
from service.rooms.repository import LoadedRoom
from service.rooms.views.event_view import events_json
from service.rooms.views.match_view import ClockView, Viewer, clock_view
from service.rooms.views.room_view import SentView, view_json
from service.rooms.views.timestamps import rfc3339
from service.streams.errors import problem


def history_mark(key: bytes, digest: bytes) -> str:
    """Return the mark of a history: a keyed hash that does not reveal its digest."""
    keyed = hashlib.blake2b(digest, key=key, digest_size=12).digest()
    return base64.urlsafe_b64encode(keyed).decode()


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
        sent, mark = self.view(live, viewer, self.now()), self.mark(live.head.digest)
        name, epoch = live.key.name, live.key.epoch
        frame = frames.Snapshot(name, sent.version, epoch, mark, reason, msgspec.Raw(sent.json))
        return OutgoingFrame(msgspec.json.encode(frame), name, position_of(frame), sent)

    def view(self, live: LoadedRoom, viewer: Viewer, now: Millis) -> SentView:
        """Return the full view for a viewer."""
        return SentView(live.state, viewer, now, live.presence, live.kept_until)

    def update(self, live: LoadedRoom, command: Sequence[Stored], audience: AudienceKey, now: Millis) -> OutgoingFrame:
        """Return the frame of one command's events for an audience; with a view, they must be the latest events."""
        (viewer, state), last = audience, command[-1]
        seat, with_view = viewer.seat, state is True
        frame = frames.Update(
            room=live.key.name,
            version=last.recorded.version,
            mark=self.mark(last.digest),
            events=msgspec.Raw(events_json([stored.recorded for stored in command], seat, live.state.table.game)),
            clock=UNSET if with_view else current_clock(live, now),
            view=msgspec.Raw(view_json(live.state, seat, now, live.presence, viewer.omitted, live.kept_until))
            if with_view
            else UNSET,
        )
        position = Position(frame.version, frame.mark, is_complete=True)
        return OutgoingFrame(msgspec.json.encode(frame), frame.room, position)

    def patch(self, live: LoadedRoom, command: Sequence[Stored], old: SentView, new: SentView) -> OutgoingFrame:
        """Return the frame of one command's events, which must be the latest, with the patch of the view."""
        seat, game = new.viewer.seat, live.state.table.game
        frame = frames.Update(
            room=live.key.name,
            version=new.version,
            mark=self.mark(command[-1].digest),
            events=msgspec.Raw(events_json([stored.recorded for stored in command], seat, game)),
            from_=old.version,
            patch=msgspec.Raw(new.patch_json(old)),
        )
        position = Position(frame.version, frame.mark, is_complete=True)
        return OutgoingFrame(msgspec.json.encode(frame), frame.room, position)

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
