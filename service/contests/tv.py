"""TV in one process: its channels are computed once, regardless of the number of subscribers.

A channel shows the best match until it has ended.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Protocol

import msgspec
import structlog
from msgspec.structs import replace

from service.contests.rating_service import RatingService
from service.domain.catalog import GAMES
from service.domain.ids import Epoch, Millis, PlayerId, rfc3339
from service.domain.ratings.decide import NEWCOMER
from service.domain.ratings.model import list_id
from service.domain.room.model.clock import Days, time_class
from service.rooms.feeds.frames import FrameReceiver, OutgoingFrame, ServerFrame
from service.rooms.match_entries import name_match
from service.rooms.match_index import stored_match
from service.rooms.views.lobby_entry import LISTED_FOR, LobbyEntry
from service.store.contract import Store, StoreUnavailable
from service.store.player_names import ERASED
from service.streams.errors import ServiceError

BEST = "best"
"""The channel for all games."""

ENDED_FOR = Millis(8000)
"""How long a channel keeps a match that has ended, so that its end is seen."""


class TvSeat(msgspec.Struct, frozen=True):
    """A seat of the match on TV, as it was when the channels first saw the match; an erased player is not named."""

    seat: int
    player: PlayerId | None
    """The id of the player; null for an empty seat."""
    nickname: str | None
    """The player's nickname; null for an empty seat."""
    bot: bool
    """Whether it is a bot of the service, or was declared a bot."""
    rating: int | None
    """The player's rating for the clock of the match, in points; null without rated matches."""


class TvMatch(msgspec.Struct, frozen=True):
    """A match on TV. Its frames are those of its room: subscribe to it."""

    match_id: str
    """The id of the match."""
    room: str
    epoch: Epoch
    number: int
    """The number of the match in its room."""
    game: str
    rated: bool
    """Whether the match is rated."""
    started: str
    """When it began."""
    seats: tuple[TvSeat, ...]
    """The seats, in turn order."""

    @property
    def strength(self) -> float:
        """The mean rating of the players; a player without one counts as a newcomer."""
        known = [NEWCOMER.value / 100 if each.rating is None else each.rating for each in self.seats]
        return sum(known) / len(known)


def without_names_of(players: Collection[PlayerId], match: TvMatch) -> TvMatch:
    """Return a match that does not name these players, who were erased."""
    if not any(each.player in players and each.nickname != ERASED for each in match.seats):
        return match
    seats = (replace(each, nickname=ERASED) if each.player in players else each for each in match.seats)
    return replace(match, seats=tuple(seats))


class Shown(msgspec.Struct, frozen=True):
    """What a channel shows."""

    match: TvMatch | None = None
    until: Millis | None = None
    """When the channel leaves a match that has ended; None while it is played."""


def best_of(running: Iterable[TvMatch]) -> TvMatch | None:
    """Return the match to show: rated ones first, then by the highest mean rating, then by the earliest start."""
    best_first = sorted(running, key=lambda match: (not match.rated, -match.strength, match.started, match.match_id))
    return next(iter(best_first), None)


def next_shown(
    shown: Shown, running: Mapping[str, TvMatch], listed: Collection[tuple[str, Epoch]], now: Millis
) -> Shown:
    """Return what a channel shows now: the same match while it is played and a little longer, then the best one.

    `running` has the matches that everybody may watch, by id, and `listed` the rooms in which they could be: a channel
    leaves a room at once if it was closed or no longer admits spectators, and leaves an unrated match when a rated one
    is played.
    """
    match, best = shown.match, best_of(running.values())
    if match is not None:
        if match.match_id in running:
            return Shown(best if best is not None and best.rated and not match.rated else match)
        until = Millis(now + ENDED_FOR) if shown.until is None else shown.until
        if (match.room, match.epoch) in listed and now < until:
            return Shown(match, until)
    return Shown(best)


class TvFrame(ServerFrame, frozen=True, tag="tv"):
    """What a channel shows: sent after subscribing, and whenever it changes. Subscribe to the room to see the match."""

    tv: str
    """The channel: a game's slug, or `best`."""
    match: TvMatch | None
    """The match; null while none can be shown."""


log = structlog.get_logger()

CHANNELS = (BEST, *GAMES)

LEARNED_AT_ONCE = 200
"""How many matches a look at the lobby adds to those that are compared: rated ones first, then those of new rooms."""

INTERVAL = 1.0
"""Seconds between two looks at the lobby while a channel is followed."""


class RunningMatches(Protocol):
    """The lobby, as far as TV needs it."""

    async def watchable(self) -> list[LobbyEntry]:
        """Return the rooms whose matches everybody may watch, newest room first. Raises `StoreUnavailable`."""


class TvSubscriber(FrameReceiver, Protocol):
    """A subscriber of a channel."""

    channel: str


