"""The application's only entry to players' streams: deliveries by workers, and the feed of each player."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Literal, NamedTuple, Protocol

import msgspec
import structlog
from msgspec.structs import replace

from service.domain.challenges.model import Challenge
from service.domain.game import Event
from service.domain.ids import Millis, PlayerId, Version, rfc3339, wire_form
from service.domain.players.kind import PLAYERS, Delivered, PlayerState, deliver
from service.domain.room.model.notices import OperatorNotice
from service.domain.room.subjects.privacy import OPERATOR
from service.domain.streams import Change, Record, Stored, Summary
from service.rooms.feeds.frames import FrameReceiver, OutgoingFrame, ServerFrame
from service.rooms.feeds.frames import Position as FramePosition
from service.rooms.feeds.room_frames import history_mark
from service.rooms.service import RoomService
from service.rooms.views.event_view import Place
from service.rooms.views.lobby_entry import JoinedRoom, joined_room
from service.runtime import metrics
from service.runtime.timers import until_next
from service.store.contract import StoreFailed, Trimmed
from service.store.player_names import PlayerNames, has_refs
from service.store.stream_keys import KindKey
from service.streams.errors import ServiceError, unless_damaged
from service.streams.heartbeat import Heartbeat
from service.streams.loaded import LoadedStream
from service.streams.outboxes import Arrivals, changes_of
from service.streams.processor import StreamProcessor
from service.streams.repository import StreamRepository
from service.streams.subscribers import Closable, Position, Subscribers

FEED = "@me"
"""Names a player's own feed instead of a room in `OutgoingFrame`; no room can have this name."""

Reason = Literal["subscribed", "history_changed", "trimmed", "too_slow"]


class PlayerSubscribed(ServerFrame, frozen=True):
    """The subscription to the caller's own feed was accepted."""

    version: Version
    """The version of the feed."""
    mark: str
    recovered: bool
    """Whether the events after the client's version follow; otherwise a snapshot does."""


class PlayerSnapshot(ServerFrame, frozen=True):
    """The caller's rooms, and whether it is their turn there. It replaces everything before."""

    version: Version
    """The version of the feed."""
    mark: str
    reason: Reason
    """Why it is sent instead of the events."""
    rooms: tuple[JoinedRoom, ...]
    """The caller's rooms."""


class PlayerUpdate(ServerFrame, frozen=True):
    """New events of the caller's own feed."""

    version: Version
    """The version of the last event."""
    mark: str
    events: msgspec.Raw


class PlayerCaughtUp(ServerFrame, frozen=True):
    """The client has everything up to this version; the frames after this one are live."""

    version: Version
    """The version of the feed."""


PlayerFrame = PlayerSubscribed | PlayerSnapshot | PlayerUpdate | PlayerCaughtUp


def encode_frame(frame: PlayerFrame) -> OutgoingFrame:
    """Return the encoded frame, with the position up to which it brings its receiver."""
    mark = None if isinstance(frame, PlayerCaughtUp) else frame.mark
    position = FramePosition(frame.version, mark, is_complete=not isinstance(frame, PlayerSubscribed))
    return OutgoingFrame(msgspec.json.encode(frame), FEED, position)


READ_FOR = Millis(600_000)
"""For how long after a player's feed was read their turns are stored."""

READ_AGAIN = 200.0
"""Seconds after which that time is extended while the feed is followed."""

READ_ROUND = 10.0
"""Seconds between looks for feeds for which it has to be extended."""

PAGE = 200
"""The maximum number of events in an update."""


def player_key(player: PlayerId) -> KindKey:
    """Return the key of a player's stream."""
    return KindKey("player", player)


class OwnSubscriber(Closable, FrameReceiver, Protocol):
    """A connection that follows the feed of its player."""


