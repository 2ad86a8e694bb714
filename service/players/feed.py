"""The feeds of players: each subscriber gets the events since its version, or a snapshot, and then every new event."""

from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec
from msgspec.structs import replace

from service.domain.players.state import PlayerState
from service.domain.room.model.ids import PlayerId, Version
from service.domain.streams import Record, Summary
from service.players.frames import (
    PlayerCaughtUp,
    PlayerSnapshot,
    PlayerSubscribed,
    PlayerUpdate,
    Reason,
    encode_frame,
)
from service.rooms.feeds.frames import OutgoingFrame
from service.rooms.feeds.room_frames import history_mark
from service.rooms.service import RoomService
from service.rooms.views.event_view import Place
from service.rooms.views.joined_room import joined_rooms
from service.rooms.views.timestamps import rfc3339
from service.store.contract import Trimmed
from service.store.player_names import PlayerNames, has_refs
from service.store.stream_keys import KindKey
from service.streams.background import BackgroundTasks
from service.streams.loaded import LoadedStream
from service.streams.reader import StreamReader
from service.streams.repository import StreamRepository

PAGE = 200
"""The maximum number of events in an update."""


def player_key(player: PlayerId) -> KindKey:
    """Return the key of a player's stream."""
    return KindKey("player", player)


class OwnSubscriber(Protocol):
    """A connection that follows the feed of its player."""

    @property
    def offer(self) -> Callable[[OutgoingFrame], None]:
        """Takes a frame for the subscriber; does not block."""


class Position(msgspec.Struct):
    """The position of a subscriber in its feed."""

    version: Version = Version(0)
    is_live: bool = False
    """Whether new events are sent to it as they arrive; before that, it is being brought up to date."""


