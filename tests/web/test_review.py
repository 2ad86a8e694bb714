"""The review of a match that is over: the bots' evaluation, the addresses of its positions, and what is copied."""

from base64 import b64encode

import msgspec
import pytest

from service.domain.catalog import GAMES
from service.domain.notation.reading import read_text
from tests.api.test_analyses import analysis, finished, reviewed
from tests.e2e.client import Player
from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import NARROW, TITLES, faults, overflow
from tests.web.variants import each_game, each_theme

ADDRESS = "location.pathname + location.search"
VALUE = "Number(document.querySelector('.graph-slider')?.getAttribute('aria-valuenow') ?? -1)"
MEN = "document.querySelectorAll('.boards .cell .piece').length"
LINE_HEIGHTS = """[...document.querySelectorAll('.graph-line')].map(line =>
  line.getAttribute('d').slice(1).split(' L').map(point => Number(point.split(' ')[1])))"""
"""By seat and ply, how far below the top of the graph the line is."""


def wait_for_ply(person: Person, ply: int) -> None:
    """Wait until the match is loaded, and the address names a ply."""
    person.wait_for(".ask-review, .evaluating, .graph")
    person.page.wait_for(f"location.search === '?ply={ply}'")


def wait_for_graph(person: Person, ply: int) -> None:
    """Wait until the graph shows a ply, and the address names it."""
    person.page.wait_for(f"{VALUE} === {ply}")
    wait_for_ply(person, ply)


def blunder(player: Player) -> str:
    """Play a match of Tic-Tac-Rainbow in which the first player misses a line, and return its id."""
    room = player.open_room("rainbow", seats=["me", "me"], settings={"hot_seat": True, "restart": None}).body["room"]
    for peg, side, at in (("RO", "R", "a2"), ("RO", "R", "b2"), ("GB", "G", "d5")):
        assert player.play(room, {"type": "place", "peg": peg, "side": side, "at": at}).status == 200
    assert player.command(room, "resign", seat=0).status == 200
    return str(player.read_room(room).body["match"]["id"])


@pytest.mark.parametrize("game", each_game(GAMES, "ternio", "turncoat"))
def test_the_address_of_a_match_shows_its_position(open_browser: OpenBrowser, ada: Player, game: str) -> None:
    """In every game, to people without a name; a step changes the address."""
    match = finished(ada, game)
    positions = analysis(ada, match).body["positions"]
    eve = open_browser("Eve")
    eve.open(f"/m/{match}?ply=4")
    wait_for_ply(eve, 4)
    eve.wait_for_text("Looking back at match 1: after move")
    eve.press(",", 4)
    wait_for_ply(eve, 0)
    eve.press(".", 60)
    wait_for_ply(eve, len(positions) - 1)
    eve.wait_for_text("Looking back at match 1: the end")
    assert faults(eve) == []


def test_a_position_of_an_earlier_match_has_an_address_in_its_room(open_browser: OpenBrowser, ada: Player) -> None:
    """While the room plays on; its present is one key away, and the address follows."""
    match = finished(ada, "morris", turns=6)
    room = match.split(".")[0]
    assert ada.command(room, "request_new").status == 200
    eve = open_browser("Eve")
    for path in (f"/r/{room}/match/1?ply=3", f"/m/{match}?ply=3"):
        eve.open(path)
        wait_for_ply(eve, 3)
        eve.wait_for_text("Looking back at match 1: after move 3 of 7")
        assert eve.page.value(ADDRESS) == path
        eve.page.wait_for(f"{MEN} === 3")
        eve.press(".", 2)
        wait_for_ply(eve, 5)
        eve.page.wait_for(f"{MEN} === 5")
        eve.press(",", 1)
        wait_for_ply(eve, 4)
        eve.page.wait_for(f"{MEN} === 4")
    eve.press("Escape")
    wait_for_ply(eve, 7)
    eve.click("a", "To the room")
    eve.page.wait_for(f"{ADDRESS} === '/r/{room}'")
    eve.page.wait_for(f"{MEN} === 0")
    eve.open(f"/r/{room}/match/1")
    wait_for_ply(eve, 7)
    assert not eve.has(".join")
    eve.press("Escape")
    eve.wait_for(".join")
    eve.page.wait_for(f"{ADDRESS} === '/r/{room}' && {MEN} === 0")
    eve.open(f"/r/{room}/match/2?ply=3")
    eve.page.wait_for(f"{ADDRESS} === '/r/{room}' && {MEN} === 0")


