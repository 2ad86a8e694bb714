"""The files of the browser client: how they are served, and the rules for their code."""

import re
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from service.api.routes import static_files
from service.api.routes.static_files import release
from tests.api.test_docs_page import Tags, policy_of
from tests.e2e.client import Player
from tests.web.conftest import OpenBrowser

ROOT = Path(__file__).parents[2]
WEB = ROOT / "service/web"
LIBRARY = ROOT / "clients/javascript"
GUIDE = "".join(page.read_text() for page in sorted((ROOT / "docs/playing").glob("*.md")))
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
STORED = sorted(path.relative_to(WEB).as_posix() for path in WEB.rglob("*") if path.is_file())
FILES = [name for name in STORED if Path(name).suffix in TYPES]
MODULES = sorted(path.relative_to(LIBRARY).as_posix() for path in LIBRARY.rglob("*.js"))
"""Those of the library."""
SOURCES = {f"/static/{release()}/web/{name}": WEB / name for name in FILES} | {
    f"/{name}": LIBRARY / name for name in MODULES
}
NOT_SERVED = sorted({*STORED} - {*FILES})
"""The list of pages, and what only developers need: types, and the settings of the tools that check them."""
STATIC = f"/static/{release()}/"
NAMING = {WEB / name for name in ("index.html", "install/offline.html", "install/worker.js")}
"""The files that name the release."""
IMPORT = re.compile(r"""^(?:import|export) [^;]*?from '([^']+)';""", re.MULTILINE)
PAGES = (
    "/",
    "/r/friday-night",
    "/r/friday-night/match/3",
    "/m/friday-night.mzuw4zlo.1",
    "/games/morris",
    "/learn/morris",
    "/devices",
    "/ratings",
    "/ratings/morris/blitz",
    "/players/p-nobody",
    "/tv",
    "/tv/morris",
    "/tournaments",
    "/tournaments/x7k2m4qa3h5n6p7r",
)
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "connect-src": "'self'",
    "font-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "service-worker",
}
ELSEWHERE = ("no.js", "boards", "boards/no.js", "%2e%2e/wiring.py", "..%2fwiring.py", "boards/%2e%2e%2fmain.js")
UNTIL_CARDS = """new MutationObserver((_, observer) => {
  if (!document.querySelector('.game .play-now')) return;
  window.loaded = performance.getEntriesByType('resource').map(({name}) => name);
  observer.disconnect();
}).observe(document, {childList: true, subtree: true})"""
"""Keeps the addresses of what has been loaded when the lobby shows its cards."""
TEXTS = (".js", ".css", ".html", ".ts")
LINE = 120
MODULE = 450
FOLDER = 14
UNTYPED = {"types.d.ts": 1, "room/describe.js": 1}
"""How often a file may say `any`: for an element's props, and for a function found by an event's type."""
UNSAFE = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc|javascript:")


@pytest.mark.parametrize("path", PAGES)
def test_every_address_of_the_client_serves_the_same_page(anonymous: Player, path: str) -> None:
    """Lobby, room and help are one page, which reads its address; it has no inline code and no external assets.

    Only the files that are requested early differ. All are of the present release, which the page names each time.
    """
    page = anonymous.get(path)
    tags = Tags(page.content.decode())
    body = page.content.partition(b"<body>")[2]
    assert body == anonymous.get("/").content.partition(b"<body>")[2]
    assert page.headers["content-type"] == TYPES[".html"]
    assert page.headers["cache-control"] == "no-cache"
    assert tags.inline == []
    assert [name for _, attrs in tags.tags for name in attrs if name == "style" or name.startswith("on")] == []
    assert {asset for asset in tags.assets if not asset.startswith(STATIC)} <= {"/v1/games"}
    assert all(anonymous.get(asset).status == 200 for asset in tags.assets)


@pytest.mark.parametrize(
    ("path", "start"),
    [
        ("/", "lobby/lobby_page.js"),
        ("/r/tea", "room/room_page.js"),
        ("/m/tea.mzuw4zlo.1", "review/match_page.js"),
        ("/games/morris", "app.js"),
        ("/learn/morris", "lesson/lesson_page.js"),
        (f"/i/{'A' * 22}", "people/invitation_page.js"),
        ("/devices", "people/devices_page.js"),
        ("/ratings", "ratings/ratings_page.js"),
        ("/ratings/morris/blitz", "ratings/leaderboard_page.js"),
        ("/tv/morris", "live/tv_page.js"),
        ("/players/p-nobody", "profile/profile_page.js"),
        ("/tournaments", "tournaments/list_page.js"),
        ("/tournaments/x7k2m4qa3h5n6p7r", "tournaments/tournament_page.js"),
    ],
)
def test_a_page_names_the_modules_that_it_needs(anonymous: Player, path: str, start: str) -> None:
    """So that none of them is found only after another one has arrived."""
    named = {asset for asset in Tags(anonymous.get(path).content.decode()).assets if asset.endswith(".js")}
    needed = {address_of(module) for first in ("main.js", start) for module in imported(WEB / first)}
    assert {module for module in needed - named if "/help/" not in module} == set()


