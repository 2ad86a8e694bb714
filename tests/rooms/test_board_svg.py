"""Pictures of rooms: well-formed, every piece on its cell, told without colours, and no more than the viewer knows."""

import random
from collections import Counter
from functools import reduce
from itertools import islice
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from service.domain.catalog import GAMES, AnyGame
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Seat
from service.domain.room.model import events
from service.domain.room.model.settings import Settings
from service.domain.room.model.state import Match, Room
from service.rooms.views import board_svg as drawings
from service.rooms.views.board_svg import drawing
from tests.domain.room.given_when_then import ANNA, BEN, CLARA, DORA, KEY, given, join, match_end, match_start

SVG = "{http://www.w3.org/2000/svg}"
NICKNAME = "<b>&\"'</title>"
games = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def parsed(room: Room, seat: Seat | None = None) -> ET.Element:
    """Return the picture as a program reads it."""
    return ET.fromstring(drawing(room, seat))  # noqa: S314 - our own picture


def pieces(picture: ET.Element) -> list[str]:
    """Return what lies on the cells, each as its cell and its letter."""
    groups = [group for group in picture.iter(f"{SVG}g") if group.get("class") == "mark"]
    return [group.findtext(f"{SVG}title", "") for group in groups]


def lit(picture: ET.Element) -> list[str]:
    """Return the pieces that stand out."""
    groups = [group for group in picture.iter(f"{SVG}g") if group.get("class") == "mark"]
    return [
        group.findtext(f"{SVG}title", "")
        for group in groups
        if any(part.get("stroke-dasharray") for part in group.iter())
    ]


def words(picture: ET.Element) -> list[str]:
    """Return every line of text."""
    return [line.text or "" for line in picture.iter(f"{SVG}text")]


def playing(game: AnyGame, plies: int, seed: int = 1) -> Room:
    """Return a room in which a match has been played at random for so long."""
    people = (ANNA, BEN, CLARA)[: len(game.seats(game.options()))]
    opening = events.RoomOpened(KEY.name, KEY.epoch, "Friday Night", game.slug, {}, Settings())
    seated = [event for seat, player in enumerate(people) for event in join(player, seat)]
    room = given(opening, *seated, match_start(*people, game=game.slug)).room
    assert room.match is not None
    return replace(room, match=replace(room.match, state=played(game, plies, seed)))


def played(game: AnyGame, plies: int, seed: int) -> Any:
    """Return the position after so many random moves."""
    dice, chance = random.Random(seed), Chance(bytes(32), (), DrawNumber(0))  # noqa: S311 - seeded play
    state = reduce(game.evolve, game.setup(game.options(), chance), game.start(game.options()))
    for _ in range(plies):
        state = reduce(game.evolve, game.follow(state, chance), state)
        for seat in game.to_move(state)[:1]:
            move = dice.choice(list(game.legal_moves(state, seat)))
            state = reduce(game.evolve, game.decide(state, seat, move), state)
    return state


PIECES = {
    "ternio": lambda view: sum(letter in "rgb" for row in view.board for letter in row),
    "triboard": lambda view: sum(letter in "rgb#" for row in view.board for letter in row),
    "morris": lambda view: sum(map(bool, view.points.values())),
    "turncoat": lambda view: sum(disc in "BW" for rows in view.boards.values() for row in rows for disc in row),
    "rainbow": lambda view: len(view.cells),
}


@games
def test_every_piece_is_on_its_cell_and_once(game: AnyGame) -> None:
    """As many pieces as the view has, none twice on a board, and cells for all of them."""
    for plies in (0, 3, 12):
        room = playing(game, plies)
        assert room.match is not None
        found = pieces(parsed(room))
        assert len(found) == PIECES[game.slug](game.view(room.match.state, None))
        cells = Counter(piece.split()[0] for piece in found)
        assert cells.keys() <= {cell.name for cell in game.geometry.cells}
        assert max(cells.values(), default=0) <= len(game.geometry.boards)


@games
def test_pieces_of_two_kinds_differ_without_their_colours(game: AnyGame) -> None:
    """Marks with different colours have different letters or shapes."""
    assert game.notation.picture is not None
    looks: dict[tuple[str, str], str] = {}
    for seed, plies in enumerate((5, 12, 30)):
        view = game.view(played(game, plies, seed), None)
        for mark in (mark for marks in game.notation.picture(view).boards.values() for mark in marks):
            assert looks.setdefault((mark.letter, mark.shape), mark.tint) == mark.tint
            assert bool(mark.rim) == bool(mark.corner)
    assert len(looks) > 1


