"""The docs page: served by this server alone, without inline scripts, usable by a browser without a network."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.api.browser import Page, new_page
from tests.e2e.client import ApiClient, Player

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
MEDIA_TYPES = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
PAGES = ("/docs",)


class Tags(HTMLParser):
    """Reads which elements a page has, with their attributes, and whether it has inline scripts or styles."""

    def __init__(self, html: str) -> None:
        """Read a page."""
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inline: list[str] = []
        self._inside = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.tags.append((tag, dict(attrs)))
        self._inside = tag

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        self._inside = "" if tag == self._inside else self._inside

    def handle_data(self, data: str) -> None:
        """Record an inline script or style."""
        if self._inside in {"script", "style"} and data.strip():
            self.inline.append(data)

    @property
    def assets(self) -> list[str]:
        """What the page loads."""
        wanted = {"script": "src", "link": "href", "img": "src"}
        return [attrs[wanted[tag]] or "" for tag, attrs in self.tags if tag in wanted and wanted[tag] in attrs]


def policy_of(header: str) -> dict[str, str]:
    """Return the directives of a content security policy."""
    return {name: value for name, _, value in (part.strip().partition(" ") for part in header.split(";"))}


@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_nothing_inline_and_nothing_from_elsewhere(anonymous: Player, path: str) -> None:
    """No inline script, style or handler, and every asset is on this server, with the right media type."""
    page = anonymous.get(path)
    tags = Tags(page.content.decode())
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert tags.inline == []
    assert [name for _, attrs in tags.tags for name in attrs if name == "style" or name.startswith("on")] == []
    assert tags.assets
    for asset in tags.assets:
        assert re.fullmatch(r"/docs/[\w.-]+", asset)
        answer = anonymous.get(asset)
        assert (answer.status, answer.headers["content-type"]) == (200, MEDIA_TYPES[asset.rpartition(".")[2]])


@pytest.mark.parametrize("path", [*PAGES, "/docs/docs.js", "/docs/page.css"])
def test_a_page_forbids_what_it_does_not_need(anonymous: Player, path: str) -> None:
    """The strict policy, whole: no inline script or style, no other host, no frame around it."""
    headers = anonymous.get(path).headers
    assert policy_of(headers["content-security-policy"]) == POLICY
    assert headers["x-content-type-options"] == "nosniff"


def test_a_file_that_does_not_belong_to_the_page_is_not_served(anonymous: Player) -> None:
    """Other files of the package and files outside the folder are not found."""
    for name in ("swagger-ui.js", "LICENSE", "%2e%2e%2fpages.py", "..%2Fpages.py", "no.css"):
        assert anonymous.get(f"/docs/{name}").status == 404, name


SECONDS = 0.5
"""How much CPU time an operation may need to open, on any machine; it needs a twentieth of it."""
KILOBYTES = 200
"""How large the page may be with all that it loads, as it is sent."""


@pytest.fixture(scope="module")
def page(client: ApiClient, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Return a browser's tab with the docs page, which the tests below share."""
    with new_page(tmp_path_factory.mktemp("browser")) as page:
        page.call("Performance.enable", timeDomain="threadTicks")
        page.navigate(f"{client.url}/docs")
        page.wait_for("document.querySelector('.ready') !== null")
        yield page


def open_entry(page: Page, name: str) -> str:
    """Open an operation, a frame or a type unless it is open, and return the expression for its element."""
    entry = f"document.getElementById('{name}')"
    page.value(f"{entry}.open = true")
    page.wait_for(f"{entry}.querySelector('.body') !== null")
    return entry


def open_inner(page: Page, entry: str) -> None:
    """Open what an entry shows on demand: answers, types and examples, and wait until they are drawn."""
    page.value(f"{entry}.querySelectorAll('details').forEach(each => each.open = true)")
    cpu_seconds(page)


def cpu_seconds(page: Page) -> float:
    """Return how much CPU time the page's thread has used."""
    page.value("new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))")  # it is drawn by then
    metrics = page.call("Performance.getMetrics")["metrics"]
    return float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))


def entries(openapi: Any, asyncapi: Any) -> list[str]:
    """Return the ids of all entries: operations, those of receivers of webhooks, frames of each feed, and types."""
    paths = [*openapi["paths"].values(), *openapi["webhooks"].values()]
    channels, messages = asyncapi["channels"], asyncapi["components"]["messages"]
    return [
        *(operation["operationId"] for methods in paths for operation in methods.values()),
        *(f"{name}-{messages[kind]['name']}" for name in channels for kind in channels[name]["messages"]),
        *{**openapi["components"]["schemas"], **asyncapi["components"]["schemas"]},
    ]


