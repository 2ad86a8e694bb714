"""Languages: every text is in a catalogue, German is complete, and the page has the language that its reader wants."""

import contextlib
import re
from typing import Any, get_args

import pytest

from service.domain.presentation import LANGUAGES
from service.domain.room.model.events import AnyRoomEvent
from service.streams.codes import meanings
from tests.e2e.client import Player, fresh_name
from tests.waiting import wait_for
from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import TITLES, faults
from tests.web.test_files import STATIC, WEB
from tests.web.variants import each_game

GERMAN = "de-AT,de;q=0.9,en;q=0.8"
PARTS = (*(f"languages/{{}}{part}" for part in ("", "_room", "_games", "_people", "_ratings")), "operate/{}")
SIZES = {"desktop": (1280, 800), "phone": (390, 844), "sideways": (844, 390), "small": (320, 640)}

SHAPE = """(async () => {
  const shapeOf = (one) => typeof one === 'function' ? one.length : typeof one !== 'object' ? typeof one
    : Array.isArray(one) ? one.map(shapeOf)
    : Object.fromEntries(Object.entries(one).map(([key, value]) => [key, shapeOf(value)]));
  const load = async (name) => (await import(`${STATIC}web/${name}.js`)).TEXTS;
  const same = (one, other, path) => {
    const found = typeof one === 'string' && one === other && one.includes(' ') ? [path] : [];
    if (typeof one !== 'object') return found;
    return [...found, ...Object.keys(one).flatMap((key) => same(one[key], other[key], `${path}.${key}`))];
  };
  const [english, other] = await Promise.all([load(FIRST), load(SECOND)]);
  return {
    shapes: [shapeOf(english), shapeOf(other)].map((shape) => JSON.stringify(shape)),
    same: same(english, other, ''),
  };
})()"""

MARKED = """(() => {
  const mark = (one) => {
    if (typeof one === 'string') return `⟦${one}⟧`;
    if (typeof one === 'function') return (...args) => `⟦${one(...args)}⟧`;
    if (Array.isArray(one)) return one.map(mark);
    for (const [key, value] of Object.entries(one)) if (key !== 'names') one[key] = mark(value);
    return one;
  };
  for (const part of PARTS) void import(`${STATIC}web/${part.replace('{}', 'en')}.js`).then(({TEXTS}) => mark(TEXTS));
})()"""
"""Puts every text of the English catalogue between brackets before a page uses it: the modules are the same objects."""

UNMARKED = """(() => {
  const outside = (pieces) => {
    let depth = 0;
    return pieces.map((piece) => [...piece].filter((sign) => {
      if (sign === '⟦') depth += 1;
      if (sign === '⟧') depth -= 1;
      return depth === 0 && sign !== '⟧';
    }).join('').trim()).filter(Boolean);
  };
  const isShown = (element) => element?.checkVisibility() && !element.closest('noscript, script, style');
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) if (isShown(walker.currentNode.parentElement)) nodes.push(walker.currentNode.data);
  const names = ['aria-label', 'aria-valuetext', 'title', 'placeholder', 'alt'];
  const attributes = [...document.body.querySelectorAll('*')].filter(isShown)
    .flatMap((element) => names.map((name) => element.getAttribute(name)).filter(Boolean));
  return [...outside(nodes), ...attributes.flatMap((text) => outside([text])), ...outside([document.title])];
})()"""
"""What the page shows or says outside the brackets."""

SIGNS = re.compile(r"[\W\d_]*|\W*[a-pA-Z]\d{0,2}\W*|([a-p]\d+\W*)+|[A-Z]{2}(:[A-Z] [a-e]\d)?")
"""Numbers, signs, letters of pegs and names of cells, moves in notation."""
CONTENT = re.compile(r"""content: *(["'][^"']*["'])""")
NAMES = {"Turnstream", "English", "Deutsch", "Ada", "Bob", "friday-night", "Friday Night", "Bot", *TITLES.values()}


def open_german(open_browser: OpenBrowser, name: str = "Ada") -> Person:
    """Return a person whose browser prefers German."""
    person = open_browser(name)
    prefer(person, GERMAN)
    return person


