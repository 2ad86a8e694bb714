"""Every game says the same in every language, and so does the catalogue of refusal codes."""

import re
from collections.abc import Mapping

import msgspec
import pytest

from service.domain.catalog import GAMES, AnyGame, by_options, literal_values, texts_of
from service.domain.presentation import ENGLISH, LANGUAGES, GameTexts, Language, OptionTexts
from service.streams.codes import CATALOGUE, CODES, meanings, translated_meanings

LONGEST = {"text": 200, "hint": 120, "praise": 120}
"""Characters of a step's texts, as in the tests of lessons: they have to fit beside a board."""
PLACE = re.compile(r"\b[A-P]\d{1,2}\b")
CODE = re.compile(r"`[^`]+`")

TRANSLATED = [(game, language) for game in GAMES.values() for language in game.translations]
"""The translations that games have; without one a game is described in English."""
CASES = pytest.mark.parametrize(("game", "language"), TRANSLATED, ids=lambda each: getattr(each, "slug", each))


def test_every_language_but_english_is_a_translation() -> None:
    """English is what a game says itself."""
    assert LANGUAGES[0] == ENGLISH
    assert {language for _, language in TRANSLATED} <= {*LANGUAGES} - {ENGLISH}


@CASES
def test_a_translation_is_complete(game: AnyGame, language: Language) -> None:
    """It has the same entries as the English texts, and none of them is empty or left in English."""
    english, other = game.texts, texts_of(game, language)
    assert {*other.colours} == {colour for _, seats in by_options(game, game.seats) for colour in seats}
    for name in ("options", "endings", "refusals"):
        assert {*getattr(other, name)} == {*getattr(english, name)}, name
    assert [option.values.keys() for option in ordered(other.options)] == [
        option.values.keys() for option in ordered(english.options)
    ]
    assert (other.measure is None, len(other.steps)) == (english.measure is None, len(english.steps))
    same = {text for text in all_texts(other) if len(text.split()) > 1} & {*all_texts(english)}
    assert same == set()
    assert all(text.strip() for text in all_texts(other))


def ordered(options: Mapping[str, OptionTexts]) -> list[OptionTexts]:
    """Return the options in the order of their names."""
    return [options[name] for name in sorted(options)]


def all_texts(texts: GameTexts) -> list[str]:
    """Return everything that a game says in one language."""
    options = [text for option in texts.options.values() for text in (option.title, *option.values.values())]
    steps = [text for step in texts.steps for text in (step.text, step.hint, step.praise)]
    measure = [texts.measure.unit, texts.measure.meaning] if texts.measure else []
    named = [*texts.colours.values(), *texts.endings.values(), *texts.refusals.values()]
    return [texts.tagline, *texts.summary, texts.rules, *options, *steps, *measure, *named]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_everything_of_a_game_has_a_text(game: AnyGame) -> None:
    """Its measure, its lesson, and its options with their values if they have texts: English is the standard."""
    fields = {field.name: literal_values(field.type) for field in msgspec.structs.fields(game.options)}
    texts = game.texts
    fields = fields if texts.options else {}
    assert {name: {*option.values} for name, option in texts.options.items()} == {
        name: {str(value) for value in values} for name, values in fields.items()
    }
    assert (texts.measure is None) == (game.measure is None)
    assert len(texts.steps) == (len(game.lesson.steps) if game.lesson else 0)


@CASES
def test_a_lesson_names_the_same_places_in_every_language(game: AnyGame, language: Language) -> None:
    """And its texts are short enough to be read beside a board."""
    for english, other in zip(game.texts.steps, texts_of(game, language).steps, strict=True):
        for name, longest in LONGEST.items():
            text = getattr(other, name)
            assert len(text) <= longest, text
        assert {*PLACE.findall(other.hint)} == {*PLACE.findall(english.hint)}
        assert {*PLACE.findall(other.text)} <= {*PLACE.findall(f"{english.text} {english.hint}")}


@CASES
def test_the_rules_have_the_same_structure_in_every_language(game: AnyGame, language: Language) -> None:
    """The same headings, lists and names of cells."""
    english, other = game.texts.rules, texts_of(game, language).rules
    assert shape(other) == shape(english)
    assert {*CODE.findall(other)} == {*CODE.findall(english)}
    assert max(map(len, other.splitlines())) <= 120


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_the_rules_for_people_leave_the_numbers_of_draws_to_their_page(game: AnyGame) -> None:
    """In every language; docs/fair-chance.md says how layouts and rolls follow from numbers."""
    rules = [texts_of(game, language).rules for language in LANGUAGES]
    assert [text for text in rules if re.search(r"number(ed)? (below|draw)|Zahl unter|Ziehung", text)] == []


def shape(rules: str) -> list[str]:
    """Return the kinds of headings and items of a Markdown text."""
    return re.findall(r"^ *(?:#+|[*-]|\d+\.) ", rules, re.MULTILINE)


def test_every_code_has_a_meaning_in_every_language() -> None:
    """Those of rooms, tournaments and the service beside the English ones, those of games with the games."""
    assert meanings(ENGLISH) == {code: entry.meaning for code, entry in CODES.items()}
    for language in LANGUAGES[1:]:
        assert {*translated_meanings(language)} == {*CATALOGUE.codes}
        assert {*meanings(language)} == {*CODES}
        assert {code for code in CODES if meanings(language)[code] == CODES[code].meaning} == set()


def test_equal_codes_of_games_have_equal_meanings() -> None:
    """The catalogue lists a code once."""
    for language in LANGUAGES:
        found = {(code, text) for game in GAMES.values() for code, text in texts_of(game, language).refusals.items()}
        assert len(found) == len({code for code, _ in found})
