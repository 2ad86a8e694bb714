"""What people see and read of a game: what is drawn on its boards, its lesson, and its texts in a language."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pkgutil import get_data
from typing import Any, Literal, TypeVar, get_args

import msgspec
from msgspec import Struct

Tint = Literal["red", "orange", "yellow", "green", "blue", "violet", "white", "black", "grey"]
Shape = Literal["disc", "square", "diamond", "wall"]
"""A disc, a square or a diamond is drawn on its cell; a wall fills the cell."""


class Mark(Struct, frozen=True):
    """What is drawn on a cell. Its letter and shape distinguish it without colours."""

    cell: str
    tint: Tint
    letter: str = ""
    shape: Shape = "disc"
    rim: Tint | None = None
    """The colour of its border, if it has a meaning; `corner` is then a letter for it."""
    corner: str = ""
    owner: int | None = None
    """The number of the seat whose piece it is, if its tint does not say so."""
    lit: bool = False
    """Whether it is highlighted, like a winning line."""


class Picture(Struct, frozen=True):
    """A position to draw: the marks of each board, by the board's name in the geometry, and lines of text."""

    boards: dict[str, tuple[Mark, ...]]
    captions: tuple[str, ...] = ()
    """Lines of text that are written next to the boards."""


M = TypeVar("M")

LEARNER = 0
"""The learner's seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step: the moves before it, and the moves that solve it; `GameTexts` has its texts.

    Moves are words as in the text of a match: those of the game's notation, separated by spaces.
    """

    before: str = ""
    """The moves before it, of all seats; a seat's colour applies to the moves after it, up to the next colour."""
    solutions: tuple[str, ...]
    """What the learner may play: each solution is one move, or several in sequence."""
    shows: tuple[Mapping[str, Any], ...]
    """Fields of the events that every solution leads to, and no other moves; for the tests of the lesson."""
    positions: tuple[Mapping[str, Any], ...] = ()
    """In one step: what shows the game in short, as the API describes it. A test compares it with the rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """The steps of a lesson, all in one match, which the last one ends. The other seats' moves are given."""

    options: msgspec.Struct
    """The game's options, which leave nothing to chance."""
    steps: tuple[Step, ...]


def read_text(package: str, name: str) -> str:
    """Return a text file that is part of a package."""
    data = get_data(package, name)
    assert data is not None  # noqa: S101 - a part of the package
    return data.decode()


def read_steps(package: str) -> tuple[Step, ...]:
    """Return the steps in `lesson.json` of a game's package."""
    return msgspec.json.decode(read_text(package, "lesson.json"), type=tuple[Step, ...])


def read_moves(words: str, colours: Sequence[str], read: Callable[[str], M]) -> list[tuple[int, M]]:
    """Return the moves of these words with their seats; the learner's until a seat's colour is named."""
    moves: list[tuple[int, M]] = []
    seat = LEARNER
    for word in words.split():
        if word in colours:
            seat = colours.index(word)
        else:
            moves.append((seat, read(word)))
    return moves


Language = Literal["en", "de"]
"""A language by its primary subtag of BCP 47. Every game has English texts, and those of its translations."""

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
    colours: Mapping[str, str] = field(default_factory=dict)
    """The names of the seats' colours within a sentence, by their English names; none in English."""
    options: Mapping[str, OptionTexts] = field(default_factory=dict)
    """What forms call the options and their values."""
    endings: Mapping[str, str] = field(default_factory=dict)
    """The reasons of its outcomes, except the `DropReason`s, each with a description for people."""
    refusals: Mapping[str, str] = field(default_factory=dict)
    """The codes with which it rejects moves, except `not_your_turn`, each with a description for people."""
    measure: MeasureTexts | None = None
    """What the graph of a match shows, if it has one."""
    steps: tuple[StepTexts, ...] = ()
    """The steps of its lesson."""


def read_texts(package: str, language: Language = ENGLISH) -> GameTexts:
    """Return the texts in the files of a game's package for a language: `de.json` and `rules_de.md`."""
    rules = "rules.md" if language == ENGLISH else f"rules_{language}.md"
    texts = msgspec.json.decode(read_text(package, f"{language}.json"))
    return msgspec.convert({**texts, "rules": read_text(package, rules)}, GameTexts)