class PlayerFeeds:
    """The feeds of all players with subscribers in this process."""

    def __init__(self, repository: StreamRepository[PlayerState], mark_key: bytes, rooms: RoomService) -> None:
        self._read_again: dict[PlayerId, float] = {}
        """When it has to be recorded again that a followed feed is read, by the event loop's clock."""
        self._reader = repository.reader
        self._names = repository.store.player_names
        self._mark_key = mark_key
        self._rooms = rooms
        self._subscribers = Subscribers[PlayerState, OwnSubscriber](repository, "player_feed_failed")
        repository.on_change = self._changed

    async def follow(
        self, player: PlayerId, subscriber: OwnSubscriber, since: Version | None, mark: str | None
    ) -> None:
        """Bring a subscriber up to date, and keep it up to date. Ends with `player_caught_up`.

        With `since` it gets the events after that version, if they are stored and `mark`, if given, matches the
        history there; otherwise a snapshot. Raises `ServiceError` (`history_damaged`, `newer_events`).
        """
        is_read = await self.read_turns(player)
        self._read_again[player] = asyncio.get_running_loop().time() + (READ_AGAIN if is_read else 0)
        await self._subscribers.add(player_key(player), subscriber, partial(self._begin, subscriber, since, mark))

    async def read_turns(self, player: PlayerId) -> bool:
        """Have the player's turns stored from now on, and those that wait; return whether the store permits that."""
        try:
            await self._rooms.read_turns(player, Millis(self._rooms.now() + READ_FOR))
        except (StoreFailed, ServiceError) as failure:
            log.warning("turns_not_read", player=player, error=str(failure))
            return False
        return True

    async def keep_reading(self) -> None:
        """Have the turns of all players stored who follow their feeds here, until cancelled."""
        while True:
            await asyncio.sleep(until_next(READ_ROUND))
            now = asyncio.get_running_loop().time()
            for player in [player for player, at in self._read_again.items() if at <= now]:
                if not self._subscribers.of(player_key(player)):
                    del self._read_again[player]
                elif await self.read_turns(player):
                    self._read_again[player] = now + READ_AGAIN

    async def _begin(
        self,
        subscriber: OwnSubscriber,
        since: Version | None,
        mark: str | None,
        stream: LoadedStream[PlayerState],
        position: Position,
    ) -> None:
        refused = await self._refused(stream, since, mark)
        is_recovered = since is not None and refused is None
        subscriber.offer(self._subscribed(stream, recovered=is_recovered))
        if since is not None and refused is None:
            position.version = since
            await self._catch_up(subscriber, stream, position)
        else:
            await self._start_over(subscriber, refused or "subscribed", stream, position)

    def unfollow(self, player: PlayerId, subscriber: OwnSubscriber) -> None:
        """End a subscription."""
        self._subscribers.remove(player_key(player), subscriber)

    def resync(self, player: PlayerId, subscriber: OwnSubscriber, reason: Reason = "too_slow") -> None:
        """Send a subscriber a snapshot instead of the frames that it has not received yet."""
        self._subscribers.bring(player_key(player), subscriber, partial(self._start_over, subscriber, reason))

    async def _refused(
        self, stream: LoadedStream[PlayerState], since: Version | None, mark: str | None
    ) -> Reason | None:
        """Return why a subscriber cannot resume after a version; None if it can, or does not want to."""
        if since is None:
            return None
        if since > stream.head.version:
            return "history_changed"
        try:
            digest = (await self._reader.head_at(stream, since)).digest
        except Trimmed:
            return "trimmed"
        return "history_changed" if mark is not None and mark != history_mark(self._mark_key, digest) else None

    async def _start_over(
        self, subscriber: OwnSubscriber, reason: Reason, stream: LoadedStream[PlayerState], position: Position
    ) -> None:
        """Send a snapshot, and what has arrived since."""
        position.is_outdated = False
        version, mark = stream.head.version, self._mark(stream.head.digest)
        me = stream.state.id
        rooms = tuple([joined_room(room, me) for room in await self._rooms.rooms_of(me)])
        position.version = version
        offer(subscriber, position, encode_frame(PlayerSnapshot(version, mark, reason, rooms)))
        await self._catch_up(subscriber, stream, position)

    async def _catch_up(self, subscriber: OwnSubscriber, stream: LoadedStream[PlayerState], position: Position) -> None:
        """Send what has arrived meanwhile; there is no `await` after the last page, so that nothing is missed."""
        while position.version < stream.head.version and not position.is_outdated:
            try:
                records = await name_records(self._names, await self._reader.records(stream, position.version))
            except Trimmed:
                await self._start_over(subscriber, "trimmed", stream, position)
                return
            for start in range(0, len(records), PAGE):
                page = records[start : start + PAGE]
                last = page[-1].version
                frame = update_frame(page, self._mark((await self._reader.head_at(stream, last)).digest))
                offer(subscriber, position, frame)
                position.version = last
        if position.is_outdated:
            await self._start_over(subscriber, "history_changed", stream, position)
            return
        position.is_live = True
        offer(subscriber, position, encode_frame(PlayerCaughtUp(position.version)))

    def _changed(self, stream: LoadedStream[PlayerState], history: Sequence[Stored]) -> None:
        """Send new events to all subscribers; without events, the history was replaced, and they get a snapshot."""
        subscribers = self._subscribers.of(stream.key)
        if not subscribers:
            return
        records = [stored.recorded for stored in history]
        is_news = any(is_shown(record) for record in records)
        frame = update_frame(records, self._mark(stream.head.digest)) if is_news else None
        for subscriber, position in list(subscribers.items()):
            if not position.is_live:
                position.is_outdated = position.is_outdated or not records
                continue
            if not records:
                self.resync(stream.state.id, subscriber, "history_changed")
            elif frame is not None and has_refs(frame.json):
                self._subscribers.bring(stream.key, subscriber, partial(self._catch_up, subscriber))
                continue
            elif frame is not None:
                subscriber.offer(frame)
            position.version = stream.head.version

    def _subscribed(self, stream: LoadedStream[PlayerState], *, recovered: bool) -> OutgoingFrame:
        return encode_frame(PlayerSubscribed(stream.head.version, self._mark(stream.head.digest), recovered))

    def _mark(self, digest: bytes) -> str:
        return history_mark(self._mark_key, digest)


