"""The sheet of a match: what its text form contains, and how it is derived from the match's events."""

from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import UnsetType

from service.domain.catalog import GAMES, AnyGame
from service.domain.game import Dropped, DropReason, Event, Move, Seat, SeatEvent
from service.domain.ids import Version
from service.domain.room.model.events import MatchEnded, MatchStarted, Result, RoomEvent, TakenBack
from service.domain.room.model.settings import CopiedPosition, first_state
from service.domain.validation import convert

Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
"""32 bytes in hex: a seed, or the SHA-256 of one."""


class Unreadable(Exception):  # noqa: N818 - an answer to the sender
    """Input that this release cannot read as a match; the message says where and why."""


class Layout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The match whose layout and first player are repeated, and what they were drawn from."""

    match: str
    seed: Digest
    salts: tuple[str, ...]


class Heading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything of a match except its moves; the fields are in the order of the lines."""

    match: str
    """The match's id, or any other name."""
    game: str
    rules_version: int
    options: dict[str, Any]
    """All options, including those with their default values."""
    seats: dict[str, str | None]
    """By seat colour in turn order, the player's name, None if it is not known."""
    salts: tuple[str, ...]
    """By seat."""
    seed_hash: Digest
    """The hash that was published before the match began."""
    seed: Digest
    """The seed that was revealed when the match ended."""
    result: Result
    layout_of: Layout | None = None
    """For a restarted match, where its layout comes from."""
    position: CopiedPosition | None = None
    """For a match from a position of another match, that position."""


class Ply(msgspec.Struct, frozen=True):
    """A seat's move."""

    seat: Seat
    move: Move


class Drop(msgspec.Struct, frozen=True):
    """A seat that dropped out of the match."""

    seat: Seat
    reason: DropReason


class Takeback(msgspec.Struct, frozen=True):
    """The latest entries are taken back at a seat's request; seats that dropped out in them stay out."""

    seat: Seat
    entries: int
    """How many entries, from 1."""


Entry = Ply | Drop | Takeback


class Returned(Event, SeatEvent, frozen=True):
    """A `TakenBack` that counts entries instead of the room's versions."""

    seat: Seat
    entries: int


class Sheet(msgspec.Struct, frozen=True):
    """A match as in its text form; the rules and the seed lead to its events."""

    heading: Heading
    entries: tuple[Entry, ...]


class MatchRecord(msgspec.Struct, frozen=True):
    """A match as in its events; `ended` is None while it is running."""

    started: MatchStarted
    events: tuple[Event, ...]
    """The events of the game in their order, with a `Returned` for each takeback."""
    ended: MatchEnded | None

    @property
    def game(self) -> AnyGame:
        """The match's game."""
        return GAMES[self.started.game]

    @property
    def options(self) -> msgspec.Struct:
        """The match's options."""
        options: msgspec.Struct = convert(self.started.options, self.game.options, "/options")
        return options

    @property
    def start(self) -> Any:
        """The state in which the match begins, before its setup. Raises `Unreadable`."""
        return start_of(self.game, self.options, self.started.position)

    @property
    def colours(self) -> tuple[str, ...]:
        """The names of the seats in turn order."""
        return self.game.seats(self.options)


def read_match(history: Iterable[tuple[Version, Event]]) -> MatchRecord:
    """Return the match from its events. Raises `Unreadable` if the first one is not a `MatchStarted`.

    Other events of the room are left out.
    """
    events = list(history)
    started = events[0][1] if events else None
    if not isinstance(started, MatchStarted) or started.game not in GAMES:
        raise Unreadable("the first event is not the `match_started` of a game that this release has")
    last = events[-1][1]
    ended = last if isinstance(last, MatchEnded) else None
    return MatchRecord(started, tuple(BoardEvents(GAMES[started.game]).filter(events)), ended)


def start_of(game: AnyGame, options: msgspec.Struct, position: CopiedPosition | UnsetType | None) -> Any:
    """Return the state in which a match begins, before its setup. Raises `Unreadable`."""
    try:
        return first_state(game, options, position)
    except (msgspec.ValidationError, LookupError, ValueError, TypeError) as error:
        raise Unreadable(f"the events of its position do not follow from each other: {error}") from None


