"""The feeds of players: each subscriber gets the events since its version, or a snapshot, and then every new event."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

import msgspec
from msgspec.structs import replace

from service.domain.players.state import PlayerState
from service.domain.room.model.ids import PlayerId, Version
from service.domain.streams import Record, Stored, Summary
from service.people.players.frames import (
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
from service.rooms.views.joined_room import joined_room
from service.rooms.views.timestamps import rfc3339, wire_form
from service.store.contract import Trimmed
from service.store.player_names import PlayerNames, has_refs
from service.store.stream_keys import KindKey
from service.streams.loaded import LoadedStream
from service.streams.repository import StreamRepository
from service.streams.subscribers import Closable, Position, Subscribers

PAGE = 200
"""The maximum number of events in an update."""


def player_key(player: PlayerId) -> KindKey:
    """Return the key of a player's stream."""
    return KindKey("player", player)


class OwnSubscriber(Closable, Protocol):
    """A connection that follows the feed of its player."""

    @property
    def offer(self) -> Callable[[OutgoingFrame], None]:
        """Takes a frame for the subscriber; does not block."""


class PlayerFeeds:
    """The feeds of all players with subscribers in this process."""

    def __init__(self, repository: StreamRepository[PlayerState], mark_key: bytes, rooms: RoomService) -> None:
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
        await self._subscribers.add(player_key(player), subscriber, partial(self._begin, subscriber, since, mark))

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
            for page in pages(records):
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


def pages(records: Sequence[Record]) -> list[Sequence[Record]]:
    """Return events in pages."""
    return [records[at : at + PAGE] for at in range(0, len(records), PAGE)]


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
