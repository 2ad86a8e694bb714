"""The bots that can be challenged: those of the service, and those that others run."""

import msgspec

from service.api.http.json_routes import Call, change, read
from service.api.http.parameters import CHANGE_CODES, only_game
from service.domain.bot_list import BotRegistration, ListedBot
from service.domain.catalog import GAMES
from service.domain.game import SECONDS, Level
from service.domain.ids import Player, wire_form


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


GAME = only_game("bots that play this game", "morris")


@read("/v1/bots", "List bots", Bots, parameters=(GAME,), caller="none", tag="Challenges")
async def read_bots(call: Call) -> Bots:
    """List the bots that can be challenged with POST /v1/challenges."""
    game, bots = GAME.of(call.request), await call.context.matchmaking.bots.listed()
    games = tuple(GAMES) if game is None else (game,)
    listed = [wire_form(bot) for bot in bots if game is None or game in bot.games]
    return Bots(tuple(HouseLevel(level, games) for level in SECONDS), tuple(listed))


@change(
    "PUT",
    "/v1/bots/me",
    "List your bot",
    {200: ListedBot},
    body=BotRegistration,
    refusals=(*CHANGE_CODES, "not_a_bot_token", "too_many_bots", "too_many_nicknames"),
    tag="Challenges",
)
async def list_bot(call: Call, player: Player, asked: BotRegistration) -> ListedBot:
    """List the caller's bot for a day, so that players can challenge it; send this again to stay in the list.

    The token has to be that of a bot: of a guest who was declared as one, or with the scope `bot`. The bot follows its
    own feed, accepts challenges (`challenge_made`), and sends `ready` in the room of `challenge_opened`.
    """
    listed: ListedBot = wire_form(await call.context.matchmaking.bots.register(asked, player))
    return listed


@change("DELETE", "/v1/bots/me", "Remove your bot from the list", {204: None}, tag="Challenges")
async def unlist_bot(call: Call, player: Player) -> None:
    """Remove the caller's bot from the list; nothing happens if it is not there."""
    await call.context.matchmaking.bots.remove(player.id)
