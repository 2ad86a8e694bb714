"""What to watch: TV, which shows the best matches now, and notable matches of the day, of the week, and of all time."""

from typing import Annotated

import msgspec

from service.api.http.bodies import MatchSummary, match_summary
from service.api.http.json_routes import Call, read
from service.api.http.parameters import STORE_CODES, Parameter, only_game
from service.api.http.read_limits import limit_read
from service.contests.notable import Fact, Period
from service.contests.tv import TvMatch
from service.domain.catalog import GAMES

BoardLength = Annotated[int, msgspec.Meta(ge=1, le=10)]

COST = 10
"""How many additional reads a request for all games counts as."""


class NotableMatch(msgspec.Struct, frozen=True):
    """A match that is one of the best by some criterion."""

    game: str
    fact: Fact
    """`comeback`: the winner had been behind by the most; `shortest_win` and `longest`: by the number of moves."""
    period: Period
    """The current day or week (from Monday) in UTC, or all time."""
    value: int
    """The number of moves; for a comeback, by how much the winner had been behind, in the `measure` of the game."""
    match: MatchSummary
    """The match."""


class NotableMatches(msgspec.Struct, frozen=True):
    """Notable matches, by game, fact and period; the best of each first."""

    matches: tuple[NotableMatch, ...]
    """The matches; a match can be included several times."""


GAME = only_game("matches of this game")
LIMIT: Parameter[int] = Parameter("limit", BoardLength, "How many of each kind and period, 1 by default.", 3, default=1)


@read(
    "/v1/matches/notable",
    "Read notable matches",
    NotableMatches,
    parameters=(GAME, LIMIT),
    refusals=STORE_CODES,
    caller="none",
    tag="Matches",
)
async def read_notable_matches(call: Call) -> NotableMatches:
    """Return comebacks, the shortest wins and the longest matches of today, of this week, and of all time.

    They are public matches between people, with the default options of the game, that ended by its rules.
    """
    game, limit = GAME.of(call.request), LIMIT.of(call.request)
    limit_read(call.context, call.peer, None, COST * limit if game is None else limit)
    found = await call.context.notable.best(list(GAMES) if game is None else [game], limit)
    return NotableMatches(
        tuple(
            NotableMatch(each.entry.game, each.fact, each.period, each.value, match_summary(each.key, each.entry))
            for each in found
        )
    )


class TvChannel(msgspec.Struct, frozen=True):
    """A channel of TV."""

    tv: str
    """The channel: a game's slug, or `best` for all games."""
    match: TvMatch | None
    """What it shows; null while there is no match that everybody may watch."""


class TvChannels(msgspec.Struct, frozen=True):
    """All channels of TV."""

    channels: tuple[TvChannel, ...]
    """First the channel of all games, then one per game."""


@read("/v1/tv", "Read what is on TV", TvChannels, refusals=STORE_CODES, caller="none", tag="Feeds")
async def read_tv(call: Call) -> TvChannels:
    """Return the match that each channel shows: one channel per game, and one for all games.

    A channel shows the running match with the highest mean rating, until eight seconds after its end. Unrated matches
    are shown while there is no rated one. To follow a channel, send `subscribe` with `tv` to /v1/feed.
    """
    channels = await call.context.tv.channels()
    return TvChannels(tuple(TvChannel(channel, match) for channel, match in channels.items()))
