"""The catalogue of games."""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any

import msgspec
from litestar import get
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.http.parameters import NEGOTIATION_CODES, HttpRequest, document_route
from service.api.http.responses import respond_in_language
from service.domain.catalog import GAMES, AnyGame, by_options, texts_of
from service.domain.game import Level
from service.domain.geometry import Geometry
from service.domain.presentation import ENGLISH, GameTexts, Language, read_moves
from service.streams.errors import ServiceError


class SeatColour(msgspec.Struct, frozen=True):
    """A seat and its colour."""

    seat: int
    colour: str


class SeatsByOptions(msgspec.Struct, frozen=True):
    """The seats of a game with some options; `options` has those that change the number of seats."""

    options: dict[str, Any]
    """The options with which the game has these seats."""
    seats: tuple[SeatColour, ...]
    """The seats, in turn order."""


class LessonMove(msgspec.Struct, frozen=True):
    """A move of a lesson, and who makes it."""

    seat: int
    move: dict[str, Any]
    """The move; it can be sent unchanged."""


class LessonStep(msgspec.Struct, frozen=True):
    """A step of a lesson: texts for the learner, and moves."""

    text: str
    """What the learner should do, and why."""
    before: tuple[LessonMove, ...]
    """The moves of all seats before it, in order."""
    solutions: tuple[tuple[LessonMove, ...], ...]
    """What the learner may play: each solution is one move, or several in sequence."""
    hint: str
    """A hint after a move that does not solve it."""
    praise: str
    """The text after a solution."""
    positions: tuple[Mapping[str, Any], ...]
    """The states before and after each of three moves up to its solution, as the public has them; in one step only."""


class GameLesson(msgspec.Struct, frozen=True):
    """A lesson: one match, in which the learner plays seat 0 and the moves of the others are given.

    Open a room with these options in which you hold all seats, play the moves before each step, and let the learner
    solve it.
    """

    options: dict[str, Any]
    """The options of the match, which leave nothing to chance."""
    steps: tuple[LessonStep, ...]
    """The steps; the solution of the last one ends the match."""


class GeometryByOptions(msgspec.Struct, frozen=True):
    """The geometry of a game's boards with some options."""

    options: dict[str, Any]
    """The options that change it; none for the defaults."""
    geometry: Geometry
    """The geometry with them."""


class GameSummary(msgspec.Struct, frozen=True):
    """A game of the catalogue."""

    slug: str
    title: str
    tagline: str
    """The game in one line."""
    rules_version: int
    seats: tuple[SeatsByOptions, ...]
    """The seats of the game, for each choice of the options that change their number."""
    bots: tuple[Level, ...]
    """The levels of bots that can take a seat."""
    telling_ms: int
    """How many milliseconds clients need to show the last events of a match; the next one begins that much later."""
    lesson_steps: int
    """The number of steps of the game's lesson; 0 if it has none."""


class OptionLabel(msgspec.Struct, frozen=True):
    """The labels of an option and its values in a form."""

    title: str
    values: dict[str, str]
    """By value; empty for switches and numbers."""


class GameLabels(msgspec.Struct, frozen=True):
    """The texts that people read instead of names of the API."""

    colours: dict[str, str]
    """The names of the seats' colours within a sentence, by `colour`."""
    options: dict[str, OptionLabel]
    """The options, by name."""


class GameMeasure(msgspec.Struct, frozen=True):
    """The number of each seat that the graph of a match shows."""

    unit: str
    """What is counted, in the plural."""
    meaning: str
    """What the number is."""


class GameDetails(GameSummary, frozen=True, kw_only=True):
    """Everything that a client needs to offer and display a game."""

    summary: tuple[str, str, str]
    """The rules in three short sentences."""
    rules: str
    """The rules in Markdown."""
    simultaneous: bool
    """Whether the seats move at the same time."""
    options: dict[str, Any]
    """The JSON Schema of the options."""
    moves: dict[str, Any]
    """The JSON Schema of a move."""
    endings: dict[str, str]
    """The game's own reasons why a match ends, each with its meaning; the others are the same in all games."""
    geometry: Geometry
    """The geometry with the default options."""
    geometries: tuple[GeometryByOptions, ...]
    """The geometry with the default options, and with each option that changes it."""
    lesson: GameLesson | None
    """The lesson that teaches the rules; null if the game has none."""
    labels: GameLabels
    """The colours and the options in the language of the answer."""
    measure: GameMeasure | None
    """What the graph of a match shows; null if there is none."""


