"""The browser client's files: each is served as what it is, and nothing else is; and the rules for its code."""

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.api.test_docs_page import Tags, policy_of
from tests.e2e.client import Player

ROOT = Path(__file__).parents[2]
WEB = ROOT / "service/web"
GUIDE = ROOT / "docs/playing.md"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
STORED = sorted(path.relative_to(WEB).as_posix() for path in WEB.rglob("*") if path.is_file())
FILES = [name for name in STORED if Path(name).suffix in TYPES]
NOT_SERVED = sorted({*STORED} - {*FILES})
"""What only developers need: types, and the settings of the tools that check them."""
PAGES = ("/", "/r/friday-night", "/games/morris")
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "'none'",
}
ELSEWHERE = ("no.js", "boards", "boards/no.js", "%2e%2e/wiring.py", "..%2fwiring.py", "boards/%2e%2e%2fmain.js")
TEXTS = (".js", ".css", ".html", ".ts")
LINE = 120
MODULE = 300
FOLDER = 14
UNTYPED = {"api.js": 2, "types.d.ts": 1, "room/describe.js": 1}
"""How often a file may say `any`: for answers, an element's props, and a function found by an event's type."""
UNSAFE = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc|javascript:")


@pytest.mark.parametrize("path", PAGES)
def test_every_address_of_the_client_is_its_page(stranger: Player, path: str) -> None:
    """Lobby, room and help are one page, which reads its address; nothing in it is inline or from elsewhere."""
    page = stranger.gets(path)
    tags = Tags(page.content.decode())
    assert page.content == (WEB / "index.html").read_bytes()
    assert page.headers["content-type"] == TYPES[".html"]
    assert tags.inline == []
    assert [name for _, attrs in tags.tags for name in attrs if name == "style" or name.startswith("on")] == []
    assert tags.assets
    assert all(asset.startswith("/web/") and asset.removeprefix("/web/") in FILES for asset in tags.assets)


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_served_as_it_stands(stranger: Player, name: str) -> None:
    """With its media type, under the strict policy, and with a tag that spares a second transfer."""
    answer = stranger.gets(f"/web/{name}")
    assert (answer.status, answer.content) == (200, (WEB / name).read_bytes())
    assert answer.headers["content-type"] == TYPES[Path(name).suffix]
    assert policy_of(answer.headers["content-security-policy"]) == POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-cache"
    again = stranger.gets(f"/web/{name}", {"if-none-match": answer.etag})
    assert (again.status, again.content, again.etag) == (304, b"", answer.etag)
    assert stranger.gets(f"/web/{name}", {"if-none-match": '"old"'}).status == 200


@pytest.mark.parametrize("name", [*ELSEWHERE, *NOT_SERVED])
def test_nothing_else_is_served(stranger: Player, name: str) -> None:
    """Neither folders, nor files that aren't there, nor what lies beside the client."""
    refused = stranger.gets(f"/web/{name}")
    assert (refused.status, refused.code) == (404, "not_found")


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith(".js")])
def test_a_module_turns_no_text_into_markup_or_code(name: str) -> None:
    """And it loads nothing from elsewhere: its imports are relative."""
    source = (WEB / name).read_text()
    assert UNSAFE.findall(source) == []
    assert all(target.startswith(("./", "../")) for target in re.findall(r"""\bfrom '([^']+)'""", source))
    assert "https://" not in source
    assert len(source.splitlines()) <= MODULE


@pytest.mark.parametrize("name", [name for name in STORED if Path(name).suffix in TEXTS])
def test_no_line_is_too_long(name: str) -> None:
    """As in Python: 120 characters."""
    lines = enumerate((WEB / name).read_text().splitlines(), start=1)
    assert [number for number, line in lines if len(line) > LINE] == []


def test_a_folder_is_small() -> None:
    """It has at most 14 modules, so that one look shows what there is."""
    modules = Counter(str(Path(name).parent) for name in STORED if name.endswith(".js"))
    assert {folder: count for folder, count in modules.items() if count > FOLDER} == {}


def test_nearly_everything_has_a_type() -> None:
    """The compiler finds what has no type, but not what is `any` by its comment."""
    modules = {name: (WEB / name).read_text() for name in STORED if name.endswith((".js", ".ts"))}
    found = {name: len(re.findall(r"\bany\b(?=[>},\]])", source)) for name, source in modules.items()}
    assert {name: count for name, count in found.items() if count} == UNTYPED


def test_the_players_guide_names_what_is_there() -> None:
    """What it prints in bold stands on a button or above a part of a page, but for `Flip`, which is a move's type."""
    sources = "".join((WEB / name).read_text() for name in STORED if name.endswith(".js"))
    named = {" ".join(name.split()) for name in re.findall(r"\*\*(.+?)\*\*", GUIDE.read_text(), re.DOTALL)}
    assert len(named) > 25
    assert {name for name in named if not re.search(rf"['`]{name}(['`]| \(\$)", sources)} == {"Flip"}
