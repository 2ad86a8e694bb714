"""The application's only entry to players' streams: deliveries by workers, and the feed of each player."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec
import structlog

from service.domain.challenges.model import Challenge
from service.domain.game import Event
from service.domain.players.events import Delivered
from service.domain.players.state import PLAYERS, PlayerState, deliver
from service.domain.room.model.ids import Millis, PlayerId, Version
from service.domain.room.model.notices import OperatorNotice
from service.domain.room.subjects.privacy import OPERATOR
from service.domain.streams import Change, Record
from service.people.players.feed import PlayerFeeds, is_shown, name_records, player_key
from service.rooms.service import RoomService
from service.runtime.telemetry import metrics
from service.store.contract import Trimmed
from service.streams.errors import ServiceError
from service.streams.heartbeat import Heartbeat
from service.streams.outboxes import Arrivals, changes_of
from service.streams.processor import StreamProcessor
from service.streams.repository import StreamRepository

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
        try:
            delivered = await self._processor.execute(player_key(player), lambda state, _: deliver(state, changes))
        except ServiceError as refused:
            if refused.problem.code != "history_damaged":
                raise
            log.error("delivery_dropped", player=player, events=len(changes))  # noqa: TRY400 - one line is enough
            metrics.DELIVERIES.labels("dropped").inc(len(changes))
        else:
            metrics.DELIVERIES.labels("delivered").inc(len(delivered))

    async def discard(self, player: PlayerId) -> None:
        """Delete all events of a player's own feed."""
        await self._processor.discard(player_key(player))
