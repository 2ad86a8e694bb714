"""The service as in the tests of the API, and people with browsers."""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from tests.api.browser import Page, connect_to, new_browser
from tests.api.conftest import ada, anonymous, bob, client, cyd, logs, rooms_store
from tests.e2e.client import ApiClient
from tests.e2e.client import connect_to as connect_to_api
from tests.e2e.processes import ApiProcess, run_processes
from tests.store_server import StoreServer, new_server, run_server
from tests.web.person import Person

__all__ = ["ada", "anonymous", "bob", "client", "cyd", "logs", "rooms_store"]

OpenBrowser = Callable[..., Person]

WITHOUT_WORKER = "Object.defineProperty(Navigator.prototype, 'serviceWorker', {get: () => undefined})"
"""Hides service workers from a page, as a browser does on pages without TLS."""

WITH_UNANSWERED = """
{
  const send = fetch;
  window.unanswered = new Set();
  window.fetch = async (...given) => {
    const request = { address: String(given[0]) };
    unanswered.add(request);
    return send(...given).finally(() => unanswered.delete(request));
  };
}"""
"""Keeps the requests of a page that have no answer yet, which a failure of a test names."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let a test in a browser fail once; the summary lists it as rerun.

    A browser on a busy machine now and then stalls for longer than the tests wait. Other tests have no second chance.
    """
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run one browser for all tests and return its debugging address; skips where there is none."""
    with new_browser(tmp_path_factory.mktemp("browser")) as address:
        yield address


@pytest.fixture
def open_browser(browser: str, client: ApiClient) -> Iterator[OpenBrowser]:
    """Return a function that opens one more browser and returns its person; checks all pages after the test.

    Only with `has_worker` it has a service worker, whose installation takes as long as loading a page, and only with
    `records` its requests and frames are recorded. A request to another server is an error in any case.
    """
    people: list[Person] = []
    with contextlib.ExitStack() as stack:

        def open_for(name: str, url: str = client.url, *, has_worker: bool = False, records: bool = False) -> Person:
            connection = stack.enter_context(connect_to(browser))
            page = Page(connection, is_alone=True, records_requests=records)
            page.run_first(WITH_UNANSWERED)
            if not has_worker:
                page.run_first(WITHOUT_WORKER)
            people.append(Person(page, url, name))
            people[-1].resize(1280, 900)
            return people[-1]

        yield open_for
        check_pages(people)


@pytest.fixture
def api(rooms_store: StoreServer, tmp_path: Path) -> Iterator[ApiProcess]:
    """Run a second API process on the same store, which a test may kill."""
    process = ApiProcess(rooms_store.url, tmp_path / "log")
    with run_processes(process):
        yield process


@pytest.fixture
def own_api(tmp_path: Path) -> Iterator[ApiClient]:
    """Run an API process with a store of its own, and return the way to it."""
    with run_server(new_server()) as store:
        api = ApiProcess(store.url, tmp_path / "log")
        with run_processes(api), connect_to_api(api.url) as client:
            yield client


def check_pages(people: Iterable[Person]) -> None:
    """Check that no page has thrown or reported an error, or requested anything from another server.

    The browser's own fields for times have pictures at `data:` addresses, which the page's policy would not admit.
    """
    for person in people:
        person.page.value("0")
    requested = {url for person in people if person.page.records_requests for url in person.requests}
    assert {url for url in requested if not url.startswith(("http://127.0.0.1:", "data:"))} == set()
    assert [exception for person in people for exception in person.page.exceptions] == []
    assert {person.name: person.page.errors for person in people if person.page.errors} == {}
