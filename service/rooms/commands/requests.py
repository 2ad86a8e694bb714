"""Requests to the application with their results, and what the application needs from outside."""

import hashlib
from collections.abc import Sequence
from typing import Any, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from service.domain.ids import Epoch, NameRef, Player, PlayerId, RoomName, Version
from service.domain.room.model.commands import AnyCommand
from service.domain.room.model.events import InvitationSecret, Recorded
from service.domain.room.model.names import room_name
from service.domain.room.model.settings import OpenRoom
from service.domain.room.model.state import Room
from service.domain.streams import IdempotencyKey
from service.rooms.presence_counts import PresenceCounts
from service.runtime.environment import Clock


class Environment(Clock, Protocol):
    """What the application needs from outside: the service's time and down times, and random bytes."""

    def seed(self) -> bytes:
        """Return 32 random bytes."""


class NameGenerator(Protocol):
    """Generates epochs, and names for rooms that are opened without one."""

    def epoch(self, player: PlayerId, key: str | None) -> Epoch:
        """Return an epoch: the same one for the same key of a player, a random one without a key."""

    def names(self, epoch: Epoch) -> Sequence[RoomName]:
        """Return generated names in the order in which they are tried, the same ones for the same epoch."""

    def unguessable(self, name: RoomName, epoch: Epoch) -> RoomName:
        """Return the name that a private room gets instead of this one, so that it cannot be guessed."""


FINGERPRINT_BYTES = 12


def with_fingerprint(key: str, body: object) -> IdempotencyKey:
    """Return an idempotency key with the fingerprint of the command's decoded body."""
    canonical = msgspec.json.encode(without_passwords(msgspec.to_builtins(body)), order="deterministic")
    return IdempotencyKey(key, hashlib.blake2b(canonical, digest_size=FINGERPRINT_BYTES).hexdigest())


def without_passwords(body: Any) -> Any:
    """Return plain data without passwords, which a fast hash would reveal; only scrypt may hash them."""
    if not isinstance(body, dict):
        return body
    return {name: without_passwords(value) for name, value in body.items() if name != "password"}


def candidate_names(generator: NameGenerator, request: OpenRoom, epoch: Epoch) -> Sequence[RoomName]:
    """Return the names that a new room may get, in the order in which they are tried. Raises `Rejected`."""
    names = generator.names(epoch) if request.name is None else [room_name(request.name)]
    is_private = request.settings.visibility == "private"
    return [generator.unguessable(name, epoch) for name in names] if is_private else names


class CommandRequest(msgspec.Struct, frozen=True):
    """A command with its sender, its idempotency key and its preconditions."""

    command: AnyCommand
    by: Player | None
    """None for a system command."""
    idempotency_key: IdempotencyKey | None = None
    if_version: Version | None = None
    if_epoch: Epoch | None = None
    password_hash: str | None = None
    """The hash of the password in the command, which is computed when the command is executed."""
    invitation: InvitationSecret | None = None
    """What is stored of the code of a new invitation, which is created when the command is executed."""
    name_ref: NameRef | UnsetType = UNSET
    """Where the nickname is stored that the command chooses, which is stored when the command is executed."""
    all_present: bool = False
    """Whether all players were found to be present, as is checked for `ready`."""

    @property
    def player_id(self) -> PlayerId | None:
        """The player who sent the command; None for a system command."""
        return self.by.id if self.by else None


class CommandResult(msgspec.Struct, frozen=True):
    """The result of a command: its events and the room after them."""

    room: Room
    recorded: Sequence[Recorded]
    replayed: bool = False
    open_end: bool = False
    """Whether a dry run stopped before a reveal or a random draw."""
    presence: PresenceCounts | None = None
    """Who is connected; None if this process does not know it."""
