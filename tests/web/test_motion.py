"""Motion that explains a move: what moves, how long, and that the page shows the right position whatever happens."""

from typing import Any

import pytest

from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import TITLES, make_first_move
from tests.web.test_matches import play, seat_people
from tests.web.variants import each_game

MOVE_MS = 300
RECORD = """void (() => {
  const animate = Element.prototype.animate;
  window.motions = [];
  let moves = 0;
  Element.prototype.animate = function (frames, options) {
    const cell = this.closest('[data-cell]')?.dataset.cell ?? '';
    const {delay, duration} = options;
    motions.push({cell, isAbove: this.closest('.flights') !== null, delay, ends: delay + duration});
    motions.at(-1).move = moves;
    queueMicrotask(() => queueMicrotask(() => { moves = motions.length }));
    return animate.call(this, frames, options);
  };
})()"""
"""Records from now on which cell and move each animation belongs to, whether it is above the page, and its time."""

ENDED = """!document.querySelector('.flights > *') && document.getAnimations().every(one =>
  one instanceof CSSAnimation || one instanceof CSSTransition || one.playState !== 'running')"""
QUEUE = """(async () => {
  const {drop} = await import(new URL('motion/motion.js', document.querySelector('script[type=module]').src));
  const pieces = [1, 2, 3].map(() => document.body.appendChild(document.createElement('p')));
  for (const piece of pieces) {
    drop()(piece);
    await Promise.resolve();
    await Promise.resolve();
  }
  const delays = pieces.map(piece => piece.getAnimations()[0].effect.getTiming().delay);
  pieces.forEach(piece => piece.remove());
  return delays;
})()"""
"""Three moves at once; returns how long each of them waits."""


def record(person: Person) -> None:
    """Record the animations of a page from now on."""
    person.page.value(RECORD)


def motions(person: Person) -> list[Any]:
    """Return the recorded animations."""
    found: list[Any] = person.page.value("motions")
    return found


@pytest.mark.parametrize("game", each_game([game for game in TITLES if game != "turncoat"], "morris", "rainbow"))
def test_a_move_is_shown_within_its_time(open_browser: OpenBrowser, game: str) -> None:
    """At most 300 ms; a key ends it at once, and nothing is left above the page."""
    ada = open_browser("Ada")
    ada.open_room(TITLES[game], "device")
    ada.wait_for(".boards .board")
    record(ada)
    make_first_move(ada, game)
    ada.page.wait_for("!document.querySelector('.pending') && !!document.querySelector('.ply')")
    assert motions(ada) != []
    for move in {one["move"] for one in motions(ada)}:
        parts = [one for one in motions(ada) if one["move"] == move]
        assert max(one["ends"] for one in parts) - min(one["delay"] for one in parts) <= MOVE_MS
    ada.press(",")
    assert ada.page.value(ENDED)


def test_discs_turn_over_outward(open_browser: OpenBrowser) -> None:
    """The farther a captured disc is from the placed one, the later it turns over."""
    ada = open_browser("Ada")
    ada.open_room(TITLES["ternio"], "device", options={"option-start": "Stripes"})
    ada.wait_for(".cell.open")
    record(ada)
    ada.click(".cell.open")
    ada.page.wait_for("document.querySelectorAll('.ply').length > 0")
    placed = ada.page.value("document.querySelector('.cell:has(.last)').dataset.cell")
    ends = {one["cell"]: one["ends"] for one in motions(ada) if one["cell"] != placed}
    assert ends
    steps = {cell: max(abs(ord(cell[0]) - ord(placed[0])), abs(int(cell[1]) - int(placed[1]))) for cell in ends}
    assert sorted(ends, key=lambda cell: ends[cell]) == sorted(ends, key=lambda cell: (steps[cell], ends[cell]))
    assert len(set(ends.values())) == len(set(steps.values()))


def test_men_slide_and_taken_men_fly_away(open_browser: OpenBrowser) -> None:
    """Above the board: from the hand, to the seat that has taken them. The seats show them from then on."""
    white, black = seat_people(open_browser, "Nine Men's Morris", ("Ada", "Bob"))
    for one, other in zip(("a7", "d7"), ("b4", "c4"), strict=True):
        play(white, one)
        play(black, other)
    white.wait_for(".ply", "c4")
    for person in (white, black):
        record(person)
    play(white, "g7")
    for person in (white, black):
        person.page.wait_for("motions.some(one => one.isAbove) && motions.some(one => one.cell === 'g7')")
        person.page.value("void motions.splice(0)")
    play(white, "b4")
    for person in (white, black):
        person.page.wait_for("motions.some(one => one.isAbove)")
        person.wait_for(".men.of-white .man.taken")
        person.page.wait_for(ENDED)
        assert person.has('[data-cell="b4"][aria-label*="removed"]')


def test_fast_moves_wait_for_each_other(open_browser: OpenBrowser) -> None:
    """Each begins when the one before it has ended."""
    ada = open_browser("Ada")
    ada.open_room(TITLES["ternio"], "device")
    ada.wait_for(".boards .board")
    first, second, third = ada.page.value(QUEUE)
    assert first == 0
    assert 0 < second <= MOVE_MS
    assert second < third <= 2 * MOVE_MS


def test_nothing_moves_when_motion_is_reduced(open_browser: OpenBrowser) -> None:
    """As set on the device."""
    ada = open_browser("Ada")
    ada.emulate_media(prefers_reduced_motion="reduce")
    ada.open_room(TITLES["ternio"], "device")
    ada.wait_for(".cell.open")
    record(ada)
    ada.click(".cell.open")
    ada.page.wait_for("document.querySelectorAll('.ply').length > 0")
    assert motions(ada) == []


def test_looking_back_does_not_repeat_motion(open_browser: OpenBrowser) -> None:
    """Stepping forward shows a move again, stepping back and reloading do not."""
    ada = open_browser("Ada")
    room = ada.open_room(TITLES["morris"], "device")
    for cell in ("a1", "d7"):
        play(ada, cell)
        ada.wait_for(".ply", cell)
    record(ada)
    ada.press(",")
    ada.wait_for_text("Looking back: after move 1 of 2")
    assert motions(ada) == []
    ada.press(".")
    ada.page.wait_for("motions.some(one => one.cell === 'd7')")
    ada.open(f"/r/{room}")
    ada.wait_for('[data-cell="d7"] .piece')
    assert ada.page.value(ENDED)
