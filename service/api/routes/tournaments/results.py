"""The routes of the standings and the tables of a tournament."""

from litestar import get
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.http.requests import CursorVersion, HttpRequest, context_of, headers_of, negotiate, query_parameter
from service.api.http.responses import JSON, next_link, respond_json
from service.api.http.route_docs import NEGOTIATION_CODES, Parameter, document_route
from service.api.routes.tournaments.bodies import Standings, Tables
from service.api.routes.tournaments.pages import PAGE, TOURNAMENT_CODES, latest_of, page_of
from service.domain.tournaments.decide import terms_in
from service.rooms.errors import ServiceError
from service.tournaments.views import standing_view, table_view


@get(
    "/v1/tournaments/{tournament:str}/standings",
    opt=document_route(
        "Read the standings of a tournament",
        {200: Standings},
        parameters=(
            *PAGE,
            Parameter("around", str, "The id of a player; returns the page with their row.", "p-aaaaaaaaaaaaaaaa"),
        ),
        refusals=(*TOURNAMENT_CODES, *NEGOTIATION_CODES, "not_registered"),
        headers=("Link",),
        caller="none",
        tag="Tournaments",
    ),
)
async def read_standings(request: HttpRequest, tournament: FromPath[str]) -> ASGIResponse:
    """Return a page of the standings."""
    context = context_of(request)
    negotiate(headers_of(request), JSON)
    state, _ = await context.tournaments.find(tournament)
    rows, form = state.standings, terms_in(state).format
    place = None
    if (player := request.query_params.get("around")) is not None:
        place = next((number for number, row in enumerate(rows) if row.player == player), None)
        if place is None:
            raise ServiceError("not_registered")
    start, limit, following = page_of(request, len(rows), place)
    shown = rows[start : start + limit]
    names = await context.tournaments.names_in(state, [row.player for row in shown])
    views = tuple(standing_view(form, state.entries[row.player], row, names) for row in shown)
    return respond_json(Standings(len(rows), views, following), headers=next_link(request, "cursor", following))


@get(
    "/v1/tournaments/{tournament:str}/tables",
    opt=document_route(
        "Read the matches of a tournament",
        {200: Tables},
        parameters=(
            Parameter("round", CursorVersion, "Only matches of this round.", 1),
            Parameter("player", str, "Only matches of this player.", "p-aaaaaaaaaaaaaaaa"),
            *PAGE,
        ),
        refusals=(*TOURNAMENT_CODES, *NEGOTIATION_CODES),
        headers=("Link",),
        caller="none",
        tag="Tournaments",
    ),
)
async def read_tables(request: HttpRequest, tournament: FromPath[str]) -> ASGIResponse:
    """Return a page of the matches, the latest first."""
    context = context_of(request)
    negotiate(headers_of(request), JSON)
    state, _ = await context.tournaments.find(tournament)
    number, player = query_parameter(request, "round", CursorVersion), request.query_params.get("player")
    found = [
        (table.number, table)
        for table in reversed(state.tables.values())
        if (number is None or table.round == number) and (player is None or player in table.players)
    ]
    shown, following = latest_of(request, found)
    names = await context.tournaments.names_in(state, {each for table in shown for each in table.players})
    page = Tables(tuple(table_view(state, table, names) for table in shown), following)
    return respond_json(page, headers=next_link(request, "cursor", following))
