"""The audit log of operators' actions, and the players whom they have muted or banned, as this process knows them."""

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

import msgspec
import structlog

from service.domain.ids import Epoch, PlayerId, RoomName, rfc3339
from service.domain.room.subjects.privacy import OPERATOR
from service.runtime.timers import until_next
from service.store.contract import Store, StoreUnavailable
from service.store.side_channels import Line, place_of_line
from service.streams.errors import ServiceError


class Restriction(msgspec.Struct, frozen=True):
    """A mute or ban of a player."""

    since: str
    """When it began."""
    reason: str
    """Why."""
    by: str
    """The name of the operator; empty where it is unknown."""


class OperatorToken(msgspec.Struct, frozen=True):
    """An operator token with a name, without its secret."""

    id: str
    """The id of the token, by which it is revoked."""
    name: str
    """The name of the operator."""
    made: str
    """When it was created."""


class Moderation:
    """The players who may not write in chats, those whose tokens are rejected, and the named operator tokens."""

    def __init__(
        self,
        on_ban: Callable[[PlayerId], None] = lambda _: None,
        on_erasure: Callable[[PlayerId], None] = lambda _: None,
    ) -> None:
        """Start with no one muted or banned; the functions are called with who was banned (or `OPERATOR`) or erased."""
        self.muted: dict[PlayerId, Restriction] = {}
        self.banned: dict[PlayerId, Restriction] = {}
        self.erased: set[PlayerId] = set()
        """The players who were erased."""
        self.operators: dict[str, OperatorToken] = {}
        """The named operator tokens by their ids, the oldest first."""
        self._on_ban, self._on_erasure = on_ban, on_erasure

    def ban(self, player: PlayerId, restriction: Restriction) -> None:
        """Ban a player."""
        self.banned[player] = restriction
        self._on_ban(player)

    def revoke(self, token: str) -> None:
        """Reject an operator token with this id."""
        if self.operators.pop(token, None) is not None:
            self._on_ban(OPERATOR)

    def erase(self, player: PlayerId) -> None:
        """Reject all tokens of a player, and forget their nicknames."""
        if player not in self.erased:
            self.erased.add(player)
            self._on_erasure(player)

    def refuse(self, player: PlayerId) -> None:
        """Raise `ServiceError` (`player_erased`, `banned`) for a player who was erased or is banned."""
        if player in self.erased:
            raise ServiceError("player_erased")
        if player in self.banned:
            raise ServiceError("banned")

    def refuse_muted(self, player: PlayerId) -> None:
        """Raise `ServiceError` with `muted_by_operator` for a muted player."""
        if player in self.muted:
            raise ServiceError("muted_by_operator")


log = structlog.get_logger()

READ_INTERVAL = 2.0
"""Seconds within which every process applies an action."""


