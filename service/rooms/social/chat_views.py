"""Views of the chat: the lines of the lobby and of a player's rooms, or of one of them, in one order."""

import asyncio
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

import msgspec
import structlog

from service.domain.ids import PlayerId, RoomKey
from service.domain.room.model.state import Table
from service.rooms.access.policy import is_member, reading_refusal
from service.rooms.feeds.frames import (
    ALL,
    CHAT,
    ChatLine,
    ChatSnapshot,
    FrameReceiver,
    Offer,
    OutgoingFrame,
    encode_frame,
)
from service.rooms.feeds.frames import Chat as ChatFrame
from service.rooms.repository import LoadedRoom, RoomRepository
from service.rooms.social.chat import Chat, ChatPage, in_room, may_read_line
from service.store.contract import Batch, StoreUnavailable
from service.store.side_channels import Where, place_of_line
from service.streams.background import BackgroundTasks

log = structlog.get_logger()

MOST_ROOMS = 50
"""How many of a player's rooms, the newest ones, are part of the view `all`."""

PAGE = 50
"""How many lines a snapshot has, and how many new ones can wait for it."""

BATCH = 200
"""How many subscribers get a line before the event loop gets a turn."""

PAUSE_AFTER_FAILURE = 1.0


class ChatSubscriber(FrameReceiver, Protocol):
    """A connection that follows a view of the chat."""

    view: str
    live: LoadedRoom | None
    """The room of a view of one room."""
    player: PlayerId | None


class ChatSource(Protocol):
    """Calls `ChatViews.send` with the new lines of the places that are followed."""

    def join(self, where: Where) -> asyncio.Future[None]:
        """Follow a place once more. Once the result is there, no later line is missed."""

    async def part(self, where: Where) -> None:
        """Follow a place once less."""

    async def visible(self, viewer: PlayerId | None, lines: Sequence[ChatLine]) -> list[ChatLine]:
        """Return the lines that no block hides from the viewer."""

    def is_hidden(self, viewer: PlayerId | None, line: ChatLine) -> bool:
        """Return whether a block hides a line from the viewer, whose blocks are loaded."""


class Following(msgspec.Struct, eq=False):
    """What a subscriber has."""

    places: set[Where] = msgspec.field(default_factory=set)
    entered: list[RoomKey] = msgspec.field(default_factory=list)
    """The rooms that its player had entered when the view was last read."""
    held: deque[tuple[ChatLine, OutgoingFrame]] | None = None
    """The lines that arrive while a snapshot is being read; None if none is."""
    is_outdated: bool = False
    """Whether another snapshot has to follow."""