class TvService:
    """The channels of a process."""

    def __init__(self, store: Store, lobby: RunningMatches, ratings: RatingService, now: Callable[[], Millis]) -> None:
        """Show what the lobby lists; `now` returns the service's time."""
        self._store = store
        self._lobby = lobby
        self._ratings = ratings
        self._now = now
        self._known: dict[str, TvMatch] = {}
        """The running matches by id."""
        self._channels = dict.fromkeys(CHANNELS, Shown())
        self._subscribers: dict[TvSubscriber, TvMatch | None] = {}
        """The subscribers that have a frame, and the match in their latest one."""
        self._looked = Millis(-1000)
        self._lock = asyncio.Lock()
        self._showing: asyncio.Task[None] | None = None

    async def channels(self) -> dict[str, TvMatch | None]:
        """Return what each channel shows, at most a second old. Raises `StoreUnavailable`."""
        await self._look()
        return {channel: shown.match for channel, shown in self._channels.items()}

    async def follow(self, subscriber: TvSubscriber) -> None:
        """Send a subscriber what its channel shows, then whenever that changes. Raises `StoreUnavailable`."""
        await self._look()
        self._send([subscriber])
        if self._showing is None:
            self._showing = asyncio.create_task(self._show())

    def unfollow(self, subscriber: TvSubscriber) -> None:
        """Remove a subscriber."""
        self._subscribers.pop(subscriber, None)

    async def close(self) -> None:
        """Stop looking at the lobby."""
        self._subscribers.clear()
        if self._showing is not None:
            self._showing.cancel()
            await asyncio.gather(self._showing, return_exceptions=True)

    async def _show(self) -> None:
        """Keep the channels up to date as long as they have subscribers."""
        while self._subscribers:
            await asyncio.sleep(INTERVAL)
            try:
                await self._look()
            except (StoreUnavailable, ServiceError) as failure:
                log.warning("tv_not_read", error=str(failure))
                continue
            except Exception:  # the edge of a task: TV goes on when the fault is gone
                log.exception("tv_not_read")
                continue
            self._send(self._subscribers)
        self._showing = None

    def _send(self, subscribers: Iterable[TvSubscriber]) -> None:
        """Send each of these subscribers what its channel shows, unless it already has that."""
        encoded: dict[str, OutgoingFrame] = {}
        for subscriber in tuple(subscribers):
            channel, match = subscriber.channel, self._channels[subscriber.channel].match
            if subscriber in self._subscribers and self._subscribers[subscriber] == match:
                continue
            if channel not in encoded:
                encoded[channel] = OutgoingFrame(msgspec.json.encode(TvFrame(channel, match)))
            self._subscribers[subscriber] = match
            subscriber.offer(encoded[channel])

    async def _look(self) -> None:
        """Look at the lobby, unless that was done within the last second."""
        async with self._lock:
            if self._now() - self._looked < INTERVAL * 1000:
                return
            rooms, now = await self._lobby.watchable(), self._now()
            played = sorted((entry for entry in rooms if is_shown(entry, now)), key=lambda entry: not entry.rated)
            new = [entry for entry in played if id_of(entry) not in self._known]
            for match in await asyncio.gather(*(self._read(entry) for entry in new[:LEARNED_AT_ONCE])):
                if match is not None:
                    self._known[match.match_id] = match
            running = {id_of(entry) for entry in played}
            self._known = {name: match for name, match in self._known.items() if name in running}
            listed = {(entry.room, entry.epoch) for entry in rooms}
            for channel, shown in self._channels.items():
                matches = {name: match for name, match in self._known.items() if channel in {BEST, match.game}}
                self._channels[channel] = next_shown(shown, matches, listed, now)
            self._forget_names()
            self._looked = now

    def _forget_names(self) -> None:
        """Do not name players who were erased since their match was seen first."""
        erased = self._store.player_names.erased
        if not erased:
            return
        self._known = {name: without_names_of(erased, match) for name, match in self._known.items()}
        for channel, shown in self._channels.items():
            if shown.match is not None:
                self._channels[channel] = Shown(without_names_of(erased, shown.match), shown.until)

    async def _read(self, entry: LobbyEntry) -> TvMatch | None:
        """Return the running match of a room; None if its index has none, or it is damaged there."""
        number = entry.match or 0
        stored = await stored_match(self._store, id_of(entry))
        if stored is None:
            return None
        found = await name_match(self._store.player_names, stored)
        ratings = await asyncio.gather(*(self._rating(player, entry) for player in found.players))
        seats = enumerate(zip(found.players, found.nicknames, ratings, strict=True))
        return TvMatch(
            found.id,
            entry.room,
            entry.epoch,
            number,
            entry.game,
            entry.rated,
            rfc3339(found.started),
            tuple(TvSeat(seat, player, name, found.has_bot(seat), rating) for seat, (player, name, rating) in seats),
        )

    async def _rating(self, player: PlayerId | None, entry: LobbyEntry) -> int | None:
        """Return a player's rating for the clock of a room, in points; None without rated matches."""
        rating_class = time_class(entry.clock)
        if player is None or rating_class is None:
            return None
        standing = await self._ratings.standing(list_id(entry.game, rating_class), player)
        return None if standing is None else round(standing.row.value / 100)


def id_of(entry: LobbyEntry) -> str:
    """Return the id of the running match of a room."""
    return f"{entry.room}.{entry.epoch}.{entry.match}"


def is_shown(entry: LobbyEntry, now: Millis) -> bool:
    """Return whether TV can show the match of a room.

    Matches with days for each move are left out, because nothing happens in them while somebody watches, and so are
    matches without a clock that everybody has left.
    """
    if entry.match is None or not entry.is_live or isinstance(entry.clock, Days):
        return False
    if entry.clock.runs or entry.abandoned_at is None:
        return True
    return entry.abandoned_at > rfc3339(Millis(now - LISTED_FOR))
