"""Matches as text: a text can be parsed, and the rules reproduce the events from it and the seed."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.domain.catalog import GAMES, AnyGame
from service.domain.game import Event, Seat
from service.domain.notation.reading import read_export, read_text
from service.domain.notation.replay import Refuted, Rules, refutation, replay, rules_of
from service.domain.notation.sheet import Drop, Heading, Sheet, Unreadable, heading, sheet_of
from service.domain.room.model.events import Result
from service.domain.room.subjects.outcomes import draw_result
from tests.laws.options import combinations_of, describe
from tests.laws.play import play
from tests.laws.sheets import export_of, match_of, text, transcript

COMBINATIONS = [(game, options) for game in GAMES.values() for options in combinations_of(game)]
SEEDS = (2, 3)
"""A match without drop-outs, and one with."""

NAMES = ("Ada", None, 'B (red) ; "x": 7.')


def in_text(game: AnyGame, events: tuple[Event, ...] | list[Event]) -> list[Event]:
    """Return the events that can be reproduced from a text."""
    return [event for event in events if not isinstance(event, game.unrecorded)]


@pytest.mark.parametrize(
    ("game", "options"), COMBINATIONS, ids=[f"{game.slug}-{describe(options)}" for game, options in COMBINATIONS]
)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_match_can_be_reproduced_from_its_text(game: AnyGame, options: msgspec.Struct, seed: int) -> None:
    """Events to text to sheet to events to text: nothing is lost except secrets."""
    match = match_of(play(game, options, seed))
    names = NAMES[: len(match.colours)]
    its_heading = heading(match, names)
    short = text(its_heading, match.events)
    sheet = read_text(short)
    assert sheet == sheet_of(match, names)
    steps = list(replay(sheet))
    events = [event for step in steps for event in step.events]
    assert in_text(game, events) == in_text(game, match.events)
    assert text(its_heading, events) == short
    assert read_text(transcript(sheet)) == sheet
    assert refutation(rules_of(its_heading), steps[-1].after, its_heading.result) is None


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_legal_move_is_parsed_in_either_case(game: AnyGame) -> None:
    """A move is one word, different from seats' names and drop reasons, and no two moves share it."""
    played = play(game, game.options(), 2)
    for step in random.Random(1).sample(played.turns, min(12, len(played.turns))):  # noqa: S311 - which positions are looked at
        for seat in played.seats:
            moves = list(game.legal_moves(step.before, seat))
            words = [game.notation.spell(move) for move in moves]
            assert len(set(words)) == len(words)
            assert not {"resigned", "timed_out", "forfeited", *game.seats(played.options)} & set(words)
            assert all(word and not set(word) & set(" \t\n();") for word in words)
            assert [game.notation.read(word) for word in words] == moves
            for case in (str.upper, str.lower):
                assert [game.notation.spell(game.notation.read(case(word))) for word in words] == words


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("word", ["", "z9", "a1-", "xx", "e5\n", "~", "RO:", "@", "!!", "\u0663a", "a" * 1000])
def test_a_word_that_is_no_move_is_a_value_error(game: AnyGame, word: str) -> None:
    """Parsing any text never fails in another way."""
    with pytest.raises(ValueError, match=r"."):
        game.notation.read(word)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_boards_of_a_match_fit_a_terminal(game: AnyGame) -> None:
    """At most 79 columns and 24 lines, the same number for each board."""
    for state in [step.before for step in play(game, game.options(), 2).steps]:
        for seat in (None, Seat(0)):
            lines = game.notation.draw(game.view(state, seat)).splitlines()
            assert len(lines) <= 24
            assert max(map(len, lines)) <= 79


