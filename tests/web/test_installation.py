"""The client as an app: the manifest, the service worker, and the page that is shown without a connection."""

import shutil
from pathlib import Path

import msgspec

from service.api.routes.static_files import release
from tests.e2e.client import Player
from tests.e2e.processes import ROOT, ApiProcess
from tests.web.conftest import OpenBrowser
from tests.web.test_accessibility import TITLES
from tests.web.test_matches import play
from tests.web.test_resilience import ignore_lost_server

READY = "navigator.serviceWorker.ready.then(({active}) => active.state === 'activated')"
KEPT = """caches.keys().then(names => Promise.all(names.map(name => caches.open(name).then(cache => cache.keys()))))
  .then(found => found.flat().map(({url}) => new URL(url).pathname))"""
RELEASES = "caches.keys()"
LOADED = "performance.getEntriesByType('resource').map(({name}) => new URL(name).pathname)"
PNG_SIZE = slice(16, 24)
"""Where a PNG has its width and height."""


def test_the_manifest_describes_an_app_with_icons(anonymous: Player) -> None:
    """In the sizes that it names."""
    folder = f"/static/{release()}/web/install/"
    manifest = msgspec.json.decode(anonymous.get(f"{folder}turnstream.webmanifest").content)
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
    sizes = {icon["src"]: icon["sizes"] for icon in manifest["icons"]}
    assert {"192x192", "512x512", "any"} == set(sizes.values())
    for name, size in sizes.items():
        content = anonymous.get(f"{folder}{name}".replace("install/../", "")).content
        if name.endswith(".png"):
            wide, high = (int.from_bytes(content[PNG_SIZE][at : at + 4]) for at in (0, 4))
            assert f"{wide}x{high}" == size


def test_the_worker_names_the_release(anonymous: Player) -> None:
    """So browsers find a new one when that changes; it is at the root, because it serves all pages."""
    worker = anonymous.get("/worker.js")
    assert f"'{release()}'".encode() in worker.content
    assert (worker.headers["cache-control"], b"{release}" in worker.content) == ("no-cache", False)


def test_a_page_without_a_connection_says_so(open_browser: OpenBrowser, api: ApiProcess) -> None:
    """And opens what was wanted as soon as the server is back. Nothing of the API is kept."""
    ada = open_browser("Ada", api.url, has_worker=True)
    ada.open()
    ada.page.wait_for(READY)
    ada.open()
    kept = set(ada.page.value(KEPT))
    assert f"/static/{release()}/web/main.js" in kept
    assert {path for path in kept if not path.startswith(f"/static/{release()}/")} == set()
    api.kill()
    ada.page.navigate(f"{api.url}/games/morris")
    ada.wait_for_text("You are offline")
    assert ada.page.value("fetch('/v1/games').then(() => 'answered', () => 'failed')") == "failed"
    api.start()
    ada.wait_for("figure .board")
    ignore_lost_server(ada, api)


def test_a_full_storage_keeps_no_page_from_loading(open_browser: OpenBrowser) -> None:
    """The worker then hands on what it cannot keep."""
    ada = open_browser("Ada", has_worker=True)
    ada.open()
    ada.page.wait_for(READY)
    ada.page.call("Storage.overrideQuotaForOrigin", origin=ada.url, quotaSize=1)
    kept = set(ada.page.value(KEPT))
    ada.open("/learn/morris")
    ada.wait_for(".lesson-card")
    assert set(ada.page.value(KEPT)) == kept


def test_a_new_release_is_used_from_the_next_page_on(
    open_browser: OpenBrowser, api: ApiProcess, tmp_path: Path
) -> None:
    """An open room continues. Where a file of the old release is gone, the whole page is loaded again, once."""
    ada = open_browser("Ada", api.url, has_worker=True, records=True)
    ada.open_room(TITLES["morris"], "device")
    ada.page.wait_for(READY)
    play(ada, "a7")
    ada.page.value("void (window.was = 'here')")
    start_next_release(api, tmp_path / "next")
    ada.page.wait_for("!document.querySelector('.feed-status')")
    play(ada, "d7")
    ada.wait_for(".ply", "d7")
    ada.click(".bar .home")
    ada.wait_for(".game .play-now")
    assert ada.page.value("window.was") == "here"
    ada.click(".game a[href='/games/morris']")
    ada.page.wait_for("document.documentElement?.dataset.release === 'next'")
    ada.wait_for("figure .board")
    loaded_at = ada.page.value("performance.timeOrigin")
    names = ada.page.wait_for(f"{RELEASES}.then(names => names.length === 1 && names[0] !== '{release()}' && names)")
    ada.page.wait_for(READY)
    assert {path.split("/")[2] for path in ada.page.value(LOADED) if path.startswith("/static/")} == set(names)
    assert ada.page.value("performance.timeOrigin") == loaded_at
    assert ada.requests.count(f"{api.url}/games/morris") == 1
    ada.ignore_errors(404)
    ada.page.exceptions[:] = [text for text in ada.page.exceptions if "dynamically imported module" not in text]
    ignore_lost_server(ada, api)


def start_next_release(api: ApiProcess, copy: Path) -> None:
    """Replace the process by one of another release, in which a module has another name."""
    shutil.copytree(ROOT / "service", copy / "service", ignore=shutil.ignore_patterns("__pycache__"))
    web = copy / "service/web"
    (web / "help/help_page.js").rename(web / "help/page_of_help.js")
    main = (web / "main.js").read_text().replace("help_page.js", "page_of_help.js")
    (web / "main.js").write_text(f"{main}document.documentElement.dataset.release = 'next';\n")
    api.kill()
    api.is_forked = False  # it has to import the copy
    api._environment |= {"PYTHONPATH": str(copy), "PYTHONSAFEPATH": "1"}
    api.start()
