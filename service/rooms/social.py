"""Who is around the rooms of this process and what they say: the lobby, chat as it is told live, and presence."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from service.domain.room.model.ids import RoomKey
from service.rooms.chat import Chat, can_hear, line_of
from service.rooms.feeds import frames
from service.rooms.feeds.lobby import Lobby
from service.rooms.presence.counts import PresenceCounts
from service.rooms.presence.lease import Timing
from service.rooms.presence.tracker import PresenceTracker
from service.rooms.room import LoadedRoom, Subscriber
from service.rooms.service import RoomService
from service.store.contract import StoreFull, StoreUnavailable
from service.store.side_channels import Line, ProcessId, Where, place_of_line

log = structlog.get_logger()

TIMING = Timing()

CLOCKS_APART = 10_000
"""Milliseconds by which the store's clock may be behind ours."""

MISSED_AT_ONCE = 200
"""How many lines are read at a time after notifications were lost."""


class SocialFeeds:
    """Hears what happens beside the rooms that somebody here follows, and tells it to them."""

    def __init__(
        self,
        rooms: RoomService,
        process: ProcessId,
        timing: Timing = TIMING,
        leaving: Callable[[], bool] = lambda: False,
    ) -> None:
        """Be around these rooms, as one process; `leaving` tells whether it sends everyone elsewhere."""
        self._rooms = rooms
        self._beside = rooms.store.side_channels
        self.chat = Chat(self._beside)
        self.presences = PresenceTracker(rooms, process, timing, leaving)
        self.lobby = Lobby(rooms.store, self)
        self._told: dict[Where, str] = {}
        """The last line that was told in each place."""
        self._tasks: set[asyncio.Task[None]] = set()
        rooms.subscriptions.beside = self
        rooms.lobby_changed = self.lobby.written

    async def begin(self, live: LoadedRoom) -> None:
        """Hear what happens beside a room from now on."""
        await self._listen(live.key)
        await self.presences.begin(live)

    async def end(self, live: LoadedRoom) -> None:
        """Stop listening there."""
        self.presences.end(live)
        await self._unlisten(live.key)

    async def attendance(self, live: LoadedRoom) -> PresenceCounts | None:
        """Return who is connected to a room, None where only a store knows that is full and away."""
        try:
            return await self.presences.of(live)
        except StoreFull:
            return None

    async def begin_lobby(self) -> None:
        """Hear what is said in the lobby from now on."""
        await self._listen(None)

    async def end_lobby(self) -> None:
        """Stop listening there."""
        await self._unlisten(None)

    async def _listen(self, where: Where) -> None:
        self._told[where] = f"{self._rooms.fresh.now() - CLOCKS_APART}-0"
        await self._beside.hear(where, self)

    async def _unlisten(self, where: Where) -> None:
        self._told.pop(where, None)
        await self._beside.unhear(where)

    def arrived(self, live: LoadedRoom, watcher: Subscriber) -> None:
        """Note who follows a room."""
        self.presences.arrived(live, watcher)

    def departed(self, live: LoadedRoom, watcher: Subscriber) -> None:
        """Note who follows it no more."""
        self.presences.departed(live, watcher)

    def said(self, where: Where, line: Line) -> None:
        """Tell a line to everyone here who may read it, once."""
        last = self._told.get(where)
        if last is None or place_of_line(line.id) <= place_of_line(last):
            return
        self._told[where] = line.id
        if where is None:
            self.lobby.tell(frames.encode_frame(frames.Chat(line_of(line)), frames.LOBBY))
        else:
            self._tell_room(where, line)

    def attended(self, where: Where, process: ProcessId) -> None:
        """Take note that a process told who is there through it."""
        if where is not None:
            self.presences.attended(where, process)

    def missed(self, where: Where) -> None:
        """Read what may have been missed."""
        self._later(self._catch_up(where))
        if where is not None:
            self.presences.attended(where, None)

    def _tell_room(self, key: RoomKey, line: Line) -> None:
        live, said = self._rooms.repository.cached(key), line_of(line)
        if live is not None:
            table = live.room.table
            frame = frames.encode_frame(frames.Chat(said, key.name), key.name)
            self._rooms.hub.send(live, frame, lambda watcher: can_hear(table, watcher.player, said.audience))

    async def _catch_up(self, where: Where) -> None:
        try:
            while (last := self._told.get(where)) is not None:
                lines = await self._beside.said(where, MISSED_AT_ONCE, after=last)
                for line in lines:
                    self.said(where, line)
                if len(lines) < MISSED_AT_ONCE:
                    break
        except StoreUnavailable as failure:  # the store will be back and tell so once more
            log.warning("chat_not_read", error=str(failure))

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
