"""The catalogue of games: every package under `service.domain.games` exports one `GAME`."""

import pkgutil
from importlib import import_module
from typing import Any

from service.domain import games
from service.domain.game import Game

AnyGame = Game[Any, Any, Any, Any]


def find_games() -> dict[str, AnyGame]:
    """Return every game by its slug, in the order of their titles."""
    found: list[AnyGame] = [
        import_module(f"{games.__name__}.{module.name}").GAME
        for module in pkgutil.iter_modules(games.__path__)
        if module.ispkg
    ]
    return {game.slug: game for game in sorted(found, key=lambda game: game.title)}


GAMES = find_games()
