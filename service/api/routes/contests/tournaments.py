"""The routes of tournaments with their bodies: creating one, the list, standings and tables, and commands."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

import msgspec
from litestar import post
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.http import commands
from service.api.http.callers import Caller, find_caller
from service.api.http.context import AppContext, context_of
from service.api.http.headers import count
from service.api.http.json_routes import Call, read
from service.api.http.parameters import (
    CHANGE_CODES,
    CURSOR,
    KEY,
    ROOMS_CODES,
    CursorVersion,
    HttpRequest,
    Parameter,
    document_route,
    only_game,
    page_size,
)
from service.api.http.peers import peer_of
from service.api.http.read_limits import ITEMS_PER_READ, TOURNAMENTS_OF_PLAYER_COST, limit_read, reader_of
from service.api.http.requests import headers_of, idempotency_key, read_json
from service.api.http.responses import JSON, NDJSON, respond, respond_json
from service.contests.tournament_service import Organiser
from service.contests.tournament_views import (
    Bye,
    OwnEntry,
    PairedTable,
    StandingView,
    TournamentSummary,
    TournamentView,
    own_entry,
    standing_view,
    summary_of,
    table_view,
    tournament_view,
)
from service.domain.accounts.model import Scope
from service.domain.ids import PlayerId
from service.domain.room.subjects.privacy import OPERATOR
from service.domain.tournaments import model
from service.domain.tournaments.decide import terms_in
from service.domain.tournaments.kind import listed_tournament
from service.domain.tournaments.model import NewTournament, Status, TournamentId
from service.domain.tournaments.standings import Row
from service.domain.tournaments.state import Table
from service.rooms.access.policy import require_player, require_scope
from service.streams.errors import ServiceError


class TournamentList(msgspec.Struct, frozen=True):
    """A page of the list of tournaments."""

    tournaments: tuple[TournamentSummary, ...]
    """The latest created one comes first."""
    next: int | None
    """The `cursor` of the next page; null on the last one."""


class TournamentAnswer(msgspec.Struct, frozen=True):
    """A tournament as one caller sees it."""

    tournament: TournamentView
    """The tournament."""
    own: OwnEntry | None
    """The caller's part in it; null for a caller who has none, and without a token."""


class StandingsPage(msgspec.Struct, frozen=True):
    """A page of the standings."""

    players: int
    """How many rows there are."""
    place: int | None
    """Where the player of `around` is among them, from 1; null if they have no row, and without `around`."""
    standings: tuple[StandingView, ...]
    """The best first."""
    next: int | None
    """The `cursor` of the next page; null on the last one."""


class TablesPage(msgspec.Struct, frozen=True):
    """A page of the tables of a tournament."""

    tables: tuple[PairedTable, ...]
    """By number, the latest first."""
    byes: tuple[Bye, ...]
    """The players without a match in the rounds of these tables, the latest round first; none in an arena."""
    next: int | None
    """The `cursor` of the next page; null on the last one."""


Item = TypeVar("Item")

TOURNAMENT_CODES = (*ROOMS_CODES, "no_such_tournament")
"""The refusals of a route that reads the tournament in its path."""

ENTRIES_PER_PAGE = page_size("Entries", 50)
PAGE = (CURSOR, ENTRIES_PER_PAGE)


