"""The typeface: loaded after the first view, without moving anything, and with every letter of both languages."""

import string
from pathlib import Path

import pytest

from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import TITLES
from tests.web.test_files import FILES, UNTIL_CARDS, WEB

FONT = WEB / "typeface/figtree.woff2"
MOST_BYTES = 20_000
SIGNS = "–—‘’‚“”„…·×±−←→«»§½"  # noqa: RUF001 - those of typography
LETTERS = f"{string.ascii_letters}{string.digits}{string.punctuation}äöüÄÖÜßé{SIGNS}"
SIZES = [(390, 844), (820, 1180), (1280, 800), (1920, 1080)]
LINE = 25
"""The height of a line in pixels."""
LEAST = 0.5
"""Pixels that nobody sees."""

MOVED = """(selector => {
  const root = document.documentElement;
  const tops = () => [...document.querySelectorAll(selector)].map(one => one.getBoundingClientRect().top)
    .filter(top => top < innerHeight);
  const after = tops();
  delete root.dataset.typeface;
  const before = tops();
  root.dataset.typeface = '';
  return Math.max(...after.map((top, number) => Math.abs(top - (before[number] ?? top))));
})"""
"""By how many pixels something on the screen moves when the typeface takes the place of the device's."""

MISSING = """(async letters => {
  await document.fonts.load('16px Figtree');
  const context = document.createElement('canvas').getContext('2d');
  const width = (letter, face) => {
    context.font = `16px Figtree, ${face}`;
    return context.measureText(letter).width;
  };
  return [...letters].filter(letter => {
    const widths = ['"Liberation Mono"', '"Liberation Sans Narrow"', '"DejaVu Sans"'].map(face => width(letter, face));
    return new Set(widths).size > 1;
  });
})"""
"""Returns those of some letters whose width depends on the typeface behind it."""

IS_USED = "document.documentElement.dataset.typeface === '' && document.fonts.check('1em Figtree')"


def hold_typeface(person: Person) -> None:
    """Let the request of the typeface wait."""
    person.page.call("Fetch.enable", patterns=[{"urlPattern": "*.woff2"}])


def wait_for_typeface(person: Person, selector: str) -> None:
    """Wait for an element, in the typeface."""
    person.wait_for(selector)
    person.page.wait_for(IS_USED)


def test_the_typeface_is_requested_once_the_cards_are_shown(open_browser: OpenBrowser) -> None:
    """At the next visit it is in the cache, and there from the beginning."""
    ada = open_browser("Ada")
    ada.page.run_first(UNTIL_CARDS)
    ada.open()
    ada.page.wait_for(IS_USED)
    before = ada.page.value("window.loaded")
    assert before
    assert [url for url in before if url.endswith(".woff2")] == []
    ada.open()
    ada.page.wait_for(IS_USED)
    assert ada.page.value("window.loaded.filter(url => url.endsWith('.woff2')).length") == 1
    assert ada.page.value(
        "performance.getEntriesByType('resource').find(({name}) => name.endsWith('.woff2')).transferSize"
    ) in {0, 300}  # from the cache


@pytest.mark.parametrize("size", SIZES)
def test_nothing_moves_when_the_typeface_arrives(open_browser: OpenBrowser, size: tuple[int, int]) -> None:
    """No board does, and no card in the lobby by more than a line: a typeface of the device has about its width."""
    ada, bob = (open_browser(name) for name in ("Ada", "Bob"))
    for person in (ada, bob):
        person.resize(*size)
    room = ada.open_room(TITLES["ternio"], "device")
    wait_for_typeface(ada, ".boards .board")
    assert ada.page.value(f"{MOVED}('.boards .board')") <= LEAST, "the room of several people at one device"
    for path, shown, most in (("/", ".game", LINE), (f"/r/{room}", ".boards .board", LEAST)):
        bob.open(path)
        wait_for_typeface(bob, shown)
        assert bob.page.value(f"{MOVED}('{shown}')") <= most, path


def test_a_page_without_the_typeface_is_complete(open_browser: OpenBrowser) -> None:
    """If it cannot be loaded, that of the device stays, and nothing is reported."""
    ada = open_browser("Ada")
    hold_typeface(ada)
    ada.open()
    ada.page.call("Fetch.failRequest", requestId=ada.wait_for_paused(), errorReason="Failed")
    ada.page.wait_for("document.fonts.status === 'loaded'")
    assert not ada.page.value(IS_USED)
    assert ada.has(".game .play-now")
    ada.ignore_errors("ERR_FAILED")


def test_the_typeface_has_all_letters(open_browser: OpenBrowser) -> None:
    """Those of English and German, digits, and the signs of typography."""
    ada = open_browser("Ada")
    ada.open()
    assert ada.page.value(f"{MISSING}({'█' + LETTERS!r})") == ["█"]


def test_the_typeface_is_small_and_has_its_licence_beside_it() -> None:
    """A page requests it once; the licence is not served, but is in the wheel."""
    assert [name for name in FILES if name.endswith(".woff2")] == [FONT.relative_to(WEB).as_posix()]
    assert FONT.stat().st_size <= MOST_BYTES
    licence = Path(FONT.with_name("OFL.txt")).read_text()
    assert licence.startswith("Copyright 2022 The Figtree Project Authors")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
