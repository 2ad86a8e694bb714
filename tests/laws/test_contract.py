"""What every game provides before a match: names, options, schemas, a board, refusals."""

import re
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

import msgspec
import pytest

from service.domain import games
from service.domain.catalog import GAMES, AnyGame
from service.domain.game import ChanceEvent, Event, Hidden, Move, SeatEvent, hidden_fields, redact
from service.domain.room.model.events import AnyRoomEvent, Recorded
from service.domain.validation import Invalid, convert
from service.streams.codes import CATALOGUE, CODES
from tests.laws.moves import all_moves, move_types
from tests.laws.options import combinations_of, fields_of, option_values

ALL_GAMES = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)

ENVELOPE = {"type", "version", "time", "match", "by"}
"""The fields that are added to an event's own fields when it is sent (api: Feeds)."""

WORD = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def event_types(events: Any) -> tuple[type[Event], ...]:
    """Return the types of a union of events, or the only one."""
    return get_args(events) or (events,)


def tag(kind: type[Move | Event]) -> str:
    """Return the JSON tag of a type."""
    return str(kind.__struct_config__.tag)


@ALL_GAMES
def test_a_game_has_its_folders_name_and_a_rule_sheet(game: AnyGame) -> None:
    """The slug is one word of an address; the rules are text, with a version of at least 1."""
    assert GAMES[game.slug] is game
    assert WORD.fullmatch(game.slug)
    assert game.texts.title.strip() == game.texts.title != ""
    assert len(game.texts.rules) > 200
    assert game.rules_version >= 1


@ALL_GAMES
def test_options_have_valid_defaults_and_reject_unknown_fields(game: AnyGame) -> None:
    """An empty object means the defaults, and these match their own schema."""
    defaults = game.options()
    assert convert({}, game.options) == defaults
    assert convert(msgspec.to_builtins(defaults), game.options) == defaults
    with pytest.raises(Invalid):
        convert({"no_such_option": 1}, game.options)
    for name, values in option_values(game).items():
        for value in values:
            assert getattr(convert({name: value}, game.options), name) == value


@ALL_GAMES
def test_every_pair_of_option_values_is_tested(game: AnyGame) -> None:
    """The table of combinations leaves out no pair."""
    rows = combinations_of(game)
    assert rows[0] == game.options()
    for (one, ones), (other, others) in combinations(option_values(game).items(), 2):
        tried = {(repr(getattr(row, one)), repr(getattr(row, other))) for row in rows}
        assert tried == {(repr(a), repr(b)) for a in ones for b in others}


@ALL_GAMES
def test_seats_have_distinct_names(game: AnyGame) -> None:
    """At least two seats, each with a word for its colour."""
    for options in combinations_of(game):
        names = game.seats(options)
        assert 2 <= len(names) == len(set(names)) <= 16
        assert all(WORD.fullmatch(name) for name in names)


@ALL_GAMES
def test_the_board_can_be_drawn(game: AnyGame) -> None:
    """Cells have distinct names, the same with all options, and distinct places; edges and lines consist of cells."""
    assert game.geometry == game.geometry_of(game.options())
    for options in combinations_of(game):
        board = game.geometry_of(options)
        names = [cell.name for cell in board.cells]
        assert len(names) == len(set(names)) > 0
        assert names == [cell.name for cell in game.geometry.cells]
        assert len({(cell.x, cell.y) for cell in board.cells}) == len(names)
        assert all(0 <= cell.x <= board.width and 0 <= cell.y <= board.height for cell in board.cells)
        assert all(one != other and {one, other} <= set(names) for one, other in board.edges)
        assert all(len(line) == len(set(line)) and set(line) <= set(names) for line in board.lines)
        assert (board.kind == "graph") == bool(board.edges)
        assert len(board.boards) == len(set(board.boards)) > 0
        assert all(re.fullmatch("[a-z][0-9]+", name) for name in names)


@ALL_GAMES
def test_move_types_are_distinct_and_name_cells_of_the_board(game: AnyGame) -> None:
    """Each type of move has its tag, has moves, requires all fields, and rejects a square off the board."""
    kinds = move_types(game.move)
    assert len({tag(kind) for kind in kinds}) == len(kinds)
    assert {type(move) for move in all_moves(game.slug)} == set(kinds)
    assert all(issubclass(kind, Move) for kind in kinds)
    for move in {type(move): move for move in all_moves(game.slug)}.values():
        fields = msgspec.to_builtins(move)
        assert convert(fields, game.move) == move
        for wrong in ({"at": "z99"}, {"at": "a0"}, {"at": f"{fields.get('at')}\n"}, {"no_such_field": 1}):
            with pytest.raises(Invalid):
                convert({**fields, **wrong}, game.move)
        for missing in fields:
            with pytest.raises(Invalid, match=f"required field `{missing}`"):
                convert({name: value for name, value in fields.items() if name != missing}, game.move)


