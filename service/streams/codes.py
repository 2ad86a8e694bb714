"""The catalogue of all refusal codes: `codes.json` has their HTTP statuses and their descriptions for people.

The descriptions in other languages are in files of their own, and those of games' refusals are parts of the games.
"""

from functools import cache
from typing import NamedTuple

import msgspec

from service.domain.catalog import GAMES, texts_of
from service.domain.presentation import ENGLISH, Language, read_text


class Code(NamedTuple):
    """A refusal's status and meaning."""

    status: int
    meaning: str


class Catalogue(msgspec.Struct, frozen=True):
    """The codes other than those of games, by who refuses with them."""

    rooms: dict[str, Code]
    """The rejections by the rules of a room."""
    tournaments: dict[str, Code]
    """The rejections by tournaments."""
    service: dict[str, Code]
    """The refusals of the application."""
    reasons: dict[str, dict[str, str]]
    """The meanings that replace that of a code, by the `reason` in the rejection's params."""

    @property
    def codes(self) -> dict[str, Code]:
        """All codes by name."""
        return {**self.rooms, **self.tournaments, **self.service}


CATALOGUE = msgspec.json.decode(read_text(__name__, "codes.json"), type=Catalogue)

OF_GAMES = 409
"""The status of a rejection by the rules of a game."""

CODES = {
    **{code: Code(OF_GAMES, meaning) for game in GAMES.values() for code, meaning in game.texts.refusals.items()},
    **CATALOGUE.codes,
}
"""Every code by name."""


@cache
def translated_meanings(language: Language) -> dict[str, str]:
    """Return the meanings of the catalogue's codes in a language other than English."""
    return msgspec.json.decode(read_text(__name__, f"codes_{language}.json"), type=dict[str, str])


def meanings(language: Language) -> dict[str, str]:
    """Return the meaning of every code by name in a language."""
    games = {code: text for game in GAMES.values() for code, text in texts_of(game, language).refusals.items()}
    english = {code: entry.meaning for code, entry in CATALOGUE.codes.items()}
    return {**games, **(english if language == ENGLISH else translated_meanings(language))}


HAS_ENOUGH = (
    *("too_many_nicknames", "too_many_tokens", "too_many_exports", "too_many_blocks", "too_many_rooms"),
    *("room_crowded", "too_many_watchers", "too_many_challenges", "too_many_bots", "too_many_seeks"),
    *("too_many_webhooks", "too_many_sockets", "too_many_subscriptions"),
)
"""The refusals of more of what there is enough of, until something ends."""

NEEDS_OPERATOR = ("store_lost_data", "store_unfit", "store_full", "counter_damaged", "history_damaged")
"""The refusals that end once an operator has acted."""

RETRY_SECONDS = {**dict.fromkeys(HAS_ENOUGH, 60), **dict.fromkeys(NEEDS_OPERATOR, 5)}
"""After how many seconds a client should retry, by code; after one second where nothing is said."""
