"""The pages of tournaments: the list, entering and organising, live standings, and the way into one's match."""

from datetime import UTC, datetime, timedelta

from tests.api.tournaments import new_tournament, send, tournament_request
from tests.e2e.client import ApiClient, fresh_name
from tests.web.conftest import OpenBrowser
from tests.web.test_accessibility import NARROW, faults, overflow
from tests.web.test_devices import keep_guest
from tests.web.test_languages import assert_fits, open_german
from tests.web.test_layout import PHONE

HOUR_MS = 3_600_000

ROWS = "[...document.querySelectorAll('.standings tbody tr')].map(row => row.querySelector('th').innerText)"


def page_of(tournament: str) -> str:
    """Return the address of a tournament's page."""
    return f"/tournaments/{tournament}"


def test_a_tournament_from_the_lobby_to_its_end(open_browser: OpenBrowser, client: ApiClient) -> None:
    """It is created, entered and begun in the browser; the match opens by itself, and its result is shown live."""
    ada, bob = open_browser("Ada"), client.guest("Bob")
    title = f"Cup {fresh_name()}"
    ada.set_nickname()
    ada.click(".welcome a", "Tournaments")
    ada.wait_for("h1", "Tournaments")
    assert faults(ada) == []
    ada.click("button", "Create a tournament")
    ada.wait_for("dialog[open]")
    assert faults(ada) == []
    ada.type_into("#tournament-name", title)
    ada.choose("#tournament-game", "Nine Men's Morris")
    ada.choose("#tournament-format", "Round robin")
    ada.click("dialog [type=submit]")
    ada.wait_for("h1", title)
    tournament = ada.page.value("location.pathname.split('/')[2]")
    ada.wait_for(".tournament-status", "Starts in ")
    ada.click(".own-part button", "Take part")
    ada.wait_for(".own-part", "You take part.")
    assert send(bob, tournament, "register")["own"]["left"] is None
    ada.page.wait_for(f"({ROWS}).length === 2")
    assert faults(ada) == []
    ada.click(".organising button", "Begin now")
    ada.click(".organising button", "Yes, begin now")
    ada.page.wait_for("location.pathname.startsWith('/r/')")
    ada.wait_for(".boards .board")
    room = ada.page.value("location.pathname.split('/')[2]")
    ada.open(page_of(tournament))
    ada.wait_for(".own-part a", "Go to your match")
    ada.wait_for(".table-line.mine a", "Go")
    assert faults(ada) == []
    ada.click(".table-line.mine a", "Go")
    ada.wait_for(".boards .board")
    assert bob.command(room, "resign").status == 200
    ada.wait_for(".status a", "To the tournament")
    assert not ada.has(".status button", "Rematch")
    ada.click(".status a", "To the tournament")
    ada.wait_for(".tournament-status", "Won by Ada")
    assert ada.page.value(ROWS)[0].startswith("Ada")
    ada.wait_for(".table-line a", "Review")
    assert faults(ada) == []
    ada.resize(NARROW, 800)
    assert overflow(ada) <= 0
    ada.click(".tournament-back a", "All tournaments")
    ada.wait_for(".tournament-line", title)
    assert overflow(ada) <= 0
    ada.open()
    ada.wait_for(".coming .room-line", title)
    ada.wait_for(".coming .room-line", "Finished")


def test_the_lobby_shows_which_tournaments_come_next(own_api: ApiClient, open_browser: OpenBrowser) -> None:
    """First those that are being played, then the next to begin; each leads to its page."""
    organisers = [own_api.guest(name) for name in ("Ada", "Bob", "Cyd")]
    for hours, organiser in zip((3, 1, 2), organisers, strict=True):
        starts = (datetime.now(UTC) + timedelta(hours=hours)).isoformat()
        organiser.post("/v1/tournaments", tournament_request(title=f"In {hours} h", starts=starts))
    eve = open_browser("Eve", own_api.url)
    eve.open()
    eve.wait_for(".coming", "In 1 h")
    assert faults(eve) == []
    titles = "[...document.querySelectorAll('.coming .room-title')].map(each => each.innerText)"
    assert eve.page.value(titles) == ["In 1 h", "In 2 h", "In 3 h"]
    eve.click(".coming a", "In 2 h")
    eve.wait_for("h1", "In 2 h")


