"""Matches of before: their list at the table, and looking at one while the present goes on."""

from tests.web.conftest import Visit
from tests.web.test_everyone import TITLES, faults
from tests.web.test_matches import plays, seated


def test_an_earlier_match_is_looked_at_again(visit: Visit) -> None:
    """Who looks back when a new match begins goes on looking; the list has the match later, the series counts it."""
    ada, bob = seated(visit, TITLES["morris"], ("Ada", "Bob"), {"setting-best_of": "Best of 3"})
    plays(ada, "a1")
    plays(bob, "g7")
    bob.waits(".ply", "g7")
    bob.presses(",")
    bob.sees("Looking back: after move 1 of 2")
    ada.button("Resign")
    ada.button("Yes, resign")
    for person in (ada, bob):
        person.waits(".ply", "out")
    ada.sees("Black (Bob) wins: by resignation")
    ada.sees("Best of 3: Bob 1.")
    ada.sees("The next match begins in")
    ada.button("Not yet")
    ada.ready()
    bob.sees("A new match has begun.")
    bob.sees("Looking back at match 1: after move 1 of 3")
    bob.cell("d7")
    bob.sees("This is an earlier position")
    plays(ada, "d2")
    bob.sees("It is your turn now.")
    assert not bob.has('[data-cell="d2"] .piece')
    bob.presses(".", 2)
    bob.sees("Looking back at match 1: the end")
    bob.waits('[data-cell="g7"] .piece.black')
    bob.presses("Escape")
    bob.waits('[data-cell="d2"] .piece.white')
    plays(bob, "g1")
    bob.button("Earlier matches (1)")
    bob.waits(".match", "Match 1")
    assert "Black (Bob) wins: by resignation" in bob.text(".match")
    bob.clicks(".match")
    bob.sees("Looking back at match 1: the end")
    assert faults(bob) == []
    bob.clicks(".stepper button", "To the start")
    bob.sees("Looking back at match 1: the start")
    bob.page.waits_for("document.querySelectorAll('.board .cell .piece').length === 0")
    bob.button("Back to now")
    bob.waits('[data-cell="g1"] .piece.black')
    plays(ada, "d3")
    bob.waits('[data-cell="d3"] .piece.white')
