"""What whoever opened a table can do there: move players to colours, change the rules, mute and send away."""

from tests.web.conftest import Visit
from tests.web.person import Person
from tests.web.test_everyone import TITLES
from tests.web.test_matches import plays

MORRIS, RAINBOW = TITLES["morris"], TITLES["rainbow"]


def says(person: Person, text: str) -> None:
    """Say a line in the chat."""
    person.clicks(".aside .tab", "Chat")
    person.types(".chat-form input", text)
    person.presses("Enter")


def test_a_player_is_dragged_to_another_colour(visit: Visit) -> None:
    """Both change places; dropped elsewhere, a player stays."""
    ada, bob = visit("Ada"), visit("Bob")
    bob.joins(ada.opens_room(MORRIS))
    ada.waits(".seat:nth-child(2)", "Bob")
    ada.drags(".seat:nth-child(1) .badge", ".tabs")
    ada.waits(".seat:nth-child(1) button", "Swap")
    assert "Ada" in ada.text(".seat:nth-child(1)")
    ada.drags(".seat:nth-child(1) .badge", ".seat:nth-child(2) .badge")
    for person in (ada, bob):
        person.waits(".seat:nth-child(1)", "Bob")
        person.waits(".seat:nth-child(2)", "Ada")


def test_other_rules_hold_from_the_next_match_on(visit: Visit) -> None:
    """What is set in the dialog is announced and listed, leaves the running match alone, and rolls dice in the next.

    A visitor who has not joined reads it, too.
    """
    ada, eve = visit("Ada"), visit("Eve")
    room = ada.opens_room(RAINBOW, "device", options={"setting-clock": "2 minutes per move"})
    eve.opens(f"/r/{room}")
    eve.waits(".boards .board")
    ada.clicks("button.rack-side", "red up")
    ada.clicks(".cell.open")
    ada.waits(".ply")
    ada.clicks(".aside .tab", "Room")
    ada.waits("dl div", "2 minutes per move")
    ada.button("Change for the next match")
    ada.waits("dialog[open]")
    ada.clicks("#option-dice")
    ada.clicks("dialog button", "Save")
    for person in (ada, eve):
        person.waits(".notice", "The rules of the next match were changed.")
    ada.loses("dialog")
    assert not ada.has(".die")
    assert ada.text("h3 ~ h3 ~ h3 + dl").splitlines() == ["A die decides the colour to use", "yes"]
    ada.button("New match")
    ada.waits(".die", "The die shows")
    ada.sees("use a peg with that colour")


def test_the_creator_mutes_and_sends_away(visit: Visit) -> None:
    """Who is muted is told so when they speak, and speaks again later; who is sent away has no seat any more."""
    ada, bob = visit("Ada"), visit("Bob")
    bob.joins(ada.opens_room(MORRIS))
    ada.clicks(".aside .tab", "Room")
    ada.button("Mute for all")
    bob.sees("Bob was muted")
    says(bob, "Hello?")
    bob.waits(".notice.error")
    assert not bob.has(".chat-lines li", "Hello?")
    ada.button("Unmute")
    bob.sees("Bob may write again")
    bob.clicks(".chat-form button")
    bob.waits(".chat-lines li", "Hello?")
    ada.button("Remove Bob")
    bob.sees("You were removed")
    ada.sees("Bob was removed")
    for person in (ada, bob):
        person.waits(".seat:nth-child(2)", "free")
    assert not bob.has(".seat.mine")
    bob.was_refused(403)


def test_a_match_is_claimed_against_who_is_gone(visit: Visit) -> None:
    """While somebody is there nothing can be claimed; who leaves a running match can lose it to who stayed."""
    ada, bob = visit("Ada"), visit("Bob")
    bob.joins(ada.opens_room(MORRIS, options={"setting-grace_ms": "at once"}))
    ada.ready()
    bob.ready()
    plays(ada, "a1")
    bob.waits(".status.my-turn")
    assert not ada.has(".seat button", "Claim")
    bob.clicks(".aside .tab", "Room")
    bob.button("Leave the room")
    ada.sees("Bob left.")
    ada.clicks(".seat button", "Claim")
    ada.sees("White (Ada) wins: by forfeit")
