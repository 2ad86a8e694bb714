"""`turnstream replay`: a match in the terminal, board by board.

Exit codes: 0 shown to its end, 1 a move or an event does not follow from those before, 2 no match that can be read,
130 interrupted, 141 the output was closed.
"""

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from service.domain.catalog import AnyGame
from service.domain.game import Dropped, Event, Seat
from service.domain.notation.replay import Refuted, replay, rules_of
from service.domain.notation.sheet import MatchRecord, Returned, Sheet, Unreadable, entries_of, is_repeated
from service.domain.notation.writing import sentence
from service.domain.room.model.events import Result
from service.programs.replay.arguments import TTY_PAUSE
from service.programs.replay.screen import Screen, printable
from service.programs.replay.source import match_from


class Shown(msgspec.Struct, frozen=True):
    """A match to show."""

    game: AnyGame
    start: Any
    """The state in which it begins, before its setup."""
    title: str
    seats: tuple[str, ...]
    events: Iterable[Event]
    ends: str


class Frame(msgspec.Struct, frozen=True):
    """Some events, and the board after them."""

    events: tuple[str, ...]
    board: str


def main(arguments: argparse.Namespace) -> int:
    """Show the match."""
    if arguments.step and not (sys.stdin.isatty() and arguments.match != "-"):
        return fail("--step needs a terminal on standard input, to read Enter", 2)
    try:
        return watch(match_from(arguments.match), arguments)
    except Unreadable as unreadable:
        return fail(str(unreadable), 2)
    except Refuted as refuted:
        return fail(str(refuted), 1)
    except KeyboardInterrupt:
        return 130


def fail(why: str, code: int) -> int:
    """Print why it failed, and return the exit code."""
    sys.stderr.write(f"turnstream replay: {printable(why)}\n")
    return code


def watch(match: Sheet | MatchRecord, arguments: argparse.Namespace) -> int:
    """Show a match frame by frame."""
    shown = shown_of(match)
    screen = Screen(sys.stdout, shown.seats)
    screen.say(shown.title)
    waits = (TTY_PAUSE if sys.stdout.isatty() else 0) if arguments.pause is None else arguments.pause
    for frame in frames(shown):
        screen.show(frame.events, frame.board)
        if arguments.step:
            sys.stdin.readline()
        elif waits:
            time.sleep(waits / 1000)
    screen.say(shown.ends)
    return 0


def shown_of(match: Sheet | MatchRecord) -> Shown:
    """Return a match as it is shown. Raises `Unreadable`."""
    return from_sheet(match) if isinstance(match, Sheet) else from_events(match)


def from_sheet(sheet: Sheet) -> Shown:
    """Return a match that is replayed by the rules from its moves and its seed. Raises `Unreadable`."""
    heading, rules = sheet.heading, rules_of(sheet.heading)
    seats = tuple(heading.seats)
    names = ", ".join(f"{seat} {name}" if name else seat for seat, name in heading.seats.items())
    return Shown(
        game=rules.game,
        start=rules.start,
        title=f"{rules.game.texts.title}, {heading.match}: {names}",
        seats=seats,
        events=(event for step in replay(sheet) for event in step.events),
        ends=in_words(heading.result, seats),
    )


def from_events(match: MatchRecord) -> Shown:
    """Return a match from its events, without rules and seed."""
    return Shown(
        game=match.game,
        start=match.start,
        title=f"{match.game.texts.title}, {match.started.id}: {', '.join(match.colours)}",
        seats=match.colours,
        events=match.events,
        ends=in_words(match.ended.result, match.colours) if match.ended else "The match is still being played.",
    )


class Board:
    """A match's position after each event, with takebacks."""

    def __init__(self, shown: Shown) -> None:
        """Start before the first event."""
        self.game = shown.game
        self.state = shown.start
        self._earlier: list[Any] = []
        self._dropped: set[Seat] = set()

    def apply(self, event: Event) -> None:
        """Apply an event; a takeback returns to an earlier position."""
        if isinstance(event, Returned):
            self.state = self._earlier[-event.entries]
            del self._earlier[-event.entries :]
            return
        if not is_repeated(event, self._dropped):
            self._earlier += [self.state for _ in entries_of(self.game, event)]
        self._dropped |= {event.seat} if isinstance(event, Dropped) else set()
        self.state = self.game.evolve(self.state, event)

    def drawn(self) -> str:
        """Return the board as text."""
        return self.game.notation.draw(self.game.view(self.state, None))


def in_words(result: Result, seats: Sequence[str]) -> str:
    """Return how a match ended."""
    if not result.places:
        return f"{result.reason}: the match does not count."
    places = [f"{place}. {seats[seat]}{score(result, seat)}" for place, seat in placed(result) if seat < len(seats)]
    return f"{result.reason}: {', '.join(places)}."


def placed(result: Result) -> list[tuple[int, int]]:
    """Return places with their seats, the best first."""
    return sorted((place, seat) for seat, place in enumerate(result.places))


def score(result: Result, seat: int) -> str:
    """Return a seat's score in brackets, "" in a game without scores."""
    return f" ({result.scores[seat]:g})" if result.scores and seat < len(result.scores) else ""


def frames(shown: Shown) -> Iterator[Frame]:
    """Yield a frame whenever the board has changed; events that do not change it belong to the frame before.

    Raises `Refuted` at an event that does not follow from those before.
    """
    game, position = shown.game, Board(shown)
    frame = Frame((), position.drawn())
    for number, event in enumerate(shown.events, 1):
        try:
            position.apply(event)
            board = position.drawn()
            said = sentence(event, shown.seats)
        except (LookupError, ValueError, TypeError) as fault:
            raise Refuted(f"event {number} of the game does not follow from those before: {fault!r}") from None
        if board == frame.board or isinstance(event, game.unrecorded):
            frame = Frame((*frame.events, said), frame.board)
        else:
            yield frame
            frame = Frame((said,), board)
    yield frame
