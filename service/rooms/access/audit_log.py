"""What operators do to rooms and players, in a log: who is muted or banned follows from it."""

import asyncio
import re
from contextlib import suppress

import msgspec
import structlog

from service.domain.room.model.ids import Epoch, Millis, PlayerId, RoomName
from service.rooms.access.moderation import Moderation
from service.store.contract import Store, StoreUnavailable
from service.store.side_channels import Line, place_of_line

log = structlog.get_logger()

LOOK_EVERY = 2.0
"""Seconds after which every process knows of an action."""


class AuditAction(msgspec.Struct, frozen=True, tag_field="type"):
    """Something an operator did, and why."""

    reason: str


class RoomShut(AuditAction, frozen=True, tag="room_shut"):
    """A room was closed."""

    room: RoomName
    epoch: Epoch


class PlayerMuted(AuditAction, frozen=True, tag="player_muted"):
    """A player may not chat anywhere, or may again."""

    player: PlayerId
    on: bool


class PlayerBanned(AuditAction, frozen=True, tag="player_banned"):
    """A player's token is refused everywhere, or is accepted again."""

    player: PlayerId
    on: bool


class LossAccepted(AuditAction, frozen=True, tag="loss_accepted"):
    """A store that has lost data, or that a backup was read into, is used from here on."""

    store: str
    """The new id of the store."""
    predecessors: tuple[str, ...]
    """The ids of the stores that it replaces."""
    missing: dict[int, int]
    """At least how many events were missing then, by partition."""


AnyAction = RoomShut | PlayerMuted | PlayerBanned | LossAccepted
ACTION = msgspec.json.Decoder(AnyAction)

ID = re.compile(r"\d{1,19}-\d{1,19}")
"""The form of a line's id."""


class AuditEntry(msgspec.Struct, frozen=True):
    """A line of the operators' log: its id, its time, and the action as the release that wrote it encoded it."""

    id: str
    time: Millis
    deed: msgspec.Raw


def entry_of(line: Line) -> AuditEntry:
    """Return what a line tells."""
    moment, _ = place_of_line(line.id)
    return AuditEntry(line.id, moment, msgspec.Raw(line.data))


class AuditLog:
    """The log of what operators do, which is never changed; each entry takes effect by being in it."""

    def __init__(self, store: Store) -> None:
        """Use the log of this store."""
        self._store = store

    async def record(self, action: AnyAction) -> AuditEntry:
        """Append an action."""
        return entry_of(await self._store.admin_store.log(msgspec.json.encode(action)))

    async def page(self, after: str | None, limit: int) -> list[AuditEntry]:
        """Return the entries after an id, or from the beginning, at most `limit`."""
        return [entry_of(line) for line in await self._store.admin_store.logged(after, limit)]


class ModerationFollower:
    """Applies the operators' audit log to a process's moderation."""

    def __init__(self, store: Store, moderation: Moderation) -> None:
        """Begin before the first entry."""
        self._store = store
        self._moderation = moderation
        self._after: str | None = None

    async def catch_up(self) -> None:
        """Read what was done since the last look; what only a newer release can do is left to that."""
        while lines := await self._store.admin_store.logged(self._after):
            for line in lines:
                try:
                    apply(self._moderation, ACTION.decode(line.data))
                except msgspec.ValidationError as misfit:
                    log.warning("deed_not_known", line=line.id, error=str(misfit))
                self._after = line.id

    async def keep_up(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            with suppress(StoreUnavailable):
                await self.catch_up()
            await asyncio.sleep(LOOK_EVERY)


def apply(moderation: Moderation, action: AnyAction) -> None:
    """Let an action take effect in this process."""
    match action:
        case PlayerMuted(player=player, on=on):
            moderation.mute(player, on=on)
        case PlayerBanned(player=player, on=on):
            moderation.ban(player, on=on)
        case RoomShut() | LossAccepted():
            pass
