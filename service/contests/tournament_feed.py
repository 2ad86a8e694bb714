"""The feeds of tournaments: the whole view first, then patches of it, at most two per second."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any, Protocol

import msgspec

from service.contests.tournament_views import (
    PairedTable,
    StandingView,
    TournamentView,
    names_in,
    standing_view,
    table_view,
)
from service.contests.tournament_views import tournament_view as view_of
from service.domain.ids import Version
from service.domain.streams import Stored
from service.domain.tournaments.decide import terms_in
from service.domain.tournaments.kind import listed_tournament
from service.domain.tournaments.model import TournamentId
from service.domain.tournaments.state import Table, Tournament
from service.rooms.feeds import frames
from service.rooms.feeds.frames import FrameReceiver, OutgoingFrame, ServerFrame
from service.rooms.views.patches import add_operations
from service.store.contract import NOT_BEGUN
from service.store.stream_keys import TOURNAMENTS, KindKey, StreamKey
from service.streams.loaded import LoadedStream
from service.streams.repository import StreamRepository
from service.streams.subscribers import Closable, Position, Subscribers

FEED = "@tournament/"
"""With an id, names a tournament's feed in place of a room in `OutgoingFrame`; no room can have this name."""

PAUSE = 0.5
"""How many seconds changes are collected, so that the end of a round with many tables sends few frames."""

LATEST_TABLES = 20
"""How many ended tables of an arena are shown; other formats show all tables of the latest round."""


class FollowedTournament(msgspec.Struct, frozen=True):
    """A tournament with its standings and tables."""

    tournament: TournamentView
    """The tournament."""
    standings: dict[str, StandingView]
    """By the players' ids."""
    tables: dict[str, PairedTable]
    """By their numbers: those of the latest round; in an arena, the running and the latest ones."""
    byes: tuple[str, ...]
    """The ids of the players who have no match in this round."""


class TournamentSnapshot(ServerFrame, frozen=True):
    """The current tournament: sent after the subscription, and to a slow socket. It replaces everything before."""

    tournament: str
    """The id of the tournament."""
    version: Version
    """The version of the tournament."""
    view: msgspec.Raw
    """The tournament as everybody sees it."""


class TournamentUpdate(ServerFrame, frozen=True):
    """What has changed in a tournament."""

    tournament: str
    """The id of the tournament."""
    version: Version
    """The version of the tournament."""
    from_: Version = msgspec.field(name="from")
    """The version of the view that the patch changes: the latest view that was sent."""
    patch: msgspec.Raw
    """The JSON Patch (RFC 6902) that turns that view into the view at this version."""


TournamentFrame = TournamentSnapshot | TournamentUpdate


class TournamentSubscriber(Closable, FrameReceiver, Protocol):
    """A connection that follows a tournament."""


class ShownTournament:
    """The view of a tournament that its subscribers have."""

    def __init__(self) -> None:
        """Start without a view."""
        self.head = NOT_BEGUN
        self.view: dict[str, Any] = {}
        """As plain data."""
        self.lock = asyncio.Lock()
        """Held while a view is created and sent, so that frames keep their order."""
        self.is_waiting = False
        """Whether a change is waiting to be sent."""