def test_the_match_that_has_just_ended_is_reviewed_under_its_address(open_browser: OpenBrowser) -> None:
    """The address follows each step, and is that of the room again once the review is left."""
    ada = open_browser("Ada")
    room = ada.open_room(TITLES["morris"], "device")
    for at in ("a1", "g7", "d2"):
        ada.click_cell(at)
        ada.wait_for(f'[data-cell="{at}"] .piece')
        ada.page.wait_for("!document.querySelector('.pending')")
    ada.click_button("Resign")
    ada.click_button("Yes, resign")
    ada.click_button("Review")
    wait_for_ply(ada, 4)
    ada.press(",", 2)
    wait_for_ply(ada, 2)
    assert ada.page.value(ADDRESS) == f"/r/{room}/match/1?ply=2"
    ada.page.navigate(ada.page.value("location.href"))
    wait_for_ply(ada, 2)
    ada.wait_for_text("Looking back at match 1: after move 2 of 4")
    ada.press("Escape")
    ada.page.wait_for(f"{ADDRESS} === '/r/{room}'")
    ada.wait_for(".result")


def test_a_match_of_a_closed_room_can_be_reviewed(open_browser: OpenBrowser, ada: Player) -> None:
    """Its address still shows it; an unknown match is not found, and a ply after the end is the end."""
    match = finished(ada, "ternio", turns=3)
    assert ada.command(match.split(".")[0], "close").status == 200
    eve = open_browser("Eve")
    eve.open(f"/m/{match}?ply=2")
    wait_for_ply(eve, 2)
    eve.press(",")
    wait_for_ply(eve, 1)
    eve.open(f"/m/{match}?ply=999")
    wait_for_ply(eve, 5)
    eve.page.navigate(f"{eve.url}/m/{match}7")
    eve.wait_for("h1", "Match not found")
    eve.ignore_errors(404)


@pytest.mark.parametrize("game", each_game(GAMES, "ternio", "turncoat"))
def test_a_match_is_played_on_from_the_position_on_the_board(open_browser: OpenBrowser, ada: Player, game: str) -> None:
    """Against bots, by keyboard, on the seat that is to move; where the match is over, nothing is offered."""
    match = finished(ada, game)
    there = analysis(ada, match, ply=4).body["positions"][0]
    eve = open_browser("Eve")
    eve.open(f"/m/{match}?ply=4")
    wait_for_ply(eve, 4)
    eve.tab_to("Play from here")
    eve.press("Enter")
    assert faults(eve) == []
    eve.tab_to("Against bots")
    eve.press("Enter")
    eve.page.wait_for("location.pathname.startsWith('/r/')")
    room = str(eve.page.value("location.pathname")).removeprefix("/r/")
    eve.wait_for(".board")
    view = ada.read_room(room).body
    assert view["seats"][there["to_move"][0]]["bot"] is None
    assert [bool(seat["bot"]) for seat in view["seats"]].count(True) == len(view["seats"]) - 1
    copied = ada.get(f"/v1/rooms/{room}/events").body["events"][1]["position"]
    assert (copied["match"], copied["version"]) == (match, there["version"])
    eve.open(f"/m/{match}?ply=999")
    eve.wait_for_text("Looking back at match 1: the end")
    assert not eve.has(".play-from")


def test_friends_play_on_from_a_position_by_a_link(open_browser: OpenBrowser, ada: Player, bob: Player) -> None:
    """The room waits for them, with the position on the board; the match begins there when they come."""
    match = finished(ada, "morris", turns=4)
    eve = open_browser("Eve")
    eve.resize(390, 844)
    eve.open(f"/m/{match}?ply=3")
    wait_for_ply(eve, 3)
    eve.click("summary", "Play from here")
    eve.click_button("With others, by link")
    eve.page.wait_for("location.pathname.startsWith('/r/')")
    room = str(eve.page.value("location.pathname")).removeprefix("/r/")
    eve.wait_for_text("Invite")
    eve.page.wait_for("document.querySelectorAll('.waiting-board .cell .piece').length === 3")
    assert bob.command(room, "join").status == 200
    eve.page.wait_for(f"{MEN} === 3")


