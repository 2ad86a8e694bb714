"""The audit log of operators' actions, and the players whom they have muted or banned, as this process knows them."""

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

import msgspec
import structlog

from service.domain.ids import Epoch, Millis, PlayerId, RoomName
from service.runtime.timers import until_next
from service.store.contract import Store, StoreUnavailable
from service.store.side_channels import Line, place_of_line
from service.streams.errors import ServiceError


class Moderation:
    """The players who may not write in chats, and those whose tokens are rejected."""

    def __init__(
        self,
        on_ban: Callable[[PlayerId], None] = lambda _: None,
        on_erasure: Callable[[PlayerId], None] = lambda _: None,
    ) -> None:
        """Start with no one muted or banned; the functions are called with each player who was banned or erased."""
        self._muted: set[PlayerId] = set()
        self._banned: set[PlayerId] = set()
        self.erased: set[PlayerId] = set()
        """The players who were erased."""
        self._on_ban, self._on_erasure = on_ban, on_erasure

    def mute(self, player: PlayerId, *, on: bool) -> None:
        """Mute a player, or let them write again."""
        (self._muted.add if on else self._muted.discard)(player)

    def ban(self, player: PlayerId, *, on: bool) -> None:
        """Ban a player, or end the ban."""
        (self._banned.add if on else self._banned.discard)(player)
        if on:
            self._on_ban(player)

    def erase(self, player: PlayerId) -> None:
        """Reject all tokens of a player, and forget their nicknames."""
        if player not in self.erased:
            self.erased.add(player)
            self._on_erasure(player)

    def refuse(self, player: PlayerId) -> None:
        """Raise `ServiceError` (`player_erased`, `banned`) for a player who was erased or is banned."""
        if player in self.erased:
            raise ServiceError("player_erased")
        if player in self._banned:
            raise ServiceError("banned")

    def refuse_muted(self, player: PlayerId) -> None:
        """Raise `ServiceError` with `muted_by_operator` for a muted player."""
        if player in self._muted:
            raise ServiceError("muted_by_operator")


log = structlog.get_logger()

READ_INTERVAL = 2.0
"""Seconds within which every process applies an action."""


class AuditAction(msgspec.Struct, frozen=True, tag_field="type"):
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


AnyAction = RoomShut | PlayerMuted | PlayerBanned | PlayerErased | LossAccepted | OperatorWebhook | MatchVoided
ACTION = msgspec.json.Decoder(AnyAction)

ID = re.compile(r"\d{1,19}-\d{1,19}")
"""The form of a line's id."""


class AuditEntry(msgspec.Struct, frozen=True):
    """An entry of the audit log: its id, its time, and the encoded action."""

    id: str
    time: Millis
    action: msgspec.Raw


def entry_of(line: Line) -> AuditEntry:
    """Return the entry in a stored line."""
    moment, _ = place_of_line(line.id)
    return AuditEntry(line.id, moment, msgspec.Raw(line.data))


class AuditLog:
    """The audit log, to which entries are only appended; an action takes effect through its entry."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def record(self, action: AnyAction) -> AuditEntry:
        """Append an action."""
        return entry_of(await self._store.admin_store.log(msgspec.json.encode(action)))

    async def page(self, after: str | None, limit: int) -> list[AuditEntry]:
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
                    apply(self._moderation, ACTION.decode(line.data))
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


def apply(moderation: Moderation, action: AnyAction) -> None:
    """Apply an action to a process's moderation."""
    match action:
        case PlayerMuted(player=player, on=on):
            moderation.mute(player, on=on)
        case PlayerBanned(player=player, on=on):
            moderation.ban(player, on=on)
        case PlayerErased(player=player):
            moderation.erase(player)
        case RoomShut() | LossAccepted() | OperatorWebhook():
            pass