class TournamentFeeds:
    """The feeds of all tournaments with subscribers in this process."""

    def __init__(self, repository: StreamRepository[Tournament]) -> None:
        self._names = repository.store.player_names
        self._shown: dict[StreamKey, ShownTournament] = {}
        self._subscribers = Subscribers[Tournament, TournamentSubscriber](
            repository, "tournament_feed_failed", self._shown.pop
        )
        repository.on_change = self._changed
        self.close = self._subscribers.close

    async def follow(self, tournament: TournamentId, subscriber: TournamentSubscriber) -> None:
        """Send a subscriber the tournament, and then every change. Raises `Rejected` (`no_such_tournament`)."""
        self._shown.setdefault(key_of(tournament), ShownTournament())
        await self._subscribers.add(key_of(tournament), subscriber, partial(self._send_snapshot, subscriber))

    def unfollow(self, tournament: TournamentId, subscriber: TournamentSubscriber) -> None:
        """End a subscription."""
        self._subscribers.remove(key_of(tournament), subscriber)

    def resync(self, tournament: TournamentId, subscriber: TournamentSubscriber) -> None:
        """Send a subscriber the whole view instead of the frames that it has not received yet."""
        self._subscribers.bring(key_of(tournament), subscriber, partial(self._send_snapshot, subscriber))

    async def _send_snapshot(
        self, subscriber: TournamentSubscriber, stream: LoadedStream[Tournament], position: Position
    ) -> None:
        terms_in(stream.state)
        if position.has_left:
            return
        shown = self._shown[stream.key]
        async with shown.lock:
            await self._send_change(shown, stream)
            if not position.has_left:
                view = msgspec.Raw(msgspec.json.encode(shown.view))
                frame = TournamentSnapshot(stream.key.id, shown.head.version, view)
                subscriber.offer(frame_of(stream.key.id, shown.head.version, frame))
                position.is_live = True

    def _changed(self, stream: LoadedStream[Tournament], _: Sequence[Stored]) -> None:
        shown = self._shown.get(stream.key)
        if shown is not None and not shown.is_waiting:
            shown.is_waiting = True
            self._subscribers.start(
                stream.key, dict(self._subscribers.of(stream.key)), partial(self._send_later, shown)
            )

    async def _send_later(self, shown: ShownTournament, stream: LoadedStream[Tournament]) -> None:
        await asyncio.sleep(PAUSE)
        shown.is_waiting = False
        async with shown.lock:
            await self._send_change(shown, stream)

    async def _send_change(self, shown: ShownTournament, stream: LoadedStream[Tournament]) -> None:
        """Send everybody what has changed since the latest frame. The caller holds the lock."""
        state, head, before = stream.state, stream.head, shown.head.version
        if head == shown.head:
            return
        view: dict[str, Any] = msgspec.to_builtins(await self.view(state, head.version))
        if self._shown.get(stream.key) is not shown:
            return  # everybody has left, and others may have come
        operations: list[bytes] = []
        add_operations(operations, b"", shown.view, view)
        shown.view, shown.head = view, head
        patch = msgspec.Raw(b"[" + b",".join(operations) + b"]")
        frame = frame_of(stream.key.id, head.version, TournamentUpdate(stream.key.id, head.version, before, patch))
        for subscriber, position in self._subscribers.of(stream.key).items():
            if position.is_live:
                subscriber.offer(frame)

    async def view(self, state: Tournament, version: Version) -> FollowedTournament:
        """Return a tournament with its standings and tables."""
        names = await names_in(self._names, state, state.entries)
        terms = terms_in(state)
        listed = listed_tournament(state, terms, version)
        return FollowedTournament(
            tournament=view_of(state, listed, names),
            standings={
                row.player: standing_view(terms.format, state.entries[row.player], row, names)
                for row in state.standings
            },
            tables={str(table.number): table_view(state, table, names) for table in shown_tables(state)},
            byes=state.byes,
        )


def key_of(tournament: TournamentId) -> KindKey:
    """Return the key of a tournament's stream."""
    return KindKey(TOURNAMENTS, tournament)


def shown_tables(state: Tournament) -> list[Table]:
    """Return the tables of the latest round; in an arena, the running and the latest ones."""
    if state.until is None:
        return [table for table in state.tables.values() if table.round == state.round]
    ended = [table for table in reversed(state.tables.values()) if table.has_ended][:LATEST_TABLES]
    return [*(state.tables[number] for number in state.running), *ended]


def frame_of(tournament: TournamentId, version: Version, frame: TournamentFrame) -> OutgoingFrame:
    """Return the encoded frame; a slow connection gets the whole view instead."""
    position = frames.Position(version, None, is_complete=True)
    return OutgoingFrame(msgspec.json.encode(frame), f"{FEED}{tournament}", position)