def test_the_graph_leads_to_every_position(open_browser: OpenBrowser, ada: Player) -> None:
    """By the keys of a slider, by click, and in words, with the chances of each seat; a table has them, too."""
    match = finished(ada, "ternio", turns=12)
    whole = reviewed(ada, match)
    last = whole["plies"]
    eve = open_browser("Eve")
    eve.open(f"/m/{match}?ply=4")
    wait_for_graph(eve, 4)
    shown = eve.page.value("[...document.querySelectorAll('.graph-value strong')].map(e => parseInt(e.innerText))")
    assert shown == whole["positions"][4]["chances"]
    heights = eve.page.value(LINE_HEIGHTS)
    for ply, position in enumerate(whole["positions"]):
        ranks = [sorted(position["chances"]).index(value) for value in position["chances"]]
        drawn = [-line[ply] for line in heights]
        assert ranks == [sorted(drawn).index(height) for height in drawn]
    eve.tab_to("Chances to win")
    for key, ply in (("Home", 0), ("ArrowRight", 1), ("ArrowUp", 2), ("ArrowLeft", 1), ("PageUp", 11), ("End", last)):
        eve.press(key)
        wait_for_graph(eve, ply)
    eve.press("Home")
    wait_for_graph(eve, 0)
    spoken = eve.page.value("document.activeElement.getAttribute('aria-valuetext')")
    red, green, blue = whole["positions"][0]["chances"]
    assert spoken == f"match 1: the start: Red {red} %, Green {green} %, Blue {blue} %"
    eve.click(".graph-slider")
    eve.page.wait_for(f"Math.abs({VALUE} - {last / 2}) <= 1")
    eve.click("summary", "The numbers as a table")
    rows = eve.page.wait_for(
        "[...document.querySelectorAll('.graph-rows tbody tr')].map(row => [...row.cells].map(cell => cell.innerText))"
    )
    assert [[int(number) for number in row[2:]] for row in rows] == [each["chances"] for each in whole["positions"]]
    assert [row[1] for row in rows[1:]] == [each["played"][0]["notation"] for each in whole["positions"][:-1]]
    assert faults(eve) == []
    eve.click("li:nth-child(3) > .ply")
    wait_for_graph(eve, 3)


WORDS = {
    "en": {
        "ask": "Ask the bots for a review",
        "waiting": "The bots are evaluating the match",
        "summary": "One: 1 blunder · Two: 1 blunder",
        "turn": "Turning point: move 3, One GB:G@d5",
        "sentence": "One played GB:G@d5, a blunder: the chance to win fell by 100 %. The best move was VR:R@c2.",
        "verdict": "A blunder: 100 % of the chances to win lost.",
        "next": "Next mistake",
        "moves": "Show the moves",
    },
    "de": {
        "ask": "Von den Bots analysieren lassen",
        "waiting": "Die Bots beurteilen die Partie",
        "summary": "Eins: 1 Patzer · Zwei: 1 Patzer",
        "turn": "Wendepunkt: Zug 3, Eins GB:G@d5",
        "sentence": "Eins hat GB:G@d5 gespielt, ein Patzer: Die Gewinnchance fiel um 100 %. Am besten war VR:R@c2.",
        "verdict": "Ein Patzer: 100 % der Gewinnchancen verloren.",
        "next": "Nächster Fehler",
        "moves": "Züge zeigen",
    },
}


@pytest.mark.parametrize("language", WORDS)
def test_a_blunder_is_marked_and_the_turning_point_named(open_browser: OpenBrowser, ada: Player, language: str) -> None:
    """Once somebody asked, by keyboard and without motion: in words, on the board, in the list and in the graph."""
    match, words = blunder(ada), WORDS[language]
    eve = open_browser("Eve")
    eve.page.run_first(f"localStorage.setItem('turnstream.language', '{language}')")
    eve.emulate_media(prefers_reduced_motion="reduce")
    eve.open(f"/m/{match}?ply=0")
    wait_for_ply(eve, 0)
    assert not eve.has(".graph")
    eve.wait_for("button", words["ask"])
    eve.tab_to(words["ask"])
    eve.page.call("Fetch.enable", patterns=[{"urlPattern": "*/review"}])
    eve.press("Enter")
    eve.wait_for(".evaluating", words["waiting"])
    assert eve.page.value("document.querySelector('.evaluating progress').position") == -1
    assert faults(eve) == []
    eve.page.call("Fetch.continueRequest", requestId=eve.wait_for_paused())
    eve.page.call("Fetch.disable")
    eve.wait_for(".review-summary", words["summary"])
    assert analysis(ada, match).body["review"] == "done"
    eve.tab_to(words["turn"])
    eve.press("Enter")
    wait_for_graph(eve, 2)
    eve.wait_for(".best-move", words["sentence"])
    eve.wait_for('.cell.hinted[data-cell="c2"]')
    rings = "[...document.querySelectorAll('.drawings > *')].map(e => e.getAttribute('class'))"
    assert eve.page.value(rings) == ["ring played blunder"]
    assert eve.page.value("document.querySelectorAll('.graph-dot.blunder, .graph-turn').length") == 3
    eve.wait_for(".ply .verdict.blunder", "??")
    assert words["verdict"] in eve.page.value("document.querySelectorAll('.ply')[2].getAttribute('aria-label')")
    assert faults(eve) == []
    eve.press("Escape")
    eve.tab_to(words["next"])
    eve.press("Enter")
    wait_for_graph(eve, 1)
    eve.tab_to(words["moves"])
    eve.press("Enter")
    eve.wait_until_gone(".cell.hinted")
    assert not eve.has(".drawings > .ring")


