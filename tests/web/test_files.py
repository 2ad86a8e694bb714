"""The files of the browser client: how they are served, and the rules for their code."""

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.api.test_docs_page import Tags, policy_of
from tests.e2e.client import Player

ROOT = Path(__file__).parents[2]
WEB = ROOT / "service/web"
LIBRARY = ROOT / "clients/javascript"
GUIDE = ROOT / "docs/playing.md"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
STORED = sorted(path.relative_to(WEB).as_posix() for path in WEB.rglob("*") if path.is_file())
FILES = [name for name in STORED if Path(name).suffix in TYPES]
MODULES = sorted(path.relative_to(LIBRARY).as_posix() for path in LIBRARY.rglob("*.js"))
"""Those of the library."""
SOURCES = {f"/web/{name}": WEB / name for name in FILES} | {f"/{name}": LIBRARY / name for name in MODULES}
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
UNTYPED = {"types.d.ts": 1, "room/describe.js": 1}
"""How often a file may say `any`: for an element's props, and for a function found by an event's type."""
UNSAFE = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc|javascript:")


@pytest.mark.parametrize("path", PAGES)
def test_every_address_of_the_client_serves_the_same_page(anonymous: Player, path: str) -> None:
    """Lobby, room and help are one page, which reads its address; it has no inline code and no external assets."""
    page = anonymous.get(path)
    tags = Tags(page.content.decode())
    assert page.content == (WEB / "index.html").read_bytes()
    assert page.headers["content-type"] == TYPES[".html"]
    assert tags.inline == []
    assert [name for _, attrs in tags.tags for name in attrs if name == "style" or name.startswith("on")] == []
    assert tags.assets
    assert all(asset.startswith("/web/") and asset.removeprefix("/web/") in FILES for asset in tags.assets)


@pytest.mark.parametrize("path", SOURCES)
def test_a_file_is_served_unchanged(anonymous: Player, path: str) -> None:
    """With its media type, the strict policy, and a tag that saves a second transfer."""
    response = anonymous.get(path)
    assert (response.status, response.content) == (200, SOURCES[path].read_bytes())
    assert response.headers["content-type"] == TYPES[Path(path).suffix]
    assert policy_of(response.headers["content-security-policy"]) == POLICY
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["cache-control"] == "no-cache"
    again = anonymous.get(path, {"if-none-match": response.etag})
    assert (again.status, again.content, again.etag) == (304, b"", response.etag)
    assert anonymous.get(path, {"if-none-match": '"old"'}).status == 200


@pytest.mark.parametrize(
    "path",
    [
        *(f"/web/{name}" for name in (*ELSEWHERE, *NOT_SERVED)),
        *(f"/client/{name}" for name in ("no.js", "client.js", "package.json", "..%2fclient.js")),
    ],
)
def test_no_other_file_is_served(anonymous: Player, path: str) -> None:
    """Neither folders, nor missing files, nor files outside the client and the library."""
    refused = anonymous.get(path)
    assert (refused.status, refused.code) == (404, "not_found")


def test_a_page_of_another_origin_may_import_the_library(anonymous: Player) -> None:
    """As it may use the API: any origin by default."""
    response = anonymous.get("/client.js", {"origin": "https://front.example"})
    assert response.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("path", [path for path in SOURCES if path.endswith(".js")])
def test_a_module_turns_no_text_into_markup_or_code(path: str) -> None:
    """It also loads nothing from other servers: its imports are relative."""
    source = SOURCES[path].read_text()
    assert UNSAFE.findall(source) == []
    assert all(target.startswith(("./", "../")) for target in re.findall(r"""\bfrom '([^']+)'""", source))
    assert "https://" not in source
    assert len(source.splitlines()) <= MODULE


@pytest.mark.parametrize(
    "file",
    [*(WEB / name for name in STORED if Path(name).suffix in TEXTS), *(LIBRARY / name for name in MODULES)],
    ids=lambda file: str(file.relative_to(ROOT)),
)
def test_no_line_is_too_long(file: Path) -> None:
    """As in Python: 120 characters."""
    lines = enumerate(file.read_text().splitlines(), start=1)
    assert [number for number, line in lines if len(line) > LINE] == []


def test_a_folder_has_at_most_14_modules() -> None:
    """So that its contents can be seen at a glance."""
    modules = Counter(str(Path(name).parent) for name in STORED if name.endswith(".js"))
    assert {folder: count for folder, count in modules.items() if count > FOLDER} == {}


def test_any_is_used_in_few_places() -> None:
    """The compiler finds values without a type, but not those that a comment declares as `any`."""
    modules = {name: (WEB / name).read_text() for name in STORED if name.endswith((".js", ".ts"))}
    found = {name: len(re.findall(r"\bany\b(?=[>},\]])", source)) for name, source in modules.items()}
    assert {name: count for name, count in found.items() if count} == UNTYPED


def test_the_players_guide_names_existing_controls() -> None:
    """What it prints in bold is a label of the pages, except `Flip`, the type of a move."""
    sources = "".join((WEB / name).read_text() for name in STORED if name.endswith(".js"))
    named = {" ".join(name.split()) for name in re.findall(r"\*\*(.+?)\*\*", GUIDE.read_text(), re.DOTALL)}
    assert len(named) > 25
    assert {name for name in named if not re.search(rf"['`]{name}(['`]| \(\$)", sources)} == {"Flip"}
