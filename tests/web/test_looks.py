"""The looks of boards: chosen in a menu, remembered for each game, and as easy to read as the classic one."""

import pytest

from tests.web.conftest import OpenBrowser
from tests.web.test_accessibility import TITLES, faults
from tests.web.variants import each_game

BACKDROP = "getComputedStyle(document.querySelector('.boards .backdrop')).fill"


def test_a_look_is_remembered_for_its_game(open_browser: OpenBrowser) -> None:
    """It is chosen with the mouse or with arrow keys, and outlives the page; other games keep theirs."""
    ada = open_browser("Ada")
    room = ada.open_room(TITLES["morris"], "device")
    ada.wait_for(".room[data-board=classic] .boards .board")
    classic = ada.page.value(BACKDROP)
    ada.click(".bar button", "Look of the board")
    ada.click(".look[data-board=wood]")
    ada.wait_for(".room[data-board=wood]")
    assert ada.page.value(BACKDROP) != classic
    ada.press("ArrowDown")
    ada.wait_for(".room[data-board=paper]")
    ada.press("Escape")
    ada.page.wait_for("document.querySelector('.menu:popover-open') === null")
    ada.open(f"/r/{room}")
    ada.wait_for(".room[data-board=paper] .boards .board")
    ada.open()
    ada.open_room(TITLES["ternio"], "device")
    ada.wait_for(".room[data-board=classic] .boards .board")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("look", ["wood", "paper"])
def test_every_look_is_accessible(open_browser: OpenBrowser, look: str, theme: str) -> None:
    """In both themes, with the menu open and closed; a piece differs from the others by its shape in every look."""
    ada = open_browser("Ada")
    ada.emulate_media(prefers_color_scheme=theme)
    ada.open_room(TITLES["ternio"], "device")
    ada.wait_for(".boards .board")
    ada.click(".bar button", "Look of the board")
    ada.click(f".look[data-board={look}]")
    assert faults(ada) == []
    ada.press("Escape")
    assert faults(ada) == []
    shapes = ada.page.value("[...document.querySelectorAll('.boards .emblem')].map(one => one.getAttribute('d'))")
    assert len(set(shapes)) == 3


CONTRASTS = """(() => {
  const style = getComputedStyle(document.documentElement);
  const light = name => {
    const parts = style.getPropertyValue(name).trim().slice(1).match(/../g).map(part => parseInt(part, 16) / 255);
    const [red, green, blue] = parts.map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  return PAIRS.map(pair => {
    const [dark, bright] = pair.map(light).sort((one, other) => one - other);
    return (bright + 0.05) / (dark + 0.05);
  });
})()"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_ring_of_a_line_and_the_edge_of_a_black_man_stand_out(open_browser: OpenBrowser, theme: str) -> None:
    """The ring from an orange peg and from its well; the edge of a black man from the board at night."""
    ada = open_browser("Ada")
    ada.emulate_media(prefers_color_scheme=theme)
    ada.open_room(TITLES["rainbow"], "device")
    ring = ada.page.value("""(() => {
      const ring = document.createElement('i');
      ring.className = 'in-line';
      document.querySelector('.board-hold').append(ring);
      const { stroke } = getComputedStyle(ring);
      document.documentElement.style.setProperty(
        '--ring', `#${stroke.match(/[0-9]+/g).map(part => Number(part).toString(16).padStart(2, '0')).join('')}`);
      ring.remove();
      return stroke;
    })()""")
    assert ring
    pairs = [["--ring", "--side-O"], ["--ring", "--well"], ["--man-edge", "--card"]]
    orange, well, edge = ada.page.value(CONTRASTS.replace("PAIRS", str(pairs)))
    assert orange >= 2
    assert well >= 3
    assert theme == "light" or edge >= 4.5


DISCS, MEN = ("--red", "--green", "--blue"), (("--man-white", "--white-edge"), ("--man-black", "--man-edge"))
GROUNDS = ("--square", "--square-odd", "--field-well")
UNDER_MEN = ("--wood", "--felt", "--felt-odd")
LETTERS = (("--slate-ink", "--slate"), ("--field-ink", "--field"), ("--walnut-ink", "--walnut"))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pieces_and_letters_stand_out_from_each_material(open_browser: OpenBrowser, theme: str) -> None:
    """A disc or a tile by its colour, a man by his colour or his edge, a letter from the frame."""
    ada = open_browser("Ada")
    ada.emulate_media(prefers_color_scheme=theme)
    ada.open()

    def contrast(one: str, other: str) -> float:
        return float(ada.page.value(CONTRASTS.replace("PAIRS", str([[one, other]])))[0])

    assert {(disc, ground) for disc in DISCS for ground in GROUNDS if contrast(disc, ground) < 3} == set()
    assert {
        (man, under) for man in MEN for under in UNDER_MEN if max(contrast(look, under) for look in man) < 3
    } == set()
    assert {(ink, frame) for ink, frame in LETTERS if contrast(ink, frame) < 4.5} == set()


MATERIALS = {
    "morris": {".backdrop": "walnut", ".bed": "wood"},
    "ternio": {".texture": "stone"},
    "turncoat": {".texture": "felt"},
    "triboard": {".well": "dip"},
    "rainbow": {".backdrop": "lacquer"},
}
FILL = """(selector => {
  const { fill } = getComputedStyle(document.querySelector(`.boards .board ${selector}`));
  return document.querySelector(/url\\("(#.+)"\\)/.exec(fill)?.[1] ?? 'none')?.id;
})"""
"""Returns the id of the pattern or gradient that fills an element, if the page has it."""


@pytest.mark.parametrize("game", each_game(MATERIALS, "morris", "turncoat"))
def test_each_game_has_a_material_of_its_own(open_browser: OpenBrowser, game: str) -> None:
    """By default; with high contrast there is no texture."""
    ada = open_browser("Ada")
    ada.open_room(TITLES[game], "device")
    ada.wait_for(".boards .board")
    assert {part: ada.page.value(f"{FILL}({part!r})") for part in MATERIALS[game]} == MATERIALS[game]
    ada.emulate_media(prefers_contrast="more")
    assert (
        ada.page.value("""[...document.querySelectorAll('.boards .board :is(.texture, .seam)')]
      .filter(one => one.checkVisibility()).length""")
        == 0
    )


def test_colours_that_carry_a_meaning_outlast_forced_colours(open_browser: OpenBrowser) -> None:
    """The mark of who is there keeps its colour, and only the tab that is shown is underlined."""
    ada = open_browser("Ada")
    ada.open_room(TITLES["ternio"])
    ada.wait_for(".seat .presence")
    colour = "getComputedStyle(document.querySelector('.seat .presence')).backgroundColor"
    before = ada.page.value(colour)
    ada.emulate_media(forced_colors="active")
    assert ada.page.value("matchMedia('(forced-colors: active)').matches")
    assert ada.page.value(colour) == before
    lines = "[...document.querySelectorAll('.aside .tab')].map(tab => getComputedStyle(tab).borderBottomColor)"
    assert len(set(ada.page.value(lines))) == 2
