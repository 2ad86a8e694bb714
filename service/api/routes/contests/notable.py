"""Notable matches of all games or of one game: of the day, of the week, and of all time."""

from typing import Annotated

import msgspec

from service.api.http.bodies import MatchSummary, match_summary
from service.api.http.json_routes import Call, read
from service.api.http.parameters import Parameter, only_game
from service.api.http.read_limits import limit_read
from service.api.http.route_docs import STORE_CODES
from service.contests.notable_facts import Fact, Period
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
