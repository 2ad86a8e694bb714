"""The feeds: each command's events folded once a process, encoded once an audience, sent to every watcher in order."""

import asyncio
import base64
import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from service.domain.game import Seat
from service.domain.redaction import hidden_fields
from service.domain.room.model.ids import Millis, RoomKey, Version
from service.domain.room.model.state import audience
from service.domain.room.subjects.privacy import barred
from service.rooms.errors import problem
from service.rooms.feeds import frames
from service.rooms.feeds.frames import OutgoingFrame, SnapshotReason
from service.rooms.room import AudienceKey, Audiences, LoadedRoom, Subscriber
from service.rooms.views.event_view import events_json
from service.rooms.views.room_view import ClockView, clock_view, view_json
from service.rooms.views.timestamps import rfc3339
from service.store.codec import Stored
from service.telemetry import metrics

AT_ONCE = 200
"""How many watchers are sent to before the loop gets a turn."""

BACKLOG = 64
"""How many commands may wait for a large audience before it is given a snapshot instead."""


EVENTS_ONLY: AudienceKey = (None, False)
"""What is told to whoever wants no view, where nothing is hidden from anyone."""


class FeedHub:
    """What the watchers of each room are told."""

    def __init__(self, mark_key: bytes, now: Callable[[], Millis]) -> None:
        """Key the marks with `mark_key`, which all processes share."""
        self._mark_key = mark_key
        self.now = now
        self._backlogs: dict[RoomKey, deque[tuple[Subscriber, Version | None, OutgoingFrame]]] = {}
        self._pumps: dict[RoomKey, asyncio.Task[None]] = {}

    # What frames look like

    def mark(self, digest: bytes) -> str:
        """Return the keyed hash that names a history without giving its digest away."""
        keyed = hashlib.blake2b(digest, key=self._mark_key, digest_size=12).digest()
        return base64.urlsafe_b64encode(keyed).decode()

    def subscribed(self, live: LoadedRoom, *, recovered: bool) -> OutgoingFrame:
        """Return the frame that answers a subscription: where the room stands."""
        name, epoch = live.key.name, live.key.epoch
        frame = frames.Subscribed(name, live.head.version, epoch, self.mark(live.head.digest), recovered)
        return frames.encode_frame(frame, name)

    def snapshot(self, live: LoadedRoom, seat: Seat | None, reason: SnapshotReason) -> OutgoingFrame:
        """Return the frame with the whole view."""
        view = msgspec.Raw(view_json(live.room, seat, self.now(), live.attendance))
        name, epoch = live.key.name, live.key.epoch
        frame = frames.Snapshot(name, live.head.version, epoch, self.mark(live.head.digest), reason, view)
        return frames.encode_frame(frame, name)

    def update(self, live: LoadedRoom, told: Sequence[Stored], kind: AudienceKey, now: Millis) -> OutgoingFrame:
        """Return the frame of one command's events; they are the latest where it comes with the view."""
        (seat, with_view), last = kind, told[-1]
        frame = frames.Update(
            room=live.key.name,
            version=last.recorded.version,
            mark=self.mark(last.digest),
            events=msgspec.Raw(events_json([stored.recorded for stored in told], seat)),
            clock=UNSET if with_view else current_clock(live, now),
            view=msgspec.Raw(view_json(live.room, seat, now, live.attendance)) if with_view else UNSET,
        )
        return frames.encode_frame(frame, frame.room)

    def heartbeat(self, live: LoadedRoom) -> OutgoingFrame:
        """Return the frame that tells an idle watcher where the room stands."""
        name, now = live.key.name, self.now()
        return frames.encode_frame(
            frames.Heartbeat(name, live.head.version, rfc3339(now), current_clock(live, now)), name
        )

    # Who is told what

    def broadcast(self, live: LoadedRoom, history: Sequence[Stored]) -> None:
        """Tell one command's events, just folded, to everyone who watches."""
        if not live.watchers:
            return
        audiences = live.audiences
        if audiences is None or audiences.table is not live.room.table:
            self._show_out(live)
            audiences = live.audiences = audiences_of(live)
        last, now = history[-1].recorded, self.now()
        metrics.EVENT_AGE.observe(max(0, now - last.time) / 1000)
        groups = audiences.open if is_public(history) else audiences.apart
        for kind, watchers in groups:
            self._send(live, watchers, last.version, self.update(live, history, kind, now))

    def resync_all(self, live: LoadedRoom, reason: SnapshotReason = "history_changed") -> None:
        """Give everyone who watches the whole view anew, instead of whatever they have not been sent yet."""
        if live.key in self._backlogs:
            self._backlogs[live.key].clear()
        self._show_out(live)
        snapshots: dict[Seat | None, OutgoingFrame] = {}
        for watcher in list(live.watchers):
            seat, _ = audience_of(live, watcher)
            if seat not in snapshots:
                snapshots[seat] = self.snapshot(live, seat, reason)
            watcher.at = live.head.version
            watcher.offer(snapshots[seat])

    def resync(self, live: LoadedRoom, watcher: Subscriber, reason: SnapshotReason) -> None:
        """Give one watcher the whole view; what was on its way to them is not told any more."""
        if (code := barred(live.room.table, watcher.player)) is not None:
            watcher.offer(error_frame(live, code))
            return
        seat, _ = audience_of(live, watcher)
        watcher.at = live.head.version
        watcher.offer(self.snapshot(live, seat, reason))

    def _show_out(self, live: LoadedRoom) -> None:
        """Tell nothing more to watchers who may not read the room any more."""
        for watcher in list(live.watchers):
            if (code := barred(live.room.table, watcher.player)) is not None:
                live.unwatch(watcher)
                watcher.offer(error_frame(live, code))

    def close_room(self, live: LoadedRoom, code: str) -> None:
        """Tell everyone who watches why the room can't be followed any more."""
        frame = error_frame(live, code)
        for watcher in list(live.watchers):
            live.unwatch(watcher)
            watcher.offer(frame)

    def send(self, live: LoadedRoom, frame: OutgoingFrame, hears: Callable[[Subscriber], bool]) -> None:
        """Tell a frame that is no part of the room's history to those who may hear it."""
        self._send(live, [watcher for watcher in live.watchers if hears(watcher)], None, frame)

    def send_heartbeat(self, live: LoadedRoom) -> None:
        """Send the heartbeat to everyone who watches."""
        self._send(live, list(live.watchers), None, self.heartbeat(live))

    def _send(
        self, live: LoadedRoom, watchers: Sequence[Subscriber], version: Version | None, frame: OutgoingFrame
    ) -> None:
        """Send to a small audience now; to a large one in the background, in order, in portions."""
        backlog = self._backlogs.get(live.key)
        if backlog is None and len(live.watchers) <= AT_ONCE:
            send_frame(watchers, version, frame)
            return
        if backlog is None:
            backlog = self._backlogs[live.key] = deque()
            self._pumps[live.key] = asyncio.create_task(self._pump(live))
        backlog.extend((watcher, version, frame) for watcher in watchers)
        if len(backlog) > BACKLOG * len(live.watchers):
            self.resync_all(live, "too_slow")

    async def _pump(self, live: LoadedRoom) -> None:
        backlog = self._backlogs[live.key]
        while backlog:
            for _ in range(min(AT_ONCE, len(backlog))):
                watcher, version, frame = backlog.popleft()
                if watcher in live.watchers:
                    send_frame((watcher,), version, frame)
            await asyncio.sleep(0)
        del self._backlogs[live.key], self._pumps[live.key]


