"""Feeds of chat, presence and the lobby, which are sent in addition to the rooms' events."""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import structlog

from service.domain.room.model.ids import PlayerId, RoomKey
from service.rooms.commands.processor import CommandProcessor
from service.rooms.feeds import frames
from service.rooms.feeds.audiences import Subscriber
from service.rooms.feeds.hub import FeedHub
from service.rooms.feeds.lobby import Lobby
from service.rooms.loading.room import LoadedRoom
from service.rooms.presence_counts import PresenceCounts
from service.rooms.social.blocks import Blocks, NoBlocks
from service.rooms.social.chat import Chat, may_read_line
from service.rooms.social.lease import Timing
from service.rooms.social.tracker import PresenceTracker
from service.rooms.views.chat_line import ChatLine
from service.store.contract import StoreFull, StoreUnavailable
from service.store.side_channels import Line, ProcessId, Where, place_before_line, place_of_line

log = structlog.get_logger()

TIMING = Timing()

CLOCK_DIFFERENCE = 10_000
"""Milliseconds by which the store's clock may be behind this process's clock."""

CATCH_UP_PAGE = 200
"""How many lines are read per page after notifications were lost."""


class SocialFeeds:
    """Sends chat and presence to the subscribers of rooms, and the lobby's chat to its subscribers."""

    def __init__(
        self,
        processor: CommandProcessor,
        hub: FeedHub,
        process: ProcessId,
        timing: Timing = TIMING,
        leaving: Callable[[], bool] = lambda: False,
        blocks: Blocks | None = None,
    ) -> None:
        """Take the parts of one process, and its unique id; `leaving` returns whether it is shutting down."""
        self._blocks = blocks or NoBlocks()
        self._waiting: dict[Where, deque[Line]] = {}
        """Lines that wait until nicknames, and the blocks of their possible receivers, are loaded."""
        self._repository, self._environment, self._hub = processor.repository, processor.environment, hub
        store = processor.repository.store
        self._side_channels = store.side_channels
        self.chat = Chat(store.side_channels, store.player_names)
        self.presence = PresenceTracker(processor, hub, process, timing, leaving)
        self.lobby = Lobby(store, self, self._environment.now)
        self._last_sent: dict[Where, str] = {}
        """The id of the last line that was sent, by room, None for the lobby."""
        self._tasks: set[asyncio.Task[None]] = set()
        processor.observe(self.lobby.written)

    async def begin(self, live: LoadedRoom) -> None:
        """Start to follow the chat and the presence of a room."""
        await self._subscribe(live.key)
        await self.presence.begin(live)

    async def end(self, live: LoadedRoom) -> None:
        """Stop following the chat and the presence of a room."""
        self.presence.end(live)
        await self._unsubscribe(live.key)

    async def presence_of(self, live: LoadedRoom) -> PresenceCounts | None:
        """Return who is connected to a room; None if only the store knows it and is full."""
        try:
            return await self.presence.of(live)
        except StoreFull:
            return None

    async def begin_lobby(self) -> None:
        """Start to follow the chat of the lobby."""
        await self._subscribe(None)

    async def end_lobby(self) -> None:
        """Stop following the chat of the lobby."""
        await self._unsubscribe(None)

    async def _subscribe(self, where: Where) -> None:
        self._last_sent[where] = f"{self._environment.now() - CLOCK_DIFFERENCE}-0"
        await self._side_channels.subscribe(where, self)

    async def _unsubscribe(self, where: Where) -> None:
        self._last_sent.pop(where, None)
        await self._side_channels.unsubscribe(where)

    def arrived(self, live: LoadedRoom, subscriber: Subscriber) -> None:
        """Count a new subscriber as present."""
        self.presence.arrived(live, subscriber)

    def departed(self, live: LoadedRoom, subscriber: Subscriber) -> None:
        """Count a subscriber as no longer present."""
        self.presence.departed(live, subscriber)

    def line_added(self, where: Where, line: Line) -> None:
        """Send a line once to every subscriber of this process that may read it."""
        last = self._last_sent.get(where)
        if last is None or place_of_line(line.id) <= place_of_line(last):
            return
        self._last_sent[where] = line.id
        if where in self._waiting:
            self._waiting[where].append(line)
        elif (said := self.chat.line_now(line)) and self._blocks.is_ready(self._concerned(where, said)):
            self._send(where, said)
        else:
            self._waiting[where] = deque([line])
            self._later(self._send_waiting(where))

    def presence_changed(self, where: Where, process: ProcessId) -> None:
        """Handle that a process changed its share of a room's presence."""
        if where is not None:
            self.presence.presence_changed(where, process)

    def changes_missed(self, where: Where) -> None:
        """Read lines and presence whose notifications may have been missed."""
        self._later(self._catch_up(where))
        if where is not None:
            self.presence.presence_changed(where, None)

    def _concerned(self, where: Where, said: ChatLine) -> set[PlayerId]:
        """Return the players whose blocks decide who receives a line: its sender and the subscribers."""
        subscribers = self.lobby.subscribers if where is None else self._hub.subscribers(where)
        viewers = {subscriber.player for subscriber in subscribers if subscriber.player is not None}
        return viewers | {said.player.id} if viewers else viewers

    async def _send_waiting(self, where: Where) -> None:
        """Send the waiting lines in order, each after what it needs was loaded."""
        waiting = self._waiting[where]
        try:
            while waiting:
                said = await self.chat.line_of(waiting[0])
                await self._blocks.prepare(self._concerned(where, said))
                self._send(where, said)
                waiting.popleft()
        except StoreUnavailable as failure:  # as in `_catch_up`, which then reads the lines again
            log.warning("chat_not_read", error=str(failure))
            if where in self._last_sent:
                self._last_sent[where] = place_before_line(waiting[0].id)
        finally:
            del self._waiting[where]

    def _send(self, where: Where, said: ChatLine) -> None:
        if where is None:
            frame = frames.encode_frame(frames.Chat(said), frames.LOBBY)
            self.lobby.send(frame, lambda subscriber: not self._is_hidden(subscriber.player, said))
        else:
            self._send_to_room(where, said)

    def _send_to_room(self, key: RoomKey, said: ChatLine) -> None:
        live = self._repository.cached(key)
        if live is not None:
            table = live.room.table
            frame = frames.encode_frame(frames.Chat(said, key.name), key.name)

            def is_for(subscriber: Subscriber) -> bool:
                viewer = subscriber.player
                return may_read_line(table, viewer, said.audience) and not self._is_hidden(viewer, said)

            self._hub.send(live, frame, is_for)

    def _is_hidden(self, viewer: PlayerId | None, said: ChatLine) -> bool:
        return viewer is not None and self._blocks.hides(viewer, said.player.id)

    async def visible(self, viewer: PlayerId | None, lines: Sequence[ChatLine]) -> list[ChatLine]:
        """Return the lines of a chat without those of players whom the viewer has blocked, or who blocked them."""
        if viewer is not None and lines:
            await self._blocks.prepare({viewer, *(line.player.id for line in lines)})
        return [line for line in lines if not self._is_hidden(viewer, line)]

    async def _catch_up(self, where: Where) -> None:
        try:
            while (last := self._last_sent.get(where)) is not None:
                lines = await self._side_channels.read_lines(where, CATCH_UP_PAGE, after=last)
                for line in lines:
                    self.line_added(where, line)
                if len(lines) < CATCH_UP_PAGE:
                    break
        except StoreUnavailable as failure:  # `changes_missed` is called again when the store is back
            log.warning("chat_not_read", error=str(failure))

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
