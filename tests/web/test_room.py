"""Around the board: bots, offers, takebacks, chat, seats, spectators, and the next match."""

import pytest

from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import faults
from tests.web.test_matches import play, seat_people

KEEP_MESSAGES = """{
  const later = setTimeout;
  window.setTimeout = (action, ms, ...values) => (ms === 7000 ? 0 : later(action, ms, ...values));
}"""
"""Keeps a page's messages, which it removes after seven seconds (`NOTICE_MS`)."""


def seat_count(person: Person, seat: int) -> int:
    """Return the number that is shown next to a seat."""
    return int(person.text(f".seats li:nth-child({seat + 1}) .seat-count"))


@pytest.fixture
def open_reader(open_browser: OpenBrowser) -> OpenBrowser:
    """Return a function like `open_browser` whose pages keep their messages: a slow machine is too late for them."""

    def open_for(name: str) -> Person:
        person = open_browser(name)
        person.page.run_first(KEEP_MESSAGES)
        return person

    return open_for


def test_a_match_against_bots(open_browser: OpenBrowser) -> None:
    """Triboard alone: a hint is followed, the bots reply.

    A move is undone together with theirs, and the match is restarted.
    """
    ada = open_browser("Ada")
    ada.open_room("Triboard", "bots", options={"option-first": "Blue"})
    ada.wait_for(".status.my-turn")
    ada.wait_for(".seat", "Otto")
    before = [seat_count(ada, seat) for seat in range(3)]
    ada.click_button("Undo")
    ada.wait_for(".answer.error")
    ada.click_button("Hint")
    ada.click(".cell.hinted.open")
    ada.wait_for(".ply", "3")
    ada.wait_for(".status.my-turn")
    assert [seat_count(ada, seat) for seat in range(3)] != before
    ada.click_button("Undo")
    ada.wait_for_text("A move was taken back")
    ada.page.wait_for("document.querySelectorAll('.ply').length === 0")
    assert [seat_count(ada, seat) for seat in range(3)] == before
    ada.click_button("Match \u2026")
    ada.click_button("Restart")
    ada.wait_for(".status.my-turn")
    ada.wait_for(".status.my-turn")
    assert [seat_count(ada, seat) for seat in range(3)] == before
    ada.ignore_errors(409)


def test_offers_are_made_and_answered(open_browser: OpenBrowser) -> None:
    """A takeback that is declined, one that is accepted, and an accepted draw."""
    white, black = seat_people(open_browser, "Nine Men's Morris", ("Ada", "Bob"))
    play(white, "a1")
    play(black, "g7")
    white.click_button("Take back")
    black.wait_for_text("Ada would like to take a move back")
    black.click_button("Decline")
    white.wait_for_text("Bob declined")
    black.wait_until_gone(".offer")
    white.click_button("Take back")
    black.click_button("Accept")
    white.wait_for_text("A move was taken back")
    white.wait_for(".status.my-turn")
    assert not white.has(".ply")
    play(white, "d6")
    black.wait_for(".status.my-turn")
    black.click_button("Offer a draw")
    white.click_button("Accept")
    for person in (white, black):
        person.wait_for(".result", "A draw")
    black.click_button("Not yet")
    white.wait_for_text("Bob postpones the next match")
    black.wait_for(".status button", "Rematch")


def test_chat_in_lobby_and_room(open_browser: OpenBrowser) -> None:
    """A line is shown as plain text, whatever it looks like; a reader can hide another person's lines."""
    ada, bob = open_browser("Ada"), open_browser("Bob")
    ada.set_nickname()
    bob.set_nickname()
    ada.type_into(".chat-form input", "<b>Ternio</b>, anyone?")
    ada.press("Enter")
    bob.wait_for(".chat-lines li", "Ada <b>Ternio</b>, anyone?")
    room = ada.open_room("Nine Men's Morris")
    bob.join(room)
    bob.click(".aside .tab", "Chat")
    bob.type_into(".chat-form input", "/ready")
    bob.press("Enter")
    ada.wait_for(".seat", "ready")
    ada.wait_for(".aside .tab", "Chat (1 new)")
    ada.click(".aside .tab", "Chat")
    ada.wait_for(".chat-lines li", "Bob /ready")
    ada.click(".aside .tab", "Room")
    ada.click_button("Hide messages")
    ada.click(".aside .tab", "Chat")
    assert not ada.has(".chat-lines li", "Bob /ready")


