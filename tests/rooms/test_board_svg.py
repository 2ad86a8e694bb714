"""Images of rooms: well-formed, every piece on its cell, clear without colours, and only what the viewer knows."""

import random
import re
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
from service.domain.games.rainbow.board import CELLS
from service.domain.room.model import events
from service.domain.room.model.settings import Settings
from service.domain.room.model.state import Match, Room
from service.rooms.views import board_svg as drawings
from service.rooms.views.board_svg import drawing
from tests.domain.room.given_when_then import ANNA, BEN, CLARA, DORA, KEY, given, join, match_end, match_start

SVG = "{http://www.w3.org/2000/svg}"
NICKNAME = "<b>&\"'</title>"
HEX_HEIGHT = 6.3509
"""Of seven rows of hexagons that are one unit wide."""
games = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
DRAWN = [game for game in GAMES.values() if game.notation.picture]
drawn_games = pytest.mark.parametrize("game", DRAWN, ids=[game.slug for game in DRAWN])
"""The games with pictures; other ones are shown as text."""


def parse_image(room: Room, seat: Seat | None = None) -> ET.Element:
    """Return the image as XML."""
    return ET.fromstring(drawing(room, seat))  # noqa: S314 - our own picture


def pieces(image: ET.Element) -> list[str]:
    """Return the pieces, each as its cell and its letter."""
    groups = [group for group in image.iter(f"{SVG}g") if group.get("class") == "mark"]
    return [group.findtext(f"{SVG}title", "") for group in groups]


def highlighted(image: ET.Element) -> list[str]:
    """Return the highlighted pieces."""
    groups = [group for group in image.iter(f"{SVG}g") if group.get("class") == "mark"]
    return [
        group.findtext(f"{SVG}title", "")
        for group in groups
        if any(part.get("stroke-dasharray") for part in group.iter())
    ]


def text_lines(image: ET.Element) -> list[str]:
    """Return every line of text."""
    return [line.text or "" for line in image.iter(f"{SVG}text")]


def room_in_match(game: AnyGame, plies: int, seed: int = 1) -> Room:
    """Return a room with a match of so many random moves."""
    people = (ANNA, BEN, CLARA)[: len(game.seats(game.options()))]
    opening = events.RoomOpened(KEY.name, KEY.epoch, "Friday Night", game.slug, {}, Settings())
    seated = [event for seat, player in enumerate(people) for event in join(player, seat)]
    room = given(opening, *seated, match_start(*people, game=game.slug)).room
    assert room.match is not None
    return replace(room, match=replace(room.match, state=random_position(game, plies, seed)))


def random_position(game: AnyGame, plies: int, seed: int) -> Any:
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


@drawn_games
def test_every_piece_is_on_its_cell(game: AnyGame) -> None:
    """As many pieces as the view has, none twice on a board, and cells for all of them."""
    for plies in (0, 3, 12):
        room = room_in_match(game, plies)
        assert room.match is not None
        found = pieces(parse_image(room))
        assert len(found) == PIECES[game.slug](game.view(room.match.state, None))
        cells = Counter(piece.split()[0] for piece in found)
        assert cells.keys() <= {cell.name for cell in game.geometry.cells}
        assert max(cells.values(), default=0) <= len(game.geometry.boards)


def test_a_hexagonal_board_is_drawn_with_hexagons_and_names_the_owners() -> None:
    """Each piece names its player, also by a number, and is drawn on its hexagon; empty cells have their names."""
    game = GAMES["rainbow"]
    room = room_in_match(game, 6)
    assert room.match is not None
    options = game.options(grid="hex")
    image = parse_image(replace(room, match=replace(room.match, options=options)))
    assert len([path for path in image.iter(f"{SVG}path") if path.get("transform")]) == 21
    found = pieces(image)
    assert {piece.split(", ")[1] for piece in found} == {"player 1", "player 2"}
    on = {piece.split()[0] for piece in found}
    assert {line for line in text_lines(image) if re.fullmatch("[a-e][1-5]", line)} == {*CELLS} - on
    places = {cell.name: (cell.x, cell.y) for cell in game.geometry_of(options).cells}
    for group in image.iter(f"{SVG}g"):
        if group.get("class") == "mark":
            x, y = map(float, re.findall(r"[-.0-9]+", group.get("transform", ""))[:2])
            cell = group.findtext(f"{SVG}title", "").split()[0]
            assert (x, HEX_HEIGHT - y) == pytest.approx(places[cell], abs=0.01)


@drawn_games
def test_pieces_of_two_types_differ_without_their_colours(game: AnyGame) -> None:
    """Marks with different colours have different letters or shapes."""
    assert game.notation.picture is not None
    looks: dict[tuple[str, str], str] = {}
    for seed, plies in enumerate((5, 12, 30)):
        view = game.view(random_position(game, plies, seed), None)
        for mark in (mark for marks in game.notation.picture(view).boards.values() for mark in marks):
            assert looks.setdefault((mark.letter, mark.shape), mark.tint) == mark.tint
            assert bool(mark.rim) == bool(mark.corner)
    assert len(looks) > 1