def current_clock(live: LoadedRoom, now: Millis) -> ClockView | UnsetType:
    """Return the clocks of the match, where there are any."""
    match = live.room.match
    return (match and clock_view(match, now)) or UNSET


def error_frame(live: LoadedRoom, code: str) -> OutgoingFrame:
    """Return the frame that tells why a room is followed no more."""
    return frames.encode_frame(frames.Error(problem(code), live.key.name), live.key.name)


def is_public(history: Sequence[Stored]) -> bool:
    """Tell whether everyone may know all of these events."""
    for stored in history:  # noqa: SIM110 - a generator would cost more than all it does
        if hidden_fields(type(stored.recorded.event)):
            return False
    return True


def send_frame(watchers: Iterable[Subscriber], version: Version | None, frame: OutgoingFrame) -> None:
    """Hand over a frame that brings watchers to a version, unless they are there; None is a frame without one."""
    for watcher in watchers:
        if version is not None:
            if version <= watcher.at:
                continue
            watcher.at = version
        watcher.offer(frame)


def audiences_of(live: LoadedRoom) -> Audiences:
    """Return the watchers by which frames they get."""
    apart: dict[AudienceKey, list[Subscriber]] = {}
    openly: dict[AudienceKey, list[Subscriber]] = {}
    for watcher in live.watchers:
        kind = audience_of(live, watcher)
        apart.setdefault(kind, []).append(watcher)
        openly.setdefault(kind if watcher.state else EVENTS_ONLY, []).append(watcher)
    return Audiences(live.room.table, [*apart.items()], [*openly.items()])


def audience_of(live: LoadedRoom, watcher: Subscriber) -> AudienceKey:
    """Return which frames a watcher gets: whose knowledge, and whether with the view."""
    return audience(live.room.table, watcher.player, watcher.wanted), watcher.state
