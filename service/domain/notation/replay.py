"""Replay of a match from its sheet: it calls the rules in the same order as the service did."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, NamedTuple, get_args

import msgspec

from service.domain.catalog import GAMES, AnyGame
from service.domain.chance import Chance, DrawNumber
from service.domain.game import DropReason, Event, Rejected, Seat, next_draw
from service.domain.notation.sheet import Drop, Entry, Heading, Ply, Returned, Sheet, Takeback, Unreadable, start_of
from service.domain.room.model.events import Result, VoidReason
from service.domain.room.subjects.outcomes import SHARED_REASONS, draw_result
from service.domain.validation import Invalid, convert

TAKEBACK = "takeback:"
"""The first part of a takeback's word; the number of entries that it takes back follows."""

VOID_REASONS = frozenset(get_args(VoidReason))
"""The reasons of matches that do not count."""


class Refuted(Exception):  # noqa: N818 - an answer about a match
    """A sheet contradicts the rules or its seed; the message says where and why."""


class Step(msgspec.Struct, frozen=True):
    """The events of one entry, with draws of chance and reveals; the first step has no entry, but the setup."""

    entry: Entry | None
    before: Any
    events: tuple[Event, ...]
    after: Any


class EntryPosition(NamedTuple):
    """The position before an entry, and how many seats had dropped out by then."""

    state: Any
    dropped: int


class Rules(msgspec.Struct, frozen=True):
    """The game of a sheet with its options and chance."""

    game: AnyGame
    options: msgspec.Struct
    seed: bytes
    salts: tuple[str, ...]
    start: Any
    """The state in which the match begins, before its setup."""
    layout: Chance | None
    """The draws of the setup; None for a match from a position, which has no setup."""

    def chance(self, next_draw: DrawNumber) -> Chance:
        """Return the match's draws from this number on."""
        return Chance(self.seed, self.salts, next_draw)


def rules_of(heading: Heading) -> Rules:
    """Return the rules of a heading. Raises `Unreadable` for a match that this release cannot replay."""
    game = GAMES.get(heading.game)
    if game is None:
        raise Unreadable(f"this release has no game {heading.game}")
    if heading.rules_version != game.rules_version:
        played, here = heading.rules_version, game.rules_version
        raise Unreadable(
            f"the match has version {played} of the rules and this release {here}; use a release that has it"
        )
    try:
        options: msgspec.Struct = convert(heading.options, game.options, "/options")
    except Invalid as invalid:
        raise Unreadable(f"{invalid.pointer}: {invalid.detail}") from None
    colours = game.seats(options)
    if tuple(heading.seats) != colours or len(heading.salts) != len(colours):
        raise Unreadable(f"the seats of this game are {', '.join(colours)}, each with a salt")
    layout = heading.layout_of or heading
    chance = Chance(bytes.fromhex(layout.seed), layout.salts, DrawNumber(0))
    start = start_of(game, options, heading.position)
    return Rules(game, options, bytes.fromhex(heading.seed), heading.salts, start, None if heading.position else chance)


def replay(sheet: Sheet) -> Iterator[Step]:
    """Yield the match step by step. Raises `Unreadable`, and `Refuted` at an entry that the rules reject."""
    rules = rules_of(sheet.heading)
    dropped = dict[Seat, DropReason]()
    setup = rules.game.setup(rules.options, rules.layout) if rules.layout else []
    step, draw = run_step(rules, None, rules.start, setup, DrawNumber(0))
    positions: list[EntryPosition] = []
    yield step
    for number, entry in enumerate(sheet.entries, 1):
        if entry.seat in dropped or rules.game.outcome(step.after) is not None:
            raise Refuted(f"{describe_entry(rules, number, entry)}: the match is over for this seat")
        try:
            before, events = apply_entry(rules.game, step.after, entry, positions, dropped)
        except Rejected as rejected:
            raise Refuted(f"{describe_entry(rules, number, entry)}: {rejected.code}") from None
        step, draw = run_step(rules, entry, before, events, draw)
        remember_entry(entry, step, positions, dropped)
        yield step