@games
def test_before_the_first_match_the_empty_board_is_drawn(game: AnyGame) -> None:
    """With the seats and who has taken one."""
    opening = events.RoomOpened(KEY.name, KEY.epoch, "Friday Night", game.slug, {}, Settings())
    room = given(opening, *join(ANNA, 0)).room
    picture = parsed(room)
    assert pieces(picture) == []
    assert {"Not started yet", "anna", "free", "Friday Night", game.title} <= set(words(picture))


def test_a_picture_has_the_shape_of_a_link_preview_and_neither_script_nor_style() -> None:
    """1.91 to 1; nothing in it is fetched from elsewhere."""
    picture = parsed(playing(GAMES["morris"], 6))
    assert round(int(picture.get("width", 0)) / int(picture.get("height", 1)), 1) == 1.9
    assert {part.tag.removeprefix(SVG) for part in picture.iter()} <= {
        *("svg", "title", "rect", "g", "circle", "path", "line", "text")
    }
    assert not [name for part in picture.iter() for name in part.attrib if name.startswith("on") or "href" in name]


def test_names_stay_text() -> None:
    """Whatever is in them."""
    seated = [events.PlayerJoined(ANNA, NICKNAME, "player"), events.SeatTaken(Seat(0), ANNA)]
    room = given(events.RoomOpened(KEY.name, KEY.epoch, "A & <B>", "morris", {}, Settings()), *seated).room
    picture = parsed(room)
    assert {NICKNAME, "A & <B>"} <= set(words(picture))
    assert NICKNAME in picture.findtext(f"{SVG}title", "")


def test_a_long_name_fits_its_column() -> None:
    """A line is written smaller where it would be wider; wide letters count as such."""
    seated = [events.PlayerJoined(ANNA, "\u5c0f" * 24, "player"), events.SeatTaken(Seat(0), ANNA)]
    picture = parsed(given(events.RoomOpened(KEY.name, KEY.epoch, "W" * 60, "morris", {}, Settings()), *seated).room)
    for line in picture.iter(f"{SVG}text"):
        if (told_ := line.text or "") in {"\u5c0f" * 24, "W" * 60}:
            assert float(line.get("font-size", 99)) * len(told_) * 0.58 <= drawings.COLUMN + 1


def test_a_selection_is_lit_for_its_owner_only() -> None:
    """All others get the same bytes whatever was selected."""
    game = GAMES["turncoat"]
    start = played(game, 0, 1)
    rooms = []
    for move in islice(game.legal_moves(start, Seat(0)), 2):
        room = playing(game, 0)
        assert room.match is not None
        state = reduce(game.evolve, game.decide(start, Seat(0), move), start)
        rooms.append(replace(room, match=replace(room.match, state=state)))
        square = move.at
        assert {piece.split()[0] for piece in lit(parsed(rooms[-1], Seat(0)))} == {square}
    for viewer in (Seat(1), None):
        assert lit(parsed(rooms[0], viewer)) == []
        assert drawing(rooms[0], viewer) == drawing(rooms[1], viewer)
    assert drawing(rooms[0], Seat(0)) != drawing(rooms[1], Seat(0))


def test_a_picture_tells_how_it_stands() -> None:
    """Who is to move, or who won and why."""
    room = playing(GAMES["morris"], 0)
    assert "White to move" in words(parsed(room))
    match: Match | None = room.match
    assert match is not None
    told = {(1, 2): "anna won (few men)", (1, 1): "Draw (few men)", (): "Counts for nobody (few men)"}
    for places, told_ in told.items():
        result = match_end("few_men", *places).result
        assert told_ in words(parsed(replace(room, match=replace(match, result=result))))
    assert DORA not in room.table.members
    left = replace(match, result=match_end("few_men", 1, 2).result, players=(DORA, BEN))
    assert "free won (few men)" in words(parsed(replace(room, match=left)))


def test_a_game_without_a_picture_is_drawn_as_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """So a new game has one from its first day."""
    room = playing(GAMES["rainbow"], 4)
    assert room.match is not None
    game = room.game
    lines = game.notation.draw(game.view(room.match.state, None)).splitlines()
    notation = {name: getattr(game.notation, name) for name in ("draw", "spell", "read")}
    plain = {name: getattr(game, name) for name in game.__dataclass_fields__}
    bare = type(game)(**{**plain, "notation": type(game.notation)(**notation)})
    monkeypatch.setitem(GAMES, "rainbow", bare)
    shown = [line.replace("\u00a0", " ") for line in words(parsed(room))]
    assert [line for line in shown if line in lines] == lines
