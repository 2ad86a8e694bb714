"""The docs page: served by this server alone, without inline scripts, usable by a browser without a network."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
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


@pytest.mark.parametrize("path", [*PAGES, "/docs/start.js", "/docs/swagger-ui-bundle.js", "/docs/page.css"])
def test_a_page_forbids_what_it_does_not_need(anonymous: Player, path: str) -> None:
    """The strict policy, whole: no inline script or style, no other host, no frame around it."""
    headers = anonymous.get(path).headers
    assert policy_of(headers["content-security-policy"]) == POLICY
    assert headers["x-content-type-options"] == "nosniff"


def test_a_file_that_does_not_belong_to_the_page_is_not_served(anonymous: Player) -> None:
    """Other files of the package and files outside the folder are not found."""
    for name in ("swagger-ui.js", "LICENSE", "%2e%2e%2fpages.py", "..%2Fpages.py", "no.css"):
        assert anonymous.get(f"/docs/{name}").status == 404, name


@pytest.fixture(scope="module")
def page(client: ApiClient, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Return a browser's tab with the docs page, which takes seconds to open; the tests below share it."""
    with new_page(tmp_path_factory.mktemp("browser")) as page:
        page.navigate(f"{client.url}/docs")
        page.wait_for("document.querySelector('.opblock') !== null")
        yield page


def operations(document: Any) -> int:
    """Count the operations of a document, with those of receivers of webhooks."""
    return sum(len(methods) for methods in [*document["paths"].values(), *document.get("webhooks", {}).values()])


def open_operation(page: Page, name: str) -> str:
    """Open an operation in the docs page unless it is open, and return the expression for its element."""
    block = f"document.querySelector('#operations-{name}')"
    page.value(f"{block}.matches('.is-open') || {block}.querySelector('button.opblock-summary-control').click()")
    page.wait_for(f"{block}.querySelector('.responses-table') !== null")
    return block


def test_a_browser_shows_every_operation_without_an_error(client: ApiClient, page: Page, anonymous: Player) -> None:
    """It has no network, reports no violation of the policy, and sends no request to another host."""
    document = msgspec.json.decode(anonymous.get("/openapi.json").content)
    page.wait_for(f"document.querySelectorAll('.opblock').length === {operations(document)}")
    title, text = document["info"]["title"], page.value("document.body.innerText")
    assert title in text
    assert all(path in text.replace("\u200b", "") for path in document["paths"])
    block = open_operation(page, "Rooms-command_room")
    page.wait_for(f"{block}.innerText.includes('not_your_turn')")
    assert page.errors == []
    assert page.requests
    assert {url for url in page.requests if not url.startswith((f"{client.url}/", "data:"))} == set()


def test_an_open_operation_fits_on_a_phone(page: Page) -> None:
    """Its answers are no wider than the page, which doesn't scroll sideways."""
    page.call("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=True)
    open_operation(page, "Rooms-command_room")
    assert page.value("document.documentElement.scrollWidth") == 390
    page.call("Emulation.clearDeviceMetricsOverride")


def test_the_page_can_be_tried_out(client: ApiClient, page: Page) -> None:
    """The button sends a real request, and the answer is shown."""
    block = open_operation(page, "Games-read_codes")
    page.wait_for(f"{block}.querySelector('button.execute') !== null")
    page.wait_for(f"{block}.querySelector('.responses-table .response') !== null")
    page.value("new Promise(resolve => setTimeout(resolve, 1000))")  # Swagger UI goes on resolving the document unseen
    page.value(f"{block}.querySelector('button.execute').click()")
    page.wait_for(f"{block}.innerText.includes('no_such_match')")
    assert f"{client.url}/v1/codes" in page.requests
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