class GameList(msgspec.Struct, frozen=True):
    """The catalogue of games."""

    games: tuple[GameSummary, ...]
    """The games."""


def seats_by_options(game: AnyGame) -> tuple[SeatsByOptions, ...]:
    """Return the seats with the default options, and with each option that changes their number."""
    return tuple(
        SeatsByOptions(changed, tuple(SeatColour(seat, colour) for seat, colour in enumerate(colours)))
        for changed, colours in by_options(game, game.seats)
    )


def geometries(game: AnyGame) -> tuple[GeometryByOptions, ...]:
    """Return the geometry with the default options, and with each option that changes it."""
    return tuple(GeometryByOptions(changed, geometry) for changed, geometry in by_options(game, game.geometry_of))


def game_summary(game: AnyGame, language: Language) -> GameSummary:
    """Return a game's entry in the catalogue."""
    texts = texts_of(game, language)
    return GameSummary(
        slug=game.slug,
        title=texts.title,
        tagline=texts.tagline,
        rules_version=game.rules_version,
        seats=seats_by_options(game),
        bots=game.levels,
        telling_ms=game.telling_ms,
        lesson_steps=len(game.lesson.steps) if game.lesson else 0,
    )


def lesson_json(game: AnyGame, language: Language) -> GameLesson | None:
    """Return a game's lesson with its moves as JSON values."""
    if game.lesson is None:
        return None
    colours = game.seats(game.lesson.options)

    def moves(words: str) -> tuple[LessonMove, ...]:
        found = read_moves(words, colours, game.notation.read)
        return tuple(LessonMove(seat, msgspec.to_builtins(move)) for seat, move in found)

    steps = (
        LessonStep(
            texts.text, moves(step.before), tuple(map(moves, step.solutions)), texts.hint, texts.praise, step.positions
        )
        for step, texts in zip(game.lesson.steps, texts_of(game, language).steps, strict=True)
    )
    return GameLesson(msgspec.to_builtins(game.lesson.options), tuple(steps))


def labels_of(seats: Sequence[SeatsByOptions], texts: GameTexts) -> GameLabels:
    """Return the texts that people read instead of names; a colour without one is called by its name."""
    options = {name: OptionLabel(each.title, dict(each.values)) for name, each in texts.options.items()}
    colours = {seat.colour: texts.colours.get(seat.colour, seat.colour) for each in seats for seat in each.seats}
    return GameLabels(colours, options)


def game_details(game: AnyGame, language: Language) -> GameDetails:
    """Return the details of a game, with its texts in a language."""
    texts, short = texts_of(game, language), game_summary(game, language)
    return GameDetails(
        **msgspec.structs.asdict(short),
        summary=texts.summary,
        rules=texts.rules,
        simultaneous=game.simultaneous,
        options=msgspec.json.schema(game.options),
        moves=msgspec.json.schema(game.move),
        endings=dict(texts.endings),
        geometry=game.geometry,
        lesson=lesson_json(game, language),
        geometries=geometries(game),
        labels=labels_of(short.seats, texts),
        measure=GameMeasure(texts.measure.unit, texts.measure.meaning) if texts.measure else None,
    )


@get(
    "/v1/games",
    opt=document_route("List the games", {200: GameList}, refusals=NEGOTIATION_CODES, tag="Games", translated=True),
)
async def read_games(request: HttpRequest) -> ASGIResponse:
    """List all games, in the language of the request."""
    return respond_in_language(request, catalogue)


@cache
def catalogue(language: Language) -> bytes:
    """Return the list of games as JSON."""
    return msgspec.json.encode(GameList(tuple(game_summary(game, language) for game in GAMES.values())))


@cache
def details_json(slug: str, language: Language) -> bytes:
    """Return the details of a game as JSON."""
    return msgspec.json.encode(game_details(GAMES[slug], language))


@get(
    "/v1/games/{game:str}",
    opt=document_route(
        "Read a game",
        {200: GameDetails},
        refusals=("no_such_game", *NEGOTIATION_CODES),
        tag="Games",
        translated=True,
    ),
)
async def read_game(request: HttpRequest, game: FromPath[str]) -> ASGIResponse:
    """Return the rules, options, moves, seats, board and lesson of a game, in the language of the request."""
    if game not in GAMES:
        raise ServiceError("no_such_game")
    return respond_in_language(request, partial(details_json, game), (ENGLISH, *GAMES[game].translations))
