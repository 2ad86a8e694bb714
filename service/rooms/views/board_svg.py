"""A room's position as an SVG picture for one viewer, without script or style, also suitable as the preview of a link.

It is 1200 by 630 units: players and score on the left, the boards on the right. Everything that a colour means is also
shown by a letter or a shape. All texts of people are escaped.
"""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from unicodedata import east_asian_width

import msgspec

from service.domain.game import Seat
from service.domain.geometry import ROW_DISTANCE, Geometry
from service.domain.presentation import Mark, Picture, Shape, Tint
from service.domain.room.model.events import Result
from service.domain.room.model.state import Room


def element(name: str, *content: str, **attributes: str | float) -> str:
    """Return an element with content; `font_size=3` is written as `font-size="3"`, and `class_` as `class`."""
    pairs = "".join(f' {key.rstrip("_").replace("_", "-")}="{value_of(value)}"' for key, value in attributes.items())
    return f"<{name}{pairs}>{''.join(content)}</{name}>" if content else f"<{name}{pairs}/>"


def value_of(value: str | float) -> str:
    """Return an attribute's value; five significant digits of a number are sufficient."""
    return escape(value) if isinstance(value, str) else f"{value:.5g}"


def text(content: str, x: float, y: float, size: float, width: float, **more: str | float) -> str:
    """Return a line of text, in a size smaller than `size` if it would be wider than `width`."""
    ems = sum(1.0 if east_asian_width(letter) in "WF" else 0.58 for letter in content)
    fitted = min(size, width / max(ems, 1))
    return element("text", escape(content), x=x, y=y, font_size=fitted, **more)


WIDTH, HEIGHT = 1200, 630
LEFT, COLUMN = 48, 330
"""The left edge and the width of the text."""
BOARDS = (410, 44, 750, 546)
"""The place of the boards: left, top, width, height."""
LABEL_SIZE = 0.7
"""The size of the names of rows and columns, and of a board's name, in cells."""
GAP = 0.4
"""The distance between two boards, in cells."""
HEXAGON_SCALE = 0.85
"""The size of marks on hexagons, whose corners have less room than those of squares."""

INK, PALE, PAPER, CELL, RULE, LIGHT = "#24211c", "#6b6357", "#fbfaf6", "#efe8d9", "#c3b8a2", "#c2410c"
TINTS: Mapping[Tint, tuple[str, str]] = {
    "red": ("#c62f2f", "#ffffff"),
    "orange": ("#e8892b", INK),
    "yellow": ("#f2d64b", INK),
    "green": ("#2f8f5b", "#ffffff"),
    "blue": ("#2f62b8", "#ffffff"),
    "violet": ("#7d4aa8", "#ffffff"),
    "white": ("#ffffff", INK),
    "black": ("#2b2824", "#ffffff"),
    "grey": ("#8d867a", "#ffffff"),
}
"""By tint, its colour and the colour of a letter on it."""
BY_COLOUR: Mapping[str, tuple[str, str]] = dict(TINTS.items())
"""The same by the name of any seat."""

SHAPES: Mapping[Shape, str] = {
    "disc": element("circle", r=0.36),
    "square": element("rect", x=-0.34, y=-0.34, width=0.68, height=0.68, rx=0.06),
    "diamond": element("path", d="M 0 -0.43 L 0.43 0 L 0 0.43 L -0.43 0 Z"),
    "wall": element("rect", x=-0.5, y=-0.5, width=1, height=1),
}
LIT = element(
    "rect",
    x=-0.46,
    y=-0.46,
    width=0.92,
    height=0.92,
    rx=0.1,
    fill="none",
    stroke=LIGHT,
    stroke_width=0.08,
    stroke_dasharray="0.2 0.1",
)


def drawing(room: Room, seat: Seat | None) -> bytes:
    """Return the position as `seat` (or the public) may see it; before the first match, the empty board."""
    game, match = room.game, room.match
    options = match.options if match else msgspec.convert(room.table.options, game.options)
    view = game.view(match.state if match else game.start(options), seat)
    picture = game.notation.picture(view) if game.notation.picture else None
    whole = element(
        "svg",
        element("title", escape(f"{game.texts.title}: {', '.join(names(room))}")),
        element("rect", width=WIDTH, height=HEIGHT, fill=PAPER),
        *side_panel(room, game.seats(options), picture.captions if picture else ()),
        *(boards(game.geometry_of(options), picture) if picture else text_board(game.notation.draw(view))),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=WIDTH,
        height=HEIGHT,
        role="img",
        font_family="system-ui, sans-serif",
    )
    return whole.encode()