def test_a_square_board_is_drawn_with_names_at_its_edges() -> None:
    """Ternio's default layout."""
    game = GAMES["ternio"]
    state = game.start(game.options())
    for event in game.setup(game.options(), None):  # type: ignore[arg-type]  # nothing is drawn by lot here
        state = game.evolve(state, event)
    assert game.notation.draw(game.view(state, None)).splitlines() == [
        " 9 . . . . . . . . .",
        " 8 . . . . . . . . .",
        " 7 . . . . . . . . .",
        " 6 . . . B G B . . .",
        " 5 . . . G R R . . .",
        " 4 . . . G R B . . .",
        " 3 . . . . . . . . .",
        " 2 . . . . . . . . .",
        " 1 . . . . . . . . .",
        "   a b c d e f g h i",
        "red 3, green 3, blue 3",
    ]


def test_a_graph_is_drawn_with_its_lines() -> None:
    """The board of Morris with a man on it."""
    game = GAMES["morris"]
    state = game.start(game.options())
    for event in game.decide(state, game.to_move(state)[0], game.notation.read("d6")):
        state = game.evolve(state, event)
    assert game.notation.draw(game.view(state, None)).splitlines()[:7] == [
        " 7 .-----------.-----------.",
        "   |           |           |",
        " 6 |   .-------W-------.   |",
        "   |   |       |       |   |",
        " 5 |   |   .---.---.   |   |",
        "   |   |   |       |   |   |",
        " 4 .---.---.       .---.---.",
    ]


def test_a_secret_selection_is_in_no_text() -> None:
    """What was selected when yellow left is not in the text; what was turned before is."""
    game = GAMES["turncoat"]
    for seed in range(1, 40, 2):
        match = match_of(play(game, game.options(), seed))
        entries = read_text(text(heading(match, (None, None)), match.events)).entries
        resolved = sum(event.__struct_config__.tag == "turned" and event.half == 1 for event in match.events)  # type: ignore[attr-defined]  # it is a Turned
        assert len([entry for entry in entries if not isinstance(entry, Drop)]) == 2 * resolved


def sample() -> tuple[Sheet, str]:
    """Return a match of Ternio that was played to its end, and its text."""
    match = match_of(play(GAMES["ternio"], GAMES["ternio"].options(), 2))
    return sheet_of(match), text(heading(match, (None,) * 3), match.events)


FAULTS = [
    ("turnstream match 1", "turnstream match 2", "line 1"),
    ("game: ternio", "game: chess", "has no game chess"),
    ("game: ternio\n", "", "missing required field `game`"),
    ("game: ternio", "game: ternio\ngame: ternio", "line 4"),
    ("game: ternio", "game: ternio\nblack: 1", "unknown field `black`"),
    ("rules_version: 1", "rules_version: 99", "version 99"),
    ("rules_version: 1", "rules_version: {", "line 4"),
    ('{"start":"even"}', '{"start":"last"}', "/options"),
    ('"red":null', '"reds":null', "seats of this game"),
    ('["","",""]', '[""]', "seats of this game"),
    ("seed: ", "seed: 0", "heading/seed"),
    ("  1. red", "  2. red", "expected `1.` at the beginning"),
    ("  1. red", "  1.", "expected one of red, green, blue"),
    ("  1. red", "(  1. red)", "expected `1.` at the beginning"),
    ("  1. red", "(a remark)\n  1. red", "expected `1.` at the beginning"),
    ("  1. red", "  1. red z9", "z9 is not a move of ternio"),
]


@pytest.mark.parametrize(("old", "new", "message"), FAULTS)
def test_a_faulty_text_is_rejected_with_its_position(old: str, new: str, message: str) -> None:
    """Nothing is guessed."""
    _, whole = sample()
    assert whole.count(old) >= 1
    with pytest.raises(Unreadable) as refused:
        list(replay(read_text(whole.replace(old, new, 1))))
    assert message in str(refused.value)


@pytest.mark.parametrize("garbage", ["", "\n", "turnstream match 1", "turnstream match 1\n\n  1. red e5", "\x00", "[]"])
def test_garbage_is_rejected(garbage: str) -> None:
    """Neither text nor export."""
    with pytest.raises(Unreadable):
        read_text(garbage)
    with pytest.raises(Unreadable):
        read_export(garbage.encode())


