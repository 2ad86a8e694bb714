"""A whole match of every game, by clicks only, each player in a browser of their own."""

from collections.abc import Sequence
from random import Random

import pytest

from tests.web.conftest import Visit
from tests.web.person import Person
from tests.web.test_everyone import TITLES

MATCH_SECONDS = 100
SHORT = {
    "ternio": {},
    "triboard": {},
    "morris": {"option-quiet_limit": "1"},
    "turncoat": {"option-round_limit": "2"},
    "rainbow": {"option-dice": "on"},
}
"""Options by which a match against bots is over soon."""
QUICK = {"create-level": "Easy", "setting-bot_pause": "at once"}


def seated(visit: Visit, title: str, names: Sequence[str], options: dict[str, str] | None = None) -> list[Person]:
    """Return people at one table whose match has begun, in the order of their seats."""
    people = [visit(name) for name in names]
    room = people[0].opens_room(title, options=options)
    for person in people[1:]:
        person.joins(room)
    for person in people:
        person.ready()
    for person in people:
        person.waits(".boards .board")
    return people


def plays(person: Person, *cells: str) -> None:
    """Wait for the turn and click these cells one after the other."""
    person.waits(".status.my-turn")
    for cell in cells:
        person.waits(f'.cell.open[data-cell="{cell}"]')
        person.cell(cell)


def play_on(people: Sequence[Person], chance: Random) -> int:
    """Let whoever is to move click one of the offered cells, until the result is told; return the number of clicks."""
    clicks = 0
    while True:
        for person in people:
            offered = person.page.value(OFFERED)
            if offered == "over":
                return clicks
            if offered:
                person.cell(chance.choice(offered))
                clicks += 1


OFFERED = """document.querySelector('.result') ? 'over'
  : !document.querySelector('.status.my-turn') ? null
  : [...document.querySelectorAll('.cell.target')].map(cell => cell.dataset.cell)"""


IN_SIGHT = """(([list, last]) => last.getBoundingClientRect().bottom <= list.getBoundingClientRect().bottom)(
  ['.plies', '.plies li:last-child'].map(selector => document.querySelector(selector)))"""
"""Whether the list of moves shows its end."""

BELOW = "document.querySelector('.below').getBoundingClientRect().top + scrollY"
"""Where the buttons below the board stand on the page."""


@pytest.mark.timeout(MATCH_SECONDS)
def test_ternio(visit: Visit) -> None:
    """Three people place discs on the crosses until nobody can; the boards are as told, the list shows its move."""
    people = seated(visit, "Ternio", ("Ada", "Bob", "Cyd"))
    clicks = play_on(people, Random(3))  # noqa: S311 - a repeatable match
    assert clicks > 30
    for person in people:
        person.waits(".result")
        person.waits_until_still()
        discs = person.page.value(
            "['red', 'green', 'blue'].map(c => document.querySelectorAll(`.board .cell .piece.${c}`).length)"
        )
        assert sum(discs) <= 81
        assert " : ".join(map(str, discs)) in person.text(".result")
        assert [person.text(f".seats li:nth-child({n}) .seat-count") for n in (1, 2, 3)] == [str(n) for n in discs]
    assert len({person.text(".result") for person in people}) == 1
    people[0].sees("The next match begins")
    assert people[0].page.value(IN_SIGHT)
    people[0].clicks(".stepper button", "To the start")
    people[0].sees("Looking back")
    assert not people[0].page.value(IN_SIGHT)


def test_triboard(visit: Visit) -> None:
    """Where one can jump is shown on request; two give up, so the third wins."""
    people = seated(visit, "Triboard", ("Ada", "Bob", "Cyd"), {"option-first": "Blue"})
    ada, bob, cyd = people
    ada.waits(".status.my-turn")
    assert not ada.has(".cell.target")
    ada.button("Help")
    ada.waits(".cell.target")
    before = int(ada.text(".seat.mine .seat-count"))
    ada.clicks(".cell.target")
    bob.waits(".status.my-turn")
    ada.page.waits_for(f"Number(document.querySelector('.seat.mine .seat-count').innerText) >= {before + 2}")
    bob.clicks(".cell.open")
    cyd.waits(".status.my-turn")
    for person in (bob, cyd):
        person.button("Resign")
        person.button("Yes, resign")
    for person in people:
        person.sees("Blue (Ada) wins: by resignation")


