"""The running service of the API's tests, and people with browsers who visit it."""

import contextlib
from collections.abc import Callable, Iterator

import pytest

from tests.api.browser import Page, connected, new_browser
from tests.api.conftest import ada, bob, cyd, door, logs, rooms_store, stranger
from tests.e2e.client import Door
from tests.web.person import Person

__all__ = ["ada", "bob", "cyd", "door", "logs", "rooms_store", "stranger"]

Visit = Callable[..., Person]


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run one browser for all tests and return where it listens; skips where there is none."""
    with new_browser(tmp_path_factory.mktemp("browser")) as address:
        yield address


@pytest.fixture
def visit(browser: str, door: Door) -> Iterator[Visit]:
    """Return how to become one more person with a browser of their own.

    In the end no page has complained, and none has asked for anything from elsewhere.
    """
    people: list[Person] = []
    with contextlib.ExitStack() as stack:

        def come(name: str, url: str = door.url) -> Person:
            page = Page(stack.enter_context(connected(browser)), is_alone=True)
            people.append(Person(page, url, name))
            people[-1].resizes(1280, 900)
            return people[-1]

        yield come
        for person in people:
            person.page.value("0")
        asked = {url for person in people for url in person.page.requests}
        assert {url for url in asked if not url.startswith("http://127.0.0.1:")} == set()
        assert {person.name: person.page.complaints for person in people if person.page.complaints} == {}
