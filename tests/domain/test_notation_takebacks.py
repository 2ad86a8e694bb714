"""Matches with takebacks and restarts as text: written, parsed, replayed and verified."""

import random
from typing import Any

import pytest

from service.domain.catalog import GAMES
from service.domain.game import Seat
from service.domain.notation.reading import read_export, read_text
from service.domain.notation.replay import Refuted, replay
from service.domain.notation.sheet import MatchRecord, Sheet, Takeback, Unreadable, heading, read_match, sheet_of
from service.domain.notation.writing import TextWriter
from service.domain.room.model import commands, events
from service.programs.replay.checking import checks
from service.programs.replay.watching import frames, from_events, from_sheet
from service.rooms.views.event_view import event_lines
from tests.domain.room.given_when_then import ANNA, Given, given, join, new_room
from tests.laws.sheets import text, transcript

IN_TURN = sorted(slug for slug, game in GAMES.items() if not game.simultaneous)
CASES = [(game, seed) for game in IN_TURN for seed in range(4)] + [("rainbow", seed) for seed in range(4, 8)]
OPTIONS: dict[str, dict[str, Any]] = {"rainbow": {"dice": True, "players": 3}, "morris": {"first": "roll"}}


def start_match(game: str, options: dict[str, Any] | None = None) -> Given:
    """Return a room in which Anna has all seats and a match has begun."""
    options = OPTIONS.get(game, {}) if options is None else options
    room = given(new_room(game, options, hot_seat=True), join(ANNA, 0))
    more = tuple(events.SeatTaken(Seat(seat), ANNA) for seat in range(1, len(room.table.seats)))
    return given(new_room(game, options, hot_seat=True), join(ANNA, 0), more).after(commands.Ready("salt"), ANNA)


def play_with_takebacks(room: Given, dice: random.Random) -> Given:
    """Play a match to its end with many takebacks, and with a drop-out in games with three seats."""
    leaves = dice.randrange(4, 12) if len(room.table.seats) == 3 else -1
    for ply in range(400):
        match = room.room.playing
        if match is None:
            return room
        if ply == leaves:
            room = room.after(commands.Resign(Seat(2)), ANNA)
        elif match.turns and ply < 80 and dice.random() < 0.3:
            room = room.after(commands.RequestTakeback(), ANNA)
        else:
            seat = dice.choice(room.room.game.to_move(match.state))
            move = dice.choice(list(room.room.game.legal_moves(match.state, seat)))
            plain = {field.rstrip("_"): getattr(move, field) for field in move.__struct_fields__}
            room = room.after(commands.Play({"type": move.__struct_config__.tag, **plain}, seat), ANNA)
    return room.after(commands.OfferDraw(), ANNA)


def match_of(room: Given, number: int = 1) -> tuple[MatchRecord, bytes]:
    """Return the record of a match, and its export."""
    own = [recorded for recorded in room.history if recorded.match == number]
    return read_match((recorded.version, recorded.event) for recorded in own), event_lines(
        own, None, room.room.table.game
    )


@pytest.fixture(scope="module", params=CASES, ids=str)
def room(request: pytest.FixtureRequest) -> Given:
    """Return a room in which a match with takebacks has ended."""
    game, seed = request.param
    return play_with_takebacks(start_match(game), random.Random(seed))  # noqa: S311 - which match is played


def test_a_match_with_takebacks_can_be_reproduced_from_its_text(room: Given) -> None:
    """The text is complete: replaying it gives every event and the same end."""
    match, exported = match_of(room)
    sheet = sheet_of(match)
    assert any(isinstance(entry, Takeback) for entry in sheet.entries)
    assert read_text(text(heading(match, [None] * len(match.colours)), match.events)) == sheet
    assert sheet_of(read_export(exported)) == sheet
    steps = list(replay(sheet))
    assert [event for step in steps for event in step.events] == list(match.events)
    assert room.room.match is not None
    assert steps[-1].after == room.room.match.state


def test_a_match_with_takebacks_is_verified(room: Given) -> None:
    """From the export and from the text."""
    match, exported = match_of(room)
    for sheet, source in ((sheet_of(match), None), (sheet_of(match), read_export(exported))):
        assert [check.holds for check in checks(sheet, source)] == [True] * 4