def test_morris(visit: Visit) -> None:
    """Men are placed, a mill takes one, a man is picked up and put back, moves, and the quiet match is drawn."""
    white, black = seated(visit, "Nine Men's Morris", ("Ada", "Bob"), {"option-quiet_limit": "2"})
    for one, other in zip(("a7", "d7", "a4", "d6", "b6", "c3"), ("b4", "c4", "g4", "f4", "d2", "e3"), strict=True):
        plays(white, one)
        plays(black, other)
    white.sees("Placing: 3 men in hand")
    plays(white, "g7")
    white.sees("A mill! Remove a man")
    assert white.has('[data-cell="b4"] .remove-mark')
    assert white.page.value("document.querySelectorAll('.mill').length") == 1
    plays(white, "b4")
    for other, one in zip(("d5", "g1"), ("b2", "e5"), strict=True):
        plays(black, other)
        plays(white, one)
    plays(black, "d3")
    white.sees("Moving: move a man along a line")
    below = white.page.value(BELOW)
    plays(white, "d6")
    white.waits(".man.lifted")
    assert white.page.value(BELOW) == below
    black.button("Offer a draw")
    white.sees("Bob offers a draw")
    assert white.has(".man.lifted")
    white.button("Put back")
    assert not white.has(".man.lifted")
    white.cell("d7")
    white.sees("This man cannot move anywhere")
    white.waits('[data-cell="d7"] .man.lifted')
    white.presses("Escape")
    white.cell("c4")
    white.sees("That man is not yours")
    plays(white, "b2", "b4")
    plays(black, "c4", "c5")
    for person in (white, black):
        person.sees("A draw: too many turns without progress")


def test_turncoat(visit: Visit) -> None:
    """Both select and commit in secret; the round is told in steps, a tab for each board; the last round ends it."""
    red, yellow = seated(visit, "Turncoat", ("Ada", "Bob"), {"option-round_limit": "2"})
    for number in (1, 2):
        for person in (red, yellow):
            person.sees(f"Round {number}")
            person.waits(".cell.open")
            person.clicks(".cell.open:has(.piece.white)")
            person.sees("Your selection:")
            person.waits(".turncoat-boards .tab[aria-selected=true]", "X")
            person.button("Commit ")
        red.sees("Red selected")
        red.sees("opponent\u2019s selection")
        if number == 1:
            yellow.button("Skip")
    for person in (red, yellow):
        person.sees("the last round is over")
    red.clicks("#tab-yellow")
    red.waits('[role=grid][aria-label="yellow board"]')


def test_rainbow(visit: Visit) -> None:
    """Pegs are placed with a chosen side up, flipped and moved, until three show one colour."""
    one, two = seated(visit, "Tic-Tac-Rainbow", ("Ada", "Bob"))
    one.clicks(".rack-side", "red and orange, orange up")
    plays(one, "b3")
    two.clicks(".rack-side", "orange and yellow, yellow up")
    plays(two, "c3")
    plays(one, "b3")
    one.button("Flip")
    two.waits(".cell[aria-label^='B3, red peg of one, orange underneath']")
    plays(two, "c3", "c5")
    one.button("Hexagonal")
    one.waits(".board.hexagonal")
    one.clicks(".rack-side", "violet and red, red up")
    plays(one, "c4")
    two.clicks(".rack-side", "red and orange, red up")
    plays(two, "d5")
    for person in (one, two):
        person.sees("Two (Bob) wins: a line")
        person.waits(".in-line")


NEXT = """(() => {
  if (document.querySelector('.result')) return 'over';
  const found = selector => [...document.querySelectorAll(selector)];
  const named = found('.animation-text + button, .selection-label:has(strong) + button:not(:disabled)');
  if (named.length) return named.map(button => `.${button.parentElement.className} > button`);
  if (!document.querySelector('.status.my-turn')) return null;
  const isPicked = document.querySelector('.cell.picked, .rack-side[aria-pressed=true]');
  const sides = isPicked ? [] : found('button.rack-side:not(:disabled)');
  if (sides.length) return sides.map(side => `[aria-label="${side.ariaLabel}"]`);
  return found('.cell.open:not(.blank)').map(cell => `[data-cell="${cell.dataset.cell}"]`);
})()"""
"""What can be clicked now at a table against bots; `over` once the result is told, null while others move."""


@pytest.mark.timeout(2 * MATCH_SECONDS)
@pytest.mark.parametrize("game", TITLES)
def test_against_bots(visit: Visit, game: str) -> None:
    """One person plays a whole match by clicks; the bots move by themselves, until the result is told."""
    ada = visit("Ada")
    ada.opens_room(TITLES[game], "bots", options=SHORT[game] | QUICK)
    chance = Random(game)  # noqa: S311 - a repeatable match
    while (offered := ada.page.waits_for(NEXT)) != "over":
        ada.clicks(chance.choice(offered))
    ada.waits(".result")
    assert ada.page.value("document.querySelectorAll('.ply').length") > 1
