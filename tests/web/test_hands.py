"""Playing by hand: dragging, previews of moves, premoves, arrows and rings, and the list of keys."""

import pytest

from tests.api.tab import Button, Json, Step
from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import TITLES, faults
from tests.web.test_matches import play, seat_people


def press_and_move(person: Person, kind: str, source: Json, *targets: Json, button: Button = "left") -> None:
    """Press the mouse, or a finger, at one point, and move it over others without letting go."""
    use(person, kind, Step("press", **source), *(Step("move", **target) for target in targets), button=button)


def let_go(person: Person, kind: str, target: Json, button: Button = "left") -> None:
    """Let go of the mouse, or lift the finger."""
    use(person, kind, Step("release", **target), button=button)


def use(person: Person, kind: str, *steps: Step, button: Button) -> None:
    """Use the mouse or a finger."""
    if kind == "touch":
        person.page.use_finger(*steps)
    else:
        person.page.use_mouse(*steps, button=button)


MIDDLES = """(selectors => selectors.map(selector => {
  const {left, top, width, height} = document.querySelector(selector).getBoundingClientRect();
  return {x: left + width / 2, y: top + height / 2};
}))"""


def drag(person: Person, source: str, target: str, kind: str = "mouse") -> None:
    """Drag from one element to another, which are both on the screen."""
    person.wait_for(source)
    person.page.value("scrollTo(0, 0)")
    here, there = person.page.value(f"{MIDDLES}({[source, target]})")
    half = {"x": (here["x"] + there["x"]) / 2, "y": (here["y"] + there["y"]) / 2}
    press_and_move(person, kind, here, half, there)
    person.wait_for(".flights > *")
    let_go(person, kind, there)


def point_at(person: Person, selector: str) -> None:
    """Move the mouse over an element."""
    person.page.use_mouse(Step("move", **person.point(selector)))


def cell(name: str) -> str:
    """Return the selector of a cell."""
    return f'.boards [data-cell="{name}"]'


@pytest.mark.parametrize("kind", ["mouse", "touch"])
def test_a_man_is_dragged_from_the_hand(open_browser: OpenBrowser, kind: str) -> None:
    """With the mouse or with a finger; one that is dropped beside the board stays in the hand."""
    ada = open_browser("Ada")
    if kind == "touch":
        ada.resize(390, 844)
    ada.open_room(TITLES["morris"], "device", options={"option-first": "White"})
    ada.wait_for(".status.my-turn")
    drag(ada, ".men.of-white .man:last-child", ".status", kind)
    ada.wait_until_gone(".flights > *")
    assert not ada.has(".ply")
    drag(ada, ".men.of-white .man:last-child", cell("d2"), kind)
    ada.wait_for(".ply", "d2")
    ada.wait_for(f"{cell('d2')} .piece.white")
    assert not ada.has(".answer.error")


def test_pegs_are_dragged_from_the_rack_and_on_the_board(open_browser: OpenBrowser) -> None:
    """Two pegs of each player; a peg that is dropped beside the board stays where it was."""
    one, two = seat_people(open_browser, TITLES["rainbow"], ("Ada", "Bob"))
    one.wait_for(".status.my-turn")
    drag(one, '.rack-side[aria-label*="orange up"]', cell("b3"))
    one.wait_for(f'{cell("b3")}[aria-label^="B3, orange peg of one"]')
    two.wait_for(".status.my-turn")
    drag(two, '.rack-side[aria-label*="yellow up"]', cell("c3"))
    one.wait_for(".status.my-turn")
    drag(one, cell("b3"), ".status")
    assert one.has(f"{cell('b3')} .peg")
    assert not one.has(".flights > *")
    drag(one, cell("b3"), cell("a2"))
    two.wait_for(f'{cell("a2")}[aria-label^="A2, orange peg of one"]')


@pytest.mark.parametrize("game", ["ternio", "triboard"])
def test_a_preview_shows_what_is_captured(open_browser: OpenBrowser, game: str) -> None:
    """The marked cells are those that the service reports as captured; nothing is played by pointing."""
    ada = open_browser("Ada", records=True)
    ada.open_room(TITLES[game], "device")
    for number in range(1, 7):
        ada.wait_for(".cell.open")
        at = ada.page.value("document.querySelectorAll('.cell.open')[0].dataset.cell")
        point_at(ada, ".status")
        point_at(ada, cell(at))
        ada.wait_for(f"{cell(at)} .ghost .piece")
        shown = ada.page.value(
            "[...document.querySelectorAll('.cell:has(.affected)')].map(one => one.dataset.cell).sort()"
        )
        assert shown
        assert ada.page.value("document.querySelectorAll('.ply').length") == number - 1
        ada.click_cell(at)
        ada.page.wait_for(f"document.querySelectorAll('.ply').length === {number}")
        captured = [
            event for frame in ada.received_frames() for event in frame.get("events", []) if "captured" in event
        ]
        assert shown == sorted(captured[-1]["captured"])