def imported(module: Path) -> set[Path]:
    """Return a module and what it imports at its start, directly and through others."""
    found, waiting = set[Path](), [module]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += [resolved(path, name) for name in IMPORT.findall(path.read_text())]
    return found


def resolved(path: Path, name: str) -> Path:
    """Return the file that a module imports: those of the library are beside the client."""
    target = (path.parent / name).resolve()
    return target if target.exists() else LIBRARY / target.relative_to(WEB.parent)


def address_of(path: Path) -> str:
    """Return the address of a file of the client or the library."""
    return STATIC + (f"web/{path.relative_to(WEB)}" if path.is_relative_to(WEB) else str(path.relative_to(LIBRARY)))


@pytest.mark.parametrize("path", SOURCES)
def test_a_file_is_served_unchanged(anonymous: Player, path: str) -> None:
    """With its media type, the strict policy, and a tag that saves a second transfer.

    A file of a release may be kept for ever. The library is revalidated: its addresses do not name a release.
    """
    response = anonymous.get(path)
    expected = SOURCES[path].read_bytes()
    if SOURCES[path] in NAMING:
        assert b"{release}" in expected
        expected = expected.replace(b"{release}", release().encode())
    assert (response.status, response.content) == (200, expected)
    assert response.headers["content-type"] == TYPES[Path(path).suffix]
    assert policy_of(response.headers["content-security-policy"]) == POLICY
    assert response.headers["x-content-type-options"] == "nosniff"
    kept = "public, max-age=31536000, immutable"
    assert response.headers["cache-control"] == (kept if path.startswith("/static/") else "no-cache")
    again = anonymous.get(path, {"if-none-match": response.etag})
    assert (again.status, again.content, again.etag) == (304, b"", response.etag)
    assert anonymous.get(path, {"if-none-match": '"old"'}).status == 200


def test_a_page_of_another_release_gets_files_that_are_not_kept(anonymous: Player) -> None:
    """As while two processes are of different releases: the page works, and asks again at the next visit."""
    response = anonymous.get(f"/static/{'0' * 16}/web/main.js")
    assert (response.status, response.headers["cache-control"]) == (200, "no-cache")
    assert response.content == (WEB / "main.js").read_bytes()


def test_the_release_changes_with_every_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is changed, renamed or added."""
    files = {"web/a.js": b"one", "web/b.js": b"two"}
    others = [{**files, "web/b.js": b"2"}, {"web/a.js": b"one", "web/c.js": b"two"}, {**files, "web/c.js": b""}]
    names = set()
    for each in (files, *others):
        monkeypatch.setattr(static_files, "client_files", lambda each=each: each)
        names.add(release.__wrapped__())
    assert len(names) == 4


def test_the_first_view_of_the_lobby_is_small(open_browser: OpenBrowser, anonymous: Player) -> None:
    """Twelve files at most until the cards are there; below 60 KB compressed."""
    ada = open_browser("Ada")
    ada.page.run_first(UNTIL_CARDS)
    ada.open()
    paths = {urlsplit(url).path for url in ada.page.wait_for("window.loaded")}
    files = {"/", *(path for path in paths if path.startswith("/static/"))}
    assert len(files) <= 12, sorted(files)
    answers = [anonymous.get(path, {"accept-encoding": "gzip"}) for path in sorted(files)]
    assert sum(int(answer.headers["content-length"]) for answer in answers) < 60_000


@pytest.mark.parametrize(
    "path",
    [
        *(f"{STATIC}web/{name}" for name in (*ELSEWHERE, *NOT_SERVED)),
        *(f"{STATIC}client/{name}" for name in ("no.js", "package.json", "..%2fclient.js")),
        *(f"/client/{name}" for name in ("no.js", "client.js", "package.json", "..%2fclient.js")),
        "/static/main.js",
        "/web/main.js",
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
    assert all(
        target.startswith(("./", "../")) for target in re.findall(r"""(?:\bfrom |\bimport\()'([^']+)'""", source)
    )
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
    """What it prints in bold is a label of the pages."""
    sources = "".join((WEB / name).read_text() for name in STORED if name.endswith(".js"))
    named = {" ".join(name.split()) for name in re.findall(r"\*\*(.+?)\*\*", GUIDE, re.DOTALL)}
    assert len(named) > 25
    assert {name for name in named if not re.search(rf"['`]{name}(['`]| \(\$)", sources)} == set()
