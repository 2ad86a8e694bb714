"""For everyone: by keyboard, by ear, on a small screen, without motion, in the dark; several people at one device."""

import importlib.util
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.client import fresh_name
from tests.web.conftest import Visit
from tests.web.person import Person

TITLES = {
    "ternio": "Ternio",
    "triboard": "Triboard",
    "morris": "Nine Men's Morris",
    "turncoat": "Turncoat",
    "rainbow": "Tic-Tac-Rainbow",
}
SERIOUS = {"serious", "critical"}
NARROW = 360
AXE = """axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']}).then(found =>
  found.violations.map(({id, impact, nodes}) => ({id, impact, nodes: nodes.map(node => node.html.slice(0, 300))})))"""


@cache
def axe() -> str:
    """Return the source of axe-core, which a Python package carries; the package itself is not run."""
    found = importlib.util.find_spec("axe_core_python")
    if found is None or found.origin is None:
        pytest.skip("axe-core-python is not installed, so accessibility is not looked at")
    return (Path(found.origin).parent / "axe.min.js").read_text()


def faults(person: Person) -> list[Any]:
    """Return what axe-core finds on a page that hinders people seriously."""
    person.waits_until_still()
    person.page.value(f"void (() => {{ {axe()} }})()")
    return [fault for fault in person.page.value(AXE) if fault["impact"] in SERIOUS]


def overflow(person: Person) -> int:
    """Return by how much the page is wider than a small phone."""
    return int(person.page.value("document.documentElement.scrollWidth")) - NARROW


def moved(person: Person, game: str) -> None:
    """Make the first move that is offered, through the eyes of whoever is asked."""
    if game == "turncoat":
        person.button("I am Red")
    if game == "rainbow":
        person.clicks("button.rack-side")
    person.clicks(".cell.open:not(.blank)")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_lobby_dialog_and_help_hinder_nobody(visit: Visit, theme: str) -> None:
    """In both themes, and with nothing wider than a small phone."""
    ada = visit("Ada")
    ada.prefers(prefers_color_scheme=theme)
    ada.names_themselves()
    assert faults(ada) == []
    ada.clicks('button[aria-label="Play Ternio"]')
    ada.waits("dialog[open]")
    assert faults(ada) == []
    ada.opens("/games/morris")
    ada.waits("figure .board")
    assert faults(ada) == []
    ada.resizes(NARROW, 640)
    for path in ("/", *(f"/games/{game}" for game in TITLES)):
        ada.opens(path)
        ada.waits("figure .board, .game .board")
        assert overflow(ada) <= 0, path


def test_long_names_fit_on_a_small_phone(visit: Visit) -> None:
    """A table's and a player's, as long and as wide as they may be and without a space."""
    ada, bob = visit("W" * 24), visit("W" * 23 + "M")
    for person in (ada, bob):
        person.resizes(NARROW, 640)
    room = ada.opens_room(TITLES["morris"], name=f"{fresh_name()}-".ljust(40, "m"))
    bob.joins(room)
    for person in (ada, bob):
        person.sees("Not ready yet")
        assert overflow(person) <= 0
    ada.ready()
    bob.waits(".seat:nth-child(1) .tag", "ready")
    bob.ready()
    bob.button("Offer a draw")
    for person in (ada, bob):
        person.waits(".offer")
        assert overflow(person) <= 0
        person.clicks(".aside .tab", "Room")
        assert overflow(person) <= 0


def test_a_name_from_the_right_stays_in_its_place(visit: Visit) -> None:
    """In a sentence it is set apart, so that brackets and numbers beside it stay where they are."""
    ada = visit("\u05d3\u05d5\u05d3 2")
    ada.opens_room(TITLES["morris"], "bots", options={"option-first": "White"})
    ada.waits(".status.my-turn")
    ada.button("Resign")
    ada.button("Yes, resign")
    ada.sees("Black (Bot 1) wins")
    assert ada.text(".seat:nth-child(1) .seat-name") == "\u2068\u05d3\u05d5\u05d3 2\u2069"


def test_a_planted_fault_is_found(visit: Visit) -> None:
    """The tests above can fail: a button without a name and a wide line are noticed."""
    ada = visit("Ada")
    ada.opens()
    ada.resizes(NARROW, 640)
    ada.page.value("void document.body.append(document.createElement('button'))")
    ada.page.value("void document.body.lastChild.style.setProperty('width', '400px')")
    assert [fault["id"] for fault in faults(ada)] == ["button-name"]
    assert overflow(ada) > 0


