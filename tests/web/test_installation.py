"""The client as an app: the manifest, the service worker, and the page that is shown without a connection."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from service.api.routes.static_files import release
from tests.e2e.client import Player
from tests.e2e.processes import ApiProcess, run_processes
from tests.store_server import StoreServer
from tests.web.conftest import OpenBrowser
from tests.web.test_resilience import ignore_lost_server

READY = "navigator.serviceWorker.ready.then(({active}) => active.state === 'activated')"
KEPT = """caches.keys().then(names => Promise.all(names.map(name => caches.open(name).then(cache => cache.keys()))))
  .then(found => found.flat().map(({url}) => new URL(url).pathname))"""
PNG_SIZE = slice(16, 24)
"""Where a PNG has its width and height."""


@pytest.fixture
def api(rooms_store: StoreServer, tmp_path: Path) -> Iterator[ApiProcess]:
    """Run a second API process on the same store, which a test may kill."""
    process = ApiProcess(rooms_store.url, tmp_path / "log")
    with run_processes(process):
        yield process


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
    ada = open_browser("Ada", api.url)
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