@games
def test_before_the_first_match_the_empty_board_is_drawn(game: AnyGame) -> None:
    """The seats and their players are shown beside it."""
    opening = events.RoomOpened(KEY.name, KEY.epoch, "Friday Night", game.slug, {}, Settings())
    room = given(opening, *join(ANNA, 0)).room
    image = parse_image(room)
    assert pieces(image) == []
    assert {"Not started yet", "anna", "free", "Friday Night", game.texts.title} <= set(text_lines(image))


def test_an_image_has_the_aspect_ratio_of_a_link_preview_and_no_script_or_style() -> None:
    """1.91 to 1; it refers to nothing on other servers."""
    image = parse_image(room_in_match(GAMES["morris"], 6))
    assert round(int(image.get("width", 0)) / int(image.get("height", 1)), 1) == 1.9
    assert {part.tag.removeprefix(SVG) for part in image.iter()} <= {
        *("svg", "title", "rect", "g", "circle", "path", "line", "text")
    }
    assert not [name for part in image.iter() for name in part.attrib if name.startswith("on") or "href" in name]


def test_names_are_escaped() -> None:
    """They may contain any character."""
    seated = [events.PlayerJoined(ANNA, NICKNAME, "player"), events.SeatTaken(Seat(0), ANNA)]
    room = given(events.RoomOpened(KEY.name, KEY.epoch, "A & <B>", "morris", {}, Settings()), *seated).room
    image = parse_image(room)
    assert {NICKNAME, "A & <B>"} <= set(text_lines(image))
    assert NICKNAME in image.findtext(f"{SVG}title", "")


def test_a_long_name_fits_its_column() -> None:
    """A line that would be wider has a smaller font; wide letters count as such."""
    seated = [events.PlayerJoined(ANNA, "\u5c0f" * 24, "player"), events.SeatTaken(Seat(0), ANNA)]
    image = parse_image(given(events.RoomOpened(KEY.name, KEY.epoch, "W" * 60, "morris", {}, Settings()), *seated).room)
    for line in image.iter(f"{SVG}text"):
        if (text := line.text or "") in {"\u5c0f" * 24, "W" * 60}:
            assert float(line.get("font-size", 99)) * len(text) * 0.58 <= drawings.COLUMN + 1


def test_a_selection_is_highlighted_for_its_owner_only() -> None:
    """All others get the same bytes for every selection."""
    game = GAMES["turncoat"]
    start = random_position(game, 0, 1)
    rooms = []
    for move in islice(game.legal_moves(start, Seat(0)), 2):
        room = room_in_match(game, 0)
        assert room.match is not None
        state = reduce(game.evolve, game.decide(start, Seat(0), move), start)
        rooms.append(replace(room, match=replace(room.match, state=state)))
        square = move.at
        assert {piece.split()[0] for piece in highlighted(parse_image(rooms[-1], Seat(0)))} == {square}
    for viewer in (Seat(1), None):
        assert highlighted(parse_image(rooms[0], viewer)) == []
        assert drawing(rooms[0], viewer) == drawing(rooms[1], viewer)
    assert drawing(rooms[0], Seat(0)) != drawing(rooms[1], Seat(0))


def test_an_image_says_who_is_to_move_or_has_won() -> None:
    """It also shows the reason of the result."""
    room = room_in_match(GAMES["morris"], 0)
    assert "White to move" in text_lines(parse_image(room))
    match: Match | None = room.match
    assert match is not None
    texts = {(1, 2): "anna won (few men)", (1, 1): "Draw (few men)", (): "Does not count (few men)"}
    for places, text in texts.items():
        result = match_end("few_men", *places).result
        assert text in text_lines(parse_image(replace(room, match=replace(match, result=result))))
    assert DORA not in room.table.members
    left = replace(match, result=match_end("few_men", 1, 2).result, players=(DORA, BEN))
    assert "free won (few men)" in text_lines(parse_image(replace(room, match=left)))


def test_a_game_without_marks_is_drawn_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a new game has an image at once."""
    room = room_in_match(GAMES["rainbow"], 4)
    assert room.match is not None
    game = room.game
    lines = game.notation.draw(game.view(room.match.state, None)).splitlines()
    notation = {name: getattr(game.notation, name) for name in ("draw", "spell", "read")}
    plain = {name: getattr(game, name) for name in game.__dataclass_fields__}
    bare = type(game)(**{**plain, "notation": type(game.notation)(**notation)})
    monkeypatch.setitem(GAMES, "rainbow", bare)
    shown = [line.replace("\u00a0", " ") for line in text_lines(parse_image(room))]
    assert [line for line in shown if line in lines] == lines