def test_a_match_with_takebacks_can_be_replayed_to_its_end(room: Given) -> None:
    """Board by board, from its events and from its text."""
    match, _ = match_of(room)
    assert room.room.match is not None
    game = room.room.game
    last = game.notation.draw(game.view(room.room.match.state, None))
    for shown in (from_events(match), from_sheet(sheet_of(match))):
        assert list(frames(shown))[-1].board == last


def test_a_transcript_has_takebacks(room: Given) -> None:
    """With the position to which the match returned."""
    sheet = sheet_of(match_of(room)[0])
    assert read_text(transcript(sheet)) == sheet


@pytest.mark.parametrize("game", IN_TURN)
def test_a_restarted_match_is_verified_with_the_named_layout(game: str) -> None:
    """Its layout comes from the seed of the match that it names, its rolls from its own."""
    first = play_with_takebacks(start_match(game), random.Random(1))  # noqa: S311 - which match is played
    again = play_with_takebacks(first.after(commands.RequestRestart(), ANNA, seed=b"\7" * 32), random.Random(2))  # noqa: S311 - the same
    match, exported = match_of(again, 2)
    as_text = text(heading(match, [None] * len(match.colours)), match.events)
    assert read_text(as_text) == sheet_of(match)
    for source in (None, read_export(exported)):
        assert [check.holds for check in checks(sheet_of(match), source)] == [True] * 4
    assert match.started.layout_of == match_of(first)[0].started.id


def test_a_wrong_layout_seed_is_found() -> None:
    """Changing the seed of the layout changes the board."""
    first = play_with_takebacks(start_match("triboard"), random.Random(1))  # noqa: S311 - which match is played
    again = play_with_takebacks(first.after(commands.RequestRestart(), ANNA, seed=b"\7" * 32), random.Random(2))  # noqa: S311 - the same
    _, exported = match_of(again, 2)
    seed = match_of(first)[0].started.seed
    assert isinstance(seed, str)
    forged = read_export(exported.replace(f'"layout_seed":"{seed}"'.encode(), f'"layout_seed":"{"ab" * 32}"'.encode()))
    assert False in [check.holds for check in checks(sheet_of(forged), forged)]


@pytest.mark.parametrize("seed", range(4))
def test_a_text_does_not_depend_on_how_its_events_are_chunked(seed: int) -> None:
    """As for a long match, which is never in memory as a whole."""
    dice = random.Random(seed)  # noqa: S311 - which match, and which pieces
    match, _ = match_of(play_with_takebacks(start_match("ternio"), dice))
    match_heading = heading(match, [None] * len(match.colours))
    writer, pieces, left = TextWriter(match_heading), [], list(match.events)
    pieces.append(writer.begin())
    while left:
        size = dice.randrange(4)
        pieces.append(writer.write(left[:size]))
        del left[:size]
    assert "".join([*pieces, writer.end()]) == text(match_heading, match.events)


def test_a_text_without_a_move_ends_after_the_board() -> None:
    """A match with nothing but its layout."""
    match, _ = match_of(play_with_takebacks(start_match("triboard"), random.Random(1)))  # noqa: S311 - which match is played
    laid = [event for event in match.events if not hasattr(event, "seat")][:1]
    as_text = text(heading(match, [None] * len(match.colours)), laid)
    assert as_text.endswith("\n\n")
    assert read_text(as_text).entries == ()


def test_more_cannot_be_taken_back_than_was_played() -> None:
    """Neither in a text nor in an export."""
    match, _ = match_of(play_with_takebacks(start_match("ternio"), random.Random(0)))  # noqa: S311 - which match is played
    sheet = sheet_of(match)
    with pytest.raises(Refuted, match="nothing_to_take_back"):
        list(replay(Sheet(sheet.heading, (Takeback(Seat(0), 1), *sheet.entries))))
    stored = [match.started, events.TakenBack(version_zero(), Seat(0))]
    with pytest.raises(Unreadable, match="no entry"):
        read_match(enumerate_versions(stored))


def version_zero() -> Any:
    """Return the version before all events."""
    return 0


def enumerate_versions(stored: list[Any]) -> list[Any]:
    """Return events with versions from 1."""
    return list(enumerate(stored, 1))


def test_a_takeback_is_a_word_of_its_own() -> None:
    """`takeback:2` after the seat that requested it."""
    match, _ = match_of(play_with_takebacks(start_match("ternio"), random.Random(0)))  # noqa: S311 - which match is played
    as_text = text(heading(match, [None] * 3), match.events)
    assert " takeback:1" in as_text
