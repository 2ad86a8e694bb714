"""Takes the pictures of the pages for the README: `python -m tests.web.pictures`, or `make pictures`.

Each game is played a few moves at one device, then shown on a desktop and on a phone. Where pngquant is installed, it
makes the files smaller.
"""

import contextlib
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.api.browser import Page, connected, new_browser
from tests.e2e.processes import ApiProcess, ServiceProcess, started
from tests.store_server import new_server, running
from tests.web.person import Person
from tests.web.test_everyone import TITLES

PICTURES = Path(__file__).parents[2] / "docs/pictures"
DESKTOP = (1280, 860)
PHONE = (390, 844)
MOVES = {"ternio": 24, "triboard": 30, "morris": 14, "turncoat": 8, "rainbow": 9}
DARK = {"triboard", "rainbow"}
"""Shown on the phone by night."""
HINTED = "ternio"
"""Shown with a bot's advice."""

MOVE = """(() => {
  const all = selector => [...document.querySelectorAll(selector)];
  const one = selector => all(selector)[Math.floor(CHANCE * all(selector).length)];
  const skip = all('.tray button').find(button => button.textContent === 'Skip');
  const hand = one('.hand-over button');
  const commit = one('.selection') && one('.choice .primary:not(:disabled)');
  const side = one('.rack') && !one('.rack-side[aria-pressed=true]') && one('button.rack-side:not(:disabled)');
  const next = skip ?? hand ?? commit ?? (side || one('.cell.open:not(.blank)'));
  next?.dispatchEvent(new MouseEvent('click', {bubbles: true}));
})()"""
"""Does what is next at a table; `CHANCE` picks among what is offered."""


@contextlib.contextmanager
def somebody(folder: Path) -> Iterator[Person]:
    """Run the whole service and a browser, and sit down before it."""
    with running(new_server()) as store:
        api, worker = ApiProcess(store.url, folder / "log"), ServiceProcess("service worker", store.url, folder / "log")
        with started(api, worker), new_browser(folder / "browser") as address, connected(address) as connection:
            yield Person(Page(connection), api.url, "Ada")


def taken(person: Person, name: str, size: tuple[int, int], *, scale: float = 1) -> None:
    """Take one picture."""
    person.resizes(*size, scale=scale)
    time.sleep(0.5)
    person.page.value("scrollTo(0, 0)")
    file = PICTURES / f"{name}.png"
    person.page.pictured(file)
    if (smaller := shutil.which("pngquant")) is not None:
        subprocess.run((smaller, "--force", "--skip-if-larger", "--strip", "--output", file, file), check=False)
    print(f"{file.name}: {file.stat().st_size // 1024} KB")  # noqa: T201 - a command tells what it does


def played(person: Person, game: str) -> None:
    """Open a table at one device and make some moves."""
    chance = Random(game)  # noqa: S311 - the same moves every time
    person.opens()
    person.opens_room(TITLES[game], "device", f"{game.title()} night", {"setting-hints": "always"})
    person.waits(".boards .board")
    count = 0
    while count < MOVES[game]:
        person.page.value(MOVE.replace("CHANCE", str(chance.random())))
        person.page.waits_for("!document.querySelector('.pending')")
        time.sleep(0.1)
        count += 1
    if game == HINTED:
        person.button("Hint")
        person.waits(".hint-mark")
    person.page.value("document.querySelectorAll('.notice button').forEach(button => button.click())")


def main() -> None:
    """Take all pictures."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, somebody(Path(folder)) as ada:
        ada.resizes(*DESKTOP)
        ada.names_themselves()
        for game in TITLES:
            played(ada, game)
            taken(ada, game, DESKTOP)
            ada.prefers(prefers_color_scheme="dark" if game in DARK else "light")
            taken(ada, f"{game}-phone", PHONE)
            ada.prefers(prefers_color_scheme="light")
            ada.resizes(*DESKTOP)
        ada.opens()
        ada.waits(".game .board")
        taken(ada, "lobby", DESKTOP)
        taken(ada, "lobby-phone", PHONE)


if __name__ == "__main__":
    main()
