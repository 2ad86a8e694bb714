"""Turncoat's selections are nowhere on the other player's side: not on the page, not in what its sockets heard."""

from tests.e2e.client import Json
from tests.web.conftest import Visit
from tests.web.person import Person
from tests.web.test_matches import plays, seated

WANTED = "c6"


def test_a_selection_is_not_on_the_other_side(visit: Visit) -> None:
    """Of a selection and a commit the other page hears only that; nothing on it differs between the squares."""
    red, yellow = seated(visit, "Turncoat", ("Ada", "Bob"))
    red.waits(".cell.open")
    square = WANTED if red.has(f'[data-cell="{WANTED}"].open .piece') else "d6"
    before = yellow.page.value("document.querySelector('.boards').outerHTML.length")
    plays(red, square)
    red.sees(f"Your selection: {square.upper()}")
    red.button(f"Commit {square.upper()}")
    yellow.waits("#tab-red", "committed")
    told = [event for frame in yellow.heard() for event in frame.get("events", [])]
    assert [event["type"] for event in told if event["type"] in {"selected", "committed"}] == ["selected", "committed"]
    assert [event for event in told if event.get("seat") == 0 and "at" in event] == []
    assert {state["own_selection"] for state in states(yellow.heard())} == {None}
    assert yellow.page.value("document.querySelectorAll('.selection, .last').length") == 0
    assert before > 0
    told_to_red = [event for frame in red.heard() for event in frame.get("events", [])]
    assert [event.get("at") for event in told_to_red if event["type"] == "selected"] == [square]
    assert any(state["own_selection"] == square for state in states(red.heard()))


def test_at_one_device_a_selection_is_hidden_before_it_goes_on(visit: Visit) -> None:
    """Whose eyes are on the screen is asked; after the commit nothing of it is left on the page."""
    ada = visit("Ada")
    ada.opens_room("Turncoat", "device")
    ada.sees("Hand the device to Red")
    assert not ada.has(".cell.open")
    ada.button("I am Red")
    plays(ada, *chosen(ada))
    ada.sees("Your selection:")
    square = ada.text(".selection-label strong")
    ada.button("Commit ")
    ada.sees("Hand the device to Yellow")
    assert ada.page.value("document.querySelectorAll('.selection, .picked').length") == 0
    assert f"selection: {square}" not in ada.text("main")
    ada.button("I am Yellow")
    ada.waits("[role=grid][aria-label='Your board']")
    assert ada.page.value("document.querySelectorAll('.selection').length") == 0
    plays(ada, *chosen(ada))
    ada.button("Commit ")
    ada.sees(f"Red selected {square}")


def chosen(person: Person) -> tuple[str, ...]:
    """Return a cell that can be selected, as a tuple of one."""
    return (str(person.page.waits_for("document.querySelector('.cell.open:has(.piece)')?.dataset.cell")),)


def states(frames: list[Json]) -> list[Json]:
    """Return the positions in these frames' views."""
    views = [frame["view"] for frame in frames if "view" in frame]
    return [view["match"]["state"] for view in views if view["match"]]