def test_the_creator_assigns_the_colours(open_reader: OpenBrowser) -> None:
    """By two clicks; a spectator has no seat."""
    ada, bob, eve = open_reader("Ada"), open_reader("Bob"), open_reader("Eve")
    room = ada.open_room("Nine Men's Morris")
    bob.join(room)
    ada.wait_for(".seat:nth-child(2)", "Bob")
    ada.click(".seat:nth-child(1) button", "Swap")
    ada.click(".seat:nth-child(2) button", "Swap with")
    for person, colour in ((ada, "Black"), (bob, "White")):
        person.wait_for(".seat:nth-child(1)", "Bob")
        person.wait_for(".seat:nth-child(2)", "Ada")
        person.wait_for(".notice", f"You play {colour} now.")
    assert not bob.has(".seat button", "Swap")
    eve.open(f"/r/{room}")
    eve.type_into("#join-nickname", "Eve")
    eve.click(".join button", "Watch")
    ada.click_ready()
    bob.click_ready()
    play(bob, "d2")
    eve.wait_for('[data-cell="d2"] .piece.white')
    eve.click_cell("d6")
    eve.wait_for_text("You are watching")


def test_players_see_which_seat_they_have_now(open_reader: OpenBrowser) -> None:
    """When seats rotate from one match to the next; those who watch see no such message."""
    ada, bob = seat_people(open_reader, "Nine Men's Morris", ("Ada", "Bob"), {"setting-seats_next": "rotate"})
    eve = open_reader("Eve")
    eve.open(ada.page.value("location.pathname"))
    ada.click_button("Resign")
    ada.click_button("Yes, resign")
    for person, number, colour in ((ada, 2, "Black"), (bob, 1, "White")):
        person.wait_for(".notice", f"You play {colour} now.")
        person.wait_for(f".seat.mine:nth-child({number})", person.name)
    eve.wait_for(".seat:nth-child(1)", "Bob")
    assert not eve.has(".notice", "You")


def test_the_next_match_waits_for_a_player_who_has_gone(open_browser: OpenBrowser) -> None:
    """Ada's page says so; it begins when Bob is back, who was in the lobby."""
    ada, bob = seat_people(open_browser, "Nine Men's Morris", ("Ada", "Bob"))
    bob.open()
    ada.wait_for_text("has lost the connection")
    ada.click_button("Resign")
    ada.click_button("Yes, resign")
    ada.wait_for_text("The next match waits for Bob.")
    bob.open(ada.page.value("location.pathname"))
    for person in (ada, bob):
        person.wait_for(".boards .board")
        person.wait_until_gone(".result")


def test_a_private_room_opens_with_its_password(open_browser: OpenBrowser) -> None:
    """Without it the room is not found."""
    ada, bob = open_browser("Ada"), open_browser("Bob")
    ada.open()
    ada.click('.game button[aria-label="Friends: play Ternio with others"]')
    ada.type_into("#create-nickname", "Ada")
    ada.choose("#setting-visibility", "Anyone who knows the password")
    ada.type_into("#setting-password", "tulips")
    ada.click("dialog button[type=submit]")
    ada.wait_for(".room")
    room = str(ada.page.value("location.pathname"))
    bob.page.navigate(f"{bob.url}{room}")
    bob.wait_for_text("Room not found")
    bob.type_into("#join-nickname", "Bob")
    bob.type_into("#password", "roses")
    bob.click_button("Enter")
    bob.wait_for(".notice.error")
    bob.page.value("document.querySelector('#password').value = ''")
    bob.type_into("#password", "tulips")
    bob.click_button("Enter")
    bob.wait_for(".seat.mine", "Bob")
    bob.ignore_errors(404)


def test_presence_is_shown_beside_each_seat(open_browser: OpenBrowser) -> None:
    """The dot is filled while the player has the page open; when a player leaves, only the others see a notice."""
    ada, bob = open_browser("Ada"), open_browser("Bob")
    room = ada.open_room("Nine Men's Morris")
    bob.join(room)
    ada.wait_for(".seat:nth-child(2) .presence.here", "here")
    bob.page.navigate("about:blank")
    ada.wait_for(".seat:nth-child(2) .presence.away", "away")
    bob.page.value("void setTimeout(() => history.back())")
    ada.wait_for(".seat:nth-child(2) .presence.here", "here")
    bob.wait_for(".seat.mine")
    bob.click(".aside .tab", "Room")
    bob.click_button("Leave the room")
    ada.wait_for_text("Bob left.")
    bob.wait_for(".games")
    assert not bob.has(".notice")
    assert ada.has(".seat:nth-child(1) .presence.here", "here")


