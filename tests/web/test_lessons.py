"""Lessons: five steps on a real board by mouse and by keys, wrong moves, what is offered, and what is left behind."""

import re
from urllib.parse import urlsplit

import pytest

from tests.api.tab import Json
from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import NARROW, TITLES, faults, overflow
from tests.web.variants import each_game

COLOURS = {"R": "red", "O": "orange", "Y": "yellow", "G": "green", "B": "blue", "V": "violet"}
QUICK = ("ternio", "rainbow")
"""The lessons that are played in every run; `make test-web` plays the others as well."""

GAMES = each_game(TITLES, *QUICK)

ROOMS = """fetch('/v1/players/me', {headers: {
  authorization: `Bearer ${JSON.parse(localStorage.getItem('turnstream.guest')).token}`,
}}).then(answer => answer.json()).then(({rooms}) => rooms.filter(({status}) => status !== 'closed'))"""
"""The guest's rooms that are open."""

AT_REST = "document.querySelector('.pending') === null"


def game_details(person: Person, game: str) -> Json:
    """Return the catalogue's page about a game."""
    found: Json = person.page.value(f"fetch('/v1/games/{game}').then(answer => answer.json())")
    return found


def open_lesson(person: Person, game: str) -> list[Json]:
    """Open a lesson, wait until the first move is awaited, and return the steps."""
    person.open(f"/learn/{game}")
    person.wait_for(".lesson-card button", "Show me")
    steps: list[Json] = game_details(person, game)["lesson"]["steps"]
    return steps


def solve(person: Person, step: Json) -> None:
    """Make the moves of a step's first solution with the mouse, and wait for the praise."""
    for each in step["solutions"][0]:
        make_move(person, each["move"])
    person.wait_for(".lesson-praise", step["praise"])


def make_move(person: Person, move: Json) -> None:
    """Make one move: choose the side of a peg, click the cells, press the button."""
    if move["type"] == "commit":
        person.click(".choice button", "Commit ")
    if "peg" in move:
        sides = " and ".join(COLOURS[side] for side in move["peg"])
        person.click("button.rack-side", f"{sides}, {COLOURS[move['side']]} up")
    for cell in (move[field] for field in ("from", "at", "to") if field in move):
        person.click_cell(cell)
    if move["type"] == "flip":
        person.click(".choices button", "Flip")
    person.page.wait_for(AT_REST)


def sent_commands(person: Person) -> int:
    """Return how many commands the page has sent as requests, as it sends the learner's moves."""
    return sum(urlsplit(url).path.endswith("/commands") for url in person.requests)


@pytest.mark.parametrize("game", each_game(TITLES, "morris", "rainbow"))
def test_a_lesson_is_played_to_its_end(open_browser: OpenBrowser, game: str) -> None:
    """With the mouse, by the rules of the service. Then a match begins, without the offer, in the only room left."""
    ada = open_browser("Ada")
    ada.open()
    ada.click(".game a", f"Learn {TITLES[game]}")
    steps = game_details(ada, game)["lesson"]["steps"]
    for number, step in enumerate(steps, 1):
        ada.wait_for("#lesson-step", f"Step {number} of {len(steps)}")
        ada.wait_for(".lesson-text", step["text"])
        solve(ada, step)
        if step is not steps[-1]:
            ada.click(".lesson-card button", "Next")
    assert ada.page.value("document.querySelectorAll('.lesson-dots .done').length") == len(steps)
    ada.click(".lesson-card button", "Play a match")
    ada.wait_for(".seats", "Otto")
    ada.wait_for(".boards .board")
    assert not ada.has(".lesson-offer")
    ada.page.wait_for(f"{ROOMS}.then(({{length}}) => length === 1)")


def test_a_wrong_move_shows_the_hint_and_is_not_sent(open_browser: OpenBrowser) -> None:
    """Neither a legal move nor an illegal one; Show me marks the solution, and the room is not listed."""
    ada = open_browser("Ada", records=True)
    first, *_ = open_lesson(ada, "ternio")
    before = sent_commands(ada)
    ada.click_cell("c3")
    ada.wait_for(".lesson-advice", first["hint"])
    ada.click_cell("a1")
    ada.wait_for(".lesson-advice", "captures nothing")
    assert not ada.has('[data-cell="c3"] .piece')
    assert sent_commands(ada) == before
    ada.click(".lesson-card button", "Show me")
    ada.wait_for('[data-cell="c7"] .hint-mark')
    listed = ada.page.value("fetch('/v1/rooms?game=ternio').then(answer => answer.json())")["rooms"]
    assert ada.page.value(ROOMS)[0]["room"] not in [room["room"] for room in listed]
    ada.click_cell("c7")
    ada.wait_for(".lesson-praise", first["praise"])
    assert sent_commands(ada) == before + 1


def test_a_removal_is_part_of_the_step(open_browser: OpenBrowser) -> None:
    """In Nine Men's Morris the mill alone does not solve it; another man is not removed."""
    ada = open_browser("Ada")
    first, second, *_ = open_lesson(ada, "morris")
    solve(ada, first)
    ada.click(".lesson-card button", "Next")
    ada.wait_for(".lesson-card button", "Show me")
    ada.click_cell("d7")
    ada.wait_for(".remove-mark")
    assert not ada.has(".lesson-praise")
    ada.click_cell("f2")
    ada.wait_for(".lesson-advice", second["hint"])
    ada.click_cell("e4")
    ada.wait_for(".lesson-praise", second["praise"])
    assert ada.has('[data-cell="f2"] .man')


