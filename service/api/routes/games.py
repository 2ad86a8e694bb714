"""What can be played, and every code that a refusal can carry."""

from typing import Any

import msgspec
from litestar import get
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.http.requests import Web, accepts, headers_of
from service.api.http.responses import JSON, told
from service.api.http.route_docs import NEGOTIATED, described
from service.domain.catalog import GAMES, AnyGame
from service.domain.game import Level
from service.domain.geometry import Geometry
from service.rooms.errors import CODES, ServiceError


class SeatName(msgspec.Struct, frozen=True):
    """A seat of a game and its colour."""

    seat: int
    colour: str


class SeatCount(msgspec.Struct, frozen=True):
    """The seats under some options; `options` names those that matter for the number."""

    options: dict[str, Any]
    seats: tuple[SeatName, ...]


class GameCard(msgspec.Struct, frozen=True):
    """A game in the catalogue."""

    slug: str
    title: str
    rules_version: int
    seats: tuple[SeatCount, ...]
    bots: tuple[Level, ...]
    """The levels of the house's bots that can take a seat."""


class GamePage(msgspec.Struct, frozen=True):
    """All that a client needs to offer and draw a game."""

    slug: str
    title: str
    rules: str
    """The rules, as Markdown."""
    rules_version: int
    seats: tuple[SeatCount, ...]
    simultaneous: bool
    options: dict[str, Any]
    """JSON Schema of the options."""
    moves: dict[str, Any]
    """JSON Schema of a move."""
    bots: tuple[Level, ...]
    """The levels of the house's bots that can take a seat."""
    endings: dict[str, str]
    """The reasons of its results, each with its meaning, beside those that are the same in all games."""
    geometry: Geometry


class Games(msgspec.Struct, frozen=True):
    """The catalogue."""

    games: tuple[GameCard, ...]


class CodeMeaning(msgspec.Struct, frozen=True):
    """A refusal's code, its HTTP status and its meaning."""

    code: str
    status: int
    meaning: str


class Codes(msgspec.Struct, frozen=True):
    """Every code."""

    codes: tuple[CodeMeaning, ...]


def seat_counts(game: AnyGame) -> tuple[SeatCount, ...]:
    """Return the seats under the default options and under each option that changes their number."""
    default = game.options()
    counts = {game.seats(default): SeatCount({}, named(game.seats(default)))}
    for field in msgspec.structs.fields(game.options):
        for value in choices(field.type):
            options = msgspec.structs.replace(default, **{field.name: value})
            seats = game.seats(options)
            counts.setdefault(seats, SeatCount({field.encode_name: value}, named(seats)))
    return tuple(counts.values())


def choices(kind: Any) -> tuple[Any, ...]:
    """Return the values of an option that has a list of them."""
    shape = msgspec.inspect.type_info(kind)
    return shape.values if isinstance(shape, msgspec.inspect.LiteralType) else ()


def named(seats: tuple[str, ...]) -> tuple[SeatName, ...]:
    """Return seats with their numbers."""
    return tuple(SeatName(seat, colour) for seat, colour in enumerate(seats))


def game_card(game: AnyGame) -> GameCard:
    """Return a game's line in the catalogue."""
    return GameCard(game.slug, game.title, game.rules_version, seat_counts(game), game.levels)


def game_page(game: AnyGame) -> GamePage:
    """Return a game's page."""
    return GamePage(
        slug=game.slug,
        title=game.title,
        rules=game.rules,
        rules_version=game.rules_version,
        seats=seat_counts(game),
        simultaneous=game.simultaneous,
        options=msgspec.json.schema(game.options),
        moves=msgspec.json.schema(game.move),
        bots=game.levels,
        endings=dict(game.endings),
        geometry=game.geometry,
    )


@get("/v1/games", opt=described("All games", {200: Games}, refusals=NEGOTIATED, caller="none", tag="Games"))
async def read_games(request: Web) -> ASGIResponse:
    """List the catalogue."""
    accepts(headers_of(request), JSON)
    return told(Games(tuple(game_card(game) for game in GAMES.values())))


@get(
    "/v1/games/{game:str}",
    opt=described(
        "One game: rules, options, moves, geometry",
        {200: GamePage},
        refusals=("no_such_game", *NEGOTIATED),
        caller="none",
        tag="Games",
    ),
)
async def read_game(request: Web, game: FromPath[str]) -> ASGIResponse:
    """Tell all about a game."""
    accepts(headers_of(request), JSON)
    if game not in GAMES:
        raise ServiceError("no_such_game")
    return told(game_page(GAMES[game]))


@get("/v1/codes", opt=described("Every refusal code", {200: Codes}, refusals=NEGOTIATED, caller="none", tag="Games"))
async def read_codes(request: Web) -> ASGIResponse:
    """List every code with its meaning."""
    accepts(headers_of(request), JSON)
    meanings = [CodeMeaning(code, *entry) for code, entry in sorted(CODES.items())]
    return told(Codes(tuple(meanings)))
