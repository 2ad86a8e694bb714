"""Take the screenshots of the pages for the documents: `python -m tests.web.pictures`, or `make pictures`.

A few moves of each game are played on one device, then the page is shown on a desktop and on a phone. Where pngquant
is installed, the files are compressed with it.
"""

import contextlib
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.api.browser import Page, connect_to, new_browser
from tests.e2e.client import connect_to as connect_to_api
from tests.e2e.processes import OPERATORS, ApiProcess, ServiceProcess, run_processes
from tests.store_server import new_server, run_server
from tests.web.person import Person
from tests.web.test_accessibility import TITLES

PICTURES = Path(__file__).parents[2] / "docs/pictures"
DESKTOP = (1280, 860)
PHONE = (390, 844)
MOVES = {"ternio": 24, "triboard": 30, "morris": 24, "turncoat": 8, "rainbow": 9}
DARK = {"triboard", "rainbow"}
"""Shown on the phone in the dark theme."""
HINTED = "ternio"
"""Shown with a bot's hint."""
REVIEWED = "morris"
"""Shown with a review by the bots."""

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
"""Clicks one of the possible next steps in a room; `CHANCE` selects it."""


@contextlib.contextmanager
def open_person(folder: Path) -> Iterator[Person]:
    """Run the whole service and a browser, and return its person."""
    with run_server(new_server()) as store:
        api = ApiProcess(store.url, folder / "log", admin_token=OPERATORS)
        worker = ServiceProcess("service worker", store.url, folder / "log")
        with run_processes(api, worker), new_browser(folder / "browser") as address, connect_to(address) as connection:
            yield Person(Page(connection), api.url, "Ada")


def take_picture(person: Person, name: str, size: tuple[int, int], *, scale: float = 1) -> None:
    """Take one picture."""
    person.resize(*size, scale=scale)
    time.sleep(0.5)
    person.page.value("scrollTo(0, 0)")
    file = PICTURES / f"{name}.png"
    person.page.screenshot(file)
    if (smaller := shutil.which("pngquant")) is not None:
        subprocess.run((smaller, "--force", "--skip-if-larger", "--strip", "--output", file, file), check=False)
    print(f"{file.name}: {file.stat().st_size // 1024} KB")  # noqa: T201 - the output of a command


def play_moves(person: Person, game: str) -> None:
    """Open a room on one device and make some moves."""
    chance = Random(game)  # noqa: S311 - the same moves every time
    person.open()
    person.open_room(TITLES[game], "device", f"{game.title()} night", {"setting-hints": "always"})
    person.wait_for(".boards .board")
    count = 0
    while count < MOVES[game]:
        person.page.value(MOVE.replace("CHANCE", str(chance.random())))
        person.page.wait_for("!document.querySelector('.pending')")
        time.sleep(0.1)
        count += 1
    if game == HINTED:
        person.click_button("Hint")
        person.wait_for(".hint-mark")
    person.page.value("document.body.click()")


def take_review(person: Person) -> None:
    """Resign the match that is shown, and take a picture of its review by the bots, at a position before its end."""
    person.click_button("Resign")
    person.click_button("Yes, resign")
    person.click_button("Review")
    person.click_button("Ask the bots for a review")
    person.wait_for(".graph")
    person.press(",", 4)
    take_picture(person, "review", DESKTOP)


def take_operators(person: Person) -> None:
    """Report two players, and take a picture of the page on which operators see this."""
    with connect_to_api(person.url) as client:
        names = ("Ben", "Cyd", "Dora")
        ben, cyd, dora = (client.guest(name) for name in names)
        ben.open_room("ternio", name="friday-night")
        for player in (cyd, dora):
            player.command("friday-night", "join")
        cyd.post("/v1/reports", {"player": ben.id, "reason": "Insults in the chat", "room": "friday-night"})
        dora.post("/v1/reports", {"player": cyd.id, "reason": "Plays so slowly that everybody leaves"})
    person.open("/admin")
    person.type_into("#operator-token", OPERATORS)
    person.press("Enter")
    person.wait_for(".operate li")
    take_picture(person, "operators-phone", PHONE)


def main() -> None:
    """Take all pictures."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, open_person(Path(folder)) as ada:
        ada.resize(*DESKTOP)
        ada.set_nickname()
        for game in TITLES:
            play_moves(ada, game)
            take_picture(ada, game, DESKTOP)
            ada.emulate_media(prefers_color_scheme="dark" if game in DARK else "light")
            take_picture(ada, f"{game}-phone", PHONE)
            ada.emulate_media(prefers_color_scheme="light")
            ada.resize(*DESKTOP)
            if game == REVIEWED:
                take_review(ada)
        ada.open()
        ada.wait_for(".game .play-now")
        take_picture(ada, "lobby", DESKTOP)
        take_picture(ada, "lobby-phone", PHONE)
        take_operators(ada)


if __name__ == "__main__":
    main()
