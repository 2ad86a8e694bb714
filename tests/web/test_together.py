"""Around the board: bots, offers, takebacks, chat, seats, watching, and the next match."""

from tests.web.conftest import Visit
from tests.web.person import Person
from tests.web.test_matches import plays, seated


def shown(person: Person, seat: int) -> int:
    """Return the number beside a seat."""
    return int(person.text(f".seats li:nth-child({seat + 1}) .seat-count"))


def test_one_plays_against_bots(visit: Visit) -> None:
    """Solo Triboard: a hint is followed, the bots answer, a move is undone with theirs, and all begins anew."""
    ada = visit("Ada")
    ada.opens_room("Triboard", "bots", options={"option-first": "Blue"})
    ada.waits(".status.my-turn")
    ada.waits(".seat", "Bot 1")
    before = [shown(ada, seat) for seat in range(3)]
    ada.button("Undo")
    ada.waits(".notice.error")
    ada.button("Hint")
    ada.clicks(".cell.hinted.open")
    ada.waits(".ply", "3")
    ada.waits(".status.my-turn")
    assert [shown(ada, seat) for seat in range(3)] != before
    ada.button("Undo")
    ada.sees("A move was taken back")
    ada.page.waits_for("document.querySelectorAll('.ply').length === 0")
    assert [shown(ada, seat) for seat in range(3)] == before
    ada.button("Restart")
    ada.sees("Restart")
    ada.waits(".status.my-turn")
    assert [shown(ada, seat) for seat in range(3)] == before
    ada.was_refused(409)


def test_offers_are_made_and_answered(visit: Visit) -> None:
    """A takeback that is declined, one that is granted, and a draw that is agreed."""
    white, black = seated(visit, "Nine Men's Morris", ("Ada", "Bob"))
    plays(white, "a1")
    plays(black, "g7")
    white.button("Take back")
    black.sees("Ada would like to take a move back")
    black.button("Decline")
    white.sees("Bob declined")
    white.button("Take back")
    black.button("Accept")
    white.sees("A move was taken back")
    white.waits(".status.my-turn")
    assert not white.has(".ply")
    plays(white, "d6")
    black.waits(".status.my-turn")
    black.button("Offer a draw")
    white.button("Accept")
    for person in (white, black):
        person.sees("A draw: agreed")
    black.button("Not yet")
    white.sees("Bob postpones the next match")
    black.sees("The next match begins when everybody is ready")


def test_people_talk(visit: Visit) -> None:
    """In the lobby and at a table; a line is text, whatever it looks like; one reader hides another's lines."""
    ada, bob = visit("Ada"), visit("Bob")
    ada.names_themselves()
    bob.names_themselves()
    ada.types(".chat-form input", "<b>Ternio</b>, anyone?")
    ada.presses("Enter")
    bob.waits(".chat-lines li", "Ada <b>Ternio</b>, anyone?")
    room = ada.opens_room("Nine Men's Morris")
    bob.joins(room)
    bob.clicks(".aside .tab", "Chat")
    bob.types(".chat-form input", "/ready")
    bob.presses("Enter")
    ada.waits(".seat", "ready")
    ada.waits(".aside .tab", "Chat (1 new)")
    ada.clicks(".aside .tab", "Chat")
    ada.waits(".chat-lines li", "Bob /ready")
    ada.clicks(".aside .tab", "Room")
    ada.button("Hide messages")
    ada.clicks(".aside .tab", "Chat")
    assert not ada.has(".chat-lines li")


def test_the_creator_assigns_the_colours(visit: Visit) -> None:
    """By two clicks; a spectator watches without a seat."""
    ada, bob, eve = visit("Ada"), visit("Bob"), visit("Eve")
    room = ada.opens_room("Nine Men's Morris")
    bob.joins(room)
    ada.waits(".seat:nth-child(2)", "Bob")
    ada.clicks(".seat:nth-child(1) button", "Swap")
    ada.clicks(".seat:nth-child(2) button", "Swap with")
    for person in (ada, bob):
        person.waits(".seat:nth-child(1)", "Bob")
        person.waits(".seat:nth-child(2)", "Ada")
    assert not bob.has(".seat button", "Swap")
    eve.opens(f"/r/{room}")
    eve.types("#join-nickname", "Eve")
    eve.clicks(".join button", "Watch")
    ada.ready()
    bob.ready()
    plays(bob, "d2")
    eve.waits('[data-cell="d2"] .piece.white')
    eve.cell("d6")
    eve.sees("You are watching")