class ChatViews:
    """The views of one process."""

    def __init__(self, repository: RoomRepository, chat: Chat, source: ChatSource) -> None:
        """Start without subscribers; `source` reports new lines."""
        self._repository = repository
        self._chat = chat
        self._source = source
        self._subscribers: dict[ChatSubscriber, Following] = {}
        self._at: dict[Where, dict[ChatSubscriber, Following]] = {}
        """The subscribers by place."""
        self._of_player: dict[PlayerId, set[ChatSubscriber]] = {}
        """The subscribers of the view `all`, by player."""
        self._background = BackgroundTasks("chat_view_not_sent")

    # Pages

    async def places(self, view: str, live: LoadedRoom | None, player: PlayerId | None) -> list[LoadedRoom | None]:
        """Return the places of a view, whose room is given if it has one: the lobby, which is None, before rooms."""
        if view != ALL:
            return [live]
        return [None, *await self._repository.open_rooms(await self._entered(player), player)]

    async def page(
        self,
        places: Sequence[LoadedRoom | None],
        viewer: PlayerId | None,
        limit: int,
        *,
        before: str | None = None,
        after: str | None = None,
    ) -> ChatPage:
        """Return about `limit` lines of some places that the viewer may read: the latest, or those next to a line.

        Lines are ordered by time and id. Lines with the same id are never on different pages.
        """
        pages = [self._page(live, viewer, limit, before, after) for live in places]
        return merge(await asyncio.gather(*pages), limit, forward=after is not None)

    async def _page(
        self, live: LoadedRoom | None, viewer: PlayerId | None, limit: int, before: str | None, after: str | None
    ) -> ChatPage:
        where = None if live is None else live.key
        lines, more = await self._chat.page(where, limit, before=before, after=after)
        if live is not None:
            table = live.state.table
            lines = [in_room(line, table) for line in lines if may_read_line(table, viewer, line.audience)]
        return ChatPage(tuple(await self._source.visible(viewer, lines)), more)

    async def _entered(self, player: PlayerId | None) -> list[RoomKey]:
        """Return the newest rooms that a player has entered, oldest first."""
        return [] if player is None else (await self._repository.store.rooms_of(player))[-MOST_ROOMS:]

    # Follow

    async def follow(self, subscriber: ChatSubscriber) -> None:
        """Send a subscriber the latest lines of its view, then every new line that it may read."""
        following = self._subscribers[subscriber] = Following()
        if subscriber.view == ALL and subscriber.player is not None:
            self._of_player.setdefault(subscriber.player, set()).add(subscriber)
        try:
            await self._bring(subscriber, following)
        except BaseException:
            self.unfollow(subscriber)
            raise

    def unfollow(self, subscriber: ChatSubscriber) -> None:
        """End the subscription of a subscriber, if it has one."""
        following = self._subscribers.pop(subscriber, None)
        for where in () if following is None else list(following.places):
            self._leave(subscriber, where)
        player = subscriber.player
        if player in self._of_player:
            self._of_player[player].discard(subscriber)
            if not self._of_player[player]:
                del self._of_player[player]

    def resync(self, subscriber: ChatSubscriber) -> None:
        """Send a subscriber the latest lines again."""
        following = self._subscribers.get(subscriber)
        if following is not None:
            following.is_outdated = True
            if following.held is None:
                following.held = deque(maxlen=PAGE)
                self._background.start(self._bring_again(subscriber, following))

    def written(self, key: RoomKey, _: Batch) -> None:
        """Add a room to the views of those who have just opened or entered it through this process."""
        if self._of_player:
            asyncio.get_running_loop().call_soon(self._add_room, key)  # a new room is cached after this

    def _add_room(self, key: RoomKey) -> None:
        live = self._repository.followed(key)
        for player in () if live is None else live.state.table.members:
            for subscriber in self._of_player.get(player, ()):
                if key not in self._subscribers[subscriber].places:
                    self.resync(subscriber)

    async def run(self, interval: float) -> None:
        """Add rooms that players have entered through other processes, every `interval` seconds, until cancelled."""
        while True:
            await asyncio.sleep(interval)
            for subscriber, following in list(self._subscribers.items()):
                try:
                    if subscriber.view == ALL and await self._entered(subscriber.player) != following.entered:
                        self.resync(subscriber)
                except StoreUnavailable as failure:
                    log.warning("chat_views_not_compared", error=str(failure))
                    break

    async def _bring_again(self, subscriber: ChatSubscriber, following: Following) -> None:
        while self._subscribers.get(subscriber) is following:
            try:
                await self._bring(subscriber, following)
            except StoreUnavailable as failure:
                log.warning("chat_view_not_sent", error=str(failure))
                await asyncio.sleep(PAUSE_AFTER_FAILURE)
            else:
                return

    async def _bring(self, subscriber: ChatSubscriber, following: Following) -> None:
        """Follow the places of the view as they are now, and send their latest lines, then those that came meanwhile.

        Lines that arrive after this has begun are held, so that the snapshot replaces none that it does not have.
        """
        following.held = following.held or deque(maxlen=PAGE)
        following.is_outdated = True
        page = ChatPage((), None)
        while following.is_outdated and self._subscribers.get(subscriber) is following:
            following.is_outdated = False
            places = await self._move(subscriber, following)
            page = await self.page(places, subscriber.player, PAGE)
        held, following.held = following.held, None
        if self._subscribers.get(subscriber) is following:
            snapshot = ChatSnapshot(subscriber.view, page.lines, page.next)
            subscriber.offer(encode_frame(snapshot, CHAT))
            known = {(line.room, line.id) for line in page.lines}
            for line, frame in held:
                if (line.room, line.id) not in known:
                    subscriber.offer(frame)

    async def _move(self, subscriber: ChatSubscriber, following: Following) -> Sequence[LoadedRoom | None]:
        """Follow the places of a view, no others, and return them."""
        live, player = subscriber.live, subscriber.player
        entered = await self._entered(player) if subscriber.view == ALL else []
        places = await self.places(subscriber.view, live, player)
        if live is not None:
            await self._repository.refresh(live)
            places = [] if reading_refusal(live.state.table, player) else [live]
        following.entered = entered
        wanted = {None if live is None else live.key for live in places}
        if self._subscribers.get(subscriber) is following:
            for where in following.places - wanted:
                self._leave(subscriber, where)
            added = {where: self._enter(subscriber, following, where) for where in wanted - following.places}
            try:
                await asyncio.gather(*map(asyncio.shield, added.values()))
            except BaseException:
                for where in following.places & added.keys():  # all of them, unless the subscriber has left
                    self._leave(subscriber, where)
                raise
        return places

    def _enter(self, subscriber: ChatSubscriber, following: Following, where: Where) -> asyncio.Future[None]:
        following.places.add(where)
        self._at.setdefault(where, {})[subscriber] = following
        return self._source.join(where)

    def _leave(self, subscriber: ChatSubscriber, where: Where) -> None:
        subscribers = self._at[where]
        subscribers.pop(subscriber).places.discard(where)
        if not subscribers:
            del self._at[where]
        self._background.start(self._source.part(where))

    # Send

    def is_followed(self, where: Where) -> bool:
        """Return whether a place has subscribers."""
        return where in self._at

    def players_at(self, where: Where) -> set[PlayerId]:
        """Return the players who follow a place."""
        return {subscriber.player for subscriber in self._at.get(where, ()) if subscriber.player is not None}

    def send(self, where: Where, table: Table | None, line: ChatLine, frame: OutgoingFrame) -> Collection[Offer]:
        """Send a new line to those who follow its place and may read it; return whom it has reached."""
        if where not in self._at:
            return ()
        own = OutgoingFrame(frame.json, CHAT)
        chosen = [
            (subscriber, following)
            for subscriber, following in self._at[where].items()
            if (table is None or may_follow_line(table, subscriber, line))
            and not self._source.is_hidden(subscriber.player, line)
        ]
        if len(chosen) <= BATCH:
            offer_line(chosen, line, own)
        else:
            self._background.start(self._send_in_batches(chosen, line, own))
        return {subscriber.offer for subscriber, _ in chosen}

    async def _send_in_batches(
        self, chosen: Sequence[tuple[ChatSubscriber, Following]], line: ChatLine, frame: OutgoingFrame
    ) -> None:
        for begin in range(0, len(chosen), BATCH):
            batch = chosen[begin : begin + BATCH]
            offer_line([each for each in batch if self._subscribers.get(each[0]) is each[1]], line, frame)
            await asyncio.sleep(0)