def test_a_review_shows_how_far_it_is(open_browser: OpenBrowser, ada: Player) -> None:
    """The bar grows with each answer of the service, and gives way to the graph."""
    match = blunder(ada)
    done = reviewed(ada, match)
    eve = open_browser("Eve")
    eve.page.call("Fetch.enable", patterns=[{"urlPattern": "*/v1/matches/*/analysis*"}])
    eve.page.navigate(f"{eve.url}/m/{match}")
    for evaluated in (1, 3):
        body = b64encode(msgspec.json.encode(done | {"review": "waiting", "evaluated": evaluated})).decode()
        eve.page.call("Fetch.fulfillRequest", requestId=eve.wait_for_paused(), responseCode=200, body=body)
        eve.page.wait_for(f"document.querySelector('.evaluating progress')?.value === {evaluated}")
        assert eve.page.value("document.querySelector('.evaluating progress').max") == done["plies"]
        assert faults(eve) == []
    eve.page.call("Fetch.continueRequest", requestId=eve.wait_for_paused())
    eve.wait_for(".graph")
    assert not eve.has(".evaluating")


def test_both_seats_of_a_round_have_a_best_move(open_browser: OpenBrowser, ada: Player) -> None:
    """In Turncoat each on its own board."""
    match = finished(ada, "turncoat", turns=6)
    positions = reviewed(ada, match)["positions"][4:24:4]
    ply, best = next((p["ply"], p["best"]) for p in positions if len({b["notation"] for b in p["best"]}) == 2)
    eve = open_browser("Eve")
    eve.open(f"/m/{match}?ply={ply}")
    for seat, colour in enumerate(("red", "yellow")):
        eve.wait_for(".best-move", f"{colour.capitalize()} played")
        eve.click(f"#tab-{colour}")
        eve.wait_for(f"#cell-{colour}-{best[seat]['move']['at']}.hinted")
        assert eve.page.value("document.querySelectorAll('.cell.hinted').length") == 1


def test_link_and_notation_can_be_copied(open_browser: OpenBrowser, ada: Player) -> None:
    """The link is that of the match, whatever its room plays; the notation is complete."""
    match = finished(ada, "rainbow", turns=4)
    eve = open_browser("Eve")
    eve.open(f"/r/{match.split('.')[0]}/match/1?ply=2")
    wait_for_ply(eve, 2)
    eve.keep_copies()
    eve.click_button("Copy link to this position")
    assert eve.page.wait_for("globalThis.copied") == f"{eve.url}/m/{match}?ply=2"
    eve.page.value("void (copied = '')")
    eve.click_button("Copy notation")
    sheet = read_text(eve.page.wait_for("globalThis.copied"))
    assert (sheet.heading.match, len(sheet.entries)) == (match, 5)
    eve.wait_for_text("The notation has been copied.")


@pytest.mark.parametrize("theme", each_theme("dark"))
def test_a_review_fits_on_the_screen(open_browser: OpenBrowser, ada: Player, theme: str) -> None:
    """In both themes, with the bots' evaluation: on a desktop as a whole, on a small phone in its width."""
    match = finished(ada, "triboard", turns=6)
    reviewed(ada, match)
    eve = open_browser("Eve")
    eve.emulate_media(prefers_color_scheme=theme)
    eve.resize(1280, 800)
    eve.open(f"/m/{match}?ply=3")
    wait_for_graph(eve, 3)
    assert eve.page.value("document.documentElement.scrollHeight - innerHeight") <= 0
    assert faults(eve) == []
    eve.resize(NARROW, 640)
    assert overflow(eve) <= 0
    assert faults(eve) == []
