"""A match written down: a heading, and rows of moves that are numbered from 1.

    turnstream match 1
    match: friday-night.k3v2q7.1
    game: ternio
    ...
    seed: 5f0c...
    result: {"reason":"most_discs",...}

      1. red e7  green f3  blue d3
      2. red c6  (green passed)  blue resigned

A row ends where the turn comes round. In brackets, and in lines that begin with a semicolon, stands what rules and seed
make of the moves; readers skip it. `takeback:2` takes back the latest two words that still stood.
"""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import takewhile
from typing import Any

import msgspec

from service.domain.catalog import GAMES, AnyGame
from service.domain.game import Event, Seat
from service.domain.notation.retelling import Step, in_json, retold, spelled
from service.domain.notation.sheet import Heading, Ply, Sheet, entries_of, once
from service.domain.validation import fit

FIRST_LINE = "turnstream match 1"
"""The name of this format and its version."""

WIDTH = 110


class Word(msgspec.Struct, frozen=True):
    """What a row tells of a seat: something that it did, or in brackets something that befell it."""

    seat: Seat
    text: str
    did: bool


def text(heading: Heading, events: Sequence[Event]) -> str:
    """Return a match's text, from the events of its game."""
    game, seats = GAMES[heading.game], tuple(heading.seats)
    words = [word for event in once(events) for word in words_of(game, seats, event)]
    body = [row_line(number, seats, row) for number, row in enumerate(rows(words), 1)]
    return "\n".join([*heading_lines(heading), "", *start_lines(heading, events), *body, ""])


def start_lines(heading: Heading, events: Sequence[Event]) -> list[str]:
    """Return the board before the first move, where something was laid on it."""
    game = GAMES[heading.game]
    state = game.start(fit(heading.options, game.options))
    laid = list(takewhile(lambda event: not hasattr(event, "seat"), events))
    board = game.notation.draw(game.view(reduce(game.evolve, laid, state), None))
    return [*skipped(board.splitlines()), ""] if laid else []


def transcript(sheet: Sheet) -> str:
    """Return the text of a sheet with every event and, after each row, the board. Raises `Unreadable`, `Refuted`."""
    game, seats = GAMES[sheet.heading.game], tuple(sheet.heading.seats)
    steps = list(retold(sheet))
    events = once(event for step in steps for event in step.events)
    words = [word for event in events for word in words_of(game, seats, event)]
    lines, done = [*heading_lines(sheet.heading), "", *scene(game, seats, steps[:1])], 1
    for number, row in enumerate(rows(words), 1):
        here = steps[done : done + sum(word.did for word in row)]
        done += len(here)
        lines += ["", row_line(number, seats, row), *scene(game, seats, here)]
    return "\n".join([*lines, ""])


def heading_lines(heading: Heading) -> list[str]:
    """Return a name and a value a line; what is no plain text is JSON."""
    values = {name: value for name, value in msgspec.structs.asdict(heading).items() if value is not None}
    shown = {name: value if isinstance(value, str) else in_json(value) for name, value in values.items()}
    return [FIRST_LINE, *(f"{name}: {value}" for name, value in shown.items())]


def words_of(game: AnyGame, seats: Sequence[str], event: Event) -> Iterator[Word]:
    """Yield what an event adds to a row."""
    entries = entries_of(game, event)
    yield from (Word(entry.seat, spelled(game, entry), did=True) for entry in entries)
    seat = getattr(event, "seat", None)
    if seat is not None and not entries and not isinstance(event, game.notation.unwritten):
        values = [str(value) for name, value in fields_of(event) if isinstance(value, str | int) and name != "draw"]
        yield Word(seat, " ".join([seats[seat], kind(event), *values]), did=False)


def rows(words: Iterable[Word]) -> Iterator[list[Word]]:
    """Yield the words row by row: a row is full when the turn comes round."""
    row: list[Word] = []
    for word in words:
        if row and comes_round(row[-1], word):
            yield row
            row = []
        row.append(word)
    if row:
        yield row


def comes_round(last: Word, word: Word) -> bool:
    """Tell whether a word begins the next row: a lower seat's does, and what befalls a seat that had its turn."""
    return word.seat < last.seat or (word.seat == last.seat and not word.did)


def row_line(number: int, seats: Sequence[str], row: Sequence[Word]) -> str:
    """Return a row's line; a seat is named once for all that it does in succession."""
    groups, named = list[str](), None
    for word in row:
        if not word.did:
            groups.append(f"({word.text})")
        elif word.seat == named:
            groups[-1] += f" {word.text}"
        else:
            groups.append(f"{seats[word.seat]} {word.text}")
        named = word.seat if word.did else None
    return f"{number:>3}. {'  '.join(groups)}"


def scene(game: AnyGame, seats: Sequence[str], steps: Sequence[Step]) -> list[str]:
    """Return what happened in these steps and the board after them, as lines that readers skip; none for no steps."""
    if not steps:
        return []
    happened = [line for step in steps for line in step_lines(game, seats, step)]
    board = game.notation.draw(game.view(steps[-1].after, None)).splitlines()
    return skipped([*happened, "", *board])


def skipped(lines: Iterable[str]) -> list[str]:
    """Return lines as readers skip them."""
    return [f"; {line}".rstrip() for line in lines]


def step_lines(game: AnyGame, seats: Sequence[str], step: Step) -> Iterator[str]:
    """Yield how many moves there were to choose from, and then an event a line."""
    if isinstance(step.entry, Ply):
        legal = len(list(game.legal_moves(step.before, step.entry.seat)))
        yield f"{seats[step.entry.seat]} {spelled(game, step.entry)}, legal moves: {legal}"
    for event in step.events:
        yield from textwrap.wrap(sentence(event, seats), WIDTH, initial_indent="  ", subsequent_indent="    ")


def sentence(event: Event, seats: Sequence[str]) -> str:
    """Return all that an event tells, in words."""
    seat = getattr(event, "seat", None)
    details = [
        f"{name.replace('_', ' ')} {shown(value)}" for name, value in fields_of(event) if value not in (None, ())
    ]
    return ", ".join([" ".join([*([] if seat is None else [seats[seat]]), kind(event)]), *details])


def kind(event: Event) -> str:
    """Return an event's type in words."""
    return str(event.__struct_config__.tag).replace("_", " ")


def fields_of(event: Event) -> list[tuple[str, Any]]:
    """Return an event's fields as on the wire, but for its type and its seat."""
    values = msgspec.to_builtins(event)
    return [(name, value) for name, value in values.items() if name not in {"type", "seat"}]


def shown(value: Any) -> str:
    """Return a field's value; a list's parts apart, lists in lists joined by hyphens."""
    if isinstance(value, tuple):
        return " ".join("-".join(part) if isinstance(part, tuple) else str(part) for part in value)
    return str(value)
