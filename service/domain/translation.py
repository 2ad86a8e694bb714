"""The texts of a game in one language: everything that people read, and nothing that rules or clients depend on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

Language = Literal["en", "de"]
"""A language by its primary subtag of BCP 47. English is the language of `Game` itself."""

ENGLISH: Language = "en"
LANGUAGES: tuple[Language, ...] = get_args(Language)
"""The languages in which games and refusal codes are described, English first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionTexts:
    """An option: what a form calls it, and its values."""

    title: str
    values: Mapping[str, str] = field(default_factory=dict)
    """What forms call the values, by their JSON without quotes; none for switches and numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTexts:
    """The texts of a lesson's step. Squares are named as in English."""

    text: str
    """What the learner should do, and why."""
    hint: str
    """A hint after a move that does not solve it."""
    praise: str
    """The text after a solution."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureTexts:
    """The texts of the graph of a match."""

    unit: str
    """What is counted, in the plural."""
    meaning: str
    """What the number is, for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTexts:
    """All texts of a game in one language."""

    title: str
    tagline: str
    """The game in one line, for lists."""
    summary: tuple[str, str, str]
    """The rules in three short sentences, for somebody who is about to play for the first time."""
    rules: str
    """The rules for players, as Markdown."""
    colours: Mapping[str, str]
    """The names of the seats' colours within a sentence, by their English names."""
    options: Mapping[str, OptionTexts]
    """The options by their names."""
    endings: Mapping[str, str]
    """The reasons of its outcomes, each with a description."""
    refusals: Mapping[str, str]
    """The codes with which it rejects moves, each with a description."""
    measure: MeasureTexts | None = None
    """What the graph of a match shows, if it has one."""
    steps: tuple[StepTexts, ...] = ()
    """The steps of its lesson."""
