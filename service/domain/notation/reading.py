"""Parsers for matches: for their text form, and for exports of events."""

import re
from functools import cache
from typing import get_args

import msgspec

from service.domain.catalog import GAMES, AnyGame
from service.domain.game import DropReason, Event, Seat
from service.domain.ids import Version
from service.domain.notation.replay import TAKEBACK, rules_of
from service.domain.notation.sheet import (
    Digest,
    Drop,
    Entry,
    Heading,
    MatchRecord,
    Ply,
    Sheet,
    Takeback,
    Unreadable,
    read_match,
)
from service.domain.notation.writing import FIRST_LINE
from service.domain.room.model.events import AnyRoomEvent, MatchStarted
from service.domain.validation import Invalid, convert

TAKEN_BACK = re.compile(rf"{TAKEBACK}([1-9][0-9]{{0,5}})")
BRACKETED = re.compile(r"\([^)]*\)")
PLAIN_TEXT_NAMES = frozenset({"match", "game", "seed_hash", "seed"})
"""Lines of the heading whose value is plain text; the others are JSON."""

Line = tuple[int, str]
"""A line and its number, from 1."""


def read_text(written: str) -> Sheet:
    """Return the sheet of a match in text form. Raises `Unreadable`."""
    lines = [(number, line.strip()) for number, line in enumerate(written.split("\n"), 1)]
    if not lines or lines[0][1] != FIRST_LINE:
        raise Unreadable(f"line 1: expected `{FIRST_LINE}`, with which the text of a match begins")
    heading_ends = next((index for index, (_, line) in enumerate(lines) if not line), len(lines))
    heading = read_heading(lines[1:heading_ends])
    rules_of(heading)
    rows = [(number, line) for number, line in lines[heading_ends:] if line and not line.startswith(";")]
    entries: list[Entry] = []
    for count, (number, line) in enumerate(rows, 1):
        entries += read_row(heading, count, (number, line))
    return Sheet(heading, tuple(entries))


def read_heading(lines: list[Line]) -> Heading:
    """Return the heading, whose lines may be in any order. Raises `Unreadable`."""
    values: dict[str, object] = {}
    for number, line in lines:
        name, colon, value = line.partition(": ")
        if not colon or name in values:
            raise Unreadable(f"line {number}: expected a name that is not on an earlier line, a colon and a value")
        values[name] = value if name in PLAIN_TEXT_NAMES else read_json(number, value)
    try:
        heading: Heading = convert(values, Heading)
    except Invalid as invalid:
        raise Unreadable(f"heading{invalid.pointer}: {invalid.detail}") from None
    return heading


def read_json(number: int, value: str) -> object:
    """Return the JSON value on line `number`. Raises `Unreadable`."""
    try:
        return msgspec.json.decode(value)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"line {number}: {error}") from None


def read_row(heading: Heading, count: int, line: Line) -> list[Entry]:
    """Return the entries of row number `count`. Raises `Unreadable`."""
    number, row = line
    game, colours = GAMES[heading.game], list(heading.seats)
    words = BRACKETED.sub(" ", row).split()
    if words[:1] != [f"{count}."]:
        raise Unreadable(f"line {number}: expected `{count}.` at the beginning of the row")
    entries: list[Entry] = []
    seat: Seat | None = None
    for word in words[1:]:
        if word in colours:
            seat = Seat(colours.index(word))
        elif seat is None:
            raise Unreadable(f"line {number}: expected one of {', '.join(colours)} before {word}")
        else:
            entries.append(read_entry(game, seat, number, word))
    return entries


def read_entry(game: AnyGame, seat: Seat, number: int, word: str) -> Entry:
    """Return the entry that a word stands for. Raises `Unreadable`."""
    for reason in get_args(DropReason):
        if word == reason:
            return Drop(seat, reason)
    if taken_back := TAKEN_BACK.fullmatch(word):
        return Takeback(seat, int(taken_back[1]))
    try:
        return Ply(seat, game.notation.read(word))
    except ValueError as error:
        raise Unreadable(f"line {number}: {word} is not a move of {game.slug}: {error}") from None


def read_export(exported: bytes) -> MatchRecord:
    """Return the match in an export, which has one event in JSON per line. Raises `Unreadable`."""
    lines = exported.splitlines()
    started = read_event(1, lines[0] if lines else b"", MatchStarted)
    if not isinstance(started, MatchStarted) or started.game not in GAMES:
        raise Unreadable("line 1: expected the `match_started` of a game that this release has")
    kinds = events_of(started.game)
    rest = [read_line(number, line, kinds) for number, line in enumerate(lines[1:], 2) if line]
    match = read_match([(Version(0), started), *rest])
    check_playable(match)
    return match


def check_playable(match: MatchRecord) -> None:
    """Raise `Unreadable` if options, seats, salts or seed are not valid for the match's game."""
    started, ended = match.started, match.ended
    try:
        colours, _ = match.colours, match.start
        convert([started.seed_hash, *([ended.seed] if ended else [])], list[Digest])
    except Invalid as invalid:
        raise Unreadable(f"{invalid.pointer}: {invalid.detail}") from None
    if not len(started.seats) == len(started.salts) == len(colours):
        raise Unreadable(f"the seats of this game are {', '.join(colours)}, each with a salt")


@cache
def events_of(game: str) -> object:
    """Return the union of all events that can occur in a room of this game."""
    return AnyRoomEvent | GAMES[game].event


def read_line(number: int, line: bytes, kinds: object) -> tuple[Version, Event]:
    """Return the event on a line, and its version. Raises `Unreadable`."""
    event = read_event(number, line, kinds)
    return Version(msgspec.json.decode(line, type=Numbered).version), event


class Numbered(msgspec.Struct):
    """The part of a line that has the event's version."""

    version: int = 0


def read_event(number: int, line: bytes, kinds: object) -> Event:
    """Return the event on a line. Raises `Unreadable`."""
    try:
        event: Event = msgspec.json.decode(line, type=kinds)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"line {number}: {error}") from None
    return event
