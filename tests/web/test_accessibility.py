"""Accessibility: keyboard, screen reader, small screen, reduced motion, dark theme; and a device that players share."""

import importlib.util
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.client import fresh_name
from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.variants import each_game, each_theme

TITLES = {
    "ternio": "Ternio",
    "triboard": "Triboard",
    "morris": "Nine Men's Morris",
    "turncoat": "Turncoat",
    "rainbow": "Tic-Tac-Rainbow",
}
SERIOUS = {"serious", "critical"}
STRICT = {"heading-order", "label-content-name-mismatch"}
"""Rules that count whatever axe-core rates them."""
NARROW = 360
AXE = """axe.run(document, {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
  rules: {'label-content-name-mismatch': {enabled: true}},
}).then(found =>
  found.violations.map(({id, impact, nodes}) => ({id, impact, nodes: nodes.map(node => node.html.slice(0, 300))})))"""


@cache
def axe() -> str:
    """Return the source of axe-core from the Python package that contains it; the package itself is not run."""
    found = importlib.util.find_spec("axe_core_python")
    if found is None or found.origin is None:
        pytest.skip("axe-core-python is not installed, so accessibility is not tested")
    return (Path(found.origin).parent / "axe.min.js").read_text()


def faults(person: Person) -> list[Any]:
    """Return the accessibility faults that axe-core rates as serious or critical, and those of the `STRICT` rules."""
    person.wait_for_animations()
    person.page.value(f"void (() => {{ {axe()} }})()")
    found = person.page.value(AXE)
    person.ignore_errors("willReadFrequently")  # a warning about how axe-core reads texts
    return [fault for fault in found if fault["impact"] in SERIOUS or fault["id"] in STRICT]


def overflow(person: Person) -> int:
    """Return by how many pixels the page is wider than a small phone."""
    return int(person.page.value("document.documentElement.scrollWidth")) - NARROW


def make_first_move(person: Person, game: str) -> None:
    """Make the first possible move, after selecting a seat where the device is handed over."""
    if game == "turncoat":
        person.click_button("I am Red")
    if game == "rainbow":
        person.click("button.rack-side")
    person.click(".cell.open:not(.blank)")


@pytest.mark.parametrize("theme", each_theme("light"))
def test_lobby_dialog_and_help_are_accessible(open_browser: OpenBrowser, theme: str) -> None:
    """In both themes, and nothing is wider than a small phone."""
    ada = open_browser("Ada")
    ada.emulate_media(prefers_color_scheme=theme)
    ada.set_nickname()
    assert faults(ada) == []
    ada.click('button[aria-label="Options of Ternio"]')
    ada.wait_for("dialog[open]")
    assert faults(ada) == []
    ada.open("/games/morris")
    ada.wait_for("figure .board")
    assert faults(ada) == []
    ada.resize(NARROW, 640)
    for path in ("/", *(f"/games/{game}" for game in TITLES)):
        ada.open(path)
        ada.wait_for("figure .board, .game .play-now")
        assert overflow(ada) <= 0, path


def test_long_names_fit_on_a_small_phone(open_browser: OpenBrowser) -> None:
    """The longest and widest names of a room and a player, without a space."""
    ada, bob = open_browser("W" * 24), open_browser("W" * 23 + "M")
    for person in (ada, bob):
        person.resize(NARROW, 640)
    room = ada.open_room(TITLES["morris"], name=f"{fresh_name()}-".ljust(40, "m"))
    bob.join(room)
    for person in (ada, bob):
        person.wait_for_text("Not ready yet")
        assert overflow(person) <= 0
    ada.click_ready()
    bob.wait_for(".seat:nth-child(1) .tag", "ready")
    bob.click_ready()
    bob.click_button("Offer a draw")
    for person in (ada, bob):
        person.wait_for(".offer")
        assert overflow(person) <= 0
        person.click(".aside .tab", "Room")
        assert overflow(person) <= 0


def test_a_right_to_left_name_does_not_reorder_its_sentence(open_browser: OpenBrowser) -> None:
    """It is isolated, so that brackets and numbers next to it keep their place."""
    ada = open_browser("\u05d3\u05d5\u05d3 2")
    ada.open_room(TITLES["morris"], "bots", options={"option-first": "White"})
    ada.wait_for(".status.my-turn")
    ada.click_button("Resign")
    ada.click_button("Yes, resign")
    ada.wait_for(".result", "Otto won")
    assert ada.text(".seat:nth-child(1) .seat-name") == "\u2068\u05d3\u05d5\u05d3 2\u2069"