def prefer(person: Person, languages: str) -> None:
    """Let the browser prefer these languages, in requests and in pages."""
    agent = person.page.value("navigator.userAgent")
    person.page.call("Network.setUserAgentOverride", userAgent=agent, acceptLanguage=languages)


def language_of(person: Person) -> str:
    """Return the language that the page names."""
    return str(person.page.value("document.documentElement.lang"))


def switch(person: Person, language: str) -> None:
    """Choose a language in the bar, and wait until the page has it."""
    chosen = f"[...document.querySelector('.bar .language').options].findIndex(({{lang}}) => lang === {language!r})"
    choose = f"field => {{ field.selectedIndex = {chosen}; field.dispatchEvent(new Event('change')); }}"
    has_language = f"document.documentElement.lang === {language!r} && !!document.querySelector('.bar')"
    with contextlib.suppress(AssertionError):  # the page is loaded again instead of answering
        person.page.value(f"void ({choose})(document.querySelector('.bar .language'))")

    def is_switched() -> bool:
        with contextlib.suppress(AssertionError):
            return bool(person.page.value(has_language))
        return False

    wait_for(is_switched)


# Completeness.


@pytest.mark.parametrize("part", PARTS)
def test_catalogues_have_the_same_texts(open_browser: OpenBrowser, part: str) -> None:
    """The same keys, the same kinds of values and as many parameters; no sentence is left in English."""
    ada = open_browser("Ada")
    ada.open()
    code = (
        SHAPE.replace("${STATIC}", STATIC)
        .replace("FIRST", f"'{part.format('en')}'")
        .replace("SECOND", f"'{part.format('de')}'")
    )
    found = ada.page.value(code)
    english, german = found["shapes"]
    assert english == german
    assert found["same"] == []


def open_marked(open_browser: OpenBrowser, path: str = "/") -> Person:
    """Return a person whose pages have every text of the catalogue between brackets."""
    ada = open_browser("Ada")
    source = MARKED.replace("${STATIC}", STATIC).replace("PARTS", str([*PARTS]))
    ada.page.call("Page.addScriptToEvaluateOnNewDocument", source=source)
    ada.open(path)
    ada.page.wait_for("document.body.innerText.includes('⟦')")
    return ada


def texts_of_the_api(player: Player) -> str:
    """Return every text that the API sends for people, without signs of Markdown and breaks.

    With what other tests have left in the lobby and on TV: rooms, players, listed bots and lines of chat.
    """
    paths = ["/v1/games", "/v1/codes", "/v1/bots", "/v1/lobby/chat", "/v1/tv"]
    paths += [f"/v1/games/{game}" for game in TITLES]
    answers = [player.get(path).body for path in paths]
    answers += [player.get("/v1/rooms", **{which: "true"}).body for which in ("joinable", "live")]
    return plain(" ".join(text for answer in answers for text in strings_in(answer)))


def strings_in(value: Any) -> list[str]:
    """Return all texts in a JSON value, as they are and with a capital letter."""
    if isinstance(value, str):
        return [value, value[:1].upper() + value[1:]]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for each in inner for text in strings_in(each)]


def plain(text: str) -> str:
    """Return a text without signs of Markdown, and with single spaces."""
    return " ".join(re.sub(r"[*`#]|^ *\d+\.", " ", text, flags=re.MULTILINE).split())


def strays(person: Person, known: str, *names: str) -> set[str]:
    """Return what the page shows that is in no catalogue, no text of the API, no name and no number."""
    allowed = NAMES | {*names}
    found = {plain(text) for text in person.page.value(UNMARKED)}
    return {text for text in found if not is_known(text, known, allowed)}


def is_known(text: str, known: str, names: set[str]) -> bool:
    """Return whether a text is one of the API, or names and signs only."""
    rest = re.sub(r"\bBot \d( \((easy|casual|medium|skilled|hard|expert)\))?", " ", text)
    for name in sorted(names, key=len, reverse=True):
        rest = rest.replace(name, " ")
    return text in known or all(SIGNS.fullmatch(word) for word in rest.split())


