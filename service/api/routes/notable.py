"""Notable matches of all games or of one game: of the day, of the week, and of all time."""

from typing import Annotated

import msgspec
from litestar import get
from litestar.response.base import ASGIResponse

from service.api.callers.peers import peer_of
from service.api.http.parameters import HttpRequest, Parameter, only_game
from service.api.http.read_limits import limit_read
from service.api.http.requests import context_of, headers_of, negotiate
from service.api.http.responses import JSON, respond_json
from service.api.http.route_docs import NEGOTIATION_CODES, STORE_CODES, document_route
from service.api.routes.matches import MatchSummary, match_summary
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


@get(
    "/v1/matches/notable",
    opt=document_route(
        "Read notable matches",
        {200: NotableMatches},
        parameters=(GAME, LIMIT),
        refusals=(*STORE_CODES, *NEGOTIATION_CODES),
        caller="none",
        tag="Matches",
    ),
)
async def read_notable_matches(request: HttpRequest) -> ASGIResponse:
    """Return comebacks, the shortest wins and the longest matches of today, of this week, and of all time.

    They are public matches between people, with the default options of the game, that ended by its rules.
    """
    context = context_of(request)
    negotiate(headers_of(request), JSON)
    game, limit = GAME.of(request), LIMIT.of(request)
    limit_read(context, peer_of(dict(request.scope)), None, COST * limit if game is None else limit)
    found = await context.notable.best(list(GAMES) if game is None else [game], limit)
    return respond_json(
        NotableMatches(
            tuple(
                NotableMatch(each.entry.game, each.fact, each.period, each.value, match_summary(each.key, each.entry))
                for each in found
            )
        )
    )