def test_every_entry_opens_without_an_error_and_soon(client: ApiClient, page: Page, anonymous: Player) -> None:
    """The browser has no network, reports no violation of the policy, and sends no request to another host."""
    documents = [msgspec.json.decode(anonymous.get(f"/{name}.json").content) for name in ("openapi", "asyncapi")]
    slowest, before = 0.0, cpu_seconds(page)
    for name in entries(*documents):
        entry = open_entry(page, name)
        after = cpu_seconds(page)
        slowest, before = max(slowest, after - before), after
        page.value(f"{entry}.open = false")  # drawn with the next entry
    print(f"An entry opens in at most {slowest:.3f} s of CPU time.")  # noqa: T201 - shown by `pytest -s`
    assert 0 < slowest < SECONDS
    assert page.errors == []
    assert page.requests
    assert {url for url in page.requests if not url.startswith((f"{client.url}/", "data:"))} == set()


def test_an_operation_shows_what_it_takes_and_gives(page: Page, anonymous: Player) -> None:
    """Its parameters, the fields of its body, its codes with their meanings, and an example."""
    entry = open_entry(page, "accept_invitation")
    open_inner(page, entry)
    meaning = next(each["meaning"] for each in anonymous.get("/v1/codes").body["codes"] if each["code"] == "kicked")
    for text in ("Idempotency-Key", "nickname", "invitation_ended", meaning, '"nickname": "Grace"'):
        page.wait_for(f"{entry}.textContent.includes({msgspec.json.encode(text).decode()})")
    assert not page.value(f"{entry}.textContent.includes('captures_nothing')")


def test_the_page_is_small(page: Page) -> None:
    """With its files and both documents."""
    size = "performance.getEntries().reduce((sum, each) => sum + (each.encodedBodySize ?? 0), 0)"
    assert 50_000 < page.value(size) < KILOBYTES * 1000


@pytest.mark.parametrize("name", ["command_room", "follow_room-feed", "follow_all-update", "RoomView"])
def test_an_open_entry_fits_on_a_phone(page: Page, name: str) -> None:
    """It is at most as wide as the page, which doesn't scroll sideways."""
    page.resize(390, 844)
    entry = open_entry(page, name)
    open_inner(page, entry)
    assert page.value("document.documentElement.scrollWidth") == 390
    page.call("Emulation.clearDeviceMetricsOverride")


def test_the_page_is_dark_at_night(page: Page) -> None:
    """As the device prefers."""
    colours = "[document.body, document.querySelector('.entry')].map(each => getComputedStyle(each).backgroundColor)"
    light = page.value(colours)
    page.emulate_media({"prefers-color-scheme": "dark"})
    assert set(light) & set(page.value(colours)) == set()
    page.emulate_media({})


def test_the_page_is_searched_and_used_by_keyboard(page: Page) -> None:
    """A slash begins a search; the tab key leads to what was found, and Enter opens it."""
    page.press("/")
    page.type_text("captures_nothing /commands")
    found = "[...document.querySelectorAll('.entry')].filter(each => each.checkVisibility()).map(each => each.id)"
    assert page.value(found) == ["command_room"]
    assert page.value("document.getElementById('found').value") == "1 found"
    page.value("document.getElementById('command_room').open = false")
    page.wait_for("!document.getElementById('command_room').open")
    for _ in range(100):
        page.press("Tab")
        if page.value("document.activeElement.parentElement.id") == "command_room":
            break
    page.press("Enter")
    page.wait_for("document.getElementById('command_room').open")
    page.wait_for("location.hash === '#command_room'")
    page.value("words = document.getElementById('words'), words.value = '', words.dispatchEvent(new Event('input'))")


def test_a_link_opens_an_entry(client: ApiClient, tmp_path: Path) -> None:
    """The address of the page names it."""
    with new_page(tmp_path) as page:
        page.navigate(f"{client.url}/docs#open_room")
        page.wait_for("document.getElementById('open_room')?.querySelector('.body') != null")


def test_the_page_can_be_tried_out(client: ApiClient, page: Page, ada: Player) -> None:
    """The button sends a real request with the token that was typed, and the answer is shown."""
    page.value(f"document.getElementById('token').value = '{ada.token}'")
    entry = open_entry(page, "read_me")
    page.value(f"{entry}.querySelector('.trial button').click()")
    page.wait_for(f"{entry}.querySelector('.received').innerText.includes('{ada.id}')")
    assert f"{client.url}/v1/players/me" in page.requests
    assert page.errors == []


def test_the_browser_would_have_complained(page: Page) -> None:
    """What the tests above rely on: an inline script is not run, another host is not reached, and both are noticed."""
    page.errors.clear()
    page.value(
        "void document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.ran = 1'}),"
        " Object.assign(new Image(), {src: 'https://example.com/mark.png'}))"
    )
    page.value("new Promise(resolve => setTimeout(resolve, 100))")
    assert page.value("window.ran") is None
    assert any("script-src" in complaint or "inline script" in complaint for complaint in page.errors)
    assert any("example.com" in complaint for complaint in page.errors)
