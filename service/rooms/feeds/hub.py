"""The hub: each command's events are encoded once per audience and sent to every subscriber in order."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from service.domain.game import hidden_fields
from service.domain.ids import RoomKey, Version
from service.domain.streams import Stored
from service.rooms.access.policy import reading_refusal
from service.rooms.feeds.frames import OutgoingFrame, SnapshotReason
from service.rooms.feeds.room_frames import (
    Audiences,
    Beginning,
    RoomFrames,
    Subscriber,
    audience_of,
    audiences_of,
    error_frame,
)
from service.rooms.repository import LoadedRoom
from service.rooms.views.match_view import Viewer
from service.rooms.views.room_view import SentView, view_for
from service.runtime import metrics
from service.streams.errors import ServiceError

BATCH = 200
"""How many subscribers get a frame before the event loop gets a turn."""

BACKLOG = 64
"""How many commands can wait for a large audience before it gets a snapshot instead."""


class RoomFeed:
    """The subscribers of one room in this process, and the frames that wait for a large audience."""

    def __init__(self) -> None:
        """Start without subscribers."""
        self.subscribers: set[Subscriber] = set()
        self.audiences: Audiences | None = None
        """None until they are determined for the current subscribers."""
        self.backlog: deque[tuple[Subscriber, Version | None, OutgoingFrame]] = deque()
        self.pump: asyncio.Task[None] | None = None
        """The task that sends the backlog, None without a backlog."""

    def add(self, subscriber: Subscriber) -> None:
        """Add a subscriber."""
        self.subscribers.add(subscriber)
        self.audiences = None

    def remove(self, subscriber: Subscriber) -> None:
        """Remove a subscriber, if it is one."""
        self.subscribers.discard(subscriber)
        self.audiences = None


class FeedHub:
    """All subscribers of this process by room."""

    def __init__(self, frames: RoomFrames) -> None:
        self._frames = frames
        self._feeds: dict[RoomKey, RoomFeed] = {}

    def add(self, live: LoadedRoom, subscriber: Subscriber) -> None:
        """Start to send the room's frames to a subscriber."""
        self._feeds.setdefault(live.key, RoomFeed()).add(subscriber)

    def remove(self, live: LoadedRoom, subscriber: Subscriber) -> None:
        """Stop sending the room's frames to a subscriber, if it is one."""
        feed = self._feeds.get(live.key)
        if feed is not None:
            feed.remove(subscriber)
            if not feed.subscribers and feed.pump is None:
                del self._feeds[live.key]

    def subscribers(self, key: RoomKey) -> set[Subscriber]:
        """Return the subscribers of a room in this process."""
        feed = self._feeds.get(key)
        return set() if feed is None else feed.subscribers

    def rooms(self) -> list[RoomKey]:
        """Return the rooms that have subscribers in this process."""
        return [key for key, feed in self._feeds.items() if feed.subscribers]

    def broadcast(self, live: LoadedRoom, history: Sequence[Stored]) -> None:
        """Send one command's events to every subscriber, right after they were folded; a snapshot if there are none."""
        feed = self._feeds.get(live.key)
        if feed is None or not feed.subscribers:
            return
        if not history:
            self.resync_all(live)
            return
        audiences = feed.audiences
        if audiences is None or audiences.table is not live.state.table:
            self._remove_barred(live)
            audiences = feed.audiences = audiences_of(live.state.table, feed.subscribers)
        last, now = history[-1].recorded, self._frames.now()
        metrics.EVENT_AGE.observe(max(0, now - last.time) / 1000)
        shared = self._frames.begin(live, history, None) if is_public(history) else None
        seen: SentView | None = None
        for (viewer, state), subscribers in audiences.apart if shared is None else audiences.open:
            beginning = shared or self._frames.begin(live, history, viewer.seat)
            if not state:
                self._send(live, feed, subscribers, last.version, self._frames.update(live, beginning, now))
                continue
            if seen is None:
                seen = view_for(viewer, live.state, now, live.presence, live.kept_until)
            else:
                seen = SentView(viewer, seen.table, seen.views)
            if state == "patch":
                self._send_patches(live, feed, subscribers, beginning, seen)
            else:
                self._send(live, feed, subscribers, last.version, beginning.frame(b',"view":', seen.json))

    def resync_all(self, live: LoadedRoom, reason: SnapshotReason = "history_changed") -> None:
        """Send a snapshot to every subscriber, instead of the frames that still wait for them."""
        feed = self._feeds.get(live.key)
        if feed is None:
            return
        feed.backlog.clear()
        self._remove_barred(live)
        snapshots: dict[Viewer, OutgoingFrame] = {}
        for subscriber in list(feed.subscribers):
            viewer, _ = audience_of(live.state.table, subscriber)
            if viewer not in snapshots:
                snapshots[viewer] = self._frames.snapshot(live, viewer, reason)
            subscriber.at = live.head.version
            send_snapshot(subscriber, snapshots[viewer])

    def resync(self, live: LoadedRoom, subscriber: Subscriber, reason: SnapshotReason = "too_slow") -> None:
        """Send a snapshot to one subscriber, instead of the frames that still wait for it."""
        if (code := reading_refusal(live.state.table, subscriber.player)) is not None:
            subscriber.offer(error_frame(live, code))
            return
        viewer, _ = audience_of(live.state.table, subscriber)
        subscriber.at = live.head.version
        send_snapshot(subscriber, self._frames.snapshot(live, viewer, reason))

    def _remove_barred(self, live: LoadedRoom) -> None:
        """Remove the subscribers who may no longer read the room."""
        for subscriber in list(self.subscribers(live.key)):
            if (code := reading_refusal(live.state.table, subscriber.player)) is not None:
                self.remove(live, subscriber)
                subscriber.offer(error_frame(live, code))

    def close_room(self, live: LoadedRoom, failure: Exception) -> None:
        """Remove all subscribers, and send them the reason why the room can no longer be followed."""
        frame = error_frame(live, failure.problem.code if isinstance(failure, ServiceError) else "store_unavailable")
        for subscriber in list(self.subscribers(live.key)):
            self.remove(live, subscriber)
            subscriber.offer(frame)

    def send(self, live: LoadedRoom, frame: OutgoingFrame, is_for: Callable[[Subscriber], bool]) -> None:
        """Send a frame that is not part of the room's history to the subscribers for whom `is_for` returns True."""
        feed = self._feeds.get(live.key)
        if feed is not None:
            chosen = [subscriber for subscriber in feed.subscribers if is_for(subscriber)]
            self._send(live, feed, chosen, None, frame)

    def send_heartbeat(self, live: LoadedRoom) -> None:
        """Send a heartbeat to every subscriber."""
        feed = self._feeds.get(live.key)
        if feed is not None:
            self._send(live, feed, list(feed.subscribers), None, self._frames.heartbeat(live))

    def _send_patches(
        self,
        live: LoadedRoom,
        feed: RoomFeed,
        subscribers: Sequence[Subscriber],
        beginning: Beginning,
        view: SentView,
    ) -> None:
        """Send patches of the view; a subscriber without a view of the same viewer gets the events and a snapshot."""
        frames: dict[SentView, OutgoingFrame] = {}
        version = view.views.version
        for subscriber in subscribers:
            old = subscriber.view
            if version <= subscriber.at:
                continue
            if old is None or old.viewer != view.viewer:
                events = self._frames.update(live, beginning, self._frames.now())
                snapshot = self._frames.snapshot(live, view.viewer, "subscribed")
                subscriber.view = snapshot.view
                self._send(live, feed, (subscriber,), version, events)
                self._send(live, feed, (subscriber,), None, snapshot)
            else:
                if old not in frames:
                    patch = view.patch_json(old)
                    frames[old] = beginning.frame(b',"from":%d,"patch":' % old.views.version, patch)
                subscriber.view = view
                self._send(live, feed, (subscriber,), version, frames[old])

    def _send(
        self,
        live: LoadedRoom,
        feed: RoomFeed,
        subscribers: Sequence[Subscriber],
        version: Version | None,
        frame: OutgoingFrame,
    ) -> None:
        """Send a frame to a small audience immediately, to a large one in order, in batches, in the background."""
        if feed.pump is None and len(feed.subscribers) <= BATCH:
            send_frame(subscribers, version, frame)
            return
        feed.backlog.extend((subscriber, version, frame) for subscriber in subscribers)
        if feed.pump is None:
            feed.pump = asyncio.create_task(self._pump(live.key, feed))
        if len(feed.backlog) > BACKLOG * len(feed.subscribers):
            self.resync_all(live, "too_slow")

    async def _pump(self, key: RoomKey, feed: RoomFeed) -> None:
        while feed.backlog:
            for _ in range(min(BATCH, len(feed.backlog))):
                subscriber, version, frame = feed.backlog.popleft()
                if subscriber in feed.subscribers:
                    send_frame((subscriber,), version, frame)
            await asyncio.sleep(0)
        feed.pump = None
        if not feed.subscribers:
            del self._feeds[key]


def is_public(history: Sequence[Stored]) -> bool:
    """Return whether these events are completely public."""
    kinds: list[Any] = [type(stored.recorded.event) for stored in history]
    return not any(map(hidden_fields, kinds))


def send_snapshot(subscriber: Subscriber, frame: OutgoingFrame) -> None:
    """Offer a snapshot, and keep its view if the subscriber gets patches."""
    subscriber.offer(frame)
    subscriber.view = frame.view if subscriber.state == "patch" else None


def send_frame(subscribers: Iterable[Subscriber], version: Version | None, frame: OutgoingFrame) -> None:
    """Offer a frame to subscribers that do not have its version yet; None for a frame without a version."""
    for subscriber in subscribers:
        if version is not None:
            if version <= subscriber.at:
                continue
            subscriber.at = version
        subscriber.offer(frame)
