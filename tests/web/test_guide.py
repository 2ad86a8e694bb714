"""The documents as a site at `/guide/`: built from the files, under the strict policy, searchable offline."""

import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from service.api.routes.guide import FOLDER
from service.api.routes.static_files import SECURITY_POLICY, release
from tests.api.browser import Page, new_page
from tests.api.test_docs_page import Tags
from tests.e2e.client import ApiClient
from tests.web.person import quoted

ROOT = Path(__file__).parents[2]
PHONE, DESKTOP = (390, 844), (1280, 800)


@pytest.fixture(scope="module")
def pages() -> list[str]:
    """Build the site as `make guide` does, and return the addresses of its pages."""
    if importlib.util.find_spec("myst_parser") is None:
        pytest.skip("the guide needs Sphinx and MyST: make guide")
    done = subprocess.run([sys.executable, "-m", "docs.site"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    names = sorted(path.name for path in FOLDER.glob("*.html"))
    return [f"/guide/{'' if name == 'index.html' else name}" for name in names]


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Return a browser's tab."""
    with new_page(tmp_path_factory.mktemp("browser")) as page:
        yield page


class Parts(HTMLParser):
    """What a page links to, and what can be linked to in it."""

    def __init__(self, page: str) -> None:
        """Read a page."""
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(page)

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note links, pictures and anchors."""
        named = dict(attrs)
        for name in ("href", "src"):
            self.links |= {named[name] or ""} if name in named else set()
        self.anchors |= {named["id"] or ""} if "id" in named else set()


def test_without_a_build_the_address_says_how_to_make_one(client: ApiClient) -> None:
    """`make up` neither needs nor installs the generator."""
    aside = FOLDER.with_name("guide-aside")
    if FOLDER.exists():
        FOLDER.rename(aside)
    try:
        answer = client.anonymous().get("/guide/")
    finally:
        if aside.exists():
            aside.rename(FOLDER)
    assert answer.status == 200
    assert b"<code>make guide</code>" in answer.content
    assert Tags(answer.content.decode()).inline == []


def test_every_document_is_a_page(pages: list[str]) -> None:
    """Those of the repository, but not the tables of single arenas."""
    documents = [
        path
        for path in (ROOT / "docs").rglob("*.md")
        if not re.match(r"\w+-", path.name) or path.parent.name != "arena"
    ]
    assert len(pages) > len(documents)
    assert {"/guide/", "/guide/operating.html", "/guide/playing-match.html", "/guide/rules-ternio.html"} <= set(pages)


def test_every_page_is_served_under_the_strict_policy_and_cached(client: ApiClient, pages: list[str]) -> None:
    """Nothing in it is inline, and a browser that has it gets 304."""
    anonymous = client.anonymous()
    for page in pages:
        answer = anonymous.get(page)
        tags = Tags(answer.content.decode())
        assert (answer.status, answer.headers["content-security-policy"]) == (200, SECURITY_POLICY), page
        assert tags.inline == [], page
        assert [name for _, attrs in tags.tags for name in attrs if name == "style" or name.startswith("on")] == [], (
            page
        )
        again = anonymous.get(page, {"if-none-match": answer.headers["etag"]})
        assert again.status == 304, page


def test_every_link_leads_somewhere(client: ApiClient, pages: list[str]) -> None:
    """To a page and its heading, a picture, or another page of the service."""
    anonymous = client.anonymous()
    read = {page: Parts(anonymous.get(page).content.decode()) for page in pages}
    served: set[str] = set()
    for page, parts in read.items():
        for link in parts.links:
            target, _, anchor = link.partition("#")
            if re.match(r"\w+:", target):
                continue
            path = target or page
            if path not in read and path not in served:
                assert anonymous.get(path).status == 200, f"{page}: {link}"
                served.add(path)
            assert not anchor or path not in read or anchor in read[path].anchors, f"{page}: {link}"


def test_no_page_breaks_the_policy_or_is_wider_than_a_phone(client: ApiClient, pages: list[str], tab: Page) -> None:
    """In a browser, which would report what the policy blocks."""
    for page in pages:
        tab.navigate(f"{client.url}{page}")
        tab.wait_for(f"location.pathname === {quoted(page)} && document.readyState === 'complete'")
        for size in (PHONE, DESKTOP):
            tab.resize(*size)
            tab.wait_for("[...document.images].every(image => image.complete && image.naturalWidth > 0)")
            assert tab.value("document.documentElement.scrollWidth") <= size[0], page
    assert tab.errors == []


def test_the_search_finds_a_section_without_another_server(client: ApiClient, pages: list[str], tab: Page) -> None:
    """What is found leads to the heading, and is shown by words, not only by titles."""
    tab.resize(*DESKTOP)
    tab.navigate(f"{client.url}{pages[0]}")
    tab.wait_for("document.readyState === 'complete'")
    tab.value("document.querySelector('#words').focus()")
    tab.type_text("power fsync process")
    tab.wait_for("document.querySelectorAll('#found mark').length > 2")
    tab.value("document.querySelector('#words').value = ''")
    tab.type_text("a full disk")
    tab.wait_for("document.querySelector('#found a')?.textContent.startsWith('A full disk')")
    tab.value("document.querySelector('#found a').click()")
    tab.wait_for("location.hash === '#a-full-disk' && document.querySelector('#text')?.hidden === false")
    assert tab.errors == []


@pytest.mark.parametrize("path", ["/guide/nothing.html", "/guide/_static/nothing.js", "/guide/%2e%2e/outside.html"])
def test_an_unknown_page_is_not_found(client: ApiClient, pages: list[str], path: str) -> None:
    """For a browser by the page that it gets at every unknown address, also for a file beside the folder."""
    assert pages
    outside = FOLDER.with_name("outside.html")
    outside.write_text("outside")
    try:
        answer = client.anonymous().get(path, {"accept": "text/html"})
        assert (answer.status, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
        assert client.anonymous().get(path).code == "not_found"
    finally:
        outside.unlink()


def test_a_file_that_another_page_sends_too_is_not_compressed_twice(client: ApiClient, pages: list[str]) -> None:
    """The typeface has the same bytes at both addresses, and no compression makes it smaller."""
    assert pages
    addresses = [f"/static/{release()}/web/typeface/figtree.woff2", "/guide/_static/figtree.woff2"]
    answers = [client.anonymous().get(address, {"accept-encoding": "gzip"}) for address in addresses]
    assert ["content-encoding" in answer.headers for answer in answers] == [False, False]
