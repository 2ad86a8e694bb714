"""Matches of seeded random play as a room records them, as the API exports them, and as transcripts with boards."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from service.domain.catalog import GAMES, AnyGame
from service.domain.chance import seed_hash
from service.domain.game import Event
from service.domain.ids import Millis, PlayerId, Version
from service.domain.notation.replay import Step, replay, spell_entry
from service.domain.notation.sheet import Heading, MatchRecord, Ply, Sheet, UniqueDrops, read_match
from service.domain.notation.writing import (
    TextWriter,
    Word,
    comment_lines,
    heading_lines,
    piece,
    sentence,
    starts_row,
    words_of,
)
from service.domain.room.model.events import MatchEnded, MatchStarted, Recorded, Result
from service.rooms.views.event_view import event_json
from tests.laws.play import PlayedMatch, RunningMatch


def match_of(played: PlayedMatch, match_id: str = "friday-night.k3v2q7.1") -> MatchRecord:
    """Return the record of a match; one that did not end was closed with its room."""
    seed = RunningMatch(played.game, played.options, played.seed)._seed
    outcome = played.game.outcome(played.last)
    started = MatchStarted(
        id=match_id,
        game=played.game.slug,
        rules_version=played.game.rules_version,
        options=msgspec.to_builtins(played.options),
        seats=(None,) * len(played.seats),
        salts=("",) * len(played.seats),
        seed_hash=seed_hash(seed),
    )
    ended = MatchEnded(Result.of(outcome) if outcome else Result.void("closed"), seed.hex())
    return read_match((Version(0), event) for event in (started, *(event for event, _ in played.events), ended))


def export_of(match: MatchRecord) -> bytes:
    """Return the match as the API exports it to a client without a token."""
    history = [match.started, *match.events, *([match.ended] if match.ended else [])]
    recorded = (
        Recorded(Version(n), Millis(n), Version(n), 1, PlayerId("p-1"), event) for n, event in enumerate(history, 1)
    )
    return b"".join(event_json(each, None, match.started.game) + b"\n" for each in recorded)


WIDTH = 110


def text(heading: Heading, events: Sequence[Event]) -> str:
    """Return the text of a match from the events of its game."""
    writer = TextWriter(heading)
    return writer.begin() + writer.write(events) + writer.end()


def transcript(sheet: Sheet) -> str:
    """Return a sheet's text with all events and the board after each row. Raises `Unreadable` and `Refuted`."""
    game, seats = GAMES[sheet.heading.game], tuple(sheet.heading.seats)
    steps = list(replay(sheet))
    events = UniqueDrops().filter(event for step in steps for event in step.events)
    words = [word for event in events for word in words_of(game, seats, event)]
    lines, done = [*heading_lines(sheet.heading), "", *scene(game, seats, steps[:1])], 1
    for number, row in enumerate(rows(words), 1):
        here = steps[done : done + sum(word.did for word in row)]
        done += len(here)
        lines += ["", row_line(number, seats, row), *scene(game, seats, here)]
    return "\n".join([*lines, ""])


def rows(words: Iterable[Word]) -> Iterator[list[Word]]:
    """Yield the words row by row; a row ends when every seat has had its turn."""
    row: list[Word] = []
    for word in words:
        if row and starts_row(row[-1], word):
            yield row
            row = []
        row.append(word)
    if row:
        yield row


def row_line(number: int, seats: Sequence[str], row: Sequence[Word]) -> str:
    """Return the line of a row."""
    lasts = (None, *row)
    return f"{number:>3}. {''.join([piece(seats, last, word) for last, word in zip(lasts, row, strict=False)])}"


def scene(game: AnyGame, seats: Sequence[str], steps: Sequence[Step]) -> list[str]:
    """Return the events of these steps and the board after them as comments; nothing for no steps."""
    if not steps:
        return []
    happened = [line for step in steps for line in step_lines(game, seats, step)]
    board = game.notation.draw(game.view(steps[-1].after, None)).splitlines()
    return comment_lines([*happened, "", *board])


def step_lines(game: AnyGame, seats: Sequence[str], step: Step) -> Iterator[str]:
    """Yield the number of legal moves, and then one line per event."""
    if isinstance(step.entry, Ply):
        legal = len(list(game.legal_moves(step.before, step.entry.seat)))
        yield f"{seats[step.entry.seat]} {spell_entry(game, step.entry)}, legal moves: {legal}"
    for event in step.events:
        yield from textwrap.wrap(sentence(event, seats), WIDTH, initial_indent="  ", subsequent_indent="    ")
