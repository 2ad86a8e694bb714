"""A process that serves seeks, for all tests in this folder."""

import pytest

from tests.rooms.processes import Clock, Process


@pytest.fixture
def process() -> Process:
    """Return a process over an empty store, at noon."""
    return Process(Clock())