def test_a_private_table_opens_to_its_password(visit: Visit) -> None:
    """For all others there is no such table."""
    ada, bob = visit("Ada"), visit("Bob")
    ada.opens()
    ada.clicks('.game button[aria-label="Play Ternio"]')
    ada.types("#create-nickname", "Ada")
    ada.chooses("#setting-visibility", "Anyone who knows the password")
    ada.types("#setting-password", "tulips")
    ada.clicks("dialog button[type=submit]")
    ada.waits(".room")
    room = str(ada.page.value("location.pathname"))
    bob.page.opens(f"{bob.url}{room}")
    bob.sees("Room not found")
    bob.types("#join-nickname", "Bob")
    bob.types("#password", "roses")
    bob.button("Enter")
    bob.waits(".notice.error")
    bob.page.value("document.querySelector('#password').value = ''")
    bob.types("#password", "tulips")
    bob.button("Enter")
    bob.waits(".seat.mine", "Bob")
    bob.was_refused(404)


def test_one_sees_who_is_here(visit: Visit) -> None:
    """A dot is full while its player has the page open, and empty a moment later; only others are told who leaves."""
    ada, bob = visit("Ada"), visit("Bob")
    room = ada.opens_room("Nine Men's Morris")
    bob.joins(room)
    ada.waits(".seat:nth-child(2) .presence.here", "here")
    bob.page.opens("about:blank")
    ada.waits(".seat:nth-child(2) .presence.away", "away")
    bob.page.value("void setTimeout(() => history.back())")
    ada.waits(".seat:nth-child(2) .presence.here", "here")
    bob.waits(".seat.mine")
    bob.clicks(".aside .tab", "Room")
    bob.button("Leave the room")
    ada.sees("Bob left.")
    bob.waits(".games")
    assert not bob.has(".notice")
    assert ada.has(".seat:nth-child(1) .presence.here", "here")


def test_bots_answer_a_draw_offer(visit: Visit) -> None:
    """By their position: the match ends, or Ada reads who has declined."""
    ada = visit("Ada")
    ada.opens_room("Nine Men's Morris", "bots", options={"option-first": "White"})
    ada.waits(".status.my-turn")
    ada.button("Offer a draw")
    ada.page.waits_for("/Bot 1 .* declined|A draw: agreed/.test(document.body.innerText)")


def test_clocks_run(visit: Visit) -> None:
    """The mover's clock goes down before the eyes, the other one waits."""
    ada = visit("Ada")
    ada.opens_room("Nine Men's Morris", "bots", options={"setting-clock": "3 minutes + 2 seconds per move"})
    ada.waits(".seat.moving .clock.running", "2:5")
    assert ada.text(".seat:not(.moving) .clock") == "3:00"
    assert ada.has(".seat:not(.moving) .clock:not(.running)")
    ada.clicks(".cell.open")
    ada.waits(".ply", "2")
    ada.waits(".seat:nth-child(1) .clock.running", "3:0")


def test_no_offer_covers_a_clock(visit: Visit) -> None:
    """Both times can be read while a draw is offered; the time for a move is none once the match is over."""
    white, black = seated(visit, "Nine Men's Morris", ("Ada", "Bob"), {"setting-clock": "2 minutes per move"})
    white.button("Offer a draw")
    for person in (white, black):
        person.waits(".offer")
        person.point(".seat:nth-child(1) .clock")
        person.point(".seat:nth-child(2) .clock")
    black.button("Accept")
    white.sees("A draw: agreed")
    assert not white.has(".clock")


def test_who_rolled_what_is_told(visit: Visit) -> None:
    """Before the first turn, where the dice say whose it is."""
    people = seated(visit, "Nine Men's Morris", ("Ada", "Bob"), {"option-first": "Whoever rolls the higher number"})
    for person in people:
        person.waits(".notice", "White (Ada) rolled")
        person.waits(".notice", "Black (Bob) rolled")
