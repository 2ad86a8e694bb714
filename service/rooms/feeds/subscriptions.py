"""Coming and going: how a watcher is brought level with a room and kept so, without a gap and without a double."""

import asyncio
import hmac
from itertools import groupby
from typing import Protocol

import structlog

from service.domain.room.model.ids import RoomKey, Version
from service.domain.room.subjects.privacy import barred
from service.rooms.access.passwords import readable
from service.rooms.errors import ServiceError
from service.rooms.feeds import frames
from service.rooms.feeds.hub import FeedHub, audience_of, send_frame
from service.rooms.history.reader import HistoryReader, decode_entries
from service.rooms.repository import RoomRepository
from service.rooms.room import LoadedRoom, Subscriber
from service.store.codec import Stored
from service.store.contract import StoreUnavailable, Trimmed
from service.telemetry import metrics

log = structlog.get_logger()

PAGE = 500
"""How many events are read at a time for a watcher who catches up."""


PACE = 64
"""After how many commands a watcher who catches up is waited for, so that what waits for them stays bounded."""


class RoomObserver(Protocol):
    """Whoever hears what happens beside a room while somebody follows it, and who does."""

    async def begin(self, live: LoadedRoom) -> None:
        """Listen from now on."""

    async def end(self, live: LoadedRoom) -> None:
        """Stop listening."""

    def arrived(self, live: LoadedRoom, watcher: Subscriber) -> None:
        """Note who follows."""

    def departed(self, live: LoadedRoom, watcher: Subscriber) -> None:
        """Note who has gone; they may never have arrived."""


class NullObserver:
    """Hears and notes nothing, where rooms are served without company."""

    async def begin(self, live: LoadedRoom) -> None:
        """Don't."""

    async def end(self, live: LoadedRoom) -> None:
        """Don't."""

    def arrived(self, live: LoadedRoom, watcher: Subscriber) -> None:
        """Don't."""

    def departed(self, live: LoadedRoom, watcher: Subscriber) -> None:
        """Don't."""