def test_every_text_of_the_lobby_is_in_the_catalogue(open_browser: OpenBrowser, anonymous: Player) -> None:
    """With its dialogs, errors and messages."""
    known = texts_of_the_api(anonymous)
    ada = open_marked(open_browser)
    ada.wait_for(".game .play-now")
    assert strays(ada, known) == set()
    ada.click('.game button[aria-label*="Options of"]')
    ada.wait_for("dialog[open]")
    ada.page.value("document.querySelectorAll('dialog details').forEach(one => one.open = true)")
    assert strays(ada, known, ada.page.value("document.querySelector('#create-nickname').placeholder")) == set()
    ada.press("Escape")
    ada.page.wait_for("document.querySelector('dialog') === null")
    ada.click(".bar .me")
    ada.wait_for("dialog[open]")
    assert strays(ada, known) == set()
    ada.type_into("#nickname", "Ada")
    ada.click("dialog [type=submit]")
    ada.wait_for(".bar .me", "Ada")
    for path in (
        "/r/no-such-room",
        "/games/chess",
        "/learn/chess",
        "/m/no.such.1",
        "/devices",
        "/ratings",
        "/ratings/chess/blitz",
        "/tv",
        "/players/p-nobody",
        "/tournaments",
        "/tournaments/none",
    ):
        ada.page.navigate(f"{ada.url}{path}")
        ada.page.wait_for("!!document.querySelector('h1:not(.unseen)') && document.body.innerText.includes('⟦')")
        assert strays(ada, known + texts_of_the_api(anonymous), "no-such-room", "chess") == set(), path
        ada.ignore_errors(404)


@pytest.mark.parametrize("game", each_game(TITLES, "rainbow"))
def test_every_text_of_a_room_is_in_the_catalogue(open_browser: OpenBrowser, anonymous: Player, game: str) -> None:
    """While it waits, while it is played, in its tabs and menus, when it is over, in its review, and in help."""
    known = texts_of_the_api(anonymous)
    ada = open_marked(open_browser)
    ada.set_nickname()
    name = f"tea {fresh_name()}"
    room = ada.page.value(OPEN_ROOM.replace("GAME", game).replace("NAME", name))
    ada.open(f"/r/{room}")
    ada.wait_for(".room")
    names = (f"{ada.url}/r/{room}", room, name, name.capitalize(), ada.page.value(GUEST))

    def look() -> None:
        assert strays(ada, known, *names) == set()

    look()
    ada.click(".aside #side-room")
    look()
    for seat in ada.page.value("[...document.querySelectorAll('.seat select')].map((_, index) => index)"):
        ada.page.value(ADD_BOT)
        ada.page.wait_for(f"document.querySelectorAll('.seat-level').length > {seat}")
    ada.click(".status button")
    ada.wait_for(".boards .board")
    look()
    for tab in ("chat", "moves"):
        ada.click(f".aside #side-{tab}")
        look()
    ada.click('.bar button[aria-label*="Keys and gestures"]')
    ada.wait_for("dialog[open]")
    look()
    ada.press("Escape")
    ada.click("#match-menu-button")
    look()
    for word in ("Resign", "Yes, resign"):
        ada.click(".actions button", word)
        look()
    if ada.page.value("document.querySelectorAll('.seat').length") == 2:  # otherwise the bots play on
        ada.wait_for(".result")
        look()
        ada.click(".status button", "Review")
        ada.wait_for(".review")
        ada.click(".ask-review button")
        ada.wait_for(".best-move")
        look()
    ada.open(f"/games/{game}")
    ada.wait_for("figure .board")
    look()
    ada.open(f"/learn/{game}")
    ada.wait_for(".lesson-card button")
    look()


GUEST = "JSON.parse(localStorage.getItem('turnstream.guest')).nickname"
ADD_BOT = """void (field => {
  field.selectedIndex = 1;
  field.dispatchEvent(new Event('change', {bubbles: true}));
})(document.querySelector('.seat select'))"""


def test_a_stray_text_is_found(open_browser: OpenBrowser, anonymous: Player) -> None:
    """The tests above can fail: a text and a label that are in no catalogue are found."""
    ada, known = open_marked(open_browser), texts_of_the_api(anonymous)
    before = strays(ada, known)
    ada.page.value("void document.body.append(Object.assign(document.createElement('p'), {title: 'Take a chair'}))")
    ada.page.value("void document.body.lastChild.append('Sit down')")
    assert strays(ada, known) - before == {"Sit down", "Take a chair"}


