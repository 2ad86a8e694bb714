"""The positions of a match by ply, compared with a replay of its text, which is read without its events."""

import random

import pytest

from service.domain.catalog import GAMES
from service.domain.game import Seat
from service.domain.notation.positions import MatchPositions, PlyPosition
from service.domain.notation.replay import replay
from service.domain.notation.sheet import Entry, Sheet, Takeback, sheet_of
from service.domain.room.evolve import evolve
from service.domain.room.model import commands
from service.domain.room.model.state import Room
from tests.domain.room.given_when_then import ANNA, Given
from tests.domain.test_notation_takebacks import CASES, match_of, play_with_takebacks, start_match


def room_before(room: Given, number: int = 1) -> Room:
    """Return a room as it was before a match."""
    before: Room | None = None
    for recorded in room.history:
        if recorded.match == number:
            break
        before = evolve(before, recorded)
    assert before is not None
    return before


def positions_of(room: Given, size: int) -> list[PlyPosition]:
    """Return the positions of a room's first match, from its events read in pieces of this size."""
    found = MatchPositions(room_before(room))
    own = [recorded for recorded in room.history if recorded.match == 1]
    for first in range(0, len(own), size):
        found.add(own[first : first + size])
    return list(found.all())


def standing(sheet: Sheet) -> list[Entry]:
    """Return the entries of a text that were not taken back."""
    found: list[Entry] = []
    for entry in sheet.entries:
        if isinstance(entry, Takeback):
            del found[-entry.entries :]
        else:
            found.append(entry)
    return found


@pytest.mark.parametrize(("game", "seed"), CASES, ids=str)
def test_the_positions_are_those_of_the_text(game: str, seed: int) -> None:
    """Their entries are those that stand, and each number is that of the replayed position, takebacks included."""
    room = play_with_takebacks(start_match(game), random.Random(seed))  # noqa: S311 - which match is played
    sheet = sheet_of(match_of(room)[0])
    positions = positions_of(room, size=7)
    assert positions == positions_of(room, size=10_000)
    assert [entry for position in positions for entry in position.played] == standing(sheet)
    rules, measure = GAMES[game], GAMES[game].measure
    states: list[object] = []
    for step in replay(sheet):
        if isinstance(step.entry, Takeback):
            del states[-step.entry.entries :]
            states[-1] = step.after
        else:
            states.append(step.after)
    assert [position.values for position in positions] == [measure(state) if measure else () for state in states]
    assert [position.to_move for position in positions[:-1]] == [rules.to_move(state) for state in states[:-1]]
    assert positions[-1].to_move == ()


def test_what_was_taken_back_before_the_end_has_no_position() -> None:
    """The match ends where the takeback led; seats that dropped out stay out."""
    room = start_match("ternio")
    for _ in range(3):
        match = room.room.playing
        assert match is not None
        (seat,) = match.game.to_move(match.state)
        move = next(iter(match.game.legal_moves(match.state, seat)))
        room = room.after(commands.Play({"type": "place", "at": move.at}, seat), ANNA)
    room = room.after(commands.RequestTakeback(), ANNA).after(commands.OfferDraw(), ANNA)
    positions = positions_of(room, size=5)
    assert len(positions) == 3
    assert positions[2].version == room.room.version
    assert (positions[2].played, positions[2].to_move) == ((), ())


def test_the_plies_of_a_round_have_the_position_at_its_beginning() -> None:
    """Of a simultaneous game, whose moves become known together; who has no further entry in the round waits."""
    room = start_match("turncoat")
    for _ in range(2):
        for seat in (Seat(1), Seat(0)):
            match = room.room.playing
            assert match is not None
            first = next(iter(match.game.legal_moves(match.state, seat)))
            room = room.after(commands.Play({"type": "select", "at": first.at}, seat), ANNA)
            room = room.after(commands.Play({"type": "commit"}, seat), ANNA)
    room = room.after(commands.OfferDraw(), ANNA)
    positions = positions_of(room, size=3)
    assert len(positions) == 9
    assert [len(position.played) for position in positions] == [4, 3, 2, 1, 4, 3, 2, 1, 0]
    assert [position.to_move for position in positions] == [(0, 1), (0, 1), (1,), (1,)] * 2 + [()]
    assert len({position.version for position in positions[:4]}) == 1
    assert positions[4].version > positions[3].version
    assert positions[8].version == room.room.version
