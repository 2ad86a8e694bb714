"""Subscriptions: a subscriber is brought up to date with a room, and kept up to date without gaps and duplicates."""

import asyncio
import hmac
from collections import Counter
from collections.abc import Callable
from itertools import groupby
from typing import Protocol

from service.domain.ids import RoomKey, Version
from service.domain.streams import Stored
from service.rooms.access.policy import check_reading, reading_refusal
from service.rooms.feeds.hub import FeedHub, send_frame
from service.rooms.feeds.room_frames import RoomFrames, Subscriber, audience_of, caught_up
from service.rooms.repository import LoadedRoom, RoomRepository
from service.rooms.views.room_view import view_for
from service.runtime import metrics
from service.store.contract import Trimmed
from service.streams.errors import ServiceError

PACE = 64
"""After how many commands the send queue of a subscriber that catches up must be empty, to keep it bounded."""


class RoomObserver(Protocol):
    """Is notified of the subscribers of rooms in this process."""

    async def begin(self, live: LoadedRoom) -> None:
        """Handle that a room gets its first subscriber."""

    async def end(self, live: LoadedRoom) -> None:
        """Handle that a room has lost its last subscriber."""

    def arrived(self, live: LoadedRoom, subscriber: Subscriber) -> None:
        """Handle a new subscriber."""

    def departed(self, live: LoadedRoom, subscriber: Subscriber) -> None:
        """Handle that a subscriber has left; `arrived` may not have been called for it."""


class NullObserver:
    """An observer that does nothing, for rooms without presence and chat."""

    async def begin(self, live: LoadedRoom) -> None:
        """Do nothing."""

    async def end(self, live: LoadedRoom) -> None:
        """Do nothing."""

    def arrived(self, live: LoadedRoom, subscriber: Subscriber) -> None:
        """Do nothing."""

    def departed(self, live: LoadedRoom, subscriber: Subscriber) -> None:
        """Do nothing."""


