"""The routes of tournaments: creating one, the list, a tournament, and commands for it."""

import msgspec
from litestar import post
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.http import commands
from service.api.http.callers import Caller, find_caller
from service.api.http.common_headers import count
from service.api.http.context import AppContext, context_of
from service.api.http.json_routes import Call, read
from service.api.http.parameters import HttpRequest, Parameter, only_game
from service.api.http.peers import peer_of
from service.api.http.read_limits import TOURNAMENTS_OF_PLAYER_COST, limit_read, reader_of
from service.api.http.requests import headers_of, idempotency_key, read_json
from service.api.http.responses import respond_json
from service.api.http.route_docs import CHANGE_CODES, KEY, document_route
from service.api.routes.contests.tournament_bodies import (
    PAGE,
    TOURNAMENT_CODES,
    AnyTournamentCommand,
    BeginTournament,
    CancelTournament,
    CheckInToTournament,
    EnterTournament,
    LeaveTournament,
    OrganiserCommand,
    RemoveFromTournament,
    TournamentAnswer,
    TournamentList,
    latest_of,
)
from service.contests.tournament_service import Organiser
from service.contests.tournament_views import own_entry, summary_of, tournament_view
from service.domain.accounts.model import Scope
from service.domain.ids import PlayerId
from service.domain.room.subjects.privacy import OPERATOR
from service.domain.tournaments.decide import terms_in
from service.domain.tournaments.kind import listed_tournament
from service.domain.tournaments.model import NewTournament, Status, TournamentId
from service.rooms.access.policy import require_player, require_scope
from service.rooms.commands.requests import with_fingerprint
from service.streams.errors import ServiceError

NEW_TOURNAMENT = msgspec.json.Decoder(NewTournament)
COMMAND = msgspec.json.Decoder(AnyTournamentCommand)
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
    key = idempotency_key(headers)
    asked = await read_json(request, headers, NEW_TOURNAMENT)

    def count_new() -> None:
        peer = peer_of(dict(request.scope))
        if not organiser.is_operator:
            count(peer, context.limits.tournaments, peer.address(context.addresses))

    made = await context.tournaments.create(asked, organiser, with_fingerprint(key, asked), count_new)
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
        body=AnyTournamentCommand,
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
    require_scope(caller.scopes, "tournaments" if isinstance(command, OrganiserCommand) else "play")
    if isinstance(command, OrganiserCommand):
        await execute_for_organiser(context, tournament, command, organiser_of(caller))
        return respond_json(await answer_for(context, tournament, caller.player.id))
    player = require_player(caller.player)
    match command:
        case EnterTournament():
            await context.tournaments.register(tournament, player)
        case LeaveTournament():
            await context.tournaments.withdraw(tournament, player.id)
        case CheckInToTournament():
            await context.tournaments.check_in(tournament, player.id)
    return respond_json(await answer_for(context, tournament, player.id))


async def execute_for_organiser(
    context: AppContext, tournament: TournamentId, command: OrganiserCommand, by: Organiser
) -> None:
    """Execute a command that only the organiser and operators can give."""
    match command:
        case BeginTournament():
            await context.tournaments.begin(tournament, by)
        case RemoveFromTournament(player=player):
            await context.tournaments.remove(tournament, player, by)
        case CancelTournament():
            await context.tournaments.cancel(tournament, by)


async def answer_for(context: AppContext, tournament: TournamentId, reader: PlayerId | None) -> TournamentAnswer:
    """Return a tournament as a reader sees it. Raises `Rejected` (`no_such_tournament`)."""
    state, version = await context.tournaments.find(tournament)
    entry = None if reader is None or reader == OPERATOR else state.entries.get(reader)
    opponents = state.tables[entry.table].players if entry is not None and entry.table else ()
    names = await context.tournaments.names_in(state, opponents)
    view = tournament_view(state, listed_tournament(state, terms_in(state), version), names)
    return TournamentAnswer(view, None if reader is None else own_entry(state, reader, names))