@pytest.mark.parametrize("game", TITLES)
def test_people_share_a_device(visit: Visit, game: str) -> None:
    """One opens the table for all, and whoever is to move plays; the room hinders nobody, by night and on a phone."""
    ada = visit("Ada")
    ada.opens_room(TITLES[game], "device")
    ada.waits(".boards .board")
    moved(ada, game)
    ada.page.waits_for("!document.querySelector('.pending')")
    ada.waits(".selection-label strong" if game == "turncoat" else ".ply")
    assert faults(ada) == []
    ada.prefers(prefers_color_scheme="dark")
    ada.resizes(NARROW, 640)
    assert overflow(ada) <= 0
    assert faults(ada) == []
    if game == "turncoat":
        ada.button("Commit ")
        ada.button("I am Yellow")
    elif game == "rainbow":
        ada.clicks("button.rack-side")
    count = ada.page.value("document.querySelectorAll('.ply').length")
    ada.clicks(".cell.open:not(.blank)")
    if game != "turncoat":
        ada.page.waits_for(f"document.querySelectorAll('.ply').length > {count}")


def test_the_keyboard_is_enough(visit: Visit) -> None:
    """From the lobby to a mill: Tab, arrows, Enter and Escape."""
    ada = visit("Ada")
    ada.opens()
    ada.waits(".game")
    ada.tabs_to("Play Nine Men")
    ada.presses("Enter")
    ada.waits("dialog[open]")
    ada.page.waits_for("document.querySelector('dialog').contains(document.activeElement)")
    ada.presses("ArrowDown", 5)
    ada.presses("Escape")
    ada.page.waits_for("document.querySelector('dialog') === null")
    ada.opens_room(TITLES["morris"], "device")
    ada.page.waits_for("document.querySelector('.cell.open') !== null")
    ada.tabs_to("A7, empty")
    said = []
    for key, times in (("ArrowRight", 0), ("ArrowDown", 1), ("ArrowRight", 1)):
        ada.presses(key, times)
        said.append(ada.focus())
        ada.presses("Enter")
        ada.page.waits_for("document.querySelector('.pending') === null")
    assert ada.page.value("document.activeElement.dataset.cell") != "a7"
    ada.waits(".ply:nth-of-type(1)")
    assert ada.page.value("document.querySelectorAll('.ply').length") == len(said)
    assert said[0] == "A7, empty, can be played"


def test_what_happens_is_said(visit: Visit) -> None:
    """Moves, passes and results come as announcements, cells name themselves."""
    ada = visit("Ada")
    ada.opens_room(TITLES["rainbow"], "device")
    for peg, cell in (
        ("red and orange, red up", "a2"),
        ("red and orange, red up", "b2"),
        ("violet and red, red up", "c2"),
    ):
        ada.clicks("button.rack-side:not(:disabled)", peg)
        ada.cell(cell)
        ada.page.waits_for(
            f"document.querySelector('[data-cell=\"{cell}\"] .piece') && !document.querySelector('.pending')"
        )
    ada.page.waits_for("document.querySelector('#announcer').textContent.includes('wins: a line')")
    label = ada.page.value("document.querySelector('[data-cell=\"c2\"]').getAttribute('aria-label')")
    assert label == "C2, red peg of one, violet underneath, in the line"


def test_nothing_moves_for_those_who_want_it_still(visit: Visit) -> None:
    """With reduced motion no animation runs, and without it one does."""
    ada = visit("Ada")
    ada.opens_room(TITLES["ternio"], "device")
    running = "getComputedStyle(document.querySelector('.turned')).animationName"
    ada.clicks(".cell.open")
    ada.waits(".turned")
    assert ada.page.value(running) == "turn"
    ada.prefers(prefers_reduced_motion="reduce")
    assert ada.page.value(running) == "none"


def test_the_colours_can_be_chosen(visit: Visit) -> None:
    """The button goes from the device's theme to light and dark, and a new visit remembers."""
    ada = visit("Ada")
    ada.opens()
    paper = "getComputedStyle(document.body).backgroundColor"
    light = ada.page.value(paper)
    ada.clicks(".bar button", "Colours: device")
    ada.clicks(".bar button", "Colours: light")
    ada.page.waits_for(f"{paper} !== {light!r}")
    dark = ada.page.value(paper)
    ada.opens()
    assert ada.page.value(paper) == dark