def test_every_list_of_languages_is_the_same() -> None:
    """That of the API, of the page and of its first script, the catalogues, and the files of the page shown offline."""
    files = {path.relative_to(WEB).as_posix() for path in WEB.rglob("*.js") if re.match("(en|de)[_.]", path.name)}
    assert files == {f"{part.format(language)}.js" for language in LANGUAGES for part in PARTS}
    for name, pattern in {
        "style/apply_choices.js": r"LANGUAGES = \['(.+)'\];",
        "dom.js": r"(?s)export const LANGUAGES = \{(.+?)\n\};",
        "languages/room.js": r"PARTS = \{(.+)\};",
        "languages/games.js": r"PARTS = \{(.+)\};",
        "languages/people.js": r"PARTS = \{(.+)\};",
        "languages/ratings.js": r"PARTS = \{(.+)\};",
        "operate/texts.js": r"PARTS = \{(.+)\};",
        "install/worker.js": r"(?s)const NEEDED = \[(.+?)\];",
    }.items():
        found = re.search(pattern, (WEB / name).read_text())
        assert found is not None, name
        named = re.findall(
            r"languages/(\w\w)[._]|^(\w\w)$|(?:^| )(\w\w):", found[1].replace("', '", "\n"), re.MULTILINE
        )
        assert {"".join(each) for each in named} == {*LANGUAGES}, name


def test_style_sheets_have_no_texts() -> None:
    """What they insert has no letters, except attributes, which modules set."""
    inserted = [text for sheet in (WEB / "style").glob("*.css") for text in CONTENT.findall(sheet.read_text())]
    assert [text for text in inserted if re.search(r"[A-Za-z]{2}", text)] == []
    assert inserted


def test_every_event_of_a_room_is_described() -> None:
    """As a sentence of the catalogue, not by the name of its type."""
    described = (WEB / "room/describe.js").read_text().partition("const DESCRIPTIONS = {")[2].partition("\n};")[0]
    names = {*re.findall(r"^  (\w+):", described, re.MULTILINE)}
    assert {kind.__struct_config__.tag for kind in get_args(AnyRoomEvent)} <= names


# The language of a page.


def test_the_browsers_preference_decides(open_browser: OpenBrowser) -> None:
    """The first of its languages that there is; games come in it, and the page says which one it is."""
    ada = open_german(open_browser)
    ada.open()
    ada.wait_for("h1", "Setz dich dazu.")
    ada.wait_for(".game .tagline", "Reversi zu dritt.")
    assert language_of(ada) == "de"
    prefer(ada, "fr-FR,de;q=0.5")
    ada.open()
    ada.wait_for(".game .tagline", "Reversi zu dritt.")
    prefer(ada, "fr-FR,it;q=0.5")
    ada.open()
    ada.wait_for(".game .tagline", "Reversi for three.")
    assert language_of(ada) == "en"


def test_the_catalogue_of_games_is_requested_once(open_browser: OpenBrowser) -> None:
    """The request that the page makes early is the one that it uses, in both languages."""
    for languages in ("en-US", GERMAN):
        ada = open_browser("Ada", records=True)
        prefer(ada, languages)
        ada.open()
        ada.wait_for(".game .play-now")
        assert [url.rpartition("/")[2] for url in ada.requests].count("games") == 1


def test_the_switch_changes_the_language_for_good(open_browser: OpenBrowser) -> None:
    """It names each language in itself, has a label, works on a phone, and is remembered."""
    ada = open_browser("Ada")
    ada.resize(390, 844)
    ada.open()
    options = ada.page.value("[...document.querySelector('.bar .language').options].map(({text}) => text)")
    assert options == ["English", "Deutsch"]
    assert ada.has(".bar .language", "Language / Sprache")
    switch(ada, "de")
    ada.wait_for("h1", "Setz dich dazu.")
    ada.wait_for(".game .tagline", "Reversi zu dritt.")
    ada.open("/games/ternio")
    ada.wait_for(".help .lead", "Reversi zu dritt.")
    assert language_of(ada) == "de"
    switch(ada, "en")
    ada.wait_for(".help .lead", "Reversi for three.")
    assert faults(ada) == []