def test_a_tournament_in_german_on_a_phone(open_browser: OpenBrowser, client: ApiClient) -> None:
    """Checking in, withdrawing, which asks first, and entering, which needs no check-in once that has begun."""
    me, player = open_german(open_browser, "Me"), client.guest("Me")
    me.resize(*PHONE)
    me.open()
    keep_guest(me, player)
    in_five_seconds = HOUR_MS - 5000
    tournament = new_tournament(player, title=f"Pokal {fresh_name()}", check_in_ms=in_five_seconds, format="arena")
    me.page.navigate(f"{me.url}{page_of(tournament)}")
    me.wait_for(".own-part", "Melde jetzt deine Anwesenheit")
    assert_fits(me, "registration")
    me.click(".own-part button", "Anwesenheit melden")
    me.wait_for(".own-part", "Du spielst mit und hast dich gemeldet.")
    me.click(".own-part button", "Aussteigen")
    me.click(".own-part button", "Ja, aussteigen")
    me.click(".own-part button", "Mitspielen")
    me.wait_for(".own-part", "Du spielst mit und hast dich gemeldet.")
    me.open("/tournaments")
    me.wait_for(".tournament-line", "Arena, 1 Stunde")
    assert_fits(me, "list")


def test_an_organiser_removes_a_player_and_cancels(open_browser: OpenBrowser, client: ApiClient) -> None:
    """Each only after a confirmation."""
    ada, bob = open_browser("Ada"), client.guest("Bob")
    ada.set_nickname()
    ada.open("/tournaments")
    ada.click("button", "Create a tournament")
    ada.wait_for("dialog[open]")
    ada.type_into("#tournament-name", f"Arena {fresh_name()}")
    ada.choose("#tournament-format", "Arena")
    ada.choose("#tournament-duration", "45 minutes")
    ada.choose("#tournament-starts", "2020-01-01T12:00")
    ada.click("dialog [type=submit]")
    ada.wait_for("dialog .notice", "Choose a start in the future.")
    ada.page.value("document.querySelector('#tournament-starts').value = ''")
    ada.choose("#tournament-starts", (datetime.now(UTC) + timedelta(days=2)).strftime("%Y-%m-%dT%H:%M"))
    ada.click("dialog [type=submit]")
    ada.wait_for(".tournament-facts", "Arena, 45 minutes")
    tournament = ada.page.value("location.pathname.split('/')[2]")
    send(bob, tournament, "register")
    ada.click(".standings button", "Remove Bob")
    ada.click(".standings button", "Yes, remove Bob")
    ada.wait_for(".tournament-part", "Nobody has entered yet.")
    assert send(bob, tournament, "register")["code"] == "removed_from_tournament"
    ada.click(".organising button", "Cancel the tournament")
    ada.click(".organising button", "Yes, cancel it")
    ada.wait_for(".tournament-status", "Cancelled. Its organiser cancelled it.")
    assert not ada.has(".organising")
    assert faults(ada) == []


def test_an_unknown_tournament_is_not_found(open_browser: OpenBrowser) -> None:
    """The page says so, and leads to those that there are."""
    me = open_browser("Me")
    me.page.navigate(f"{me.url}/tournaments/none")
    me.wait_for("h1", "Tournament not found")
    me.ignore_errors(404)
    me.click(".tournament-back a", "All tournaments")
    me.wait_for("h1", "Tournaments")


def test_a_match_that_begins_is_announced_on_every_page(open_browser: OpenBrowser, client: ApiClient) -> None:
    """With the way there, which the line shows until the player is in the room."""
    ada, bob = open_browser("Ada"), client.guest("Bob")
    ada.set_nickname()
    title = f"Cup {fresh_name()}"
    tournament = new_tournament(bob, title=title)
    ada.open(page_of(tournament))
    ada.click(".own-part button", "Take part")
    ada.wait_for(".own-part", "You take part.")
    ada.open()
    send(bob, tournament, "begin")
    ada.wait_for(".quick-banner", f"{title}: your match has begun")
    ada.page.wait_for("document.title.startsWith('Your match begins')")
    assert faults(ada) == []
    ada.click(".quick-banner a", "Go to your match")
    ada.wait_for(".boards .board")
    ada.wait_until_gone(".quick-banner")
