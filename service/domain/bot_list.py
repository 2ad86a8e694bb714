"""The list of bots that others run and that can be challenged: one stream, in which a bot is listed for a day."""

from typing import Annotated

import msgspec
from msgspec.structs import replace

from service.domain.catalog import game_named
from service.domain.game import Event, Rejected
from service.domain.ids import DAY, Millis, Moment, NameRef, PlayerId
from service.domain.streams import Record, StreamKind, Summary

LIFETIME = Millis(DAY)
"""How long a bot is listed unless it registers again."""

MOST_BOTS = 1000
"""How many bots the list takes."""


class BotRegistration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bot to be listed."""

    games: Annotated[tuple[str, ...], msgspec.Meta(min_length=1, max_length=16)]
    """The slugs of the games that it plays."""
    description: Annotated[str, msgspec.Meta(max_length=200)] = ""
    """A sentence about it for people."""


class ListedBot(msgspec.Struct, frozen=True):
    """A bot run by a player, which can be challenged."""

    player: PlayerId
    """The id of its player."""
    nickname: str
    """The bot's nickname."""
    games: tuple[str, ...]
    """The slugs of the games that it plays."""
    description: str
    """What it is, in its owner's words."""
    until: Moment
    """When it leaves the list unless it registers again."""
    name_ref: NameRef | msgspec.UnsetType = msgspec.UNSET
    """Where the nickname is stored."""


class BotListed(Event, frozen=True):
    """A bot registered, or did so again."""

    bot: ListedBot


class BotRemoved(Event, frozen=True):
    """A bot left the list."""

    player: PlayerId


class BotsExpired(Event, frozen=True):
    """Bots did not register again in time."""

    players: tuple[PlayerId, ...]


class BotsSummarised(Summary, frozen=True):
    """The state of the stream at this point, so that everything before can be deleted."""

    bots: tuple[ListedBot, ...]


BotListEvent = BotListed | BotRemoved | BotsExpired | BotsSummarised
"""Every event of the stream of the list."""


class BotList(msgspec.Struct, frozen=True):
    """The listed bots by player; the latest registered ones are last."""

    bots: dict[PlayerId, ListedBot] = {}


def register(state: BotList, asked: BotRegistration, player: PlayerId, name_ref: NameRef, now: Millis) -> list[Event]:
    """List a bot for a day. Raises `Rejected` (`too_many_bots`) and `Invalid`."""
    for number, game in enumerate(asked.games):
        game_named(game, f"/games/{number}")
    listed = [bot for bot in state.bots.values() if bot.until > now]
    if player not in state.bots and len(listed) >= MOST_BOTS:
        raise Rejected("too_many_bots", most=MOST_BOTS)
    games = tuple(dict.fromkeys(asked.games))
    return [BotListed(ListedBot(player, "", games, asked.description, Millis(now + LIFETIME), name_ref))]


def remove(state: BotList, player: PlayerId) -> list[Event]:
    """Remove a bot from the list; nothing if it is not listed."""
    return [BotRemoved(player)] if player in state.bots else []


def expire(state: BotList, now: Millis) -> list[Event]:
    """Remove the bots whose time has expired."""
    ended = tuple(bot.player for bot in state.bots.values() if bot.until <= now)
    return [BotsExpired(ended)] if ended else []


def evolve(state: BotList, record: Record) -> BotList:
    """Return the state after an event."""
    match record.event:
        case BotListed(bot):
            return replace(state, bots={**without(state, (bot.player,)), bot.player: bot})
        case BotRemoved(player):
            return replace(state, bots=without(state, (player,)))
        case BotsExpired(players):
            return replace(state, bots=without(state, players))
        case BotsSummarised(bots=bots):
            return BotList({bot.player: bot for bot in bots})
    raise NotImplementedError(type(record.event))


def without(state: BotList, players: tuple[PlayerId, ...]) -> dict[PlayerId, ListedBot]:
    """Return the listed bots without some of them."""
    return {player: bot for player, bot in state.bots.items() if player not in players}


def due(state: BotList) -> Millis | None:
    """Return when the first bot's time expires."""
    return min((bot.until for bot in state.bots.values()), default=None)


def summary(state: BotList, until: Millis) -> BotsSummarised:
    """Return the summary of a state."""
    return BotsSummarised(until, tuple(state.bots.values()))


BOT_LIST: StreamKind[BotList] = StreamKind(
    event=BotListEvent, start=lambda _: BotList(), evolve=evolve, summary=summary, due=due
)
"""The stream of the list of bots."""