def offer(subscriber: OwnSubscriber, position: Position, frame: OutgoingFrame) -> None:
    """Send a frame to a subscriber unless it has left."""
    if not position.has_left:
        subscriber.offer(frame)


async def name_records(names: PlayerNames, records: Sequence[Record]) -> list[Record]:
    """Return events with the nicknames to which they refer."""
    return [replace(record, event=await names.named(record.event)) for record in records]


def update_frame(records: Sequence[Record], mark: str) -> OutgoingFrame:
    """Return the frame of some events, with the mark of the last event."""
    return encode_frame(PlayerUpdate(records[-1].version, mark, msgspec.Raw(records_json(records))))


def is_shown(record: Record) -> bool:
    """Return whether clients see an event; summaries are internal."""
    return not isinstance(record.event, Summary)


def record_json(record: Record) -> bytes:
    """Return an event in its wire form."""
    place = Place(record.version, rfc3339(record.time))
    return msgspec.json.encode(place)[:-1] + b"," + msgspec.json.encode(wire_form(record.event))[1:]


def records_json(records: Sequence[Record]) -> bytes:
    """Return a list of events in their wire form, without summaries."""
    return b"[" + b",".join([record_json(record) for record in records if is_shown(record)]) + b"]"


log = structlog.get_logger()

DELIVERED: "msgspec.json.Decoder[Event]" = msgspec.json.Decoder(Delivered | OperatorNotice)

Deliveries = Mapping[PlayerId, list[Change]]
"""The events that are delivered to each player, in order."""

Address = Callable[[Deliveries], Awaitable[Deliveries]]
"""Takes the contents of an outbox and returns what is delivered: to players the same, to the operator a selection."""


async def to_players(deliveries: Deliveries) -> Deliveries:
    """Return what is delivered if nothing is sent to the operator."""
    return {player: changes for player, changes in deliveries.items() if player != OPERATOR}


class Page(NamedTuple):
    """A page of a player's events."""

    version: Version
    """The version of the stream."""
    records: list[Record]
    next: Version | None
    """The version after which the next page begins; None at the end."""