def test_pegs_show_the_letters_of_german_colours(open_browser: OpenBrowser) -> None:
    """In the rack, on the board and in the list of moves; two letters where one would not do."""
    ada = open_german(open_browser)
    ada.open()
    ada.click('.game button[aria-label="Optionen von Tic-Tac-Rainbow"]')
    ada.click("dialog .choice-card:has([value=device])")
    ada.click("dialog button[type=submit]")
    ada.wait_for(".rack")
    letters = "[...document.querySelectorAll('.rack .peg-letter')].map(letter => letter.textContent)"
    assert set(ada.page.value(letters)) == {"R", "O", "Ge", "Gr", "B", "V", "W", "S"}
    ada.click("button.rack-side", "Gelb oben")
    ada.click_cell("c3")
    ada.wait_for('[data-cell="c3"] .peg-letter', "Ge")
    ada.wait_for(".ply", "Ge c3")
    assert ada.page.value("document.querySelector('[data-cell=c3]').getAttribute('aria-label')").startswith(
        "C3, Stecker"
    )


def test_a_refusal_is_shown_in_german(open_browser: OpenBrowser) -> None:
    """By its code, in a dialog, and on a page of its own."""
    ada, bob = open_german(open_browser), open_german(open_browser, "Bob")
    ada.set_nickname()
    bob.open()
    room = ada.page.value(OPEN_ROOM.replace("GAME", "ternio").replace("NAME", "teetisch"))
    assert room
    ada.page.navigate(f"{ada.url}/")
    ada.wait_for(".game .play-now")
    ada.click('.game button[aria-label="Optionen von Ternio"]')
    ada.wait_for("dialog[open]")
    ada.type_into("#create-name", "teetisch")
    ada.click("dialog button[type=submit]")
    ada.wait_for(".notice.error", "Ein anderer offener Raum heißt so")
    ada.ignore_errors(409)
    ada.open("/r/gibt-es-nicht")
    ada.wait_for("h1", "Raum nicht gefunden")
    ada.ignore_errors(404)


def test_a_refusal_with_an_unknown_code_is_shown_as_the_service_says_it(open_browser: OpenBrowser) -> None:
    """As one of a newer release; a known one is translated once the meanings have arrived."""
    ada = open_german(open_browser)
    ada.open()
    said = "(code) => app.sentenceOf(new library.RefusedError({status: 409, code, detail: 'It is new.'}))"
    modules = f"import('{STATIC}web/app.js'), import('{STATIC}client/requests.js')"
    say = f"Promise.all([{modules}]).then(([app, library]) => ['new_in_2030', 'not_ready'].map({said}))"
    wait_for(lambda: ada.page.value(say)[1] != "It is new.")
    assert ada.page.value(say) == ["It is new.", meanings("de")["not_ready"]]


OPEN_ROOM = """fetch('/v1/rooms', {method: 'POST', body: JSON.stringify({game: 'GAME', name: 'NAME'}), headers: {
  'content-type': 'application/json',
  authorization: `Bearer ${JSON.parse(localStorage.getItem('turnstream.guest')).token}`,
}}).then(answer => answer.json()).then(({room}) => room)"""


def test_a_match_is_played_in_german(open_browser: OpenBrowser) -> None:
    """From the lobby to the winning line: what is seen, and what is said to screen readers."""
    ada = open_german(open_browser)
    ada.open()
    ada.click('.game button[aria-label="Optionen von Tic-Tac-Rainbow"]')
    ada.wait_for("dialog[open]", "Wer spielt?")
    ada.click("dialog .choice-card:has([value=device])")
    ada.click("dialog button[type=submit]", "Spielen")
    ada.wait_for(".status .mover", "Eins")
    ada.wait_for(".status", "Am Zug:")
    for peg, cell in (
        ("Rot und Orange, Rot oben", "a2"),
        ("Rot und Orange, Rot oben", "b2"),
        ("Violett und Rot, Rot oben", "c2"),
    ):
        ada.click("button.rack-side:not(:disabled)", peg)
        ada.click_cell(cell)
        ada.wait_for(f'[data-cell="{cell}"]', "Stecker von")
        ada.page.wait_for("!document.querySelector('.pending')")
    ada.wait_for(".result", "Eins hat gewonnen")
    ada.wait_for(".reason", "Eins hat eine Linie gebildet.")
    ada.wait_for(".plies button", "Eins hat Rot auf A2 gesetzt.")
    said = "document.querySelector('#announcer').textContent"
    ada.page.wait_for(f"{said}.includes('Eins hat gewonnen: Eins hat eine Linie gebildet.')")
    ada.click(".status button", "Analyse")
    ada.wait_for(".status", "Rückblick auf Partie 1: das Ende")
    assert faults(ada) == []