def offer_line(chosen: Iterable[tuple[ChatSubscriber, Following]], line: ChatLine, frame: OutgoingFrame) -> None:
    """Offer a line to subscribers, or hold it for those to whom a snapshot is about to be sent."""
    for subscriber, following in chosen:
        if following.held is None:
            subscriber.offer(frame)
        else:
            following.held.append((line, frame))


def may_follow_line(table: Table, subscriber: ChatSubscriber, line: ChatLine) -> bool:
    """Return whether a line of a room belongs to the view of a subscriber, who may read it."""
    may_read = (
        is_member(table, subscriber.player) if subscriber.view == ALL else not reading_refusal(table, subscriber.player)
    )
    return may_read and may_read_line(table, subscriber.player, line.audience)


def encode_line(line: ChatLine) -> OutgoingFrame:
    """Return the frame of a new line."""
    room = None if line.room is msgspec.UNSET else line.room
    return encode_frame(ChatFrame(line, room), room or "")


def merge(pages: Iterable[ChatPage], limit: int, *, forward: bool) -> ChatPage:
    """Return one page of the pages of several places: only lines next to which no place has any that were not read.

    `forward` if they begin after a line, and not before one.
    """
    pages, sign = list(pages), 1 if forward else -1

    def distance(line: str) -> tuple[int, int]:
        moment, number = place_of_line(line)
        return sign * moment, sign * number

    ends = [page.next for page in pages if page.next is not None]
    lines = sorted((line for page in pages for line in page.lines), key=lambda line: distance(line.id))
    if len(lines) > limit:
        ends.append(lines[limit - 1].id)
    end = min(ends, key=distance, default=None)
    chosen = [line for line in lines if end is None or distance(line.id) <= distance(end)]
    return ChatPage(tuple(sorted(chosen, key=lambda line: place_of_line(line.id))), end)