def test_a_step_can_be_solved_by_keys(open_browser: OpenBrowser) -> None:
    """From the lobby: Tab to the board, arrows, Enter; the next step gets the focus by itself."""
    ada = open_browser("Ada")
    ada.open()
    ada.wait_for(".game")
    ada.tab_to("Learn Ternio")
    ada.press("Enter")
    ada.wait_for(".lesson-card button", "Show me")
    ada.tab_to("can be played")
    assert ada.focused_label().startswith("C3")
    ada.press("ArrowUp", 4)
    ada.press("Enter")
    ada.page.wait_for("document.activeElement.innerText === 'Next'")
    ada.press("Enter")
    ada.wait_for("#lesson-step", "Step 2")
    ada.wait_for(".lesson-card button", "Show me")
    ada.page.wait_for("document.activeElement.dataset.cell === 'c7'")
    ada.press("ArrowDown", 2)
    ada.press("Enter")
    ada.wait_for(".lesson-praise")


def test_a_lesson_begins_again_after_a_reload(open_browser: OpenBrowser) -> None:
    """The room of the first try is closed, and so is that of the second when the page is left."""
    ada = open_browser("Ada")
    first, *_ = open_lesson(ada, "ternio")
    solve(ada, first)
    room = ada.page.value(ROOMS)[0]["room"]
    open_lesson(ada, "ternio")
    assert ada.text("#lesson-step") == "Step 1 of 5"
    ada.page.wait_for(f"{ROOMS}.then(rooms => rooms.length === 1 && rooms[0].room !== '{room}')")
    ada.click(".bar a", "Back to lobby")
    ada.page.wait_for(f"{ROOMS}.then(({{length}}) => length === 0)")


def test_a_room_whose_close_was_lost_is_closed_by_the_next_lesson(open_browser: OpenBrowser) -> None:
    """The page that is left can no longer send anything, as when the browser is killed."""
    ada = open_browser("Ada")
    open_lesson(ada, "ternio")
    room = ada.page.value(ROOMS)[0]["room"]
    ada.page.value("void (window.fetch = () => Promise.reject(new TypeError('offline')))")
    open_lesson(ada, "ternio")
    ada.page.wait_for(f"{ROOMS}.then(rooms => rooms.length === 1 && rooms[0].room !== '{room}')")


def test_the_lesson_is_offered_in_the_first_room_against_a_bot(open_browser: OpenBrowser) -> None:
    """Until it is declined, and in no other room; each game has its own, and a shared device gets none."""
    ada = open_browser("Ada")
    ada.open()
    ada.click(".game .play-now", "Play Ternio")
    ada.wait_for(".lesson-offer", "Learn it in 5 steps")
    ada.open(ada.page.value("location.pathname"))
    ada.wait_for(".lesson-offer")
    ada.open_room("Nine Men's Morris", "device")
    ada.wait_for(".ply, .plies, .side-panel")
    assert not ada.has(".lesson-offer")
    ada.open()
    ada.click(".game .play-now", "Play Ternio")
    ada.wait_for(".boards .board.ternio")
    ada.wait_for(".side-panel")
    assert not ada.has(".lesson-offer")
    ada.open()
    ada.click(".game .play-now", "Play Tic-Tac-Rainbow")
    ada.click(".lesson-offer button", "No, thanks")
    ada.wait_until_gone(".lesson-offer")
    ada.open(ada.page.value("location.pathname"))
    ada.wait_for(".side-panel")
    assert not ada.has(".lesson-offer")


def test_a_game_without_a_lesson_has_no_page_for_it(open_browser: OpenBrowser) -> None:
    """An unknown game neither."""
    ada = open_browser("Ada")
    ada.page.navigate(f"{ada.url}/learn/chess")
    ada.wait_for("h1", "Lesson not found")
    ada.ignore_errors(404)


@pytest.mark.parametrize(
    ("game", "theme"),
    [
        ("ternio", "light"),
        ("turncoat", "dark"),
        pytest.param("ternio", "dark", marks=pytest.mark.soak),
        pytest.param("turncoat", "light", marks=pytest.mark.soak),
    ],
)
def test_a_lesson_is_accessible(open_browser: OpenBrowser, game: str, theme: str) -> None:
    """While a move is awaited, with advice, and after the solution; nothing is wider than a small phone."""
    ada = open_browser("Ada")
    ada.emulate_media(prefers_color_scheme=theme)
    first, *_ = open_lesson(ada, game)
    ada.click(".lesson-card button", "Show me")
    ada.wait_for(".lesson-advice")
    assert faults(ada) == []
    ada.resize(NARROW, 640)
    assert overflow(ada) <= 0
    assert faults(ada) == []
    solve(ada, first)
    assert faults(ada) == []
    assert overflow(ada) <= 0


def test_the_rules_name_no_option_of_the_api(open_browser: OpenBrowser) -> None:
    """The help pages speak to players: no name of an option, and no value of one as code."""
    ada = open_browser("Ada")
    for game in TITLES:
        ada.open(f"/games/{game}")
        ada.wait_for(".rules h2")
        (schema,) = game_details(ada, game)["options"]["$defs"].values()
        options = schema["properties"]
        values = {str(value) for option in options.values() for value in option.get("enum", ())}
        code = set(ada.page.value("[...document.querySelectorAll('.rules code')].map(({innerText}) => innerText)"))
        assert code & ({*options} | values) == set(), game
        assert re.findall(r"\b[a-z]+_[a-z_]+\b", ada.text(".rules")) == [], game
        assert ada.has("a.button", "Learn")
