"""Sounds: which ones are made and when. What the browser would play is recorded as pitches."""

from typing import Any

from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_matches import play, seat_people

RECORD = """(() => {
  const ramp = AudioParam.prototype.setValueAtTime;
  window.pitches = [];
  AudioParam.prototype.setValueAtTime = function (value, at) {
    if (value > 100) pitches.push(value);
    return ramp.call(this, value, at);
  };
})()"""
"""Records the pitch of each tone, from the moment at which a page is opened."""
KNOCK, MILL, TURN = 360, 784, 587


def pitches(person: Person) -> list[Any]:
    """Return the pitches since the last call."""
    found: list[Any] = person.page.value("pitches.splice(0)")
    return found


def test_moves_mills_and_turns_are_heard(open_browser: OpenBrowser) -> None:
    """By both players; a mill sounds different from a move, and only the player to move hears that it is their turn."""
    white, black = seat_people(open_browser, "Nine Men's Morris", ("Ada", "Bob"))
    for person in (white, black):
        person.page.value(f"void {RECORD}")
    for one, other in zip(("a7", "d7"), ("b4", "c4"), strict=True):
        play(white, one)
        black.wait_for(".status.my-turn")
        play(black, other)
        white.wait_for(".status.my-turn")
    assert KNOCK in pitches(white)
    heard = pitches(black)
    assert KNOCK in heard
    assert TURN in heard
    assert MILL not in heard
    play(white, "g7")
    for person in (white, black):
        person.wait_for(".mill")
        person.page.wait_for(f"pitches.includes({MILL})")
    assert TURN not in pitches(black)


def test_sounds_can_be_turned_off(open_browser: OpenBrowser) -> None:
    """In the header of every page; the choice is remembered. Before the first click there is no sound either way."""
    ada = open_browser("Ada")
    ada.page.run_first(RECORD)
    ada.open()
    ada.click(".bar button", "Sound: on")
    ada.wait_for(".bar button", "Sound: off")
    room = ada.open_room("Nine Men's Morris", "device")
    play(ada, "a1")
    ada.wait_for(".ply", "a1")
    assert pitches(ada) == []
    ada.open(f"/r/{room}")
    ada.wait_for(".bar button", "Sound: off")
    ada.click(".bar button", "Sound: off")
    play(ada, "d7")
    ada.page.wait_for(f"pitches.includes({KNOCK})")