def names(room: Room) -> list[str]:
    """Return the name of each seat's player; after a match, of the player at its start, if still a member."""
    finished = room.match and room.match.result
    holders = room.match.players if room.match and finished else room.table.seats
    members = room.table.members
    return [members[holder].nickname if holder in members else "free" for holder in holders]


# The text at the left


def side_panel(room: Room, colours: Sequence[str], captions: Sequence[str]) -> Iterator[str]:
    """Yield the game, the players with their colours and scores, the picture's captions, and the status."""
    yield text(room.game.texts.title, LEFT, 92, 44, COLUMN, fill=INK, font_weight="bold")
    yield text(room.table.title, LEFT, 128, 22, COLUMN, fill=PALE)
    scores = room.game.scores(room.match.state) if room.match and room.game.scores else ()
    for seat, (colour, name) in enumerate(zip(colours, names(room), strict=False)):
        label = f"{name} \u00b7 {scores[seat]}" if scores else name
        yield from player(Seat(seat), colour, label, 190 + 52 * seat)
    for line, label in enumerate(captions):
        yield text(label, LEFT, 210 + 52 * len(colours) + 30 * line, 20, COLUMN, fill=PALE)
    yield text(status_text(room, colours), LEFT, 552, 28, COLUMN, fill=INK, font_weight="bold")
    yield text(f"version {room.version}", LEFT, 584, 18, COLUMN, fill=PALE)


def player(seat: Seat, colour: str, label: str, y: int) -> Iterator[str]:
    """Yield a seat's colour, or its number if its name is not a colour, and its player."""
    letter = colour[0].upper() if colour in BY_COLOUR else str(seat + 1)
    fill, ink = BY_COLOUR.get(colour, TINTS["grey"])
    yield element("circle", cx=LEFT + 18, cy=y, r=18, fill=fill, stroke=INK, stroke_width=2)
    yield text(letter, LEFT + 18, y + 7, 20, 36, fill=ink, text_anchor="middle", font_weight="bold")
    yield text(label, LEFT + 50, y + 9, 26, COLUMN - 50, fill=INK)


def status_text(room: Room, colours: Sequence[str]) -> str:
    """Return the status of the match in a few words."""
    if room.match is None:
        return "Not started yet"
    if room.match.result is not None:
        return result_text(room.match.result, names(room))
    awaited = [colours[seat] for seat in room.match.to_move]
    return f"{' and '.join(awaited).capitalize()} to move"


def result_text(result: Result, players: Sequence[str]) -> str:
    """Return the winners and the reason."""
    winners = [players[seat] for seat in result.winners]
    who = f"{' and '.join(winners)} won" if winners else "Does not count"
    return f"{'Draw' if len(winners) == len(players) else who} ({result.reason.replace('_', ' ')})"


def text_board(lines: str) -> Iterator[str]:
    """Yield the lines of a view drawn by a game's notation, for a game without pictures."""
    rows = lines.splitlines()
    left, top, width, height = BOARDS
    size = min(34, height / max(len(rows), 1) / 1.2, width / max(map(len, rows), default=1) / 0.62)
    for number, row in enumerate(rows, 1):
        shown = escape(row).replace(" ", "\u00a0")
        yield element(
            "text", shown, x=left, y=top + 1.2 * size * number, font_size=size, font_family="monospace", fill=INK
        )


# The boards at the right, in units of a cell


def boards(geometry: Geometry, picture: Picture) -> Iterator[str]:
    """Yield the boards side by side, as large as possible and centred."""
    left, top, width, height = BOARDS
    step, count = geometry.width + LABEL_SIZE + GAP, len(geometry.boards)
    above = LABEL_SIZE if count > 1 else 0
    across, down = count * step - GAP, height_of(geometry) + LABEL_SIZE + above
    unit = min(width / across, height / down)
    x, y = left + (width - unit * across) / 2, top + (height - unit * down) / 2
    for number, name in enumerate(geometry.boards):
        place = f"translate({x + unit * (number * step + LABEL_SIZE):.5g} {y + unit * above:.5g}) scale({unit:.5g})"
        heading = [text(name, 0, -0.25, 0.5, geometry.width, fill=PALE)] if above else []
        yield element("g", *heading, *board(geometry, picture.boards.get(name, ())), transform=place)


