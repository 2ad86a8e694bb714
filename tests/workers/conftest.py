"""What tests of workers have in common."""

import pytest

from service.workers import loop


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make pauses take no time."""
    monkeypatch.setattr(loop, "PAUSE", 0.0001)