def page_of(request: HttpRequest, total: int, around: int | None = None) -> tuple[int, int, int | None]:
    """Return where the requested page begins, its length, and where the next page begins.

    `around`: a place, from 1, in the middle of the page.
    """
    limit = ENTRIES_PER_PAGE.of(request)
    start: int = CURSOR.of(request) or 0
    if around is not None:
        start = max(0, around - 1 - limit // 2)
    return start, limit, start + limit if start + limit < total else None


def latest_of(request: HttpRequest, found: Sequence[tuple[int, Item]]) -> tuple[list[Item], int | None]:
    """Return the requested page of numbered items, of which the latest comes first, and the cursor of the next page.

    The cursor is the number of the last item on the page, so that an item that is added repeats none.
    """
    limit, before = ENTRIES_PER_PAGE.of(request), CURSOR.of(request)
    left = [(number, item) for number, item in found if before is None or number < before]
    shown = left[:limit]
    return [item for _, item in shown], shown[-1][0] if len(left) > limit else None


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
OF_PLAYER: Parameter[str | None] = Parameter("player", str, "Only matches of this player.", "p-aaaaaaaaaaaaaaaa")


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
    parameters=(ROUND, OF_PLAYER, *PAGE),
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
    number, player = ROUND.of(request), OF_PLAYER.of(request)
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


NEW_TOURNAMENT = msgspec.json.Decoder(NewTournament)
COMMAND = msgspec.json.Decoder(model.AnyTournamentCommand)
COMMAND_CODES = (
    *(*CHANGE_CODES, "no_such_tournament", "rate_limited", "too_many_nicknames"),
    *("tournament_over", "registration_closed", "tournament_full"),
    *("not_registered", "removed_from_tournament", "no_programs", "no_check_in", "not_the_organiser"),
    "too_few_players",
)


def caller_of(request: HttpRequest, scope: Scope | None) -> Caller:
    """Return the sender of a command, who may be an operator, and count it. Raises `ServiceError`."""
    context = context_of(request)
    caller = find_caller(context.callers, headers_of(request), scope)
    if caller is None:
        raise ServiceError("unauthenticated")
    if caller.kind != "operator":
        count(peer_of(dict(request.scope)), context.limits.commands, caller.player.id)
    return caller


def organiser_of(caller: Caller) -> Organiser:
    """Return a caller as the organiser of a tournament."""
    return Organiser(caller.player, is_operator=caller.kind == "operator")


@post(
    "/v1/tournaments",
    opt=document_route(
        "Create a tournament",
        {201: TournamentAnswer},
        body=NewTournament,
        parameters=(KEY,),
        refusals=(
            *CHANGE_CODES,
            "rate_limited",
            "too_many_tournaments",
            "too_many_nicknames",
            "key_reused",
        ),
        headers=("Location", "Idempotency-Replayed"),
        compressed=False,
        caller="required",
        tag="Tournaments",
    ),
)
async def create_tournament(request: HttpRequest) -> ASGIResponse:
    """Create a tournament. A player can have two open ones, an operator any number.

    Matches are rated. Their rooms are opened when the matches are due, with all players seated; `tournament_match` in
    each player's own feed names the room.
    """
    context, headers = context_of(request), headers_of(request)
    organiser = organiser_of(caller_of(request, "tournaments"))
    asked = await read_json(request, headers, NEW_TOURNAMENT)

    def count_new() -> None:
        peer = peer_of(dict(request.scope))
        if not organiser.is_operator:
            count(peer, context.limits.tournaments, peer.address(context.addresses))

    made = await context.tournaments.create(asked, organiser, idempotency_key(headers, asked), count_new)
    answer = await answer_for(context, made.id, organiser.player.id)
    replayed = commands.REPLAYED if made.replayed else ()
    return respond_json(answer, 201, headers=[("location", f"/v1/tournaments/{made.id}"), *replayed])


STATUS: Parameter[Status | None] = Parameter("status", Status, "Only tournaments with this status.", "registration")
GAME = only_game("tournaments of this game", "morris")
ORGANISER: Parameter[str | None] = Parameter(
    "organiser", str, "Only tournaments that this player created.", "p-aaaaaaaaaaaaaaaa"
)
PLAYER: Parameter[str | None] = Parameter(
    "player", str, "Only open tournaments in which this player takes part.", "p-aaaaaaaaaaaaaaaa"
)


@read(
    "/v1/tournaments",
    "List tournaments",
    TournamentList,
    parameters=(STATUS, GAME, ORGANISER, PLAYER, *PAGE),
    link="cursor",
    caller="none",
    tag="Tournaments",
)
async def read_tournaments(call: Call) -> TournamentList:
    """List the open tournaments and the latest ended ones; earlier ones can be read by their ids."""
    request, context = call.request, call.context
    status, game = STATUS.of(request), GAME.of(request)
    organiser, player = ORGANISER.of(request), PLAYER.of(request)
    entered = None
    if player is not None:
        limit_read(context, call.peer, reader_of(context, request), TOURNAMENTS_OF_PLAYER_COST)
        entered = await context.tournaments.entered_by(PlayerId(player))
    listed = await context.tournaments.listed()
    found = [
        (number, each)
        for number, each in zip(range(len(listed), 0, -1), listed, strict=True)
        if (status is None or each.status == status)
        and (game is None or each.terms.game == game)
        and (organiser is None or each.organiser == organiser)
        and (entered is None or each.id in entered)
    ]
    shown, following = latest_of(request, found)
    names = await context.tournaments.nicknames(each.organiser_ref for each in shown if each.organiser_ref)
    return TournamentList(tuple(summary_of(each, names) for each in shown), following)


@read(
    "/v1/tournaments/{tournament:str}",
    "Read a tournament",
    TournamentAnswer,
    refusals=TOURNAMENT_CODES,
    tag="Tournaments",
)
async def read_tournament(call: Call, tournament: str) -> TournamentAnswer:
    """Return a tournament and the caller's part in it."""
    return await answer_for(call.context, tournament, call.reader)


@post(
    "/v1/tournaments/{tournament:str}/commands",
    status_code=200,
    opt=document_route(
        "Send a command to a tournament",
        {200: TournamentAnswer},
        body=model.AnyTournamentCommand,
        refusals=COMMAND_CODES,
        compressed=False,
        caller="required",
        tag="Tournaments",
    ),
)
async def command_tournament(request: HttpRequest, tournament: FromPath[str]) -> ASGIResponse:
    """Register, withdraw or check in; for the organiser also begin, remove a player, or cancel."""
    context = context_of(request)
    caller = caller_of(request, None)
    command = await read_json(request, headers_of(request), COMMAND)
    require_scope(caller.scopes, "tournaments" if isinstance(command, model.OrganiserCommand) else "play")
    by = organiser_of(caller)
    if not isinstance(command, model.OrganiserCommand):
        require_player(caller.player)
    await context.tournaments.command(tournament, command, by)
    return respond_json(await answer_for(context, tournament, by.player.id))


async def answer_for(context: AppContext, tournament: TournamentId, reader: PlayerId | None) -> TournamentAnswer:
    """Return a tournament as a reader sees it. Raises `Rejected` (`no_such_tournament`)."""
    state, version = await context.tournaments.find(tournament)
    entry = None if reader is None or reader == OPERATOR else state.entries.get(reader)
    opponents = state.tables[entry.table].players if entry is not None and entry.table else ()
    names = await context.tournaments.names_in(state, opponents)
    view = tournament_view(state, listed_tournament(state, terms_in(state), version), names)
    return TournamentAnswer(view, None if reader is None else own_entry(state, reader, names))
