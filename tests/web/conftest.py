"""The service as in the tests of the API, and people with browsers."""

import contextlib
from collections.abc import Callable, Iterator

import pytest

from tests.api.browser import Page, connect_to, new_browser
from tests.api.conftest import ada, anonymous, bob, client, cyd, logs, rooms_store
from tests.e2e.client import ApiClient
from tests.web.person import Person

__all__ = ["ada", "anonymous", "bob", "client", "cyd", "logs", "rooms_store"]

OpenBrowser = Callable[..., Person]


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run one browser for all tests and return its debugging address; skips where there is none."""
    with new_browser(tmp_path_factory.mktemp("browser")) as address:
        yield address


@pytest.fixture
def open_browser(browser: str, client: ApiClient) -> Iterator[OpenBrowser]:
    """Return a function that opens one more browser and returns its person.

    After the test, no page may have reported an error or requested anything from another server.
    """
    people: list[Person] = []
    with contextlib.ExitStack() as stack:

        def open_for(name: str, url: str = client.url) -> Person:
            page = Page(stack.enter_context(connect_to(browser)), is_alone=True)
            people.append(Person(page, url, name))
            people[-1].resize(1280, 900)
            return people[-1]

        yield open_for
        for person in people:
            person.page.value("0")
        requested = {url for person in people for url in person.page.requests}
        assert {url for url in requested if not url.startswith("http://127.0.0.1:")} == set()
        assert {person.name: person.page.errors for person in people if person.page.errors} == {}