def test_brackets_semicolons_and_blank_lines_are_skipped() -> None:
    """They are for readers."""
    sheet, whole = sample()
    noisy = whole.replace("  2. ", "; 7. red z9\n\n(not 7.) 2. (red (resigned)", 1)
    assert read_text(noisy.replace("\n", "\r\n")) == sheet


def test_an_illegal_move_is_named() -> None:
    """The second disc on the same square."""
    sheet, _ = sample()
    forged = Sheet(sheet.heading, (sheet.entries[0], msgspec.structs.replace(sheet.entries[0], seat=1)))
    with pytest.raises(Refuted, match=r"move 2, green \w\d: occupied"):
        list(replay(forged))


def test_nobody_moves_after_the_end_or_drops_out_twice() -> None:
    """As in a room."""
    sheet, _ = sample()
    with pytest.raises(Refuted, match="resigned: the match is over"):
        list(replay(Sheet(sheet.heading, (*sheet.entries, Drop(sheet.entries[0].seat, "resigned")))))
    drop = Drop(sheet.entries[0].seat, "resigned")
    with pytest.raises(Refuted, match="move 2, red resigned"):
        list(replay(Sheet(sheet.heading, (drop, drop))))


def possible_results(sheet: Sheet, rules: Rules, last: Any) -> Iterator[tuple[Result, bool]]:
    """Yield results that a match may be recorded with after its first moves only, and whether they are possible."""
    yield sheet.heading.result, False
    yield Result("closed", (), None, ()), True
    yield Result("closed", (1, 2, 3), None, ()), False
    yield draw_result(rules.game, rules.options, last, ()), True
    yield Result("agreed", (1, 1, 1), None, ()), False
    yield Result("agreed", (1, 2, 2), None, ()), False


def test_a_match_ends_by_the_rules_or_without_a_result() -> None:
    """A truncated text is not accepted as a complete one."""
    sheet, _ = sample()
    rules = rules_of(sheet.heading)
    *_, cut, last = replay(sheet)
    for result, possible in possible_results(sheet, rules, cut.after):
        assert (refutation(rules, cut.after, result) is None) == possible
    assert refutation(rules, last.after, msgspec.structs.replace(sheet.heading.result, places=(1, 1, 1))) is not None


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_an_export_has_the_same_match_as_the_text(game: AnyGame) -> None:
    """What a client without a token may know is enough for the sheet."""
    match = match_of(play(game, game.options(), 3))
    assert sheet_of(read_export(export_of(match))) == sheet_of(match)


def test_an_export_of_a_running_match_has_no_sheet() -> None:
    """The seed is revealed at the end."""
    match = match_of(play(GAMES["triboard"], GAMES["triboard"].options(), 3))
    running = read_export(export_of(msgspec.structs.replace(match, ended=None)))
    assert running.ended is None
    with pytest.raises(Unreadable, match="still being played"):
        sheet_of(running)


def test_the_heading_has_what_the_moves_do_not_say() -> None:
    """Its lines, in this order; a match with its own layout and beginning names no other match."""
    _, whole = sample()
    names = [line.partition(":")[0] for line in whole.partition("\n\n")[0].splitlines()]
    others = {"layout_of", "position"}
    assert names == ["turnstream match 1", *(name for name in Heading.__struct_fields__ if name not in others)]


def test_the_page_shows_a_match_that_can_be_replayed() -> None:
    """docs/notation.md has a complete text."""
    shown = (Path(__file__).parents[2] / "docs/notation.md").read_text().partition("```text\n")[2].partition("```")[0]
    sheet = read_text(shown)
    *_, last = steps = list(replay(sheet))
    assert refutation(rules_of(sheet.heading), last.after, sheet.heading.result) is None
    assert text(sheet.heading, [event for step in steps for event in step.events]) == shown
