"""Which games a test of the pages plays: a few in every run, all of them in `make test-web`."""

from collections.abc import Iterable
from typing import Any

import pytest


def each_game(games: Iterable[str], *always: str) -> list[Any]:
    """Return the games as parameters of a test; those not in `always` are played by `make test-web` only."""
    return [game if game in always else pytest.param(game, marks=pytest.mark.soak) for game in games]
