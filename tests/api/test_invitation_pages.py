"""The page of an invitation: what messengers show of it, and that its code is in no log."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from service.api.routes.pictures import qr_code
from service.domain.catalog import GAMES
from tests.api.test_invitations import SECRET, accept, invite, private
from tests.e2e.client import ApiClient, Player, connect_to
from tests.e2e.processes import ApiProcess, run_processes
from tests.store_server import StoreServer

PUBLIC = "https://play.example"


class Head(HTMLParser):
    """The `meta` tags of a page: their contents by name or property."""

    def __init__(self, page: str) -> None:
        """Read a page."""
        super().__init__()
        self.tags: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Read a tag."""
        given = dict(attrs)
        if tag == "meta" and (name := given.get("name") or given.get("property")):
            self.tags[name] = given.get("content") or ""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file that the process with a public address logs to."""
    return tmp_path_factory.mktemp("public") / "log"


@pytest.fixture(scope="module")
def public(rooms_store: StoreServer, log: Path) -> Iterator[ApiClient]:
    """Run a process that knows its public address and logs everything."""
    api = ApiProcess(rooms_store.url, log, public_url=PUBLIC, log_level="debug", limit_invitations="0")
    with run_processes(api), connect_to(api.url) as client:
        yield client


def test_a_messenger_can_show_who_invites_to_what(public: ApiClient) -> None:
    """With absolute addresses, whatever `Host` says, and a picture that exists."""
    ada = public.guest("Ada")
    for game in GAMES.values():
        clock = {"type": "fischer", "initial_ms": 300_000, "increment_ms": 3000}
        code = invite(ada, ada.open_room(game.slug, settings={"clock": clock}).body["room"])
        page = public.anonymous().get(f"/i/{code}", {"host": "evil.example"})
        assert page.status == 200
        assert page.headers["content-type"].startswith("text/html")
        tags = Head(page.content.decode()).tags
        assert tags["og:title"] == f"Ada invites you to play {game.texts.title}"
        assert "5 min and 3 s a move" in tags["og:description"]
        assert tags["og:url"] == f"{PUBLIC}/i/{code}"
        assert tags["twitter:card"] == "summary_large_image"
        assert b"evil.example" not in page.content
        picture = public.anonymous().get(tags["og:image"].removeprefix(PUBLIC))
        assert (picture.status, picture.headers["content-type"]) == (200, "image/png")
        width, height = (int.from_bytes(picture.content[at : at + 4], "big") for at in (16, 20))
        assert (width, height) == (1200, 630)
        assert len(picture.content) <= 100_000


def test_a_qr_code_leads_to_the_page(public: ApiClient, ada: Player, anonymous: Player) -> None:
    """At the public address, or where the caller has reached the service; a wrong code has none."""
    host = public.guest("Ada")
    code = invite(host, private(host))
    drawn = public.anonymous().get(f"/v1/invitations/{code}/qr.svg", {"host": "evil.example"})
    assert drawn.content == qr_code(f"{PUBLIC}/i/{code}")
    assert (drawn.headers["content-type"], drawn.headers["cache-control"]) == ("image/svg+xml", "private, no-cache")
    code = invite(ada, private(ada))
    path = f"/v1/invitations/{code}/qr.svg"
    assert anonymous.get(path, {"host": "play.example:81"}).content == qr_code(f"http://play.example:81/i/{code}")
    headers = {"host": "play.example", "x-forwarded-proto": "https"}
    assert anonymous.get(path, headers).content == qr_code(f"https://play.example/i/{code}")
    assert anonymous.get(f"/v1/invitations/{'A' * 22}/qr.svg").code == "no_such_invitation"
    ada.command(ada.get(f"/v1/invitations/{code}").body["room"], "revoke_invitation", invitation=1)
    assert anonymous.get(path).code == "invitation_ended"


def test_no_robot_and_no_other_page_learns_the_address(public: ApiClient, anonymous: Player) -> None:
    """By headers and by tags, for open invitations and for anything else; caches keep nothing."""
    ada = public.guest("Ada")
    code = invite(ada, private(ada))
    for page in (public.anonymous().get(f"/i/{code}"), anonymous.get(f"/i/{'A' * 22}")):
        assert page.headers["referrer-policy"] == "no-referrer"
        assert page.headers["x-robots-tag"] == "noindex"
        assert page.headers["cache-control"] == "no-store"
        assert "default-src 'none'" in page.headers["content-security-policy"]
        tags = Head(page.content.decode()).tags
        assert (tags["robots"], tags["referrer"]) == ("noindex", "no-referrer")


def test_without_a_public_address_a_preview_has_none(ada: Player, anonymous: Player) -> None:
    """The process can't know it: `Host` is whatever a client sends."""
    code = invite(ada, ada.open_room("ternio").body["room"])
    page = anonymous.get(f"/i/{code}")
    tags = Head(page.content.decode()).tags
    assert tags["og:title"] == "Ada invites you to play Ternio"
    assert not {"og:url", "og:image"} & tags.keys()
    assert b"127.0.0.1" not in page.content


@pytest.mark.parametrize("nickname", ['"><script>x()', "</head><b>", "'onload='x", "&lt;&quot;", "{release}", "\\g<0>"])
def test_a_nickname_is_only_text(client: ApiClient, nickname: str) -> None:
    """Whatever it consists of."""
    guest = client.guest(nickname)
    code = invite(guest, guest.open_room("ternio").body["room"])
    page = client.anonymous().get(f"/i/{code}").content.decode()
    assert Head(page).tags["og:title"] == f"{nickname} invites you to play Ternio"
    assert "<script>x" not in page
    assert page.count("<body>") == page.count("</head>") == 1


def test_options_that_are_not_the_usual_ones_are_named(ada: Player, anonymous: Player) -> None:
    """After the game's own line."""
    code = invite(ada, ada.open_room("rainbow", options={"players": 3}).body["room"])
    description = Head(anonymous.get(f"/i/{code}").content.decode()).tags["og:description"]
    assert description == f"{GAMES['rainbow'].texts.tagline} 3 players, players: 3."


def test_the_code_is_in_no_log_and_no_metric(public: ApiClient, log: Path) -> None:
    """Whatever is done with it, and at the most talkative level."""
    ada, bob = public.guest("Ada"), public.guest("Bob")
    room = ada.open_room("ternio", settings=SECRET).body["room"]
    codes = [invite(ada, room, uses=3), invite(ada, room), "B" * 22]
    for code in codes:
        shown = (f"/i/{code}", f"/v1/invitations/{code}", f"/v1/invitations/{code}/qr.svg")
        for path in (*shown, f"/v1/invitations/{code}?x=1", f"/i/{code}/x"):
            for method in ("GET", "HEAD", "OPTIONS", "PUT", "DELETE"):
                bob.send(method, path)
        bob.send("POST", f"/v1/invitations/{code}", content=b"{", headers={"content-type": "application/json"})
        bob.post(f"/v1/invitations/{code}/decline", {})
        bob.command(room, "join", invitation=code, dry_run=True)
        accept(bob, code)
        public.anonymous().post(f"/v1/invitations/{code}", {"nickname": "Eve"})
        with bob.subscribe(room) as feed:
            feed.command(room, {"type": "decline_invitation", "invitation": code})
    said = log.read_bytes() + public.anonymous().get("/metrics").content
    assert room.encode() in said, "the commands are logged"
    for code in codes:
        assert code.encode() not in said
    assert not re.search(rb"/i/(?!\{)|invitations/(?!\{)", said)
