"""Matches in their wire form, as one viewer may see them."""

from functools import cache, lru_cache
from typing import Literal, NamedTuple

import msgspec
from msgspec.structs import astuple

from service.domain.catalog import GAMES
from service.domain.game import Move, Seat
from service.domain.ids import Millis, rfc3339
from service.domain.room.evolve import has_secrets
from service.domain.room.model import clock
from service.domain.room.model.events import Result
from service.domain.room.model.state import Match, Room
from service.domain.room.subjects.offers import can_take_back
from service.rooms.views.event_view import events_json
from service.rooms.views.patches import Operations, add_field_operations, paths_at, replacement


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


SHARED_PATHS = paths_at("/match", "status", "ended", "to_move", "clock", "result")
"""The fields that change during a match and are the same for everyone, apart from the state."""
SEAT_PATHS = paths_at("/match", "legal_moves", "can_take_back")
"""The fields that differ between seats."""
SeatFields = tuple[tuple[Move, ...], bool]


class MatchViews:
    """The views of a match at one time. Viewers with different knowledge share the public parts."""

    def __init__(self, match: Match, now: Millis) -> None:
        self.match = match
        self.is_open = is_open(match.game.slug)
        is_running = match.result is None
        status: Literal["playing", "finished"] = "playing" if is_running else "finished"
        ended = None if match.ended is None else rfc3339(match.ended)
        clock = clock_view(match, now) if match.clocks.clock.runs else None
        self.fields = status, ended, match.to_move if is_running else (), clock, match.result
        """Those that change during a match and are the same for everyone, apart from the state."""
        self._seat_fields: dict[Viewer, SeatFields] = {}
        self._states: dict[Seat | None, msgspec.Struct] = {}
        self._state_json: dict[tuple[Seat | None, bool], msgspec.Raw] = {}
        self._last_changes: dict[Seat | None, bytes] = {}

    def with_state(self, viewer: Viewer) -> MatchView:
        """Return the match as a viewer may see it."""
        match, state = self.match, self._encoded_state(viewer)
        legal_moves, takes_back = self.seat_fields(viewer)
        status, ended, to_move, clock, result = self.fields
        return MatchView(
            number=match.number,
            id=match.id,
            status=status,
            started=rfc3339(match.started),
            ended=ended,
            state=state,
            to_move=to_move,
            legal_moves=legal_moves,
            clock=clock,
            result=result,
            rated=match.settings.rated,
            can_take_back=takes_back,
        )

    def seat_fields(self, viewer: Viewer) -> SeatFields:
        """Return the fields that differ between seats."""
        known = self._seat_fields.get(viewer)
        if known is None:
            match, (seat, omitted) = self.match, viewer
            to_move = self.fields[2]
            moves = moves_now(match, seat, to_move) if to_move and "legal_moves" not in omitted else ()
            known = self._seat_fields[viewer] = moves, can_take_back(match, seat)
        return known

    def _encoded_state(self, viewer: Viewer) -> msgspec.Raw:
        """Return the game's view with the latest events as `last`, for highlighting."""
        key = seat, has_last = None if self.is_open else viewer.seat, "last" not in viewer.omitted
        known = self._state_json.get(key)
        if known is None:
            last = events_json(self.match.last, seat, self.match.game.slug) if has_last else b"[]"
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
        add_field_operations(changes, SHARED_PATHS, old.fields, self.fields)
        if self.is_open:
            self._add_state_changes(changes, old, None)

    def add_own_changes(self, changes: Operations, old: "MatchViews", viewer: Viewer) -> None:
        """Add the operations for the parts that differ between viewers."""
        add_field_operations(changes, SEAT_PATHS, old.seat_fields(viewer), self.seat_fields(viewer))
        if not self.is_open:
            self._add_state_changes(changes, old, viewer.seat)
        if old.match.last is not self.match.last and "last" not in viewer.omitted:
            changes.append(self._last_change(None if self.is_open else viewer.seat))

    def _last_change(self, seat: Seat | None) -> bytes:
        """Return the operation that replaces the latest events by these, as a seat may know them."""
        known = self._last_changes.get(seat)
        if known is None:
            last = events_json(self.match.last, seat, self.match.game.slug)
            known = self._last_changes[seat] = b'{"op":"replace","path":"/match/state/last","value":%b}' % last
        return known

    def _add_state_changes(self, changes: Operations, old: "MatchViews", seat: Seat | None) -> None:
        if self.match.game.view_changes is not None:
            for path, value in self.match.game.view_changes(old.match.state, self.match.state):
                changes.append(state_replacement(path, value))
            return
        before, after = old.state(seat), self.state(seat)
        add_field_operations(changes, state_paths(type(after)), astuple(before), astuple(after))


@lru_cache(4096)
def state_replacement(path: str, value: object) -> bytes:
    """Return the operation that replaces the value at a path in a game's view."""
    return replacement(f"/match/state/{path}".encode(), value)


@cache
def state_paths(kind: type[msgspec.Struct]) -> tuple[bytes, ...]:
    """Return the paths of the fields of a game's view."""
    return paths_at("/match/state", *kind.__struct_fields__)


def clock_view(match: Match, now: Millis) -> ClockView:
    """Return the clocks of a match with limited time."""
    clocks = match.clocks
    remaining, ends = list(clocks.banks), []
    for seat in map(Seat, range(len(clocks.turns))):
        if (end := clock.deadline(clocks, seat)) is not None:
            ends.append(end)
            remaining[seat] = clock.time_left(clocks, seat, now)
    return ClockView(
        remaining=tuple(remaining),
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