class Subscriptions:
    """Who watches which room of a shelf."""

    def __init__(self, repository: RoomRepository, hub: FeedHub, histories: HistoryReader) -> None:
        """Feed the watchers through `hub`."""
        self._repository = repository
        self._histories = histories
        self._hub = hub
        self.beside: RoomObserver = NullObserver()
        self._tasks: set[asyncio.Task[None]] = set()

    async def subscribe(self, live: LoadedRoom, watcher: Subscriber, since: Version | None, mark: str | None) -> None:
        """Bring a watcher level with the room and keep them so; no gap, no double. Ends with `caught_up`.

        With `since` they get the events after it, if `mark` (where given) names our history at that version; else a
        snapshot. Refuses `not_your_seat` for a `wanted` seat that isn't theirs.
        """
        if watcher.wanted is not None and audience_of(live, watcher)[0] is None:
            raise ServiceError("not_your_seat", params={"seat": watcher.wanted})
        await self._attach(live)
        lives = live.lives
        try:
            readable(live, watcher.player)
            self.beside.arrived(live, watcher)
            if since is not None and await self._continues(live, since, mark):
                metrics.RESUMES.labels("events").inc()
                watcher.at = since
                watcher.offer(self._hub.subscribed(live, recovered=True))
                await self._catch_up(live, watcher, lives)
            else:
                metrics.RESUMES.labels("snapshot").inc(since is not None)
                self._begin(live, watcher, changed=since is not None)
        except BaseException:
            self.unsubscribe(live, watcher)
            raise
        if barred(live.room.table, watcher.player):  # shown out while catching up
            self._hub.resync(live, watcher, "history_changed")
            return
        live.watch(watcher)
        watcher.offer(frames.encode_frame(frames.CaughtUp(live.key.name, live.head.version), live.key.name))

    def unsubscribe(self, live: LoadedRoom, watcher: Subscriber) -> None:
        """Forget a watcher, and stop listening to a room that nobody watches."""
        live.unwatch(watcher)
        self.beside.departed(live, watcher)
        self._let_go(live)

    def _let_go(self, live: LoadedRoom) -> None:
        live.followers -= 1
        if live.followers == 0:
            task = asyncio.create_task(self._detach(live))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _begin(self, live: LoadedRoom, watcher: Subscriber, *, changed: bool) -> None:
        watcher.at = live.head.version
        watcher.offer(self._hub.subscribed(live, recovered=False))
        if watcher.state or changed:
            self._hub.resync(live, watcher, "history_changed" if changed else "subscribed")

    async def _attach(self, live: LoadedRoom) -> None:
        """Listen before reading, so that nothing falls between."""
        live.followers += 1
        self._repository.pin(live)
        try:
            async with self._repository.locked(live):
                if not live.listening:
                    await self._listen(live)
                    live.listening = True
                await self._repository.sync(live)
        except BaseException:
            self._let_go(live)
            raise

    async def _listen(self, live: LoadedRoom) -> None:
        try:
            await asyncio.gather(self._repository.store.listen(live.key, self._heard), self.beside.begin(live))
        except BaseException:
            await self._unlisten(live)
            raise

    async def _unlisten(self, live: LoadedRoom) -> None:
        await self._repository.store.unlisten(live.key)
        await self.beside.end(live)

    async def _detach(self, live: LoadedRoom) -> None:
        async with self._repository.locked(live):
            if live.followers == 0 and live.listening:
                live.listening = False
                await self._unlisten(live)
            if live.followers == 0:
                self._repository.unpin(live)

    def _heard(self, key: RoomKey, version: Version) -> None:
        """Take a wake-up: whoever holds the room's lock looks at it before letting go, else a task of its own does."""
        live = self._repository.cached(key)
        if live is None or 0 < version <= live.head.version:
            return
        live.heard = max(live.heard, version or Version(live.head.version + 1))
        if not live.lock.locked():
            task = asyncio.create_task(self._level(live))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _level(self, live: LoadedRoom) -> None:
        async with self._repository.locked(live):
            pass  # letting go looks at what was heard

    async def _continues(self, live: LoadedRoom, since: Version, mark: str | None) -> bool:
        """Tell whether a watcher's history up to `since` is ours."""
        if since > live.head.version:
            return False
        if mark is None:
            return await self._is_kept(live, since)
        digest = await self._digest(live, since)
        return digest is not None and hmac.compare_digest(self._hub.mark(digest).encode(), mark.encode())

    async def _is_kept(self, live: LoadedRoom, since: Version) -> bool:
        """Tell whether nothing after a version was trimmed."""
        if live.since(since) is None:
            try:
                await self._repository.store.read(live.key, since, 1)
            except Trimmed:
                return False
        return True

    async def _digest(self, live: LoadedRoom, version: Version) -> bytes | None:
        if version == 0:
            return b""
        at_hand = live.since(Version(version - 1))
        if at_hand:
            return at_hand[0].digest
        try:
            entries = await self._repository.store.read(live.key, Version(version - 1), 1)
        except Trimmed:
            return None
        return entries[0].digest if entries else None

    async def _catch_up(self, live: LoadedRoom, watcher: Subscriber, lives: int) -> None:
        """Tell what was missed; returns in the same breath in which nothing is missing any more.

        `lives` is the count of the room's histories when the watcher's was judged to be its own.
        """
        while watcher.at < live.head.version and live.lives == lives:
            try:
                page = await self._missed(live, watcher.at)
            except Trimmed:
                break
            except ServiceError:
                await self._refresh(live)
                if live.lives == lives:
                    raise
                break
            for count, command in enumerate(page):
                if count % PACE == 0:
                    await watcher.drained()
                if live.lives == lives:
                    self._tell_missed(live, watcher, command)
            await watcher.drained()
            if not page:  # the store has less than we know of: it lost or replaced the room's history
                await self._refresh(live)
        if live.lives != lives or watcher.at < live.head.version:
            self._hub.resync(live, watcher, "history_changed")

    async def _refresh(self, live: LoadedRoom) -> None:
        async with self._repository.locked(live):
            await self._repository.sync(live)

    def _tell_missed(self, live: LoadedRoom, watcher: Subscriber, command: list[Stored]) -> None:
        version = command[-1].recorded.version
        seat, state = audience_of(live, watcher)
        is_latest = version == live.head.version
        update = self._hub.update(live, command, (seat, state and is_latest), self._hub.now())
        send_frame((watcher,), version, update)

    async def _missed(self, live: LoadedRoom, since: Version) -> list[list[Stored]]:
        """Return a page of whole commands after a version."""
        history = live.since(since)
        if history is None:
            head = await self._histories.head_at(live, since)
            entries = await self._histories.page(live, head, PAGE)
            history = decode_entries(live.key, live.room.table.game, entries)
        commands = [list(told) for _, told in groupby(history, key=lambda stored: stored.recorded.command)]
        return [command for command in commands if ends_command(command[-1], live)]

    async def run_heartbeats(self, interval: float) -> None:
        """Beat every `interval` seconds, and notice what the notifications lost."""
        while True:
            await asyncio.sleep(interval)
            for live in self._repository.watched():
                try:
                    await self._level_and_beat(live)
                except (ServiceError, StoreUnavailable) as failure:
                    log.warning("heartbeat_missed", room=live.key.name, error=str(failure))

    async def _level_and_beat(self, live: LoadedRoom) -> None:
        await self._refresh(live)
        self._hub.send_heartbeat(live)


def ends_command(stored: Stored, live: LoadedRoom) -> bool:
    """Tell whether this is the last event of its command, or of the room."""
    recorded = stored.recorded
    return recorded.version - recorded.command + 1 == stored.size or recorded.version == live.head.version
