"""Moderation: players report others; operators find, mute and ban them, read reports, and have tokens with names."""

from typing import Annotated

import msgspec
from msgspec.structs import replace

from service.api.http.callers import ADMIN
from service.api.http.json_routes import Call, change
from service.api.http.parameters import CHANGE_CODES, Parameter, flag
from service.api.routes.admin import AFTER, CURSOR, CloseRequest, change_as_operator, line_id, read_as_operator
from service.api.routes.people.tokens import visible_text
from service.domain.ids import PLAYER_ID, Player, PlayerId, RoomName
from service.domain.room.model import names
from service.domain.validation import Invalid
from service.rooms.access import audit_log
from service.rooms.access.audit_log import LogEntry, OperatorToken, Restriction
from service.rooms.access.directory import Nicknames
from service.rooms.access.reports import FiledReport, Report
from service.streams.errors import ServiceError

REASON_LENGTH, MOST_OPERATORS, PAGE_SIZE = 500, 100, 100


class AdminPlayer(msgspec.Struct, frozen=True):
    """A player as operators see them."""

    player: PlayerId
    nicknames: tuple[str, ...]
    """The nicknames that the player has used."""
    muted: Restriction | None
    """The mute; null if the player can write."""
    banned: Restriction | None
    """The ban; null if the player's tokens are accepted."""
    erased: bool
    """Whether the player was erased."""


class AdminPlayers(msgspec.Struct, frozen=True):
    """A page of players."""

    players: tuple[AdminPlayer, ...]
    """The players, in no particular order."""
    next: str | None
    """The `cursor` of the next page; the pages before the last one may be empty."""


def admin_player(call: Call, player: PlayerId, known: Nicknames) -> AdminPlayer:
    """Return a player as operators see them."""
    now = call.context.moderation
    muted, banned = now.muted.get(player), now.banned.get(player)
    return AdminPlayer(player, known.get(player, ()), muted, banned, player in now.erased)


async def require_known(call: Call, player: PlayerId) -> AdminPlayer:
    """Return a player as operators see them. Raises `ServiceError` (`unknown_player`)."""
    nicknames = await call.context.directory.nicknames([player])
    found = admin_player(call, player, nicknames)
    if player not in nicknames and not (found.muted or found.banned or found.erased):
        raise ServiceError("unknown_player")
    return found


QUERY: Parameter[str] = Parameter("q", str, "The id of a player, or a part of a nickname.", "otter", default="")
RESTRICTED = flag("restricted", "Whether only muted and banned players are listed, all of them.")


@read_as_operator(
    "/v1/admin/players", "Find players", AdminPlayers, link="cursor", parameters=(QUERY, RESTRICTED, CURSOR)
)
async def find_players(call: Call, _operator: Player) -> AdminPlayers:
    """List players by id or nickname; letters that look alike count as the same.

    Only players are found who have used a nickname in a room, a chat, a seek or a challenge, and who were not erased.
    """
    text, directory, moderation = QUERY.of(call.request), call.context.directory, call.context.moderation
    following = None
    if RESTRICTED.of(call.request):
        listed = (*moderation.banned, *moderation.muted)
        known = dict.fromkeys(listed, ()) | await directory.nicknames(listed)
    elif not (known := await directory.nicknames([PlayerId(text)])):
        try:
            known, following = await directory.search(text, CURSOR.of(call.request))
        except ValueError:
            raise Invalid("Unknown cursor", parameter="cursor") from None
    return AdminPlayers(tuple(admin_player(call, player, known) for player in known), following)


@read_as_operator("/v1/admin/players/{player:str}", "Read a player", AdminPlayer, "unknown_player")
async def inspect_player(call: Call, _operator: Player, player: PlayerId) -> AdminPlayer:
    """Show a player with all their nicknames, and whether they are muted or banned."""
    return await require_known(call, player)


class ModerationRequest(CloseRequest, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether to begin or end a mute or ban, and the reason."""

    on: bool
    """Whether it begins or ends."""


async def record_action(call: Call, operator: Player, action: audit_log.AnyAction) -> LogEntry:
    """Record an operator's action; it takes effect immediately in this process, and within seconds in the others."""
    action = replace(action, by=operator.nickname)
    done = await call.context.audit_log.record(action)
    audit_log.apply(call.context.moderation, done.id, action)
    return done


@change_as_operator(
    *("/v1/admin/players/{player:str}/mute", "Mute a player", {200: LogEntry}, "unknown_player"),
    body=ModerationRequest,
)
async def mute_player(call: Call, operator: Player, asked: ModerationRequest, player: PlayerId) -> LogEntry:
    """Mute a player in all chats, or unmute them."""
    await require_known(call, player)
    return await record_action(call, operator, audit_log.PlayerMuted(asked.reason, player, asked.on))


@change_as_operator(
    *("/v1/admin/players/{player:str}/ban", "Ban a player", {200: LogEntry}, "unknown_player"),
    body=ModerationRequest,
)
async def ban_player(call: Call, operator: Player, asked: ModerationRequest, player: PlayerId) -> LogEntry:
    """Reject a player's token everywhere, or accept it again. A banned player can still read without a token.

    A ban also removes the player from every open tournament, permanently.
    """
    await require_known(call, player)
    done = await record_action(call, operator, audit_log.PlayerBanned(asked.reason, player, asked.on))
    if asked.on:
        await call.context.tournaments.remove_everywhere(player)
    return done


class ReportRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A report about a player."""

    player: Annotated[PlayerId, msgspec.Meta(pattern=f"^{PLAYER_ID}$")]
    """The player's id."""
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]
    """What happened: 1 to 500 visible characters after normalisation."""
    room: RoomName | None = None
    """The name of the room where it happened."""