@pytest.mark.parametrize(
    "size", [name if name == "small" else pytest.param(name, marks=pytest.mark.soak) for name in SIZES]
)
def test_german_fits_and_is_accessible(open_browser: OpenBrowser, size: str) -> None:
    """German words are longer: nothing is wider than the window, in the lobby, rooms, reviews, lessons and help."""
    ada = open_german(open_browser)
    ada.resize(*SIZES[size])
    ada.open()
    ada.wait_for(".game .play-now")
    assert_fits(ada, "lobby")
    ada.click('.game button[aria-label="Optionen von Turncoat"]')
    ada.wait_for("dialog[open]")
    ada.page.value("document.querySelectorAll('dialog details').forEach(one => one.open = true)")
    assert_fits(ada, "dialog")
    ada.click("dialog .choice-card:has([value=bots])")
    ada.click("dialog button[type=submit]")
    ada.wait_for(".boards .board")
    assert_fits(ada, "room")
    ada.click("#match-menu-button")
    assert_fits(ada, "menu")
    ada.click(".actions button", "Aufgeben")
    ada.click(".actions button", "Ja, aufgeben")
    ada.wait_for(".result")
    assert_fits(ada, "result")
    ada.click(".status button", "Analyse")
    ada.wait_for(".review")
    assert_fits(ada, "review")
    for path, selector in (("/games/rainbow", "figure .board"), ("/learn/turncoat", ".lesson-card button")):
        ada.open(path)
        ada.wait_for(selector)
        assert_fits(ada, path)


def assert_fits(person: Person, what: str) -> None:
    """Check that nothing is wider than the window, and that axe-core finds no fault."""
    wide = person.page.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, what
    cut = person.page.value(CUT)
    assert cut == [], what
    assert faults(person) == [], what


CUT = """[...document.querySelectorAll('button, .button, .tab, .status p, .lesson-text')]
  .filter(one => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
  .map(one => one.innerText)"""
"""The texts of controls that do not fit in them."""


def test_the_page_without_a_connection_is_german(open_browser: OpenBrowser) -> None:
    """It is kept with the texts of both languages."""
    ada = open_german(open_browser)
    ada.page.navigate(f"{ada.url}{STATIC}web/install/offline.html")
    ada.wait_for("h1", "Keine Verbindung")
    assert ada.page.value("document.title") == "Keine Verbindung · Turnstream"
    assert ada.has("a.button", "Noch einmal versuchen")


def test_times_and_numbers_are_written_as_in_the_language(open_browser: OpenBrowser) -> None:
    """A decimal comma, and names in a list, from the browser's own data."""
    ada = open_german(open_browser)
    ada.open()
    module = f"import('{STATIC}web/dom.js')"
    assert ada.page.value(f"{module}.then(({{remaining}}) => remaining(9300))") == "9,3"
    assert ada.page.value(f"{module}.then(({{listed}}) => listed(['Ada', 'Ben', 'Cyd']))") == "Ada, Ben und Cyd"
    assert ada.page.value(f"{module}.then(({{ago}}) => ago('2026-01-01T00:00:00Z', {day(3)}))") == "vor 3 Tagen"
    filled = ada.page.value(f"{module}.then(({{filled}}) => filled((one, two) => `${{two}} vor ${{one}}`, 'A', ['B']))")
    assert filled == [["B"], " vor ", "A"]


def day(count: int) -> str:
    """Return the time so many days after the start of 2026, as JavaScript."""
    return f"Date.parse('2026-01-01T00:00:00Z') + {count} * 86_400_000"
