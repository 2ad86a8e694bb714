"""Rooms in their wire form, as one viewer may see them."""

from functools import cache
from typing import Literal

import msgspec
from msgspec.structs import replace

from service.domain.catalog import GAMES
from service.domain.game import Move, Seat
from service.domain.room.known_state import has_secrets
from service.domain.room.model import clock
from service.domain.room.model.events import Result
from service.domain.room.model.ids import Millis, Version
from service.domain.room.model.state import Match, Room
from service.domain.room.subjects.matches import restart_at
from service.domain.room.subjects.offers import can_take_back
from service.rooms.presence_counts import PresenceCounts
from service.rooms.views.event_view import events_json
from service.rooms.views.offers import OfferView, offer_view
from service.rooms.views.table_view import TableView, table_json
from service.rooms.views.timestamps import rfc3339


class ClockView(msgspec.Struct, frozen=True):
    """The clocks of a match at `server_time`; those of the seats to move are running."""

    remaining: tuple[Millis, ...]
    """Milliseconds by seat."""
    deadline: str | None
    """When the next seat runs out of time if it does not move; null if no clock is running."""
    allowance_ms: Millis
    """Milliseconds after its deadline within which a move is still in time if it reaches the store."""
    server_time: str


class MatchView(msgspec.Struct, frozen=True):
    """The running match, or the latest one until the next one starts."""

    number: int
    id: str
    status: Literal["playing", "finished"]
    started: str
    ended: str | None
    state: msgspec.Raw
    """The game's own view, with the latest events as `last`."""
    to_move: tuple[Seat, ...]
    legal_moves: tuple[Move, ...]
    clock: ClockView | None
    """Null if time is not limited."""
    result: Result | None
    can_take_back: bool
    """Whether the viewer's seat has a turn for which it can request a takeback."""


class RoomView(TableView, frozen=True):
    """A room at one version, as one viewer may see it."""

    version: Version
    match: MatchView | None
    offers: tuple[OfferView, ...]
    restart_at: str | None
    server_time: str


NO_STATE = msgspec.Raw(b"null")
"""Replaced by the state as a viewer may know it."""


class Now(msgspec.Struct, frozen=True):
    """The fields that `RoomView` adds to `TableView`, which are encoded separately."""

    version: Version
    match: MatchView | None
    offers: tuple[OfferView, ...]
    restart_at: str | None
    server_time: str


class Views:
    """The views of a room at one version and time. Viewers with different knowledge share the public parts."""

    def __init__(self, room: Room, now: Millis) -> None:
        """Take the room and the time."""
        self.room, self.now = room, now
        self._by_seat: dict[Seat | None, bytes] = {}
        self._open_state: msgspec.Raw | None = None
        self._shared = shared_by_all(room, now)

    def json(self, seat: Seat | None) -> bytes:
        """Return the fields that `RoomView` adds to `TableView` for a seat or the public, without the opening brace."""
        known = self._by_seat.get(seat)
        if known is None:
            known = self._by_seat[seat] = msgspec.json.encode(self._of(seat))[1:]
        return known

    def _of(self, seat: Seat | None) -> Now:
        match, view = self.room.match, self._shared.match
        if match is None or view is None:
            return self._shared
        moves = moves_now(match, seat, view.to_move) if match.result is None else ()
        takes_back = can_take_back(match, seat)
        return replace(
            self._shared,
            match=replace(view, state=self._state(match, seat), legal_moves=moves, can_take_back=takes_back),
        )

    def _state(self, match: Match, seat: Seat | None) -> msgspec.Raw:
        """Return the game's view with the latest events as `last`, for highlighting."""
        if self._open_state is not None:
            return self._open_state
        encoded = msgspec.json.encode(match.game.view(match.state, seat))
        state = msgspec.Raw(encoded[:-1] + b',"last":' + events_json(match.last, seat) + b"}")
        if is_open(match.game.slug):
            self._open_state = state
        return state


class LatestViews:
    """Caches the views of the latest room, because a reply and the updates after it have the same one."""

    def __init__(self) -> None:
        """Start with an empty cache."""
        self._latest: Views | None = None

    def of(self, room: Room, now: Millis) -> Views:
        """Return the views of a room at a time."""
        latest = self._latest
        if latest is None or latest.room is not room or latest.now != now:
            latest = self._latest = Views(room, now)
        return latest


latest_views = LatestViews()


def view_json(room: Room, seat: Seat | None, now: Millis, presence: PresenceCounts | None = None) -> bytes:
    """Return a `RoomView` in its wire form, as `seat` may see it (None: the public), with the presence if known."""
    return table_json(room.table, presence) + latest_views.of(room, now).json(seat)


def shared_by_all(room: Room, now: Millis) -> Now:
    """Return the public fields that `RoomView` adds to `TableView`."""
    restarts, offers = restart_at(room), room.table.offers
    return Now(
        room.version,
        None if room.match is None else match_view(room.match, now),
        tuple([offer_view(room, offer) for offer in offers]) if offers else (),
        None if restarts is None else rfc3339(restarts),
        rfc3339(now),
    )


def match_view(match: Match, now: Millis) -> MatchView:
    """Return the public form of a match, without its state and moves."""
    running = match.result is None
    return MatchView(
        match.number,
        match.id,
        "playing" if running else "finished",
        rfc3339(match.started),
        None if match.ended is None else rfc3339(match.ended),
        NO_STATE,
        match.game.to_move(match.state) if running else (),
        (),
        clock_view(match, now) if match.clocks.clock.runs else None,
        match.result,
        can_take_back=False,
    )


def clock_view(match: Match, now: Millis) -> ClockView:
    """Return the clocks of a match with limited time."""
    clocks = match.clocks
    seats = [Seat(seat) for seat in range(len(clocks.turns))]
    ends = [end for seat in seats if (end := clock.deadline(clocks, seat)) is not None]
    return ClockView(
        remaining=tuple(clock.time_left(clocks, seat, now) for seat in seats),
        deadline=rfc3339(min(ends)) if ends else None,
        allowance_ms=clock.LAG,
        server_time=rfc3339(now),
    )


@cache
def is_open(game: str) -> bool:
    """Return whether all of a game's state is public."""
    return not has_secrets(GAMES[game])


def legal_moves(room: Room, seat: Seat | None) -> tuple[Move, ...]:
    """Return every legal move of `seat`; for the public those of the seat to move, unless seats act simultaneously."""
    match = room.playing
    return () if match is None else moves_now(match, seat, match.game.to_move(match.state))


def moves_now(match: Match, seat: Seat | None, to_move: tuple[Seat, ...]) -> tuple[Move, ...]:
    """Return the legal moves in a running match; with a clock, a commit of a simultaneous game is final."""
    game, clocks = match.game, match.clocks
    if not game.simultaneous:
        seat = next(iter(to_move), None) if seat is None else seat
        if seat not in to_move:
            return ()
    if seat is None or (clocks.clock.runs and clocks.turns[seat] is None):
        return ()
    return tuple(game.legal_moves(match.state, seat))
