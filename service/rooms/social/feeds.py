"""Feeds of chat, presence and the lobby, which are sent in addition to the rooms' events.

Lines of chat are hidden between players of whom one has blocked the other.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Collection, Sequence
from typing import Protocol

import structlog

from service.domain.ids import PlayerId, RoomKey
from service.rooms.commands.processor import CommandProcessor
from service.rooms.feeds.frames import ChatLine
from service.rooms.feeds.hub import FeedHub
from service.rooms.feeds.lobby import Lobby
from service.rooms.feeds.room_frames import Subscriber
from service.rooms.presence_counts import PresenceCounts
from service.rooms.repository import LoadedRoom
from service.rooms.social.chat import Chat, in_room, may_read_line
from service.rooms.social.chat_views import ChatViews, encode_line
from service.rooms.social.lease import Timing
from service.rooms.social.tracker import PresenceTracker
from service.store.contract import StoreFull, StoreUnavailable
from service.store.side_channels import Line, ProcessId, Where, place_before_line, place_of_line
from service.streams.background import BackgroundTasks
from service.streams.errors import ServiceError


class Blocks(Protocol):
    """The blocks of all players, as far as this process has loaded them."""

    async def prepare(self, players: Collection[PlayerId]) -> None:
        """Load the blocks of some players. If the store fails, `hides` does not know them."""

    def is_ready(self, players: Collection[PlayerId]) -> bool:
        """Return whether the blocks of all of these players are loaded."""

    def hides(self, one: PlayerId, other: PlayerId) -> bool:
        """Return whether one of two players is known to have blocked the other."""


log = structlog.get_logger()

TIMING = Timing()

CLOCK_DIFFERENCE = 10_000
"""Milliseconds by which the store's clock may be behind this process's clock."""

CATCH_UP_PAGE = 200
"""How many lines are read per page after notifications were lost."""


class SocialFeeds:
    """Sends chat and presence to subscribers of rooms, the lobby's chat to its own, and both to views of the chat."""

    def __init__(
        self,
        processor: CommandProcessor,
        hub: FeedHub,
        process: ProcessId,
        blocks: Blocks,
        timing: Timing = TIMING,
        leaving: Callable[[], bool] = lambda: False,
    ) -> None:
        """`process` is a unique id; `leaving` returns whether the process is shutting down."""
        self._blocks = blocks
        self._waiting: dict[Where, deque[Line]] = {}
        """Lines that wait until nicknames, and the blocks of their possible receivers, are loaded."""
        self._repository, self._environment, self._hub = processor.repository, processor.environment, hub
        store = processor.repository.store
        self._side_channels = store.side_channels
        self.chat = Chat(store.side_channels, store.player_names)
        self.views = ChatViews(self._repository, self.chat, self)
        self.presence = PresenceTracker(processor, hub, process, timing, leaving)
        self.lobby = Lobby(store, self, self._environment.now)
        self._last_sent: dict[Where, str] = {}
        """The id of the last line that was sent, by place."""
        self._joined: Counter[Where] = Counter()
        """How often each place is followed."""
        self._joining: dict[Where, asyncio.Task[None]] = {}
        """What follows each of these places, or has."""
        self._background = BackgroundTasks("chat_not_sent")
        processor.engine.observers += [self.lobby.written, self.views.written]
        self.arrived = self.presence.arrived
        """Counts a new subscriber as present."""
        self.departed = self.presence.departed
        """Counts a subscriber as no longer present."""

    async def begin(self, live: LoadedRoom) -> None:
        """Start to follow the chat and the presence of a room."""
        await asyncio.shield(self.join(live.key))
        await self.presence.begin(live)

    async def end(self, live: LoadedRoom) -> None:
        """Stop following the chat and the presence of a room."""
        self.presence.end(live)
        await self.part(live.key)

    async def presence_of(self, live: LoadedRoom) -> PresenceCounts | None:
        """Return who is connected to a room; None if only the store knows it and is full."""
        try:
            return await self.presence.of(live)
        except StoreFull:
            return None

    async def begin_lobby(self) -> None:
        """Start to follow the chat of the lobby."""
        try:
            await asyncio.shield(self.join(None))
        except BaseException:
            await self.part(None)
            raise

    async def end_lobby(self) -> None:
        """Stop following the chat of the lobby."""
        await self.part(None)

    def join(self, where: Where) -> asyncio.Future[None]:
        """Follow a place once more. Once the result is there, no later line is missed; it may be `StoreUnavailable`."""
        self._joined[where] += 1
        joining = self._joining.get(where)
        if joining is None or (joining.done() and (joining.cancelled() or joining.exception())):
            self._last_sent[where] = f"{self._environment.now() - CLOCK_DIFFERENCE}-0"
            joining = self._joining[where] = asyncio.create_task(self._side_channels.subscribe(where, self))
        return joining

    async def part(self, where: Where) -> None:
        """Follow a place once less."""
        self._joined[where] -= 1
        if self._joined[where] <= 0:
            del self._joined[where]
            self._joining.pop(where, None)
            self._last_sent.pop(where, None)
            await self._side_channels.unsubscribe(where)

    def line_added(self, where: Where, line: Line) -> None:
        """Send a line once to every subscriber of this process that may read it."""
        last = self._last_sent.get(where)
        if last is None or place_of_line(line.id) <= place_of_line(last):
            return
        self._last_sent[where] = line.id
        if where in self._waiting:
            self._waiting[where].append(line)
        elif (
            self._has_table(where)
            and (said := self.chat.line_now(line))
            and self._blocks.is_ready(self._concerned(where, said))
        ):
            self._send(where, said)
        else:
            self._waiting[where] = deque([line])
            self._background.start(self._send_waiting(where))

    def _has_table(self, where: Where) -> bool:
        """Return whether this process knows who may read a place: it follows the room, or nobody follows its chat."""
        return where is None or not self.views.is_followed(where) or bool(self._hub.subscribers(where))

    def presence_changed(self, where: Where, process: ProcessId) -> None:
        """Handle that a process changed its share of a room's presence."""
        if where is not None:
            self.presence.presence_changed(where, process)

    def changes_missed(self, where: Where) -> None:
        """Read lines and presence whose notifications may have been missed."""
        self._background.start(self._catch_up(where))
        if where is not None:
            self.presence.presence_changed(where, None)

    def _concerned(self, where: Where, said: ChatLine) -> set[PlayerId]:
        """Return the players whose blocks decide who receives a line: its sender and the subscribers."""
        subscribers = self.lobby.subscribers if where is None else self._hub.subscribers(where)
        viewers = {subscriber.player for subscriber in subscribers if subscriber.player is not None}
        viewers |= self.views.players_at(where)
        return viewers | {said.player.id} if viewers else viewers

    async def _send_waiting(self, where: Where) -> None:
        """Send the waiting lines in order, each after what it needs was loaded."""
        waiting = self._waiting[where]
        try:
            while waiting:
                said = await self.chat.line_of(waiting[0])
                await self._blocks.prepare(self._concerned(where, said))
                await self._load_table(where)
                self._send(where, said)
                waiting.popleft()
        except StoreUnavailable as failure:  # as in `_catch_up`, which then reads the lines again
            log.warning("chat_not_read", error=str(failure))
            if where in self._last_sent:
                self._last_sent[where] = place_before_line(waiting[0].id)
        finally:
            del self._waiting[where]

    async def _load_table(self, where: Where) -> None:
        if where is not None and not self._has_table(where):
            try:
                await self._repository.current_room(where)
            except ServiceError as refused:  # the room is damaged: its lines are not sent, those of others are
                log.warning("chat_room_not_read", room=where.name, code=refused.problem.code)

    def _send(self, where: Where, said: ChatLine) -> None:
        if where is None:
            frame = encode_line(said)
            reached = self.views.send(None, None, said, frame)
            self.lobby.send(
                frame,
                lambda subscriber: subscriber.offer not in reached and not self.is_hidden(subscriber.player, said),
            )
        else:
            self._send_to_room(where, said)

    def _send_to_room(self, key: RoomKey, said: ChatLine) -> None:
        live = self._repository.followed(key)
        if live is not None:
            table = live.state.table
            line = in_room(said, table)
            frame = encode_line(line)
            reached = self.views.send(key, table, line, frame)

            def is_for(subscriber: Subscriber) -> bool:
                viewer = subscriber.player
                return (
                    may_read_line(table, viewer, line.audience)
                    and subscriber.offer not in reached
                    and not self.is_hidden(viewer, line)
                )

            self._hub.send(live, frame, is_for)

    def is_hidden(self, viewer: PlayerId | None, said: ChatLine) -> bool:
        """Return whether a block hides a line from a viewer, as far as the blocks are loaded."""
        return viewer is not None and self._blocks.hides(viewer, said.player.id)

    async def visible(self, viewer: PlayerId | None, lines: Sequence[ChatLine]) -> list[ChatLine]:
        """Return the lines of a chat without those of players whom the viewer has blocked, or who blocked them."""
        if viewer is not None and lines:
            await self._blocks.prepare({viewer, *(line.player.id for line in lines)})
        return [line for line in lines if not self.is_hidden(viewer, line)]

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
