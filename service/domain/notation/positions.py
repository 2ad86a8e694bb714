"""The positions of a match by ply: how many entries of its text have been made, without those that were taken back.

    position 0   before the first entry, after the setup
    position 1   after the first entry and all that follows from it: passes, rolls of a die
    ...

The entries of one round of a simultaneous game become known together, so the plies within a round have the position at
its beginning.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from service.domain.catalog import AnyGame
from service.domain.game import Dropped, Event, Seat
from service.domain.ids import Version
from service.domain.notation.sheet import Entry, entries_of, is_repeated
from service.domain.room.evolve import evolve
from service.domain.room.model.events import MatchEnded, MatchStarted, Recorded, RoomEvent, TakenBack
from service.domain.room.model.state import Room


class PlyPosition(msgspec.Struct, frozen=True):
    """A position of a match."""

    version: Version
    """The version of the room at which it is on the board."""
    to_move: tuple[Seat, ...]
    values: tuple[int, ...]
    """By seat, what the game measures; empty in a game that measures nothing."""
    state: Any
    """The game's state, with what has to be kept from other seats during the match."""
    played: tuple[Entry, ...] = ()
    """The entries that were made from it: usually one; in a simultaneous game the rest of the round."""


class MatchPositions:
    """Finds the positions of a match from its events, which may be read in pieces."""

    def __init__(self, before: Room) -> None:
        """`before` is the room as it was before the match."""
        self._room = before
        self._entries: list[Entry] = []
        self._versions: list[Version] = []
        self._ends: list[int] = []
        """By entry, the number of entries up to the end of its step."""
        self._positions: list[PlyPosition] = []
        self._dropped: set[Seat] = set()
        self._step: tuple[Version, int] = (Version(0), 0)
        """The command of the latest step of a simultaneous game, and the number of entries before it."""

    def add(self, history: Iterable[Recorded]) -> None:
        """Take in the next events."""
        for recorded in history:
            self._room = evolve(self._room, recorded)
            self._take(recorded)

    def all(self) -> Iterator[PlyPosition]:
        """Yield the positions so far, by ply."""
        for ply, position in enumerate(self._positions):
            yield self._with_entries(ply, position)

    def _with_entries(self, ply: int, position: PlyPosition) -> PlyPosition:
        """Return a position with what was played; within a round only seats with further entries are to move."""
        end = self._ends[ply] if ply < len(self._ends) else ply
        played = tuple(self._entries[ply:end])
        if ply and self._ends[ply - 1] > ply:
            still = {entry.seat for entry in played}
            position = msgspec.structs.replace(position, to_move=tuple(s for s in position.to_move if s in still))
        return msgspec.structs.replace(position, played=played)

    def _take(self, recorded: Recorded) -> None:
        event = recorded.event
        match event:
            case MatchStarted():
                self._positions = [self._now()]
            case TakenBack():
                self._take_back(event)
                self._positions[-1] = self._now()
            case MatchEnded():
                self._positions[-1] = self._now()
            case RoomEvent():
                pass
            case _:
                self._take_game_event(recorded, event)

    def _take_game_event(self, recorded: Recorded, event: Event) -> None:
        """Add the entries that an event shows. A secret preparation of a move does not change the position."""
        entries = [entry for entry in entries_of(self._game, event) if not is_repeated(event, self._dropped)]
        if isinstance(event, Dropped):
            self._dropped.add(event.seat)
        if entries:
            self._add_entries(entries, recorded)
        if not isinstance(event, self._game.unrecorded):
            self._positions[-1] = self._now()

    def _add_entries(self, entries: Sequence[Entry], recorded: Recorded) -> None:
        """Add entries as a step, or to the step of the same command in a simultaneous game."""
        command, start = self._step
        if not self._game.simultaneous or recorded.command != command or not self._entries:
            start = len(self._entries)
        self._step = (recorded.command, start)
        self._entries += entries
        self._versions += [recorded.version] * len(entries)
        end = len(self._entries)
        self._ends[start:] = [end] * (end - start)
        self._positions[start:] = [self._positions[start]] * (end + 1 - start)

    def _take_back(self, event: TakenBack) -> None:
        kept = bisect_right(self._versions, event.to_version)
        for kept_by_entry in (self._entries, self._versions, self._ends):
            del kept_by_entry[kept:]
        del self._positions[kept + 1 :]

    @property
    def _game(self) -> AnyGame:
        return self._room.game

    def _now(self) -> PlyPosition:
        """Return the position on the board now."""
        match = self._room.match
        assert match is not None  # noqa: S101 - the events begin with `MatchStarted`
        measure = match.game.measure
        return PlyPosition(
            self._room.version,
            () if match.result else match.to_move,
            measure(match.state) if measure else (),
            match.state,
        )