def test_a_long_press_shows_a_mill_and_plays_nothing(open_browser: OpenBrowser) -> None:
    """On a touch screen; the men that would form the mill are marked while the finger rests."""
    ada = open_browser("Ada")
    ada.resize(390, 844)
    ada.open_room(TITLES["morris"], "device", options={"option-first": "White"})
    for number, name in enumerate(("a7", "b4", "d7", "c4"), start=1):
        play(ada, name)
        ada.page.wait_for(f"document.querySelectorAll('.ply').length === {number}")
    point = ada.point(cell("g7"))
    press_and_move(ada, "touch", point)
    ada.wait_for(f"{cell('g7')} .ghost .piece.white")
    marked = ada.page.value(
        "[...document.querySelectorAll('.cell:has(.affected)')].map(one => one.dataset.cell).sort()"
    )
    let_go(ada, "touch", point)
    ada.wait_until_gone(".ghost")
    assert marked == ["a7", "d7"]
    assert ada.page.value("document.querySelectorAll('.ply').length") == 4
    ada.wait_for(".status.my-turn")


def test_a_premove_is_played_or_dropped(open_browser: OpenBrowser) -> None:
    """It is marked while the other player thinks; Escape or a click cancels it."""
    white, black = seat_people(open_browser, TITLES["morris"], ("Ada", "Bob"))
    white.wait_for(".status.my-turn")
    black.click_cell("d7")
    black.wait_for(f"{cell('d7')} .premove-mark")
    black.press("Escape")
    black.wait_until_gone(".premove-mark")
    black.click_cell("d7")
    black.wait_for(f"{cell('d7')} .premove-mark")
    black.click_cell("g4")
    black.wait_until_gone(".premove-mark")
    black.click_cell("g7")
    black.wait_for(f"{cell('g7')} .premove-mark")
    play(white, "a1")
    for person in (white, black):
        person.wait_for(".ply", "g7")
    black.wait_until_gone(".premove-mark")
    black.click_cell("d2")
    black.wait_for(f"{cell('d2')} .premove-mark")
    play(white, "d2")
    black.wait_for_text("Your premove is no longer possible.")
    black.wait_until_gone(".premove-mark")
    black.wait_for(".status.my-turn")
    assert not black.has(".answer.error")


def test_arrows_and_rings_are_drawn_with_the_right_button(open_browser: OpenBrowser) -> None:
    """The same stroke again removes one, a click wipes all of them; neither plays a move."""
    ada = open_browser("Ada")
    ada.open_room(TITLES["ternio"], "device")
    ada.wait_for(".cell.open")
    here, there = ada.point(cell("b2")), ada.point(cell("e7"))
    for source, target in ((here, there), (here, here), (there, there)):
        press_and_move(ada, "mouse", source, target, button="right")
        let_go(ada, "mouse", target, "right")
    ada.wait_for(".drawings .arrow")
    ada.page.wait_for("document.querySelectorAll('.drawings .ring').length === 2")
    press_and_move(ada, "mouse", here, here, button="right")
    let_go(ada, "mouse", here, "right")
    ada.page.wait_for("document.querySelectorAll('.drawings .ring').length === 1")
    ada.click(".cell.open")
    ada.wait_until_gone(".drawings > *")
    assert not ada.has(".ply")


def test_the_keys_are_listed(open_browser: OpenBrowser) -> None:
    """In a dialog that `?` or its button opens and Escape closes."""
    ada = open_browser("Ada")
    ada.open_room(TITLES["rainbow"], "device")
    ada.wait_for(".boards .board")
    ada.page.value("void dispatchEvent(new KeyboardEvent('keydown', {key: '?'}))")
    ada.wait_for("dialog[open]", "Keys and gestures")
    assert faults(ada) == []
    ada.press("Escape")
    ada.wait_until_gone("dialog")
    ada.click(".bar button", "Keys and gestures")
    ada.click("dialog button", "Close")
    ada.wait_until_gone("dialog")


MARKED = """[...document.querySelectorAll('.boards .free-mark')]
  .filter(e => getComputedStyle(e).display !== 'none').length"""


def test_where_a_man_can_go_is_marked_only_while_one_is_held(open_browser: OpenBrowser) -> None:
    """On an empty board, marks on all points would look like men; the marks are small holes."""
    ada = open_browser("Ada")
    ada.open_room(TITLES["morris"], "device")
    ada.wait_for(".cell.target")
    assert ada.page.value(MARKED) == 0
    point_at(ada, ".seat.moving .men")
    ada.page.wait_for(f"{MARKED} === 24")
    assert ada.page.value("getComputedStyle(document.querySelector('.boards .free-mark')).fill") == "none"
    point_at(ada, ".headline")
    ada.page.wait_for(f"{MARKED} === 0")