class Subscriptions:
    """The subscriptions to rooms in this process."""

    def __init__(
        self,
        repository: RoomRepository,
        hub: FeedHub,
        frames: RoomFrames,
        observer: RoomObserver,
        note_feed: Callable[[LoadedRoom], None],
    ) -> None:
        self._repository = repository
        self._hub = hub
        self._frames = frames
        self._reader = repository.reader
        self._observer = observer
        self._note_feed = note_feed
        self._followed: Counter[RoomKey] = Counter()
        """The number of a room's subscribers, including those that are still catching up."""
        self._attached: dict[RoomKey, asyncio.Task[None]] = {}
        """What lets each of these rooms be followed."""
        self._detached: dict[RoomKey, asyncio.Task[None]] = {}
        """What ends that."""

    async def subscribe(
        self, live: LoadedRoom, subscriber: Subscriber, since: Version | None, mark: str | None
    ) -> None:
        """Bring a subscriber up to date with a room, and keep it up to date. Ends with `caught_up`.

        With `since` it gets the events after that version, if `mark`, if given, matches the history there; otherwise
        a snapshot. Raises `ServiceError` with `not_your_seat` for a `wanted` seat that the player does not hold.
        """
        if subscriber.wanted is not None and audience_of(live.state.table, subscriber)[0].seat is None:
            raise ServiceError("not_your_seat", params={"seat": subscriber.wanted})
        await self._attach(live)
        generation = live.generation
        try:
            check_reading(live.state.table, subscriber.player)
            self._observer.arrived(live, subscriber)
            if since is not None and await self._continues(live, since, mark):
                metrics.RESUMES.labels("events").inc()
                subscriber.at = since
                subscriber.offer(self._frames.subscribed(live, recovered=True))
                await self._catch_up(live, subscriber, generation)
                if subscriber.state == "patch" and subscriber.view is None:
                    self._hub.resync(live, subscriber, "subscribed")
            else:
                metrics.RESUMES.labels("snapshot").inc(since is not None)
                self._begin(live, subscriber, changed=since is not None)
        except BaseException:
            self.unsubscribe(live, subscriber)
            raise
        if reading_refusal(live.state.table, subscriber.player):  # since it began to catch up
            self._hub.resync(live, subscriber, "history_changed")
            return
        self._hub.add(live, subscriber)
        subscriber.offer(caught_up(live))

    def unsubscribe(self, live: LoadedRoom, subscriber: Subscriber) -> None:
        """Remove a subscriber; after the last one of a room, end the process's subscription to the room."""
        self._hub.remove(live, subscriber)
        self._observer.departed(live, subscriber)
        self._leave(live)

    def _begin(self, live: LoadedRoom, subscriber: Subscriber, *, changed: bool) -> None:
        subscriber.at = live.head.version
        subscriber.offer(self._frames.subscribed(live, recovered=False))
        if subscriber.state or changed:
            self._hub.resync(live, subscriber, "history_changed" if changed else "subscribed")

    async def _attach(self, live: LoadedRoom) -> None:
        """Follow the room, and bring it up to date."""
        key = live.key
        self._followed[key] += 1
        try:
            if (attached := self._attached.get(key)) is not None:
                await asyncio.shield(attached)
                await self._repository.refresh(live)
            else:
                attached = self._attached[key] = asyncio.create_task(self._follow(live, self._detached.get(key)))
                await asyncio.shield(attached)
        except BaseException:
            self._leave(live)
            raise

    async def _follow(self, live: LoadedRoom, detached: asyncio.Task[None] | None) -> None:
        """Follow the room after what followed it before has ended."""
        if detached is not None:
            await detached
        if self._repository.cached(live.key) is None:
            self._repository.add(live)
        await asyncio.gather(self._repository.follow(live.key), self._observer.begin(live))

    def _leave(self, live: LoadedRoom) -> None:
        """Stop following the room after its last subscriber."""
        key = live.key
        self._followed[key] -= 1
        if self._followed[key] == 0:
            del self._followed[key]
            task = self._detached[key] = asyncio.create_task(self._detach(live, self._attached.pop(key)))
            task.add_done_callback(lambda _: self._detached.pop(key) if self._detached.get(key) is task else None)

    async def _detach(self, live: LoadedRoom, attached: asyncio.Task[None]) -> None:
        await asyncio.wait([attached])
        self._repository.unfollow(live.key)
        await self._observer.end(live)

    async def _continues(self, live: LoadedRoom, since: Version, mark: str | None) -> bool:
        """Return whether a subscriber's history up to `since` is the room's history."""
        if since > live.head.version:
            return False
        if mark is None:
            return await self._is_stored(live, since)
        digest = await self._digest(live, since)
        return digest is not None and hmac.compare_digest(self._frames.mark(digest).encode(), mark.encode())

    async def _is_stored(self, live: LoadedRoom, since: Version) -> bool:
        """Return whether no event after a version was trimmed."""
        if live.since(since) is None:
            try:
                await self._repository.store.read(live.key, since, 1)
            except Trimmed:
                return False
        return True

    async def _digest(self, live: LoadedRoom, version: Version) -> bytes | None:
        if version == 0:
            return b""
        recent = live.since(Version(version - 1))
        if recent:
            return recent[0].digest
        try:
            entries = await self._repository.store.read(live.key, Version(version - 1), 1)
        except Trimmed:
            return None
        return entries[0].digest if entries else None

    async def _catch_up(self, live: LoadedRoom, subscriber: Subscriber, generation: int) -> None:
        """Send the missed events; returns without another await once none is missing.

        `generation` is the room's generation when the subscriber's history was checked.
        """
        while subscriber.at < live.head.version and live.generation == generation:
            try:
                page = await self._missed(live, subscriber.at)
            except Trimmed:
                break
            except ServiceError:
                await self._repository.refresh(live)
                if live.generation == generation:
                    raise
                break
            for count, command in enumerate(page):
                if count % PACE == 0:
                    await subscriber.drained()
                if live.generation == generation:
                    self._send_missed(live, subscriber, command)
            await subscriber.drained()
            if not page:  # the store has less than this process: it lost or replaced the room's history
                await self._repository.refresh(live)
        if live.generation != generation or subscriber.at < live.head.version:
            self._hub.resync(live, subscriber, "history_changed")

    def _send_missed(self, live: LoadedRoom, subscriber: Subscriber, command: list[Stored]) -> None:
        version = command[-1].recorded.version
        viewer, state = audience_of(live.state.table, subscriber)
        has_view = state is True and version == live.head.version
        beginning, now = self._frames.begin(live, command, viewer.seat), self._frames.now()
        if has_view:
            view = view_for(viewer, live.state, now, live.presence, live.kept_until)
            frame = beginning.frame(b',"view":', view.json)
        else:
            frame = self._frames.update(live, beginning, now)
        send_frame((subscriber,), version, frame)

    async def _missed(self, live: LoadedRoom, since: Version) -> list[list[Stored]]:
        """Return a page of complete commands after a version."""
        history = live.since(since)
        if history is None:
            history = await self._reader.next_page(live, since, live.head.version)
        commands = [list(events) for _, events in groupby(history, key=lambda stored: stored.recorded.command)]
        return [command for command in commands if is_complete(command[-1], live)]

    async def run_heartbeats(self, interval: float) -> None:
        """Send heartbeats every `interval` seconds."""
        while True:
            await asyncio.sleep(interval)
            for key in self._hub.rooms():
                if (live := self._repository.followed(key)) is not None:
                    self._hub.send_heartbeat(live)
                    self._note_feed(live)


def is_complete(stored: Stored, live: LoadedRoom) -> bool:
    """Return whether this is the last event of its command, or of the room."""
    return live.kind.form.ends_command(stored) or stored.recorded.version == live.head.version
