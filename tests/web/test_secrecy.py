"""Turncoat's selections are not sent to the other player: not on the page, not in the frames of its sockets."""

from functools import partial

from tests.e2e.client import Json
from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_matches import play, seat_people

WANTED = "c6"


def test_a_selection_is_not_sent_to_the_other_player(open_browser: OpenBrowser) -> None:
    """The other page only learns that there was a selection and a commit; the squares on it all look alike."""
    red, yellow = seat_people(partial(open_browser, records=True), "Turncoat", ("Ada", "Bob"))
    red.wait_for(".cell.open")
    square = WANTED if red.has(f'[data-cell="{WANTED}"].open .piece') else "d6"
    before = yellow.page.value("document.querySelector('.boards').outerHTML.length")
    play(red, square)
    red.wait_for_text(f"Your selection: {square.upper()}")
    red.click_button(f"Commit {square.upper()}")
    yellow.wait_for("#tab-red", "committed")
    received = [event for frame in yellow.received_frames() for event in frame.get("events", [])]
    assert [event["type"] for event in received if event["type"] in {"selected", "committed"}] == [
        "selected",
        "committed",
    ]
    assert [event for event in received if event.get("seat") == 0 and "at" in event] == []
    assert set(own_selections(yellow.received_frames())) == {None}
    assert yellow.page.value("document.querySelectorAll('.selection, .last').length") == 0
    assert before > 0
    received_by_red = [event for frame in red.received_frames() for event in frame.get("events", [])]
    assert [event.get("at") for event in received_by_red if event["type"] == "selected"] == [square]
    assert square in own_selections(red.received_frames())


def test_on_one_device_a_selection_is_hidden_before_the_next_player(open_browser: OpenBrowser) -> None:
    """The page asks who is looking at it; after the commit nothing of the selection is left on the page."""
    ada = open_browser("Ada")
    ada.open_room("Turncoat", "device")
    ada.wait_for_text("Hand the device to Red")
    assert not ada.has(".cell.open")
    ada.click_button("I am Red")
    play(ada, *selectable_cell(ada))
    ada.wait_for_text("Your selection:")
    square = ada.text(".selection-label strong")
    ada.click_button("Commit ")
    ada.wait_for_text("Hand the device to Yellow")
    assert ada.page.value("document.querySelectorAll('.selection, .picked').length") == 0
    assert f"selection: {square}" not in ada.text("main")
    ada.click_button("I am Yellow")
    ada.wait_for("[role=grid][aria-label='Your board']")
    assert ada.page.value("document.querySelectorAll('.selection').length") == 0
    play(ada, *selectable_cell(ada))
    ada.click_button("Commit ")
    ada.wait_for_text(f"Red selected {square}")


def selectable_cell(person: Person) -> tuple[str, ...]:
    """Return a cell that can be selected, as a tuple of one."""
    return (str(person.page.wait_for("document.querySelector('.cell.open:has(.piece)')?.dataset.cell")),)


def own_selections(frames: list[Json]) -> list[str | None]:
    """Return the own selections in these frames: in whole views, and in the patches that change one."""
    views = [frame["view"] for frame in frames if "view" in frame and frame["type"] != "chat_snapshot"]
    states = [view["match"]["state"] for view in views if view["match"]]
    for operation in [operation for frame in frames for operation in frame.get("patch", [])]:
        match operation["path"].split("/")[1:]:
            case ["match"] if operation["value"]:
                states.append(operation["value"]["state"])
            case ["match", "state"]:
                states.append(operation["value"])
            case ["match", "state", "own_selection"]:
                states.append({"own_selection": operation["value"]})
    return [state["own_selection"] for state in states]
