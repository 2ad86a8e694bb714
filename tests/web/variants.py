"""Which games and sizes a test of the pages uses: a few in every run, all of them in `make test-web`."""

from collections.abc import Iterable
from typing import Any

import pytest


def each_game(games: Iterable[str], *always: str) -> list[Any]:
    """Return the games as parameters of a test; those not in `always` are played by `make test-web` only."""
    return [game if game in always else pytest.param(game, marks=pytest.mark.soak) for game in games]


def each_size(sizes: dict[str, tuple[int, int]], *always: str) -> list[Any]:
    """Return the sizes of a window as parameters of a test; likewise."""
    marks = {name: () if name in always else pytest.mark.soak for name in sizes}
    return [pytest.param(size, marks=marks[name], id=name) for name, size in sizes.items()]


def each_theme(always: str) -> list[Any]:
    """Return day and night as parameters of a test; likewise."""
    return [theme if theme == always else pytest.param(theme, marks=pytest.mark.soak) for theme in ("light", "dark")]
