"""A whole match of every game by clicks only, each player in a browser of their own."""

from collections.abc import Sequence
from random import Random

import pytest

from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import TITLES
from tests.web.variants import each_game

SHORT = {
    "ternio": {},
    "triboard": {},
    "morris": {"option-quiet_limit": "1"},
    "turncoat": {"option-round_limit": "2"},
    "rainbow": {"option-dice": "on"},
}
"""Options by which a match against bots is over soon."""
QUICK = {"create-level-easy": "on", "setting-bot_pause": "at once"}


def seat_people(
    open_browser: OpenBrowser, title: str, names: Sequence[str], options: dict[str, str] | None = None
) -> list[Person]:
    """Return people in one room whose match has begun, in the order of their seats."""
    people = [open_browser(name) for name in names]
    room = people[0].open_room(title, options=options)
    for person in people[1:]:
        person.join(room)
    for person in people:
        person.click_ready()
    for person in people:
        person.wait_for(".boards .board")
    return people


def play(person: Person, *cells: str) -> None:
    """Wait for the turn and click these cells one after the other."""
    person.wait_for(".status.my-turn")
    for cell in cells:
        person.wait_for(f'.cell.open[data-cell="{cell}"]')
        person.click_cell(cell)


def play_to_the_end(people: Sequence[Person], chance: Random) -> int:
    """Let the players click offered cells in turn until the result is shown; return the number of clicks."""
    clicks = 0
    while True:
        for person in people:
            offered = person.page.value(OFFERED)
            if offered == "over":
                return clicks
            if offered:
                person.click_cell(chance.choice(offered))
                clicks += 1


OFFERED = """document.querySelector('.result') ? 'over'
  : !document.querySelector('.status.my-turn') ? null
  : [...document.querySelectorAll('.cell.target')].map(cell => cell.dataset.cell)"""


IN_SIGHT = """(([list, last]) => last.getBoundingClientRect().bottom <= list.getBoundingClientRect().bottom)(
  ['.moves', '.plies li:last-child'].map(selector => document.querySelector(selector)))"""
"""Whether the list of moves shows its end."""

BELOW = "document.querySelector('.below').getBoundingClientRect().top + scrollY"
"""The position on the page of the buttons below the board."""


@pytest.mark.soak
def test_ternio(open_browser: OpenBrowser) -> None:
    """Three people place discs on the crosses until nobody can.

    The boards match the result, and the list shows its last move.
    """
    people = seat_people(open_browser, "Ternio", ("Ada", "Bob", "Cyd"))
    clicks = play_to_the_end(people, Random(3))  # noqa: S311 - a repeatable match
    assert clicks > 30
    for person in people:
        person.wait_for(".result")
        person.wait_for_animations()
        discs = person.page.value(
            "['red', 'green', 'blue'].map(c => document.querySelectorAll(`.board .cell .piece.${c}`).length)"
        )
        assert sum(discs) <= 81
        assert " : ".join(map(str, discs)) in person.text(".result")
        assert [person.text(f".seats li:nth-child({n}) .seat-count") for n in (1, 2, 3)] == [str(n) for n in discs]
        assert_own_headline(person, people, discs)
    people[0].wait_for_text("The next match begins")
    assert people[0].page.value(IN_SIGHT)
    people[0].click(".stepper button", "To the start")
    people[0].wait_for_text("Looking back")
    assert not people[0].page.value(IN_SIGHT)


def assert_own_headline(person: Person, people: Sequence[Person], scores: Sequence[int]) -> None:
    """Check that a person reads their own sentence about a result with these scores."""
    best, second = sorted(scores, reverse=True)[:2]
    winner = people[scores.index(best)]
    if best > second:
        assert f"{'You' if person is winner else winner.name} won by {best - second}" in person.text(".result")


def test_triboard(open_browser: OpenBrowser) -> None:
    """Legal moves are shown on request; two players resign, so the third wins."""
    people = seat_people(open_browser, "Triboard", ("Ada", "Bob", "Cyd"), {"option-first": "Blue"})
    ada, bob, cyd = people
    ada.wait_for(".status.my-turn")
    assert not ada.has(".cell.target")
    ada.click_button("Help")
    ada.wait_for(".cell.target")
    before = int(ada.text(".seat.mine .seat-count"))
    ada.click(".cell.target")
    bob.wait_for(".status.my-turn")
    ada.page.wait_for(f"Number(document.querySelector('.seat.mine .seat-count').innerText) >= {before + 2}")
    bob.click(".cell.open")
    cyd.wait_for(".status.my-turn")
    for person in (bob, cyd):
        person.click_button("Resign")
        person.click_button("Yes, resign")
    for person in people:
        person.wait_for(".result", "You won" if person is ada else "Ada won")
        person.wait_for_text("By resignation.")