def test_a_planted_fault_is_found(open_browser: OpenBrowser) -> None:
    """The tests above can fail: a button without a name and a wide line are found."""
    ada = open_browser("Ada")
    ada.open()
    ada.resize(NARROW, 640)
    ada.page.value("void document.body.append(document.createElement('button'))")
    ada.page.value("void document.body.lastChild.style.setProperty('width', '400px')")
    assert [fault["id"] for fault in faults(ada)] == ["button-name"]
    assert overflow(ada) > 0


@pytest.mark.parametrize("game", each_game(TITLES, "morris", "turncoat"))
def test_players_can_share_a_device(open_browser: OpenBrowser, game: str) -> None:
    """The player to move plays on the same device; the room is accessible, also in the dark theme and on a phone."""
    ada = open_browser("Ada")
    ada.open_room(TITLES[game], "device")
    ada.wait_for(".boards .board")
    make_first_move(ada, game)
    ada.page.wait_for("!document.querySelector('.pending')")
    ada.wait_for(".selection-label strong" if game == "turncoat" else ".ply")
    assert faults(ada) == []
    ada.emulate_media(prefers_color_scheme="dark")
    ada.resize(NARROW, 640)
    assert overflow(ada) <= 0
    assert faults(ada) == []
    if game == "turncoat":
        ada.click_button("Commit ")
        ada.click_button("I am Yellow")
    elif game == "rainbow":
        ada.click("button.rack-side")
    count = ada.page.value("document.querySelectorAll('.ply').length")
    ada.click(".cell.open:not(.blank)")
    if game != "turncoat":
        ada.page.wait_for(f"document.querySelectorAll('.ply').length > {count}")


def test_a_match_can_be_played_by_keyboard(open_browser: OpenBrowser) -> None:
    """From the lobby to a placed man: Tab, arrows, Enter and Escape."""
    ada = open_browser("Ada")
    ada.open()
    ada.wait_for(".game")
    ada.tab_to("Options of Nine Men")
    ada.press("Enter")
    ada.wait_for("dialog[open]")
    ada.page.wait_for("document.querySelector('dialog').contains(document.activeElement)")
    ada.press("ArrowDown", 5)
    ada.press("Escape")
    ada.page.wait_for("document.querySelector('dialog') === null")
    ada.open_room(TITLES["morris"], "device")
    ada.page.wait_for("document.querySelector('.cell.open') !== null")
    ada.tab_to("A7, empty")
    labels = []
    for key, times in (("ArrowRight", 0), ("ArrowDown", 1), ("ArrowRight", 1)):
        ada.press(key, times)
        labels.append(ada.focused_label())
        ada.press("Enter")
        ada.page.wait_for("document.querySelector('.pending') === null")
    assert ada.page.value("document.activeElement.dataset.cell") != "a7"
    ada.wait_for(".ply:nth-of-type(1)")
    assert ada.page.value("document.querySelectorAll('.ply').length") == len(labels)
    assert labels[0] == "A7, empty, can be played"


def test_events_are_announced_to_screen_readers(open_browser: OpenBrowser) -> None:
    """Moves, passes and results are announced; each cell has a label."""
    ada = open_browser("Ada")
    ada.open_room(TITLES["rainbow"], "device")
    for peg, cell in (
        ("red and orange, red up", "a2"),
        ("red and orange, red up", "b2"),
        ("violet and red, red up", "c2"),
    ):
        ada.click("button.rack-side:not(:disabled)", peg)
        ada.click_cell(cell)
        ada.page.wait_for(
            f"document.querySelector('[data-cell=\"{cell}\"] .piece') && !document.querySelector('.pending')"
        )
    ada.page.wait_for("document.querySelector('#announcer').textContent.includes('has made a line')")
    label = ada.page.value("document.querySelector('[data-cell=\"c2\"]').getAttribute('aria-label')")
    assert label == "C2, red peg of one, violet underneath (R V), in the line"


def test_the_theme_can_be_chosen(open_browser: OpenBrowser) -> None:
    """The button switches from the device's theme to light and dark; the choice is kept for the next visit."""
    ada = open_browser("Ada")
    ada.open()
    paper = "getComputedStyle(document.body).backgroundColor"
    light = ada.page.value(paper)
    ada.click(".bar button", "Colours: device")
    ada.click(".bar button", "Colours: light")
    ada.page.wait_for(f"{paper} !== {light!r}")
    dark = ada.page.value(paper)
    ada.open()
    assert ada.page.value(paper) == dark
