"""The bots that can be challenged: those of the service, and those that others run."""

import msgspec
from litestar import delete, get, put
from litestar.response.base import ASGIResponse

from service.api.http.commands import identify_commander
from service.api.http.parameters import HttpRequest, only_game
from service.api.http.requests import context_of, headers_of, negotiate, read_json
from service.api.http.responses import JSON, respond, respond_json
from service.api.http.route_docs import CHANGE_CODES, NEGOTIATION_CODES, ROOMS_CODES, document_route
from service.domain.bot_list import BotRegistration, ListedBot
from service.domain.catalog import GAMES
from service.domain.game import SECONDS, Level
from service.rooms.views.timestamps import wire_form


class HouseLevel(msgspec.Struct, frozen=True):
    """A level of the service's own bots."""

    level: Level
    """The level; an opponent `{"bot": level}` in a challenge or a room."""
    games: tuple[str, ...]
    """The slugs of the games that it plays."""


class Bots(msgspec.Struct, frozen=True):
    """All bots that can be challenged."""

    house: tuple[HouseLevel, ...]
    """The service's own bots, which are always available."""
    listed: tuple[ListedBot, ...]
    """Bots that others run, which accept or decline; the latest registered one first."""


REGISTRATION = msgspec.json.Decoder(BotRegistration)
GAME = only_game("bots that play this game", "morris")


@get(
    "/v1/bots",
    opt=document_route(
        "List bots",
        {200: Bots},
        parameters=(GAME,),
        refusals=(*ROOMS_CODES, *NEGOTIATION_CODES),
        caller="none",
        tag="Challenges",
    ),
)
async def read_bots(request: HttpRequest) -> ASGIResponse:
    """List the bots that can be challenged with POST /v1/challenges."""
    context = context_of(request)
    negotiate(headers_of(request), JSON)
    game = GAME.of(request)
    games = tuple(GAMES) if game is None else (game,)
    listed = [wire_form(bot) for bot in await context.matchmaking.bots.listed() if game is None or game in bot.games]
    return respond_json(Bots(tuple(HouseLevel(level, games) for level in SECONDS), tuple(listed)))


@put(
    "/v1/bots/me",
    opt=document_route(
        "List your bot",
        {200: ListedBot},
        compressed=False,
        body=BotRegistration,
        refusals=(*CHANGE_CODES, "not_a_bot_token", "too_many_bots", "rate_limited", "too_many_nicknames"),
        caller="required",
        tag="Challenges",
    ),
)
async def list_bot(request: HttpRequest) -> ASGIResponse:
    """List the caller's bot for a day, so that players can challenge it; send this again to stay in the list.

    The token has to be that of a bot: of a guest who was declared as one, or with the scope `bot`. The bot follows its
    own feed, accepts challenges (`challenge_made`), and sends `ready` in the room of `challenge_opened`.
    """
    context, headers = context_of(request), headers_of(request)
    player = identify_commander(request)
    asked = await read_json(request, headers, REGISTRATION)
    return respond_json(wire_form(await context.matchmaking.bots.register(asked, player)))


@delete(
    "/v1/bots/me",
    status_code=200,
    opt=document_route(
        "Remove your bot from the list",
        {204: None},
        refusals=(*ROOMS_CODES, "rate_limited", "busy", "outcome_unknown", "counter_damaged"),
        caller="required",
        tag="Challenges",
    ),
)
async def unlist_bot(request: HttpRequest) -> ASGIResponse:
    """Remove the caller's bot from the list; nothing happens if it is not there."""
    context = context_of(request)
    player = identify_commander(request)
    await context.matchmaking.bots.remove(player.id)
    return respond(b"", 204)