def test_morris(open_browser: OpenBrowser) -> None:
    """Men are placed, a mill removes one, a man is picked up and put back, and the match without progress is drawn."""
    white, black = seat_people(open_browser, "Nine Men's Morris", ("Ada", "Bob"), {"option-quiet_limit": "2"})
    for one, other in zip(("a7", "d7", "a4", "d6", "b6", "c3"), ("b4", "c4", "g4", "f4", "d2", "e3"), strict=True):
        play(white, one)
        play(black, other)
    white.wait_for_text("Placing: 3 men in hand")
    play(white, "g7")
    white.wait_for_text("A mill! Remove a man")
    assert white.has('[data-cell="b4"] .remove-mark')
    assert white.page.value("document.querySelectorAll('.mill').length") == 1
    play(white, "b4")
    for other, one in zip(("d5", "g1"), ("b2", "e5"), strict=True):
        play(black, other)
        play(white, one)
    play(black, "d3")
    white.wait_for_text("Moving: move a man along a line")
    below = white.page.value(BELOW)
    play(white, "d6")
    white.wait_for(".man.lifted")
    assert white.page.value(BELOW) == below
    black.click_button("Offer a draw")
    white.wait_for_text("Bob offers a draw")
    assert white.has(".man.lifted")
    white.click_button("Put back")
    assert not white.has(".man.lifted")
    white.click_cell("d7")
    white.wait_for_text("This man cannot move anywhere")
    white.wait_for('[data-cell="d7"] .man.lifted')
    white.press("Escape")
    white.click_cell("c4")
    white.wait_for_text("That man is not yours")
    play(white, "b2", "b4")
    play(black, "c4", "c5")
    for person in (white, black):
        person.wait_for(".result", "A draw")
        person.wait_for_text("Too many turns without progress.")


def test_turncoat(open_browser: OpenBrowser) -> None:
    """Both select and commit in secret; the round is shown in steps with a tab for each board.

    The last round ends the match.
    """
    red, yellow = seat_people(open_browser, "Turncoat", ("Ada", "Bob"), {"option-round_limit": "2"})
    for number in (1, 2):
        for person in (red, yellow):
            person.wait_for_text(f"Round {number}")
            person.wait_for(".cell.open")
            person.click(".cell.open:has(.piece.white)")
            person.wait_for_text("Your selection:")
            person.wait_for(".turncoat-tray .tab[aria-selected=true]", "X")
            person.click_button("Commit ")
        red.wait_for_text("Red selected")
        red.wait_for_text("opponent\u2019s selection")
        if number == 1:
            yellow.click_button("Skip")
    for person in (red, yellow):
        person.wait_for_text("The last round is over.")
    red.click("#tab-yellow")
    red.wait_for('[role=grid][aria-label="Board of Yellow (Bob)"]')


def test_a_match_of_turncoat_is_shown_in_steps_before_its_result(open_browser: OpenBrowser) -> None:
    """Until the last step neither result nor countdown nor list gives the end away; then the final board stays."""
    people = seat_people(open_browser, "Turncoat", ("Ada", "Bob"), {"option-round_limit": "1"})
    for person in people:
        person.click(".cell.open:has(.piece.white)")
        person.wait_for_text("Your selection:")
        person.page.value(RECORD_THE_STEPS)
        person.click_button("Commit ")
    for person in people:
        person.wait_for(".result")
        steps = person.page.value("window.steps")
        assert len(steps) == 5
        assert steps[0]["text"].startswith("Red selected")
        assert [step for step in steps if step["spoilt"]] == []
        person.wait_for_text("The next match begins in")
        person.wait_for(".ply", "←")
        assert person.page.value("[...document.querySelectorAll('.tab-count small')].map(e => e.innerText.trim())") == [
            "black",
            "black",
        ]
        assert not person.has(".animation-text")


RECORD_THE_STEPS = """void (window.steps = [], new MutationObserver(() => {
  const text = document.querySelector('.animation-text')?.innerText;
  if (!text || window.steps.at(-1)?.text === text) return;
  const shown = document.body.innerText;
  window.steps.push({text, spoilt: document.querySelector('.result, .ply') !== null
    || shown.includes('The next match') || shown.includes('committed')});
}).observe(document.body, {subtree: true, childList: true, characterData: true}))"""
"""Records each step that the page shows, and whether anything else on the page gave the end away."""


def test_rainbow(open_browser: OpenBrowser) -> None:
    """Pegs are placed with a chosen side up, flipped and moved, until three show one colour."""
    one, two = seat_people(open_browser, "Tic-Tac-Rainbow", ("Ada", "Bob"))
    one.click(".rack-side", "red and orange, orange up")
    play(one, "b3")
    two.click(".rack-side", "orange and yellow, yellow up")
    play(two, "c3")
    play(one, "b3")
    one.click_button("Flip")
    two.wait_for(".cell[aria-label^='B3, red peg of one, orange underneath']")
    play(two, "c3", "c5")
    one.click_button("Hexagonal")
    one.wait_for(".board.hexagonal")
    one.click(".rack-side", "violet and red, red up")
    play(one, "c4")
    two.click(".rack-side", "red and orange, red up")
    play(two, "d5")
    for person in (one, two):
        person.wait_for(".result", "You won" if person is two else "Bob won")
        person.wait_for_text("has made a line.")
        person.wait_for(".in-line")


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
"""What can be clicked now in a match against bots; `over` once the result is shown, null while others move."""


@pytest.mark.parametrize("game", each_game(TITLES, "morris", "rainbow"))
def test_against_bots(open_browser: OpenBrowser, game: str) -> None:
    """One person plays a whole match by clicks; the bots move by themselves until the result is shown."""
    ada = open_browser("Ada")
    ada.open_room(TITLES[game], "bots", options=SHORT[game] | QUICK)
    chance = Random(game)  # noqa: S311 - a repeatable match
    while (offered := ada.page.wait_for(NEXT)) != "over":
        ada.click(chance.choice(offered))
    ada.wait_for(".result")
    assert ada.page.value("document.querySelectorAll('.ply').length") > 1