@change(
    "POST",
    "/v1/reports",
    "Report a player",
    {204: None},
    limit=None,
    body=ReportRequest,
    refusals=(*CHANGE_CODES, "rate_limited", "own_report", "unknown_player", "bad_name"),
    tag="Players",
)
async def report_player(call: Call, me: Player, asked: ReportRequest) -> None:
    """Report a player to the operators, who alone can read it. Another report within an hour is ignored."""
    if asked.player == me.id:
        raise ServiceError("own_report")
    call.count(call.context.limits.reports)
    reason = visible_text(asked.reason, REASON_LENGTH, "/reason")
    room = None if asked.room is None else names.room_name(asked.room)
    await require_known(call, asked.player)
    await call.context.reports.add(Report(by=me.id, player=asked.player, reason=reason, room=room))


class ReportQueue(msgspec.Struct, frozen=True):
    """A page of reports, the oldest first."""

    reports: tuple[FiledReport, ...]
    """The reports."""
    nicknames: Nicknames
    """The nicknames of the players in them, by their ids; erased players have none."""
    next: str | None
    """The `after` of the next page."""


CLOSED = flag("closed", "Whether closed reports are listed, too.")


@read_as_operator("/v1/admin/reports", "List reports", ReportQueue, link="after", parameters=(CLOSED, AFTER))
async def list_reports(call: Call, _operator: Player) -> ReportQueue:
    """List the reports that wait, of the last 180 days and of the last thousand; no report is kept for longer."""
    after, with_closed, found = AFTER.of(call.request) or "0-0", CLOSED.of(call.request), list[FiledReport]()
    async for filed in call.context.reports.all(after):
        if with_closed or not filed.closed:
            found.append(filed)
        if len(found) == PAGE_SIZE:
            break
    known = await call.context.directory.nicknames([each for filed in found for each in (filed.by, filed.player)])
    return ReportQueue(tuple(found), known, found[-1].id if len(found) == PAGE_SIZE else None)


@change_as_operator(
    *("/v1/admin/reports/{report:str}/close", "Close a report", {200: LogEntry}, "no_such_report"), body=CloseRequest
)
async def close_report(call: Call, operator: Player, asked: CloseRequest, report: str) -> LogEntry:
    """Take a report out of the queue, with the reason for the audit log."""
    filed = await call.context.reports.close(line_id(report, "report"))
    if filed is None:
        raise ServiceError("no_such_report")
    return await record_action(call, operator, audit_log.ReportClosed(asked.reason, filed.id, filed.player))


class OperatorTokenRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new operator token."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    """The name of the operator, for the audit log: 1 to 40 visible characters after normalisation."""


class MadeOperatorToken(OperatorToken, frozen=True):
    """A new operator token. It is not stored, so it cannot be read again."""

    token: str
    """The token itself, for the header `Authorization`."""


class OperatorTokens(msgspec.Struct, frozen=True):
    """The operator tokens with names, the oldest first."""

    tokens: tuple[OperatorToken, ...]
    """The tokens that were not revoked."""


def require_admin(operator: Player) -> None:
    """Raise `ServiceError` (`admin_only`) for a token with a name: one that was revoked has left no other behind."""
    if operator.nickname != ADMIN:
        raise ServiceError("admin_only")


@change_as_operator(
    *("/v1/admin/tokens", "Create an operator token", {201: MadeOperatorToken}, "admin_only", "too_many_tokens"),
    secret=True,
    body=OperatorTokenRequest,
)
async def make_operator_token(call: Call, operator: Player, asked: OperatorTokenRequest) -> MadeOperatorToken:
    """Create a token for one operator, by whose name the audit log has what is done with it; it can make no others."""
    require_admin(operator)
    name, known = visible_text(asked.name), call.context.moderation.operators
    if name in {ADMIN, *(token.name for token in known.values())}:
        raise Invalid("Another operator token has this name", "/name")
    if len(known) >= MOST_OPERATORS:
        raise ServiceError("too_many_tokens")
    done = await record_action(call, operator, audit_log.OperatorAdded("", name))
    return MadeOperatorToken(done.id, name, done.time, call.context.tokens.operators(done.id))


@read_as_operator("/v1/admin/tokens", "List the operator tokens", OperatorTokens, "admin_only")
async def list_operator_tokens(call: Call, operator: Player) -> OperatorTokens:
    """List the operator tokens with names, without their secrets."""
    require_admin(operator)
    return OperatorTokens(tuple(call.context.moderation.operators.values()))


@change_as_operator(
    *("/v1/admin/tokens/{token:str}", "Revoke an operator token", {204: None}, "admin_only", "no_such_token"),
    method="DELETE",
)
async def revoke_operator_token(call: Call, operator: Player, token: str) -> None:
    """Reject an operator token from now on. It takes effect within seconds, and closes sockets and streams."""
    require_admin(operator)
    known = call.context.moderation.operators.get(token)
    if known is None:
        raise ServiceError("no_such_token")
    await record_action(call, operator, audit_log.OperatorRevoked("", token, known.name))
