"""What a text of a whole match holds, and how it is drawn from the match's events."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import msgspec

from service.domain.catalog import GAMES, AnyGame
from service.domain.fit import fit
from service.domain.game import Dropped, DropReason, Event, Move, Seat
from service.domain.room.events import MatchEnded, MatchStarted, Result, RoomEvent

Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
"""32 bytes in hex: a seed, or the SHA-256 of one."""


TAKEN_BACK = "taken_back"
"""The one event around the table that changes what is on it."""


class Unreadable(Exception):  # noqa: N818 - an answer to whoever sent it
    """Something that is no match as this release can read it; the message says where and why."""


class Heading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of a match but its moves; the order of the fields is that of the lines."""

    match: str
    """Its id, or any other name."""
    game: str
    rules_version: int
    options: dict[str, Any]
    """All of them, those with their default value too."""
    seats: dict[str, str | None]
    """By the seat's colour, in turn order, the player's name where it is known."""
    salts: tuple[str, ...]
    """By seat."""
    seed_hash: Digest
    """As published when the match began."""
    seed: Digest
    """As shown when it ended."""
    result: Result


class Ply(msgspec.Struct, frozen=True):
    """A seat's move."""

    seat: Seat
    move: Move


class Drop(msgspec.Struct, frozen=True):
    """A seat that left the match."""

    seat: Seat
    reason: DropReason


Entry = Ply | Drop


class Sheet(msgspec.Struct, frozen=True):
    """A whole match as its text tells it: rules and seed make the events out of it."""

    heading: Heading
    entries: tuple[Entry, ...]


class Told(msgspec.Struct, frozen=True):
    """A match as its events tell it; `ended` is None while it is played."""

    started: MatchStarted
    events: tuple[Event, ...]
    """Those of the game, in their order."""
    ended: MatchEnded | None

    @property
    def game(self) -> AnyGame:
        """The rules played."""
        return GAMES[self.started.game]

    @property
    def options(self) -> msgspec.Struct:
        """The options played under."""
        options: msgspec.Struct = fit(self.started.options, self.game.options, "/options")
        return options

    @property
    def colours(self) -> tuple[str, ...]:
        """The seats by name."""
        return self.game.seats(self.options)


def told(history: Iterable[Event]) -> Told:
    """Return the match whose events these are, from `MatchStarted` on. Raises `Unreadable` where they don't begin so.

    What happened around the table in the meantime is left out.
    """
    events = list(history)
    if not events or not isinstance(events[0], MatchStarted):
        raise Unreadable("these events don't begin with `match_started`")
    if any(event.__struct_config__.tag == TAKEN_BACK for event in events):
        raise Unreadable("a match with takebacks can't be written as a text yet")
    own = tuple(event for event in events if not isinstance(event, RoomEvent))
    ended = events[-1] if isinstance(events[-1], MatchEnded) else None
    return Told(events[0], own, ended)


def heading(match: Told, names: Sequence[str | None]) -> Heading:
    """Return the heading of a match that has ended, its players' names given by seat. Raises `Unreadable`."""
    started, ended = match.started, match.ended
    if ended is None:
        raise Unreadable("the match is still being played: its seed is shown when it ends")
    return Heading(
        match=started.id,
        game=started.game,
        rules_version=started.rules_version,
        options=started.options,
        seats=dict(zip(match.colours, names, strict=True)),
        salts=started.salts,
        seed_hash=started.seed_hash,
        seed=ended.seed,
        result=ended.result,
    )


def entries_of(game: AnyGame, event: Event) -> tuple[Entry, ...]:
    """Return what a seat did, as far as this event shows it."""
    if isinstance(event, Dropped):
        return (Drop(event.seat, event.reason),)
    return tuple([Ply(seat, move) for seat, move in game.notation.plies(event)])


def sheet_of(match: Told, names: Sequence[str | None] = ()) -> Sheet:
    """Return the sheet of a match that has ended. Raises `Unreadable`."""
    known = names or (None,) * len(match.started.seats)
    entries = [entry for event in match.events for entry in entries_of(match.game, event)]
    return Sheet(heading(match, known), tuple(entries))
