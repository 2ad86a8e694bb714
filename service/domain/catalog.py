"""The catalogue of games: every package under `service.domain.games` exports one `GAME`."""

import pkgutil
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

import msgspec

from service.domain import games
from service.domain.game import Game
from service.domain.presentation import GameTexts, Language, read_texts
from service.domain.validation import Invalid

V = TypeVar("V")
AnyGame = Game[Any, Any, Any, Any]


def find_games() -> dict[str, AnyGame]:
    """Return every game by its slug, in the order of their titles."""
    found: list[AnyGame] = [
        import_module(f"{games.__name__}.{module.name}").GAME
        for module in pkgutil.iter_modules(games.__path__)
        if module.ispkg
    ]
    return {game.slug: game for game in sorted(found, key=lambda game: game.texts.title)}


GAMES = find_games()


def game_named(slug: str, pointer: str = "", *, parameter: str | None = None) -> AnyGame:
    """Return the game of a slug that a client sent. Raises `Invalid`, with where the client sent it."""
    if slug not in GAMES:
        raise Invalid(f"Unknown game; expected one of {', '.join(GAMES)}", pointer, parameter=parameter)
    return GAMES[slug]


def texts_of(game: AnyGame, language: Language) -> GameTexts:
    """Return the texts of a game in a language; in English if it has no translation."""
    return translated_texts(game.slug, language) if language in game.translations else game.texts


@cache
def translated_texts(slug: str, language: Language) -> GameTexts:
    """Return the texts of a game in a language other than English."""
    return read_texts(f"{games.__name__}.{slug}", language)


def by_options(game: AnyGame, function: Callable[[Any], V]) -> list[tuple[dict[str, Any], V]]:
    """Return each value that a function of the options can have, with the option that leads to it; default first."""
    default = game.options()
    found: list[tuple[dict[str, Any], V]] = [({}, function(default))]
    for option in msgspec.structs.fields(game.options):
        for value in literal_values(option.type):
            result = function(msgspec.structs.replace(default, **{option.name: value}))
            if all(result != known for _, known in found):
                found.append(({option.encode_name: value}, result))
    return found


def literal_values(kind: Any) -> tuple[Any, ...]:
    """Return the values of a `Literal` option, none for other types."""
    shape = msgspec.inspect.type_info(kind)
    return shape.values if isinstance(shape, msgspec.inspect.LiteralType) else ()
