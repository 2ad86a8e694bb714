"""A process that serves webhooks, with local servers as their endpoints."""

from collections.abc import AsyncIterator

import pytest

from tests.people.webhooks.hooks import Hooks
from tests.rooms.processes import Clock, Process


@pytest.fixture
async def hooks() -> AsyncIterator[Hooks]:
    """Return the webhooks of a process over an empty store, at noon."""
    made = Hooks(Process(Clock()))
    yield made
    await made.close()