def height_of(geometry: Geometry) -> float:
    """Return the height of a board, in cells; rows of hexagons overlap."""
    if geometry.kind == "hexagons":
        return (geometry.height - 1) * ROW_DISTANCE + 1 / ROW_DISTANCE
    return geometry.height


def board(geometry: Geometry, marks: Sequence[Mark]) -> Iterator[str]:
    """Yield a board's cells or lines, their names, and the marks."""
    places = {cell.name: (cell.x, height_of(geometry) - cell.y) for cell in geometry.cells}
    for one, other in geometry.edges:
        (x1, y1), (x2, y2) = places[one], places[other]
        yield element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=PALE, stroke_width=0.05)
    for x, y in places.values():
        yield CELLS[geometry.kind](x, y)
    if geometry.kind == "hexagons":
        marked = {mark.cell for mark in marks}  # the names of the others are in the cells, as no column is upright
        for name, (x, y) in places.items():
            if name not in marked:
                yield text(name, x, y + 0.07, 0.22, 1, fill=PALE, text_anchor="middle")
    else:
        yield from labels(geometry, places)
    scale = HEXAGON_SCALE if geometry.kind == "hexagons" else 1
    for mark in marks:
        x, y = places[mark.cell]
        place = f"translate({x:.5g} {y:.5g}) scale({scale:.5g})"
        yield element("g", *mark_parts(mark), transform=place, class_="mark")


def square(x: float, y: float) -> str:
    """Return a cell of a grid."""
    return element("rect", x=x - 0.5, y=y - 0.5, width=1, height=1, fill=CELL, stroke=RULE, stroke_width=0.03)


def point(x: float, y: float) -> str:
    """Return a cell of a graph."""
    return element("circle", cx=x, cy=y, r=0.09, fill=PALE)


def hexagon(x: float, y: float) -> str:
    """Return a hexagonal cell."""
    return element(
        "path",
        d="M 0 -.577 L .5 -.289 V .289 L 0 .577 L -.5 .289 V -.289 Z",
        transform=f"translate({x:.5g} {y:.5g})",
        fill=CELL,
        stroke=RULE,
        stroke_width=0.03,
    )


CELLS = {"grid": square, "graph": point, "hexagons": hexagon}


def labels(geometry: Geometry, places: Mapping[str, tuple[float, float]]) -> Iterator[str]:
    """Yield the letters of the columns and the numbers of the rows, from the names of the cells."""
    for x, letter in sorted({(x, name[0]) for name, (x, _) in places.items()}):
        yield text(letter, x, geometry.height + 0.45, 0.36, 1, fill=PALE, text_anchor="middle")
    for y, number in sorted({(y, name[1:]) for name, (_, y) in places.items()}):
        yield text(number, -0.18, y + 0.13, 0.36, 1, fill=PALE, text_anchor="end")


def mark_parts(mark: Mark) -> list[str]:
    """Return the parts of a mark, around its middle, with a name for screen readers."""
    fill, ink = TINTS[mark.tint]
    rim, breadth = (TINTS[mark.rim][0], 0.14) if mark.rim else (INK, 0.05)
    number = "" if mark.owner is None else str(mark.owner + 1)
    owner = f", player {number}" if number else ""
    parts = [
        element("title", escape(f"{mark.cell} {mark.letter or mark.shape}{owner}")),
        element("g", SHAPES[mark.shape], fill=fill, stroke=rim, stroke_width=breadth),
    ]
    if mark.letter:
        parts.append(text(mark.letter, 0, 0.15, 0.42, 1, fill=ink, text_anchor="middle", font_weight="bold"))
    if number:
        parts.append(text(number, -0.41, -0.29, 0.2, 1, fill=INK, text_anchor="middle", font_weight="bold"))
    if mark.corner:
        parts.append(text(mark.corner, 0.41, 0.45, 0.17, 1, fill=INK, text_anchor="middle", font_weight="bold"))
    if mark.lit:
        parts.append(LIT)
    return parts