class PlayerService:
    """The players of a store, as one process serves them."""

    def __init__(
        self,
        heartbeat: Heartbeat,
        now: Callable[[], Millis],
        mark_key: bytes,
        rooms: RoomService,
        size: int = 10_000,
        address: Address = to_players,
    ) -> None:
        """Keep up to `size` players in memory, up to date. All processes of the store have the same `mark_key`.

        `address` decides what is delivered when an outbox is drained.
        """
        self._address = address
        self._store = heartbeat.store
        self._repository: StreamRepository[PlayerState] = StreamRepository(self._store, PLAYERS, size, heartbeat)
        self._processor = StreamProcessor(self._repository, now)
        self._reader = self._repository.reader
        self._feeds = PlayerFeeds(self._repository, mark_key, rooms)
        self.resync = self._feeds.resync
        """Sends a subscriber a snapshot instead of the frames that it has not received yet."""
        self.follow = self._feeds.follow
        """Brings a subscriber up to date with a player's stream, and keeps it so; see `PlayerFeeds.follow`."""
        self.keep_reading = self._feeds.keep_reading
        """Has the turns of those stored who follow their feeds in this process."""
        self.read_turns = rooms.read_turns
        """Has the turns of a player stored until a time, and those that wait; see `CommandProcessor.read_turns`."""
        self.unfollow = self._feeds.unfollow
        """Ends a subscription."""
        self.proceed = self._processor.proceed
        """Deletes a player's events that are too old."""
        self.close = self._processor.close

    async def page(self, player: PlayerId, after: Version | None, limit: int) -> Page:
        """Return up to `limit` events of a player after a version, by default the oldest ones.

        Raises `ServiceError` (`trimmed`).
        """
        stream = await self._repository.current(player_key(player))
        if after is None:
            after = Version(0) if stream.first == 1 else stream.first
        try:
            records = await self._reader.records(stream, after) if after < stream.head.version else []
        except Trimmed:
            raise ServiceError("trimmed") from None
        shown = [record for record in records if is_shown(record)]
        page = await name_records(self._store.player_names, shown[:limit])
        return Page(stream.head.version, page, page[-1].version if len(shown) > limit else None)

    async def read_page(self, player: PlayerId, after: Version | None, limit: int) -> Page:
        """Return a page for the player, whose turns are stored from now on; otherwise like `page`."""
        await self._feeds.read_turns(player)
        return await self.page(player, after, limit)

    async def version(self, player: PlayerId) -> Version:
        """Return the version of a player's stream."""
        return (await self._repository.current(player_key(player))).head.version

    async def event(self, player: PlayerId, version: Version) -> Record | None:
        """Return an event of a player; None if this version is not an event, or is no longer stored."""
        try:
            found = (await self.page(player, Version(version - 1), 1)).records if version > 0 else []
        except ServiceError as refused:
            if refused.problem.code != "trimmed":
                raise
            return None
        return found[0] if found and found[0].version == version else None

    async def challenges_of(self, player: PlayerId) -> list[Challenge]:
        """Return the open challenges in which a player takes part, the oldest first."""
        found = (await self._repository.current(player_key(player))).state.challenges.values()
        return [await self._store.player_names.named(challenge) for challenge in found]

    async def can_be_asked(self, player: PlayerId, *, by_stranger: bool) -> bool:
        """Return whether a player can receive one more challenge, of a stranger or of somebody whom they have met."""
        state = (await self._repository.current(player_key(player))).state
        return state.can_be_asked(by_stranger=by_stranger)

    # Serve as a worker

    async def receive(self, arrivals: Arrivals) -> None:
        """Append what an outbox delivers to the players' streams, except those of erased players.

        Raises `StoreUnavailable`, and `ServiceError` (`newer_events`) for an event that only a newer release knows.
        """
        arrived = {PlayerId(player): changes_of(events, DELIVERED) for player, events in arrivals.items()}
        by_player = await self._address(arrived)
        erased = self._store.player_names.erased
        to_deliver = ((player, changes) for player, changes in by_player.items() if player not in erased)
        await asyncio.gather(*(self._deliver(player, changes) for player, changes in to_deliver))

    async def _deliver(self, player: PlayerId, changes: Sequence[Change]) -> None:
        delivering = self._processor.execute(player_key(player), lambda state, _: deliver(state, changes))
        if (delivered := await unless_damaged(delivering)) is None:
            log.error("delivery_dropped", player=player, events=len(changes))
            metrics.DELIVERIES.labels("dropped").inc(len(changes))
        else:
            metrics.DELIVERIES.labels("delivered").inc(len(delivered))

    async def discard(self, player: PlayerId) -> None:
        """Delete all events of a player's own feed."""
        await self._processor.discard(player_key(player))
