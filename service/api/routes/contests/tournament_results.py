"""The routes of the standings and the tables of a tournament."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

import msgspec
from litestar.response.base import ASGIResponse

from service.api.http.json_routes import Call, read
from service.api.http.parameters import CursorVersion, Parameter
from service.api.http.read_limits import ITEMS_PER_READ, limit_read
from service.api.http.responses import JSON, NDJSON, respond
from service.api.routes.contests.tournament_bodies import (
    PAGE,
    TOURNAMENT_CODES,
    StandingsPage,
    TablesPage,
    latest_of,
    page_of,
)
from service.contests.tournament_views import Bye, PairedTable, StandingView, standing_view, table_view
from service.domain.tournaments.decide import terms_in
from service.domain.tournaments.standings import Row
from service.domain.tournaments.state import Table

Item = TypeVar("Item")

PART = 1000
"""For how many rows of an export nicknames are looked up at a time."""

ENCODER = msgspec.json.Encoder()


AROUND: Parameter[str | None] = Parameter(
    "around",
    str,
    "The id of a player; returns the page with their row, the first page if they have none.",
    "p-aaaaaaaaaaaaaaaa",
)
ROUND: Parameter[int | None] = Parameter("round", CursorVersion, "Only matches of this round.", 1)
PLAYER: Parameter[str | None] = Parameter("player", str, "Only matches of this player.", "p-aaaaaaaaaaaaaaaa")


@read(
    "/v1/tournaments/{tournament:str}/standings",
    "Read the standings of a tournament",
    StandingsPage,
    media_types=(JSON, NDJSON),
    link="cursor",
    parameters=(*PAGE, AROUND),
    refusals=TOURNAMENT_CODES,
    also=((NDJSON, "All standings, one row per line."),),
    line=StandingView,
    caller="none",
    tag="Tournaments",
)
async def read_standings(call: Call, tournament: str) -> StandingsPage | ASGIResponse:
    """Return a page of the standings, or all of them as one row per line."""
    context, request = call.context, call.request
    state, _ = await context.tournaments.find(tournament)
    rows, form = state.standings, terms_in(state).format

    async def views_of(shown: Sequence[Row]) -> tuple[StandingView, ...]:
        names = await context.tournaments.names_in(state, [row.player for row in shown])
        return tuple(standing_view(form, state.entries[row.player], row, names) for row in shown)

    if call.media_type == NDJSON:
        return await export(call, rows, views_of)
    player = AROUND.of(request)
    place = next((number for number, row in enumerate(rows, 1) if row.player == player), None)
    start, limit, following = page_of(request, len(rows), place)
    return StandingsPage(len(rows), place, await views_of(rows[start : start + limit]), following)


@read(
    "/v1/tournaments/{tournament:str}/tables",
    "Read the matches of a tournament",
    TablesPage,
    media_types=(JSON, NDJSON),
    link="cursor",
    parameters=(ROUND, PLAYER, *PAGE),
    refusals=TOURNAMENT_CODES,
    also=((NDJSON, "All matches, or those of a round or player, one per line, the earliest first."),),
    line=PairedTable,
    caller="none",
    tag="Tournaments",
)
async def read_tables(call: Call, tournament: str) -> TablesPage | ASGIResponse:
    """Return a page of the matches, the latest first, or all of them as one match per line, the earliest first."""
    context, request = call.context, call.request
    state, _ = await context.tournaments.find(tournament)
    number, player = ROUND.of(request), PLAYER.of(request)
    found = [
        (table.number, table)
        for table in reversed(state.tables.values())
        if (number is None or table.round == number) and (player is None or player in table.players)
    ]

    async def views_of(shown: Sequence[Table]) -> tuple[PairedTable, ...]:
        names = await context.tournaments.names_in(state, {each for table in shown for each in table.players})
        return tuple(table_view(state, table, names) for table in shown)

    if call.media_type == NDJSON:
        return await export(call, [table for _, table in reversed(found)], views_of)
    shown, following = latest_of(request, found)
    rounds = sorted({table.round for table in shown} | ({number} if number else set()), reverse=True)
    resting = [(each, one) for each in rounds for one in state.byes_in(each) if player is None or player == one]
    names = await context.tournaments.names_in(state, {one for _, one in resting})
    byes = tuple(
        Bye(one, names[entry.name_ref], entry.bot, each) for each, one in resting for entry in (state.entries[one],)
    )
    return TablesPage(await views_of(shown), byes, following)


async def export(
    call: Call, rows: Sequence[Item], views_of: Callable[[Sequence[Item]], Awaitable[Sequence[Any]]]
) -> ASGIResponse:
    """Return the response with all rows, one per line. Raises `ServiceError` (`rate_limited`)."""
    limit_read(call.context, call.peer, None, len(rows) // ITEMS_PER_READ)
    parts = [await views_of(rows[at : at + PART]) for at in range(0, len(rows), PART)]
    return respond(b"".join(map(ENCODER.encode_lines, parts)), media_type=NDJSON)