def test_bots_answer_a_draw_offer(open_browser: OpenBrowser) -> None:
    """According to the position: the match ends, or Ada sees who has declined."""
    ada = open_browser("Ada")
    ada.open_room("Nine Men's Morris", "bots", options={"option-first": "White"})
    ada.wait_for(".status.my-turn")
    ada.click_button("Offer a draw")
    ada.page.wait_for("/(Otto|Olga).* declined|A draw/.test(document.body.innerText)")


def test_the_clock_of_the_player_to_move_runs(open_browser: OpenBrowser) -> None:
    """The other clock is stopped."""
    ada = open_browser("Ada")
    ada.open_room("Nine Men's Morris", "bots", options={"setting-clock": "3 minutes + 2 seconds per move"})
    ada.wait_for(".seat.moving .clock.running", "2:5")
    assert ada.text(".seat:not(.moving) .clock") == "3:00"
    assert ada.has(".seat:not(.moving) .clock:not(.running)")
    ada.click(".cell.open")
    ada.wait_for(".ply", "2")
    ada.wait_for(".seat:nth-child(1) .clock.running", "3:0")


def test_no_offer_covers_a_clock(open_browser: OpenBrowser) -> None:
    """Both times can be read while a draw is offered; no time is shown once the match is over."""
    white, black = seat_people(
        open_browser, "Nine Men's Morris", ("Ada", "Bob"), {"setting-clock": "2 minutes per move"}
    )
    white.click_button("Offer a draw")
    for person in (white, black):
        person.wait_for(".offer")
        person.point(".seat:nth-child(1) .clock")
        person.point(".seat:nth-child(2) .clock")
    black.click_button("Accept")
    white.wait_for(".result", "A draw")
    assert not white.has(".clock")


def test_the_rolls_for_the_first_turn_are_shown(open_reader: OpenBrowser) -> None:
    """By two dice on the board, until somebody has moved; beside the seats, and in the list of moves."""
    people = seat_people(
        open_reader, "Nine Men's Morris", ("Ada", "Bob"), {"option-first": "The player who rolls the higher number"}
    )
    for person in people:
        person.wait_for(".boards .rolls", "White (Ada) rolled")
        person.wait_for(".boards .rolls", "Black (Bob) rolled")
        assert person.page.value("document.querySelectorAll('.rolls .pip-die').length") == 2
        assert not person.has(".notice")
        person.wait_for(".ply", "rolls")
        person.wait_for(".ply", "begins")
        person.wait_for(".seat:nth-child(1) .tag", "rolled")
        person.wait_for(".seat:nth-child(2) .tag", "rolled")
        assert faults(person) == []
    first = next(person for person in people if person.has(".status.my-turn"))
    play(first, "a1")
    for person in people:
        person.wait_until_gone(".rolls")


def test_players_on_one_device_can_be_named(open_browser: OpenBrowser) -> None:
    """The names are kept on the device and are used wherever the players are mentioned."""
    ada = open_browser("Ada")
    rolling = {"option-first": "The player who rolls the higher number"}
    room = ada.open_room("Nine Men's Morris", "device", options=rolling)
    ada.wait_for(".ply", "rolls")
    for seat, name in ((1, "Mum"), (2, "Tim")):
        ada.click(f".seat:nth-child({seat}) button", "Name")
        ada.type_text(name)
        ada.press("Enter")
        ada.wait_for(f".seat:nth-child({seat})", name)
    ada.page.wait_for("/Mum|Tim/.test(document.querySelector('.status').innerText)")
    ada.open(f"/r/{room}")
    ada.wait_for(".seat:nth-child(2)", "Tim")
    winner = "Tim" if ada.has(".status", "(Mum)") else "Mum"
    play(ada, "a1")
    ada.wait_for(".ply", "a1")
    assert not ada.has(".seat button", "Name")
    play(ada, "g7")
    ada.wait_for(".ply", "g7")
    ada.click_button("Resign")
    ada.click_button("Yes, resign")
    ada.wait_for(".result", f"{winner} won")
