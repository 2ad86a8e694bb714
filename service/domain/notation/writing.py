"""Writing a match as text: a heading, and rows of moves that are numbered from 1.

    turnstream match 1
    match: friday-night.k3v2q7.1
    game: ternio
    ...
    seed: 5f0c...
    result: {"reason":"most_discs",...}

      1. red e7  green f3  blue d3
      2. red c6  (green passed)  blue resigned

A row ends when every seat has had its turn. Text in brackets and lines that begin with a semicolon are comments: they
follow from the rules and the seed, and parsers skip them. `takeback:2` takes back the latest two words.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import Any

import msgspec

from service.domain.catalog import GAMES, AnyGame
from service.domain.game import Event, Seat, SeatEvent
from service.domain.notation.replay import spell_entry, to_json
from service.domain.notation.sheet import Heading, UniqueDrops, entries_of, start_of
from service.domain.validation import convert

FIRST_LINE = "turnstream match 1"
"""The name of this format and its version."""


class Word(msgspec.Struct, frozen=True):
    """A seat's part of a row: something that the seat did, or in brackets something that happened to it."""

    seat: Seat
    text: str
    did: bool


class TextWriter:
    """Writes the text of a match from events that are read in pieces, without keeping them."""

    def __init__(self, heading: Heading) -> None:
        self._heading = heading
        self._game, self._seats = GAMES[heading.game], tuple(heading.seats)
        self._unique_drops = UniqueDrops()
        self._setup: list[Event] | None = []
        """The events of the setup so far; None once they have been written."""
        self._last: Word | None = None
        self._row = 0

    def begin(self) -> str:
        """Return the heading."""
        return "".join([f"{line}\n" for line in [*heading_lines(self._heading), ""]])

    def write(self, events: Iterable[Event]) -> str:
        """Return the text of the next events of the game."""
        return "".join([piece for event in events for piece in self._pieces(event)])

    def end(self) -> str:
        """Return the end of the text."""
        start = "" if self._setup is None else "".join(self._start(self._setup))
        return start if self._last is None else f"{start}\n"

    def _pieces(self, event: Event) -> Iterator[str]:
        if self._setup is None:
            yield from self._words([event])
        elif isinstance(event, SeatEvent):
            yield from self._start(self._setup)
            yield from self._words([event])
        else:
            self._setup.append(event)

    def _start(self, setup: Sequence[Event]) -> Iterator[str]:
        """Yield the board before the first move, if the setup has events."""
        self._setup = None
        yield from [f"{line}\n" for line in start_lines(self._heading, setup)]
        yield from self._words(setup)

    def _words(self, events: Iterable[Event]) -> Iterator[str]:
        for event in self._unique_drops.filter(events):
            for word in words_of(self._game, self._seats, event):
                yield self._piece(word)

    def _piece(self, word: Word) -> str:
        last, self._last = self._last, word
        if last is not None and not starts_row(last, word):
            return piece(self._seats, last, word)
        self._row += 1
        begun = f"{self._row:>3}. {piece(self._seats, None, word)}"
        return begun if last is None else f"\n{begun}"


def start_lines(heading: Heading, setup: Sequence[Event]) -> list[str]:
    """Return the lines of the board before the first move, if it is a copied position or the setup has events."""
    game = GAMES[heading.game]
    state = start_of(game, convert(heading.options, game.options), heading.position)
    board = game.notation.draw(game.view(reduce(game.evolve, setup, state), None))
    return [*comment_lines(board.splitlines()), ""] if setup or heading.position else []


def heading_lines(heading: Heading) -> list[str]:
    """Return the lines of the heading, each a name and a value; values that are not plain text are JSON."""
    values = {name: value for name, value in msgspec.structs.asdict(heading).items() if value is not None}
    shown = {name: value if isinstance(value, str) else to_json(value) for name, value in values.items()}
    return [FIRST_LINE, *(f"{name}: {value}" for name, value in shown.items())]


def words_of(game: AnyGame, seats: Sequence[str], event: Event) -> Iterator[Word]:
    """Yield the words of an event."""
    entries = entries_of(game, event)
    yield from (Word(entry.seat, spell_entry(game, entry), did=True) for entry in entries)
    if isinstance(event, SeatEvent) and not entries and not isinstance(event, game.unrecorded):
        values = [str(value) for name, value in fields_of(event) if isinstance(value, str | int) and name != "draw"]
        yield Word(event.seat, " ".join([seats[event.seat], event_name(event), *values]), did=False)


def starts_row(last: Word, word: Word) -> bool:
    """Return whether a word begins a new row: one of a lower seat, or an event of the same seat after its turn."""
    return word.seat < last.seat or (word.seat == last.seat and not word.did)


def piece(seats: Sequence[str], last: Word | None, word: Word) -> str:
    """Return a word as written after another one in its row; a seat is named once for successive words."""
    gap = "" if last is None else "  "
    if not word.did:
        return f"{gap}({word.text})"
    if last is not None and last.did and last.seat == word.seat:
        return f" {word.text}"
    return f"{gap}{seats[word.seat]} {word.text}"


def comment_lines(lines: Iterable[str]) -> list[str]:
    """Return lines as comments, which parsers skip."""
    return [f"; {line}".rstrip() for line in lines]


def sentence(event: Event, seats: Sequence[str]) -> str:
    """Return an event in words."""
    owner = [seats[event.seat]] if isinstance(event, SeatEvent) else []
    details = [
        f"{name.replace('_', ' ')} {format_value(value)}" for name, value in fields_of(event) if value not in (None, ())
    ]
    return ", ".join([" ".join([*owner, event_name(event)]), *details])


def event_name(event: Event) -> str:
    """Return an event's type in words."""
    return str(event.__struct_config__.tag).replace("_", " ")


def fields_of(event: Event) -> list[tuple[str, Any]]:
    """Return an event's wire fields without its type and its seat."""
    values = msgspec.to_builtins(event)
    return [(name, value) for name, value in values.items() if name not in {"type", "seat"}]


def format_value(value: Any) -> str:
    """Return a field's value as text: a list's items separated by spaces, those of nested lists by hyphens."""
    if isinstance(value, tuple):
        return " ".join("-".join(part) if isinstance(part, tuple) else str(part) for part in value)
    return str(value)