class PlayerFeeds:
    """The feeds of all players with subscribers in this process."""

    def __init__(self, repository: StreamRepository[PlayerState], mark_key: bytes, rooms: RoomService) -> None:
        """Take the players' streams, the key of the marks, and what a snapshot contains."""
        self._repository = repository
        self._reader = StreamReader(repository)
        self._names = repository.store.player_names
        self._mark_key = mark_key
        self._rooms = rooms
        self._subscribers: dict[KindKey, dict[OwnSubscriber, Position]] = {}
        self._background = BackgroundTasks("player_feed_failed")
        repository.on_change = self._changed

    async def follow(
        self, player: PlayerId, subscriber: OwnSubscriber, since: Version | None, mark: str | None
    ) -> None:
        """Bring a subscriber up to date, and keep it up to date. Ends with `player_caught_up`.

        With `since` it gets the events after that version, if they are stored and `mark`, if given, matches the
        history there; otherwise a snapshot. Raises `ServiceError` (`history_damaged`, `newer_events`).
        """
        key, position = player_key(player), Position()
        self._subscribers.setdefault(key, {})[subscriber] = position
        try:
            stream = await self._repository.follow(key)
            refused = await self._refused(stream, since, mark)
            is_recovered = since is not None and refused is None
            subscriber.offer(self._subscribed(stream, recovered=is_recovered))
            if since is not None and refused is None:
                position.version = since
            else:
                await self._send_snapshot(stream, subscriber, position, refused or "subscribed")
            await self._catch_up(stream, subscriber, position)
        except BaseException:
            self.unfollow(player, subscriber)
            raise

    def unfollow(self, player: PlayerId, subscriber: OwnSubscriber) -> None:
        """End a subscription."""
        key = player_key(player)
        subscribers = self._subscribers.get(key, {})
        subscribers.pop(subscriber, None)
        if not subscribers and self._subscribers.pop(key, None) is not None:
            self._repository.unfollow(key)

    def resync(self, player: PlayerId, subscriber: OwnSubscriber, reason: Reason = "too_slow") -> None:
        """Send a subscriber a snapshot instead of the frames that it has not received yet."""
        position = self._subscribers.get(player_key(player), {}).get(subscriber)
        if position is not None and position.is_live:
            position.is_live = False
            self._background.start(self._resync(player_key(player), subscriber, position, reason))

    async def _resync(self, key: KindKey, subscriber: OwnSubscriber, position: Position, reason: Reason) -> None:
        stream = await self._repository.get(key)
        await self._send_snapshot(stream, subscriber, position, reason)
        await self._catch_up(stream, subscriber, position)

    async def _refused(
        self, stream: LoadedStream[PlayerState], since: Version | None, mark: str | None
    ) -> Reason | None:
        """Return why a subscriber cannot resume after a version; None if it can, or does not want to."""
        if since is None:
            return None
        if since > stream.head.version:
            return "history_changed"
        try:
            digest = await self._reader.digest_at(stream, since)
        except Trimmed:
            return "trimmed"
        return "history_changed" if mark is not None and mark != history_mark(self._mark_key, digest) else None

    async def _send_snapshot(
        self, stream: LoadedStream[PlayerState], subscriber: OwnSubscriber, position: Position, reason: Reason
    ) -> None:
        version, mark = stream.head.version, self._mark(stream.head.digest)
        me = stream.state.id
        rooms = joined_rooms(await self._rooms.rooms_of(me), me)
        position.version = version
        subscriber.offer(encode_frame(PlayerSnapshot(version, mark, reason, rooms)))

    async def _catch_up(self, stream: LoadedStream[PlayerState], subscriber: OwnSubscriber, position: Position) -> None:
        """Send what has arrived meanwhile; there is no `await` after the last page, so that nothing is missed."""
        while position.version < stream.head.version:
            records = await name_records(self._names, await self._reader.read(stream, position.version))
            for page in pages(records):
                last = page[-1].version
                subscriber.offer(update_frame(page, self._mark(await self._reader.digest_at(stream, last))))
                position.version = last
        position.is_live = True
        subscriber.offer(encode_frame(PlayerCaughtUp(position.version)))

    def _changed(self, stream: LoadedStream[PlayerState], records: Sequence[Record]) -> None:
        """Send new events to all subscribers; without events, the history was replaced, and they get a snapshot."""
        subscribers = self._subscribers.get(stream.key)
        if not subscribers:
            return
        is_news = any(is_shown(record) for record in records)
        frame = update_frame(records, self._mark(stream.head.digest)) if is_news else None
        for subscriber, position in list(subscribers.items()):
            if not position.is_live:
                continue
            if not records:
                self.resync(stream.state.id, subscriber, "history_changed")
            elif frame is not None and has_refs(frame.json):
                position.is_live = False
                self._background.start(self._catch_up(stream, subscriber, position))
                continue
            elif frame is not None:
                subscriber.offer(frame)
            position.version = stream.head.version

    def _subscribed(self, stream: LoadedStream[PlayerState], *, recovered: bool) -> OutgoingFrame:
        return encode_frame(PlayerSubscribed(stream.head.version, self._mark(stream.head.digest), recovered))

    def _mark(self, digest: bytes) -> str:
        return history_mark(self._mark_key, digest)


async def name_records(names: PlayerNames, records: Sequence[Record]) -> list[Record]:
    """Return events with the nicknames to which they refer."""
    return [replace(record, event=await names.named(record.event)) for record in records]


def update_frame(records: Sequence[Record], mark: str) -> OutgoingFrame:
    """Return the frame of some events, with the mark of the last event."""
    return encode_frame(PlayerUpdate(records[-1].version, mark, msgspec.Raw(records_json(records))))


def pages(records: Sequence[Record]) -> list[Sequence[Record]]:
    """Return events in pages."""
    return [records[at : at + PAGE] for at in range(0, len(records), PAGE)]


def is_shown(record: Record) -> bool:
    """Return whether clients see an event; summaries are internal."""
    return not isinstance(record.event, Summary)


def record_json(record: Record) -> bytes:
    """Return an event in its wire form."""
    place = Place(record.version, rfc3339(record.time))
    return msgspec.json.encode(place)[:-1] + b"," + msgspec.json.encode(record.event)[1:]


def records_json(records: Sequence[Record]) -> bytes:
    """Return a list of events in their wire form, without summaries."""
    return b"[" + b",".join([record_json(record) for record in records if is_shown(record)]) + b"]"