class BoardEvents:
    """Selects the events that change the board from a match's history, which may be read in pieces.

    It keeps the versions of all entries that are not taken back, 8 bytes each, because any of them can be.
    """

    def __init__(self, game: AnyGame) -> None:
        """Start before the first event of a match of this game."""
        self._game = game
        self._versions = array("q")
        self._dropped: set[Seat] = set()

    def filter(self, history: Iterable[tuple[Version, Event]]) -> Iterator[Event]:
        """Yield the selected ones of the next events. Raises `Unreadable` for a takeback without entries."""
        for version, event in history:
            if isinstance(event, TakenBack):
                yield self._returned(version, event)
            elif not isinstance(event, RoomEvent):
                entries = [entry for entry in entries_of(self._game, event) if not is_repeated(event, self._dropped)]
                self._versions.extend([version] * len(entries))
                self._dropped |= {event.seat} if isinstance(event, Dropped) else set()
                yield event

    def _returned(self, version: Version, event: TakenBack) -> Returned:
        """Remove the entries that are taken back, and return the event that counts them."""
        kept = bisect_right(self._versions, event.to_version)
        count = len(self._versions) - kept
        if not count:
            raise Unreadable(f"the takeback of version {version} takes back no entry")
        del self._versions[kept:]
        return Returned(event.seat, count)


def is_repeated(event: Event, dropped: Collection[Seat]) -> bool:
    """Return whether an event repeats an earlier drop-out, as after a takeback."""
    return isinstance(event, Dropped) and event.seat in dropped


class UniqueDrops:
    """Removes repeated drop-outs from a match's events, which may be read in pieces."""

    def __init__(self) -> None:
        """Start with no seat dropped out."""
        self._dropped: set[Seat] = set()

    def filter(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yield the next events without repeated drop-outs."""
        for event in events:
            if not is_repeated(event, self._dropped):
                yield event
            self._dropped |= {event.seat} if isinstance(event, Dropped) else set()


def heading(match: MatchRecord, names: Sequence[str | None]) -> Heading:
    """Return the heading of a match that has ended, with its players' names by seat. Raises `Unreadable`."""
    return heading_of(match.started, match.ended, names)


def heading_of(started: Event, ended: Event | None, names: Sequence[str | None]) -> Heading:
    """Return the heading of a match from its first and last event. Raises `Unreadable` if it has not ended."""
    if not isinstance(started, MatchStarted) or not isinstance(ended, MatchEnded):
        raise Unreadable("the match is still being played: its seed is revealed when it ends")
    colours = MatchRecord(started, (), ended).colours
    return Heading(
        match=started.id,
        game=started.game,
        rules_version=started.rules_version,
        options=started.options,
        seats=dict(zip(colours, names, strict=True)),
        salts=started.salts,
        seed_hash=started.seed_hash,
        seed=ended.seed,
        result=ended.result,
        layout_of=layout_of(started),
        position=started.position or None,
    )


def layout_of(started: MatchStarted) -> Layout | None:
    """Return where a match's layout comes from; None for a match with its own layout."""
    if started.layout_of is None:
        return None
    return Layout(started.layout_of, started.layout_seed or "", started.layout_salts)


def entries_of(game: AnyGame, event: Event) -> tuple[Entry, ...]:
    """Return the entries that an event reveals."""
    match event:
        case Dropped():
            return (Drop(event.seat, event.reason),)
        case Returned():
            return (Takeback(event.seat, event.entries),)
        case _:
            return tuple([Ply(seat, move) for seat, move in game.moves_shown(event)])


def sheet_of(match: MatchRecord, names: Sequence[str | None] = ()) -> Sheet:
    """Return the sheet of a match that has ended. Raises `Unreadable`."""
    known = names or (None,) * len(match.started.seats)
    entries = [entry for event in UniqueDrops().filter(match.events) for entry in entries_of(match.game, event)]
    return Sheet(heading(match, known), tuple(entries))
