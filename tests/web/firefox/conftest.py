"""The same people as in the other tests of the pages, with Firefox."""

import contextlib
from collections.abc import Iterator

import pytest

from tests.e2e.client import ApiClient
from tests.web.conftest import OpenBrowser, check_pages
from tests.web.firefox.browser import Firefox, new_firefox
from tests.web.person import Person


@pytest.fixture(scope="session")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """Run one Firefox for all tests; skips where there is none."""
    with new_firefox(tmp_path_factory.mktemp("firefox")) as browser:
        yield browser


@pytest.fixture
def open_browser(firefox: Firefox, client: ApiClient) -> Iterator[OpenBrowser]:
    """Return a function that opens one more window and returns its person; what is checked then is the same.

    Each has a service worker, whether the test needs one or not.
    """
    people: list[Person] = []
    with contextlib.ExitStack() as stack:

        def open_for(name: str, url: str = client.url, **_: bool) -> Person:
            people.append(Person(stack.enter_context(firefox.new_tab()), url, name))
            people[-1].resize(1280, 900)
            return people[-1]

        yield open_for
        check_pages(people)
