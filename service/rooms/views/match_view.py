"""Matches in their wire form, as one viewer may see them."""

from functools import cache
from typing import Literal, NamedTuple

import msgspec

from service.domain.catalog import GAMES
from service.domain.game import Move, Seat
from service.domain.room.known_state import has_secrets
from service.domain.room.model import clock
from service.domain.room.model.events import Result
from service.domain.room.model.ids import Millis
from service.domain.room.model.state import Match, Room
from service.domain.room.subjects.offers import can_take_back
from service.rooms.views.event_view import events_json
from service.rooms.views.patches import Fields, Operations, add_field_operations, fields_at, replacement
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
    """The match's id, as in its address."""
    status: Literal["playing", "finished"]
    """Whether the match is played, or has ended."""
    started: str
    ended: str | None
    state: msgspec.Raw
    """The game's own view, with the latest events as `last`."""
    to_move: tuple[Seat, ...]
    legal_moves: tuple[Move, ...]
    clock: ClockView | None
    """Null if time is not limited."""
    result: Result | None
    rated: bool
    can_take_back: bool
    """Whether the viewer's seat has a turn for which it can request a takeback."""


Omitted = frozenset[Literal["legal_moves", "last"]]
"""The lists that a view has empty, because its viewer does not need them: `legal_moves`, and the state's `last`."""


class Viewer(NamedTuple):
    """For whom a view is."""

    seat: Seat | None
    """The seat whose knowledge the view contains, None for the public."""
    omitted: Omitted = frozenset()


SHARED_FIELDS = fields_at("/match", "status", "ended", "to_move", "clock", "result")
"""The fields that change during a match and are the same for everyone, apart from the state."""
SEAT_FIELDS = fields_at("/match", "legal_moves", "can_take_back")
"""The fields that differ between seats."""


class SeatFields(msgspec.Struct, frozen=True):
    """The fields of a match that differ between seats, apart from the state."""

    legal_moves: tuple[Move, ...]
    can_take_back: bool


class MatchViews:
    """The views of a match at one time. Viewers with different knowledge share the public parts."""

    def __init__(self, match: Match, now: Millis) -> None:
        self.match, self.result = match, match.result
        self.is_open = is_open(match.game.slug)
        is_running = match.result is None
        self.status: Literal["playing", "finished"] = "playing" if is_running else "finished"
        self.ended = None if match.ended is None else rfc3339(match.ended)
        self.to_move = match.to_move if is_running else ()
        self.clock = clock_view(match, now) if match.clocks.clock.runs else None
        self._seat_fields: dict[Viewer, SeatFields] = {}
        self._states: dict[Seat | None, msgspec.Struct] = {}
        self._state_json: dict[Viewer, msgspec.Raw] = {}
        self._last_changes: dict[Seat | None, bytes] = {}

    def with_state(self, viewer: Viewer) -> MatchView:
        """Return the match as a viewer may see it."""
        match, own = self.match, self.seat_fields(viewer)
        return MatchView(
            number=match.number,
            id=match.id,
            status=self.status,
            started=rfc3339(match.started),
            ended=self.ended,
            state=self._encoded_state(viewer),
            to_move=self.to_move,
            legal_moves=own.legal_moves,
            clock=self.clock,
            result=self.result,
            rated=match.settings.rated,
            can_take_back=own.can_take_back,
        )

    def seat_fields(self, viewer: Viewer) -> SeatFields:
        """Return the fields that differ between seats."""
        known = self._seat_fields.get(viewer)
        if known is None:
            match, (seat, omitted) = self.match, viewer
            moves = moves_now(match, seat, self.to_move) if self.to_move and "legal_moves" not in omitted else ()
            known = self._seat_fields[viewer] = SeatFields(moves, can_take_back(match, seat))
        return known

    def _encoded_state(self, viewer: Viewer) -> msgspec.Raw:
        """Return the game's view with the latest events as `last`, for highlighting."""
        seat = None if self.is_open else viewer.seat
        key = Viewer(seat, viewer.omitted & {"last"})
        known = self._state_json.get(key)
        if known is None:
            last = b"[]" if key.omitted else events_json(self.match.last, seat, self.match.game.slug)
            known = msgspec.Raw(msgspec.json.encode(self.state(seat))[:-1] + b',"last":' + last + b"}")
            self._state_json[key] = known
        return known

    def state(self, seat: Seat | None) -> msgspec.Struct:
        """Return the game's view."""
        known = self._states.get(seat)
        if known is None:
            known = self._states[seat] = self.match.game.view(self.match.state, seat)
        return known

    def add_shared_changes(self, changes: Operations, old: "MatchViews") -> None:
        """Add the operations of a JSON Patch from earlier views of the match to these, for the public parts."""
        add_field_operations(changes, SHARED_FIELDS, old, self)
        if self.is_open:
            self._add_state_changes(changes, old, None)

    def add_own_changes(self, changes: Operations, old: "MatchViews", viewer: Viewer) -> None:
        """Add the operations for the parts that differ between viewers."""
        add_field_operations(changes, SEAT_FIELDS, old.seat_fields(viewer), self.seat_fields(viewer))
        if not self.is_open:
            self._add_state_changes(changes, old, viewer.seat)
        if old.match.last is not self.match.last and "last" not in viewer.omitted:
            changes.append(self._last_change(None if self.is_open else viewer.seat))

    def _last_change(self, seat: Seat | None) -> bytes:
        """Return the operation that replaces the latest events by these, as a seat may know them."""
        known = self._last_changes.get(seat)
        if known is None:
            last = msgspec.Raw(events_json(self.match.last, seat, self.match.game.slug))
            known = self._last_changes[seat] = replacement(b"/match/state/last", last)
        return known

    def _add_state_changes(self, changes: Operations, old: "MatchViews", seat: Seat | None) -> None:
        before, after = old.state(seat), self.state(seat)
        add_field_operations(changes, state_fields(type(after)), before, after)


@cache
def state_fields(kind: type[msgspec.Struct]) -> Fields:
    """Return the fields of a game's view."""
    return fields_at("/match/state", *kind.__struct_fields__)


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
    return () if match is None else moves_now(match, seat, match.to_move)


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