class ByOperator(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who did something."""

    by: str = ""
    """The name of the operator's token; left out for the command line, and by earlier releases."""


class AuditAction(ByOperator, frozen=True, tag_field="type"):
    """An operator's action, and the reason."""

    reason: str


class RoomShut(AuditAction, frozen=True, tag="room_shut"):
    """A room was closed."""

    room: RoomName
    epoch: Epoch


class PlayerMuted(AuditAction, frozen=True, tag="player_muted"):
    """A player was muted in all chats, or can write again."""

    player: PlayerId
    on: bool


class PlayerBanned(AuditAction, frozen=True, tag="player_banned"):
    """A player's token is rejected everywhere, or is accepted again."""

    player: PlayerId
    on: bool


class PlayerErased(AuditAction, frozen=True, tag="player_erased"):
    """A player was erased permanently."""

    player: PlayerId


class LossAccepted(AuditAction, frozen=True, tag="loss_accepted"):
    """The use of a store that has lost data, or into which a backup was restored, was accepted."""

    store: str
    """The new id of the store."""
    predecessors: tuple[str, ...]
    """The ids of the stores that it replaces."""
    missing: dict[int, int]
    """The least number of missing events, by partition."""


class OperatorWebhook(AuditAction, frozen=True, tag="operator_webhook"):
    """A webhook of the operator was registered, changed or deleted, or its secret was rotated."""

    webhook: str
    """The id of the webhook."""
    action: Literal["added", "changed", "removed", "rotated"]
    host: str
    """The host of its URL."""


class MatchVoided(AuditAction, frozen=True, tag="match_voided"):
    """A rated match was voided: what it changed in its players' ratings was undone."""

    match: str
    """The id of the match."""
    list: str
    """The rating list, as `morris.blitz`."""


class OperatorAdded(AuditAction, frozen=True, tag="operator_added"):
    """An operator token with a name was created; the id of this entry is that of the token."""

    name: str


class OperatorRevoked(AuditAction, frozen=True, tag="operator_revoked"):
    """An operator token is rejected from now on."""

    token: str
    """The id of the token."""
    name: str


class ReportClosed(AuditAction, frozen=True, tag="report_closed"):
    """A report by a player was closed."""

    report: str
    """The id of the report."""
    player: PlayerId
    """The player about whom it is."""


OnPlayer = PlayerMuted | PlayerBanned | PlayerErased | ReportClosed
OnOperators = OperatorWebhook | OperatorAdded | OperatorRevoked
AnyAction = OnPlayer | OnOperators | RoomShut | LossAccepted | MatchVoided
ACTION = msgspec.json.Decoder(AnyAction)

ID = re.compile(r"\d{1,19}-\d{1,19}")
"""The form of a line's id."""


class LogEntry(msgspec.Struct, frozen=True):
    """An entry of the audit log."""

    id: str
    """The id of the entry."""
    time: str
    deed: msgspec.Raw
    """What was done, with the reason, and by which operator."""


def entry_of(line: Line) -> LogEntry:
    """Return the entry in a stored line."""
    return LogEntry(line.id, time_of(line.id), msgspec.Raw(line.data))


def time_of(line_id: str) -> str:
    """Return the time of a stored line."""
    return rfc3339(place_of_line(line_id)[0])


class AuditLog:
    """The audit log, to which entries are only appended; an action takes effect through its entry."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def record(self, action: AnyAction) -> LogEntry:
        """Append an action."""
        return entry_of(await self._store.admin_store.log(msgspec.json.encode(action)))

    async def page(self, after: str | None, limit: int) -> list[LogEntry]:
        """Return the entries after an id, or from the beginning, at most `limit`."""
        return [entry_of(line) for line in await self._store.admin_store.logged(after, limit)]


async def erased_players(store: Store) -> set[PlayerId]:
    """Return all players who were erased."""
    moderation = Moderation()
    await ModerationFollower(store, moderation).catch_up()
    return moderation.erased


async def know_erased(store: Store) -> None:
    """Let the nicknames of a store know who was erased: what an older release left of them is no damage."""
    for player in await erased_players(store):
        store.player_names.hide(player)


class ModerationFollower:
    """Applies the operators' audit log to a process's moderation."""

    def __init__(self, store: Store, moderation: Moderation) -> None:
        """Start before the first entry."""
        self._store = store
        self._moderation = moderation
        self._after: str | None = None

    async def catch_up(self) -> None:
        """Apply the new entries; damaged ones, and those of newer releases that this one does not know, are skipped."""
        while lines := await self._store.admin_store.logged(self._after):
            for line in lines:
                try:
                    apply(self._moderation, line.id, ACTION.decode(line.data))
                except (msgspec.DecodeError, UnicodeDecodeError) as invalid:
                    log.warning("audit_entry_not_known", line=line.id, error=str(invalid))
                self._after = line.id

    def has_erased(self, player: PlayerId) -> bool:
        """Return whether the entries that were applied erase a player."""
        return player in self._moderation.erased

    async def keep_up(self) -> None:
        """Apply new entries regularly until cancelled."""
        while True:
            with suppress(StoreUnavailable):
                await self.catch_up()
            await asyncio.sleep(until_next(READ_INTERVAL))


def apply(moderation: Moderation, entry: str, action: AnyAction) -> None:
    """Apply the action of an entry with this id to a process's moderation, if it is about players or operators."""
    time = time_of(entry)
    match action:
        case PlayerMuted(player=player, on=True):
            moderation.muted[player] = Restriction(time, action.reason, action.by)
        case PlayerMuted(player=player):
            moderation.muted.pop(player, None)
        case PlayerBanned(player=player, on=True):
            moderation.ban(player, Restriction(time, action.reason, action.by))
        case PlayerBanned(player=player):
            moderation.banned.pop(player, None)
        case PlayerErased(player=player):
            moderation.erase(player)
        case OperatorAdded(name=name):
            moderation.operators[entry] = OperatorToken(entry, name, time)
        case OperatorRevoked(token=token):
            moderation.revoke(token)
