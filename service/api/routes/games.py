"""What can be played, and every code that a refusal can carry."""

from typing import Any

import msgspec
from litestar import get
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.http.requests import HttpRequest, headers_of, negotiate
from service.api.http.responses import JSON, respond_json
from service.api.http.route_docs import NEGOTIATION_CODES, document_route
from service.domain.catalog import GAMES, AnyGame
from service.domain.game import Level
from service.domain.geometry import Geometry
from service.rooms.errors import CODES, ServiceError


class SeatColour(msgspec.Struct, frozen=True):
    """A seat of a game and its colour."""

    seat: int
    colour: str


class SeatsByOptions(msgspec.Struct, frozen=True):
    """The seats under some options; `options` names those that matter for the number."""

    options: dict[str, Any]
    seats: tuple[SeatColour, ...]


class GameSummary(msgspec.Struct, frozen=True):
    """A game in the catalogue."""

    slug: str
    title: str
    rules_version: int
    seats: tuple[SeatsByOptions, ...]
    bots: tuple[Level, ...]
    """The levels of the house's bots that can take a seat."""


class GameDetails(msgspec.Struct, frozen=True):
    """All that a client needs to offer and draw a game."""

    slug: str
    title: str
    rules: str
    """The rules, as Markdown."""
    rules_version: int
    seats: tuple[SeatsByOptions, ...]
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


class GameList(msgspec.Struct, frozen=True):
    """The catalogue."""

    games: tuple[GameSummary, ...]


class RefusalCode(msgspec.Struct, frozen=True):
    """A refusal's code, its HTTP status and its meaning."""

    code: str
    status: int
    meaning: str


class RefusalCodes(msgspec.Struct, frozen=True):
    """Every code."""

    codes: tuple[RefusalCode, ...]


def seats_by_options(game: AnyGame) -> tuple[SeatsByOptions, ...]:
    """Return the seats under the default options and under each option that changes their number."""
    default = game.options()
    counts = {game.seats(default): SeatsByOptions({}, seat_colours(game.seats(default)))}
    for field in msgspec.structs.fields(game.options):
        for value in literal_values(field.type):
            options = msgspec.structs.replace(default, **{field.name: value})
            seats = game.seats(options)
            counts.setdefault(seats, SeatsByOptions({field.encode_name: value}, seat_colours(seats)))
    return tuple(counts.values())


def literal_values(kind: Any) -> tuple[Any, ...]:
    """Return the values of an option that has a list of them."""
    shape = msgspec.inspect.type_info(kind)
    return shape.values if isinstance(shape, msgspec.inspect.LiteralType) else ()


def seat_colours(seats: tuple[str, ...]) -> tuple[SeatColour, ...]:
    """Return seats with their numbers."""
    return tuple(SeatColour(seat, colour) for seat, colour in enumerate(seats))


def game_summary(game: AnyGame) -> GameSummary:
    """Return a game's line in the catalogue."""
    return GameSummary(game.slug, game.title, game.rules_version, seats_by_options(game), game.levels)


def game_details(game: AnyGame) -> GameDetails:
    """Return a game's page."""
    return GameDetails(
        slug=game.slug,
        title=game.title,
        rules=game.rules,
        rules_version=game.rules_version,
        seats=seats_by_options(game),
        simultaneous=game.simultaneous,
        options=msgspec.json.schema(game.options),
        moves=msgspec.json.schema(game.move),
        bots=game.levels,
        endings=dict(game.endings),
        geometry=game.geometry,
    )


@get(
    "/v1/games",
    opt=document_route("All games", {200: GameList}, refusals=NEGOTIATION_CODES, caller="none", tag="Games"),
)
async def read_games(request: HttpRequest) -> ASGIResponse:
    """List the catalogue."""
    negotiate(headers_of(request), JSON)
    return respond_json(GameList(tuple(game_summary(game) for game in GAMES.values())))


@get(
    "/v1/games/{game:str}",
    opt=document_route(
        "One game: rules, options, moves, geometry",
        {200: GameDetails},
        refusals=("no_such_game", *NEGOTIATION_CODES),
        caller="none",
        tag="Games",
    ),
)
async def read_game(request: HttpRequest, game: FromPath[str]) -> ASGIResponse:
    """Tell all about a game."""
    negotiate(headers_of(request), JSON)
    if game not in GAMES:
        raise ServiceError("no_such_game")
    return respond_json(game_details(GAMES[game]))


@get(
    "/v1/codes",
    opt=document_route(
        "Every refusal code", {200: RefusalCodes}, refusals=NEGOTIATION_CODES, caller="none", tag="Games"
    ),
)
async def read_codes(request: HttpRequest) -> ASGIResponse:
    """List every code with its meaning."""
    negotiate(headers_of(request), JSON)
    meanings = [RefusalCode(code, *entry) for code, entry in sorted(CODES.items())]
    return respond_json(RefusalCodes(tuple(meanings)))
