"""What a command to a room leads to, worked out before anything is stored."""

import msgspec
from msgspec import UNSET

from service.domain.game import Rejected
from service.domain.room import process
from service.domain.room.model.commands import AnswerFor, PlayFor, Proceed
from service.domain.room.model.events import Recorded
from service.domain.room.model.ids import Millis
from service.domain.room.model.state import Room
from service.rooms.access.passwords import admit
from service.rooms.projections import batch, next_due
from service.rooms.requests import (
    CommandRequest,
    CommandResult,
    Environment,
    check_preconditions,
    command_context,
    error_for,
)
from service.rooms.room import LoadedRoom
from service.store.codec import Stored, encoded
from service.store.contract import Batch

SYSTEM_COMMANDS = frozenset({Proceed, PlayFor, AnswerFor})
"""The commands of workers; the claim before them has changed in the store when the room is due."""


class PendingCommit(msgspec.Struct, frozen=True):
    """What a command leads to: the room after it and when that is due, its events, and what the store is told."""

    room: Room
    due: Millis | None
    recorded: list[Recorded]
    history: list[Stored]
    """The same events with what the store keeps beside them."""
    batch: Batch


def prepare(live: LoadedRoom, request: CommandRequest, fresh: Environment) -> PendingCommit:
    """Return what a command leads to. Refuses and raises as the rules do."""
    before = live.room
    admit(before, request)
    check_preconditions(before, request)
    work = process.run(before, request.command, command_context(fresh, request.by, request.lock))
    room, recorded = work.room, work.recorded
    if not recorded:
        raise Rejected("nothing_due")
    history, entries = encoded(live.head, recorded, request.stamp)
    due = next_due(room)
    stays = due == live.due and type(request.command) not in SYSTEM_COMMANDS
    told = batch(before, room, recorded, entries, UNSET if stays else due)
    return PendingCommit(room, due, recorded, history, told)


def dry_run(room: Room, request: CommandRequest, fresh: Environment) -> CommandResult:
    """Return what a command would lead to, as far as its sender may know. Refuses and raises as the rules do."""
    admit(room, request)
    try:
        check_preconditions(room, request)
        recorded, open_end = process.dry_run(room, request.command, command_context(fresh, request.by, request.lock))
    except Rejected as rejected:
        raise error_for(room, request, rejected) from None
    return CommandResult(room, recorded, open_end=open_end)