@ALL_GAMES
def test_no_event_has_a_field_of_the_envelope(game: AnyGame) -> None:
    """No field of an event has the name of one that is added to it."""
    for kind in (*event_types(game.event), *event_types(AnyRoomEvent)):
        assert not ENVELOPE & {field.encode_name for field in fields_of(kind)}, kind
    assert {"version", "time", "match", "by"} < {field.name for field in fields_of(Recorded)}


@ALL_GAMES
def test_events_of_a_game_and_of_the_room_have_distinct_tags(game: AnyGame) -> None:
    """Within one stream each tag has one meaning."""
    kinds = (*event_types(game.event), *event_types(AnyRoomEvent))
    assert len({tag(kind) for kind in kinds}) == len(kinds)


@ALL_GAMES
def test_hidden_fields_can_be_left_out(game: AnyGame) -> None:
    """A hidden field is unset by default; an event with a field that is hidden from others names its seat."""
    for kind in (*event_types(game.event), *event_types(AnyRoomEvent)):
        defaults = {field.name: field.default for field in msgspec.structs.fields(kind)}
        for name, hidden_from in hidden_fields(kind):
            assert defaults[name] is msgspec.UNSET
            assert msgspec.UnsetType in get_args(get_type_hints(kind)[name])
            assert hidden_from == "all" or issubclass(kind, SeatEvent)


@ALL_GAMES
def test_events_of_a_seat_and_of_chance_are_marked(game: AnyGame) -> None:
    """Rooms and texts recognise them by their type, not by a field's name."""
    for kind in event_types(game.event):
        assert issubclass(kind, SeatEvent) == ("seat" in kind.__struct_fields__)
        assert issubclass(kind, ChanceEvent) == ("draw" in kind.__struct_fields__)


@ALL_GAMES
def test_states_can_be_compared(game: AnyGame) -> None:
    """Two states with equal contents are equal; replay needs that."""
    start, again = game.start(game.options()), game.start(game.options())
    assert start == again
    assert start != object()
    assert "__eq__" in {name for kind in type(start).__mro__[:-1] for name in vars(kind)}


@ALL_GAMES
def test_refusals_are_codes_with_a_meaning(game: AnyGame) -> None:
    """Each is a word with a sentence, and differs from the codes of rooms and of the service."""
    for code, meaning in game.texts.refusals.items():
        assert WORD.fullmatch(code)
        assert meaning[0].isupper()
        assert meaning.endswith(".")
    assert not game.texts.refusals.keys() & CATALOGUE.codes.keys()


@pytest.mark.parametrize(("one", "other"), [*combinations(GAMES.values(), 2)], ids=lambda game: game.slug)
def test_a_code_means_the_same_in_every_game(one: AnyGame, other: AnyGame) -> None:
    """The catalogue of codes has one sentence for each code."""
    shared = one.texts.refusals.keys() & other.texts.refusals.keys()
    assert {code: one.texts.refusals[code] for code in shared} == {code: other.texts.refusals[code] for code in shared}


def test_the_catalogue_of_codes_is_complete() -> None:
    """Every rejection of the rules has a problem code."""
    of_games = {code for game in GAMES.values() for code in game.texts.refusals}
    assert CODES.keys() == of_games | CATALOGUE.codes.keys()
    assert {CODES[code].status for code in of_games} == {409}


class UnmarkedSecret(Event, frozen=True):
    """An event whose field is not marked as hidden."""

    seat: int
    word: Literal["yes", "no"] | msgspec.UnsetType = msgspec.UNSET


def test_hidden_fields_are_read_from_annotations() -> None:
    """An event without a mark hides nothing, so the law above needs marked events."""
    assert hidden_fields(UnmarkedSecret) == ()
    assert redact(UnmarkedSecret(0, "yes"), None) == UnmarkedSecret(0, "yes")
    assert Hidden.FROM_ALL.extra == {"hidden_from": "all"}
    marked_types = [kind for game in GAMES.values() for kind in event_types(game.event) if hidden_fields(kind)]
    assert marked_types


@ALL_GAMES
def test_every_game_has_its_parts_in_the_same_files(game: AnyGame) -> None:
    """So that who knows one game finds the same things under the same names in the others.

    Beside them is only what the game's bot needs: nothing else imports it.
    """
    folder = Path(games.__file__).parent / game.slug
    parts = {"model", "rules", "notation", "bot", "board"}
    search = {file.stem for file in folder.glob("*.py")} - {"__init__", *parts}
    for part in {"__init__", *parts} - {"bot"}:
        source = folder / f"{part}.py"
        text = source.read_text() if source.exists() else ""
        imported = set(re.findall(rf"(?m)^from {re.escape(games.__name__)}\.{game.slug}\.(\w+) import", text))
        assert not imported & search, part
    assert {inner.name for inner in folder.iterdir() if inner.is_dir()} <= {"__pycache__"}
    assert type(game.start(game.options())).__name__ == "Position"
    assert get_type_hints(game.view)["return"].__name__ == "View"