def remember_entry(entry: Entry, step: Step, positions: list[EntryPosition], dropped: dict[Seat, DropReason]) -> None:
    """Add the position before an entry to `positions`, and a drop-out to `dropped`; undo entries that it takes back."""
    if isinstance(entry, Takeback):
        del positions[-entry.entries :]
        return
    positions.append(EntryPosition(step.before, len(dropped)))
    if isinstance(entry, Drop):
        dropped[entry.seat] = entry.reason


def apply_entry(
    game: AnyGame, state: Any, entry: Entry, positions: Sequence[EntryPosition], dropped: Mapping[Seat, DropReason]
) -> tuple[Any, list[Event]]:
    """Return the position before an entry's events, and its first events. Raises `Rejected`."""
    match entry:
        case Ply():
            return state, game.decide(state, entry.seat, entry.move)
        case Drop():
            return state, game.drop(state, entry.seat, entry.reason)
        case Takeback():
            return take_back(game, entry, positions, dropped)


def take_back(
    game: AnyGame, entry: Takeback, positions: Sequence[EntryPosition], dropped: Mapping[Seat, DropReason]
) -> tuple[Any, list[Event]]:
    """Return the position before the entries that are taken back, and its events.

    Seats that have dropped out since then drop out again.
    """
    if game.simultaneous or not 1 <= entry.entries <= len(positions):
        raise Rejected("nothing_to_take_back")
    before, out = positions[-entry.entries]
    events: list[Event] = [Returned(entry.seat, entry.entries)]
    state = before
    for seat, reason in list(dropped.items())[out:]:
        again = game.drop(state, seat, reason)
        state = reduce(game.evolve, again, state)
        events += again
    return before, events


def run_step(
    rules: Rules, entry: Entry | None, before: Any, events: list[Event], draw: DrawNumber
) -> tuple[Step, DrawNumber]:
    """Return the step that begins with these events and includes all that follow, and the number of the next draw.

    The service does the same after every command (`room/process.py`, `room/subjects/matches.py`).
    """
    happened, more, state = list[Event](), events, before
    while True:
        for event in more:
            state = state if isinstance(event, Returned) else rules.game.evolve(state, event)
            draw = next_draw(event, draw)
        happened += more
        waits_or_over = rules.game.to_move(state) or rules.game.outcome(state)
        more = [] if waits_or_over else rules.game.follow(state, rules.chance(draw))
        if not more:
            return Step(entry, before, tuple(happened), state), draw


def describe_entry(rules: Rules, number: int, entry: Entry) -> str:
    """Return the name of an entry for a message."""
    seat = rules.game.seats(rules.options)[entry.seat]
    return f"move {number}, {seat} {spell_entry(rules.game, entry)}"


def spell_entry(game: AnyGame, entry: Entry) -> str:
    """Return an entry in the game's notation."""
    match entry:
        case Ply():
            return game.notation.spell(entry.move)
        case Drop():
            return entry.reason
        case Takeback():
            return f"{TAKEBACK}{entry.entries}"


def refutation(rules: Rules, last: Any, result: Result, dropped: Collection[Seat] = ()) -> str | None:
    """Return what is wrong with the result of a match that reached this state; None if it is right."""
    outcome = rules.game.outcome(last)
    if outcome is not None:
        due = Result.of(outcome)
        return None if result == due else f"the rules give {to_json(due)}, the sheet says {to_json(result)}"
    if result.reason in VOID_REASONS:
        return (
            None
            if result == Result(result.reason, (), None, ())
            else "a match that ended for this reason has no places, scores or winners"
        )
    if result.reason in SHARED_REASONS:
        due = draw_result(rules.game, rules.options, last, dropped, result.reason)
        return None if result == due else f"a draw gives {to_json(due)}, the sheet says {to_json(result)}"
    return f"the sheet says {to_json(result)}, but by the rules the match is not over"


def to_json(value: Any) -> str:
    """Return a value as JSON in one line."""
    return msgspec.json.encode(value).decode()
