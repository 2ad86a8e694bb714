"""What a text of a whole match holds, and how it is drawn from the match's events."""

from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Annotated, Any

import msgspec

from service.domain.catalog import GAMES, AnyGame
from service.domain.game import Dropped, DropReason, Event, Move, Seat, SeatEvent
from service.domain.room.model.events import MatchEnded, MatchStarted, Result, RoomEvent, TakenBack
from service.domain.room.model.ids import Version
from service.domain.validation import convert

Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
"""32 bytes in hex: a seed, or the SHA-256 of one."""


class Unreadable(Exception):  # noqa: N818 - an answer to the sender
    """Something that is no match as this release can read it; the message says where and why."""


class Layout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The match whose layout and first player are played once more, and what they were drawn from."""

    match: str
    seed: Digest
    salts: tuple[str, ...]


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
    layout_of: Layout | None = None
    """Of a restarted match, where its layout comes from."""


class Ply(msgspec.Struct, frozen=True):
    """A seat's move."""

    seat: Seat
    move: Move


class Drop(msgspec.Struct, frozen=True):
    """A seat that left the match."""

    seat: Seat
    reason: DropReason


class Back(msgspec.Struct, frozen=True):
    """The latest entries are taken back, at a seat's request; who dropped out in them stays out."""

    seat: Seat
    entries: int
    """How many, from 1."""


Entry = Ply | Drop | Back


class Returned(Event, SeatEvent, frozen=True):
    """A `TakenBack` with the entries counted instead of the room's versions."""

    seat: Seat
    entries: int


class Sheet(msgspec.Struct, frozen=True):
    """A whole match as in its text; rules and seed lead to the events."""

    heading: Heading
    entries: tuple[Entry, ...]


class MatchRecord(msgspec.Struct, frozen=True):
    """A match as in its events; `ended` is None while it is played."""

    started: MatchStarted
    events: tuple[Event, ...]
    """Those of the game, in their order, and `Returned` where some were taken back."""
    ended: MatchEnded | None

    @property
    def game(self) -> AnyGame:
        """The rules played."""
        return GAMES[self.started.game]

    @property
    def options(self) -> msgspec.Struct:
        """The options played under."""
        options: msgspec.Struct = convert(self.started.options, self.game.options, "/options")
        return options

    @property
    def colours(self) -> tuple[str, ...]:
        """The seats by name."""
        return self.game.seats(self.options)


def read_match(history: Iterable[tuple[Version, Event]]) -> MatchRecord:
    """Return the match whose events these are, from `MatchStarted` on. Raises `Unreadable` where they don't begin so.

    What happened around the table in the meantime is left out.
    """
    events = list(history)
    started = events[0][1] if events else None
    if not isinstance(started, MatchStarted) or started.game not in GAMES:
        raise Unreadable("these events don't begin with the `match_started` of a game that is played here")
    last = events[-1][1]
    ended = last if isinstance(last, MatchEnded) else None
    return MatchRecord(started, tuple(BoardEvents(GAMES[started.game]).of(events)), ended)


class BoardEvents:
    """Picks the events that change the board out of a match's history, which may come in pieces.

    It keeps the version of every entry that is not taken back, 8 bytes each, because any of them may be.
    """

    def __init__(self, game: AnyGame) -> None:
        """Begin before the first event of a match of this game."""
        self._game = game
        self._versions = array("q")
        self._dropped: set[Seat] = set()

    def of(self, history: Iterable[tuple[Version, Event]]) -> Iterator[Event]:
        """Yield those of the next events. Raises `Unreadable` for a takeback of nothing."""
        for version, event in history:
            if isinstance(event, TakenBack):
                yield self._returned(version, event)
            elif not isinstance(event, RoomEvent):
                entries = [entry for entry in entries_of(self._game, event) if not is_repeated(event, self._dropped)]
                self._versions.extend([version] * len(entries))
                self._dropped |= {event.seat} if isinstance(event, Dropped) else set()
                yield event

    def _returned(self, version: Version, event: TakenBack) -> Returned:
        """Forget the entries that are taken back, and return how many they were."""
        kept = bisect_right(self._versions, event.to_version)
        count = len(self._versions) - kept
        if not count:
            raise Unreadable(f"version {version} takes back what never was")
        del self._versions[kept:]
        return Returned(event.seat, count)


def is_repeated(event: Event, dropped: Collection[Seat]) -> bool:
    """Return whether an event only repeats, after a takeback, that a seat is out."""
    return isinstance(event, Dropped) and event.seat in dropped


class Once:
    """Leaves out repeated drop-outs of a match's events, which may come in pieces."""

    def __init__(self) -> None:
        """Begin where nobody has dropped out."""
        self._dropped: set[Seat] = set()

    def of(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yield the next events without those that only repeat that a seat is out."""
        for event in events:
            if not is_repeated(event, self._dropped):
                yield event
            self._dropped |= {event.seat} if isinstance(event, Dropped) else set()


def heading(match: MatchRecord, names: Sequence[str | None]) -> Heading:
    """Return the heading of a match that has ended, its players' names given by seat. Raises `Unreadable`."""
    return heading_of(match.started, match.ended, names)


def heading_of(started: Event, ended: Event | None, names: Sequence[str | None]) -> Heading:
    """Return the heading of a match with this first and this last event. Raises `Unreadable` as `heading`."""
    if not isinstance(started, MatchStarted) or not isinstance(ended, MatchEnded):
        raise Unreadable("the match is still being played: its seed is shown when it ends")
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
    )


def layout_of(started: MatchStarted) -> Layout | None:
    """Return where a match's layout comes from, None for one that draws its own."""
    if started.layout_of is None:
        return None
    return Layout(started.layout_of, started.layout_seed or "", started.layout_salts)


def entries_of(game: AnyGame, event: Event) -> tuple[Entry, ...]:
    """Return what a seat did, as far as this event shows it."""
    match event:
        case Dropped():
            return (Drop(event.seat, event.reason),)
        case Returned():
            return (Back(event.seat, event.entries),)
        case _:
            return tuple([Ply(seat, move) for seat, move in game.moves_shown(event)])


def sheet_of(match: MatchRecord, names: Sequence[str | None] = ()) -> Sheet:
    """Return the sheet of a match that has ended. Raises `Unreadable`."""
    known = names or (None,) * len(match.started.seats)
    entries = [entry for event in Once().of(match.events) for entry in entries_of(match.game, event)]
    return Sheet(heading(match, known), tuple(entries))
