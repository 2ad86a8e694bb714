"""The meanings of refusal codes by language: English next to the codes, others here, those of games in the games."""

from functools import cache

import msgspec

from service.domain.catalog import GAMES, texts_of
from service.domain.presentation import ENGLISH, Language, read_text
from service.streams.codes import CODES


@cache
def translated_meanings(language: Language) -> dict[str, str]:
    """Return the meanings of the codes of rooms, tournaments and the service in a language other than English."""
    return msgspec.json.decode(read_text(__name__, f"code_meanings_{language}.json"), type=dict[str, str])


def meanings(language: Language) -> dict[str, str]:
    """Return the meaning of every code by name in a language."""
    games = {code: text for game in GAMES.values() for code, text in texts_of(game, language).refusals.items()}
    others = {code: entry.meaning for code, entry in CODES.items() if code not in games}
    translated = {} if language == ENGLISH else translated_meanings(language)
    return {**games, **others, **translated}
