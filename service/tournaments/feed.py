"""The feeds of tournaments: the whole view first, then patches of it, at most two per second."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import msgspec

from service.domain.room.model.ids import Version
from service.domain.streams import Record
from service.domain.tournaments.decide import terms_in
from service.domain.tournaments.kind import listed_tournament
from service.domain.tournaments.model import TournamentId
from service.domain.tournaments.state import Table, Tournament
from service.rooms.feeds.frames import OutgoingFrame, Position, ServerFrame
from service.rooms.views.patches import add_operations
from service.store.stream_keys import TOURNAMENTS, KindKey
from service.streams.background import BackgroundTasks
from service.streams.loaded import LoadedStream
from service.streams.repository import StreamRepository
from service.tournaments.views import PairedTable, StandingView, TournamentView, names_in, standing_view, table_view
from service.tournaments.views import tournament_view as view_of

FEED = "@tournament/"
"""With an id, names a tournament's feed in place of a room in `OutgoingFrame`; no room can have this name."""

PAUSE = 0.5
"""How many seconds changes are collected, so that the end of a round with many tables sends few frames."""

LATEST_TABLES = 20
"""How many ended tables of an arena are shown; other formats show all tables of the latest round."""


class FollowedTournament(msgspec.Struct, frozen=True):
    """A tournament with its standings and tables."""

    tournament: TournamentView
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
    view: msgspec.Raw


class TournamentUpdate(ServerFrame, frozen=True):
    """What has changed in a tournament."""

    tournament: str
    """The id of the tournament."""
    version: Version
    from_: Version = msgspec.field(name="from")
    """The version of the view that the patch changes: the latest view that was sent."""
    patch: msgspec.Raw
    """The JSON Patch (RFC 6902) that turns that view into the view at this version."""


TournamentFrame = TournamentSnapshot | TournamentUpdate


class TournamentSubscriber(Protocol):
    """A connection that follows a tournament."""

    @property
    def offer(self) -> Callable[[OutgoingFrame], None]:
        """Takes a frame for the subscriber; does not block."""


class Followed:
    """A tournament with subscribers, and the view that they have."""

    def __init__(self) -> None:
        """Start without subscribers."""
        self.subscribers: dict[TournamentSubscriber, None] = {}
        """The subscribers that have the latest view."""
        self.joining: dict[TournamentSubscriber, None] = {}
        """The subscribers that get the whole view next."""
        self.version = Version(0)
        self.view: dict[str, Any] = {}
        """The view that they have, as plain data."""
        self.lock = asyncio.Lock()
        """Held while a view is created and sent, so that frames keep their order."""
        self.is_waiting = False
        """Whether a change is waiting to be sent."""


class TournamentFeeds:
    """The feeds of all tournaments with subscribers in this process."""

    def __init__(self, repository: StreamRepository[Tournament]) -> None:
        """Take the streams of tournaments."""
        self._repository = repository
        self._names = repository.store.player_names
        self._followed: dict[KindKey, Followed] = {}
        self._background = BackgroundTasks("tournament_feed_failed")
        repository.on_change = self._changed

    async def follow(self, tournament: TournamentId, subscriber: TournamentSubscriber) -> None:
        """Send a subscriber the tournament, and then every change. Raises `Rejected` (`no_such_tournament`)."""
        key = key_of(tournament)
        followed = self._followed.setdefault(key, Followed())
        followed.joining[subscriber] = None
        try:
            stream = await self._repository.follow(key)
            terms_in(stream.state)
            await self._send_snapshot(stream, followed, subscriber)
        except BaseException:
            self.unfollow(tournament, subscriber)
            raise

    def unfollow(self, tournament: TournamentId, subscriber: TournamentSubscriber) -> None:
        """End a subscription."""
        key = key_of(tournament)
        followed = self._followed.get(key)
        if followed is None:
            return
        followed.subscribers.pop(subscriber, None)
        followed.joining.pop(subscriber, None)
        if not followed.subscribers and not followed.joining:
            del self._followed[key]
            self._repository.unfollow(key)

    def resync(self, tournament: TournamentId, subscriber: TournamentSubscriber) -> None:
        """Send a subscriber the whole view instead of the frames that it has not received yet."""
        key = key_of(tournament)
        followed = self._followed.get(key)
        if followed is not None and subscriber in followed.subscribers:
            del followed.subscribers[subscriber]
            followed.joining[subscriber] = None
            self._background.start(self._resync(key, followed, subscriber))

    async def _resync(self, key: KindKey, followed: Followed, subscriber: TournamentSubscriber) -> None:
        await self._send_snapshot(await self._repository.get(key), followed, subscriber)

    async def _send_snapshot(
        self, stream: LoadedStream[Tournament], followed: Followed, subscriber: TournamentSubscriber
    ) -> None:
        async with followed.lock:
            await self._send_change(stream, followed)
            if subscriber not in followed.joining:
                return  # it has left in the meantime
            del followed.joining[subscriber]
            view = msgspec.Raw(msgspec.json.encode(followed.view))
            frame = TournamentSnapshot(stream.key.id, followed.version, view)
            subscriber.offer(frame_of(stream.key.id, followed.version, frame))
            followed.subscribers[subscriber] = None

    def _changed(self, stream: LoadedStream[Tournament], _: Sequence[Record]) -> None:
        followed = self._followed.get(stream.key)
        if followed is not None and not followed.is_waiting:
            followed.is_waiting = True
            self._background.start(self._send_later(stream, followed))

    async def _send_later(self, stream: LoadedStream[Tournament], followed: Followed) -> None:
        await asyncio.sleep(PAUSE)
        followed.is_waiting = False
        async with followed.lock:
            await self._send_change(stream, followed)

    async def _send_change(self, stream: LoadedStream[Tournament], followed: Followed) -> None:
        """Send everybody what has changed since the latest frame. The caller holds the lock."""
        state, version = stream.state, stream.head.version
        if version == followed.version:
            return
        view: dict[str, Any] = msgspec.to_builtins(await self.view(state, version))
        operations: list[bytes] = []
        add_operations(operations, b"", followed.view, view)
        before, followed.view, followed.version = followed.version, view, version
        if followed.subscribers:
            patch = msgspec.Raw(b"[" + b",".join(operations) + b"]")
            frame = frame_of(stream.key.id, version, TournamentUpdate(stream.key.id, version, before, patch))
            for subscriber in followed.subscribers:
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

    async def close(self) -> None:
        """Finish all background work."""
        await self._background.close()


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
    position = Position(version, None, is_complete=True)
    return OutgoingFrame(msgspec.json.encode(frame), f"{FEED}{tournament}", position)
