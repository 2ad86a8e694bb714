"""Draw the pictures that messengers show of links to games: `python -m tests.web.previews`, or `make previews`.

Each is a position of a random match, with the game's name and its line, in 1200 by 630 pixels. Where pngquant is
installed, the files are compressed with it. A game without a picture has no image in its previews.
"""

import json
import shutil
import subprocess
import tempfile
import textwrap
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from service.domain.catalog import GAMES, AnyGame
from service.domain.game import Seat
from service.rooms.views.board_svg import HEIGHT, INK, LEFT, PALE, PAPER, WIDTH, boards, element, player, text
from tests.api.browser import new_page
from tests.laws.play import play

FOLDER = Path(__file__).parents[2] / "service/web/previews"
MOST_BYTES = 100_000
SEED = 8
COLUMN = 340
"""The width of the text."""


def position(game: AnyGame) -> Any:
    """Return the state in the middle of a random match."""
    steps = play(game, game.options(), SEED).steps
    return steps[len(steps) * 2 // 5].after[-1]


def text_lines(game: AnyGame) -> Iterator[str]:
    """Yield the text: the game's name, its line, and the colours of its seats."""
    yield text(game.texts.title, LEFT, 132, 66, COLUMN, fill=INK, font_weight="bold")
    lines = textwrap.wrap(game.texts.tagline, 24)
    for number, line in enumerate(lines):
        yield text(line, LEFT, 190 + 34 * number, 24, COLUMN, fill=INK)
    for seat, colour in enumerate(game.seats(game.options())):
        yield from player(Seat(seat), colour, colour, 240 + 34 * len(lines) + 56 * seat)
    yield text("Turnstream", LEFT, 574, 28, COLUMN, fill=PALE)


def drawing(game: AnyGame) -> str:
    """Return the picture of a game as SVG."""
    assert game.notation.picture is not None
    picture = game.notation.picture(game.view(position(game), None))
    return element(
        "svg",
        element("title", escape(game.texts.title)),
        element("rect", width=WIDTH, height=HEIGHT, fill=PAPER),
        *text_lines(game),
        *boards(game.geometry_of(game.options()), picture),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=WIDTH,
        height=HEIGHT,
        font_family="system-ui, sans-serif",
    )


def main() -> None:
    """Draw all pictures."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, new_page(Path(folder)) as page:
        page.call("Emulation.setDeviceMetricsOverride", width=WIDTH, height=HEIGHT, deviceScaleFactor=1, mobile=False)
        for game in GAMES.values():
            page.value(f"document.body.style.margin = 0, document.body.innerHTML = {json.dumps(drawing(game))}")
            file = FOLDER / f"{game.slug}.png"
            page.screenshot(file)
            if (smaller := shutil.which("pngquant")) is not None:
                subprocess.run((smaller, "--force", "--strip", "--output", file, file), check=False)
            size = file.stat().st_size
            print(f"{file.name}: {size // 1024} KB")  # noqa: T201 - the output of a command
            assert size <= MOST_BYTES


if __name__ == "__main__":
    main()
