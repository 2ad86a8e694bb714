"""What is asked of the rooms, by whom, and what they answer."""

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

from service.domain.game import Rejected
from service.domain.room.model.clock import Outage
from service.domain.room.model.command_context import CommandContext
from service.domain.room.model.commands import AnyCommand, OpenRoom, Play
from service.domain.room.model.events import Recorded
from service.domain.room.model.ids import Epoch, Millis, PlayerId, RoomName, Version
from service.domain.room.model.state import Room
from service.domain.room.names.names import room_name
from service.rooms.codes import CODES
from service.rooms.errors import ServiceError
from service.rooms.player import Player
from service.rooms.presence_counts import PresenceCounts
from service.rooms.views.match_view import legal_moves
from service.store.codec import Stamp


class Environment(Protocol):
    """What comes from outside: the time on the store's clock, chance, and what is known of down times."""

    def now(self) -> Millis:
        """Return the time."""

    def seed(self) -> bytes:
        """Return 32 random bytes."""

    def outages(self, now: Millis) -> tuple[Outage, ...]:
        """Return the latest times in which the service was down; now is one of them if it lasts."""

    def is_stale(self) -> bool:
        """Return whether this process was late itself, so that its knowledge of down times is old."""

    async def refreshed(self) -> None:
        """Wait for a short time until that knowledge is new."""


class NameGenerator(Protocol):
    """How rooms that ask for no name are called."""

    def epoch(self, player: PlayerId, key: str | None) -> Epoch:
        """Return an epoch: always the same for a player's key, a new one without a key."""

    def names(self, epoch: Epoch) -> Sequence[RoomName]:
        """Return made-up names to try in turn, always the same for an epoch."""

    def unguessable(self, name: RoomName, epoch: Epoch) -> RoomName:
        """Return the name that a private room gets instead of this one, so that nobody meets it by chance."""


def candidate_names(generator: NameGenerator, asked: OpenRoom, epoch: Epoch) -> Sequence[RoomName]:
    """Return the names that a new room may get, in the order in which they are tried. Raises `Rejected`."""
    names = generator.names(epoch) if asked.name is None else [room_name(asked.name)]
    is_private = asked.settings.visibility == "private"
    return [generator.unguessable(name, epoch) for name in names] if is_private else names


class CommandRequest(msgspec.Struct, frozen=True):
    """A command with all that was sent around it."""

    command: AnyCommand
    by: Player | None
    """None is the service itself."""
    stamp: Stamp | None = None
    if_version: Version | None = None
    if_epoch: Epoch | None = None
    password_hash: str | None = None
    """The hash of the password that the command carries; made where it is executed."""

    @property
    def player_id(self) -> PlayerId | None:
        """Who commands; None is the service itself."""
        return self.by.id if self.by else None


class CommandResult(msgspec.Struct, frozen=True):
    """What a command led to: its events and the room after them."""

    room: Room
    recorded: Sequence[Recorded]
    replayed: bool = False
    open_end: bool = False
    """A dry run that stopped before a reveal or a draw of chance."""
    presence: PresenceCounts | None = None
    """Who is connected, where that is known here."""


def command_context(environment: Environment, by: Player | None, password_hash: str | None = None) -> CommandContext:
    """Return what a command brings along; None is the service itself."""
    now = environment.now()
    outages, seed = environment.outages(now), environment.seed()
    if by is None:
        return CommandContext(None, "", now, seed, outages=outages)
    return CommandContext(by.id, by.nickname, now, seed, password_hash, by.bot, outages)


def check_preconditions(room: Room, request: CommandRequest) -> None:
    """Refuse a command whose sender insists on another version or epoch than the room's."""
    if request.if_version is not None and request.if_version != room.version:
        raise Rejected("version_mismatch")
    if request.if_epoch is not None and request.if_epoch != room.table.key.epoch:
        raise Rejected("version_mismatch")


def error_for(room: Room, request: CommandRequest, rejected: Rejected) -> ServiceError:
    """Return the problem of a refused command: why, where the room stands, and what the caller's seat may play."""
    status = CODES[rejected.code].status
    more: dict[str, Any] = {"params": dict(rejected.params) or None}
    if status in {409, 412}:
        more["version"] = room.version
        if isinstance(request.command, Play) and request.by is not None:
            more["legal_moves"] = playable_moves(room, request.by.id, request.command.seat)
    return ServiceError(rejected.code, **more)


def playable_moves(room: Room, player: PlayerId, wanted: int | None) -> list[Any] | None:
    """Return the legal moves of the seat that a player speaks for, None for one without a seat."""
    own = room.table.seats_of[player]
    seats = [seat for seat in own if wanted is None or seat == wanted]
    return [move for seat in seats for move in legal_moves(room, seat)] if own else None
