"""A command from start to end: the events that it leads to, and all followups."""

import msgspec

from service.domain.game import Event
from service.domain.ids import Epoch, Millis, PlayerId, RoomName, Version
from service.domain.room.decide import decide
from service.domain.room.evolve import evolve
from service.domain.room.model.command_context import CommandContext
from service.domain.room.model.commands import AnyCommand, Proceed
from service.domain.room.model.events import MatchEnded, MatchStarted, Recorded
from service.domain.room.model.opening import OpenRoom
from service.domain.room.model.state import Room, Table
from service.domain.room.subjects import lifecycle
from service.domain.room.subjects.matches import followups
from service.domain.room.subjects.outcomes import end_outdated
from service.domain.room.subjects.timeouts import extend_clocks

REVEALING = (MatchStarted, MatchEnded)
"""Events with secrets that nobody may know before they are stored: draws of chance, a seed."""


class UnitOfWork(msgspec.Struct):
    """The events of one command, which are stored together or not at all, and the room after them."""

    room: Room
    by: PlayerId | None
    now: Millis
    first: Version
    """The version of the first event."""
    recorded: list[Recorded] = []

    def record(self, history: list[Event]) -> None:
        """Add the next events, and apply them to the room."""
        room = self.room
        for event in history:
            version, match = Version(room.version + 1), match_number(room.table, event)
            recorded = Recorded(version, self.now, self.first, match, self.by, event)
            self.recorded.append(recorded)
            room = evolve(room, recorded)
        self.room = room


def match_number(table: Table, event: Event) -> int | None:
    """Return the number of the match that an event belongs to; None between two matches."""
    if table.status == "playing":
        return table.matches
    return table.matches + 1 if isinstance(event, MatchStarted) else None


def run(room: Room, command: AnyCommand, context: CommandContext) -> UnitOfWork:
    """Return the unit of work of a command and all its followups. Raises what `decide` raises.

    Only a worker's `Proceed`, and a `ready`, know whether the players are present whom the next match needs.
    """
    if type(command) is Proceed:
        context = msgspec.structs.replace(context, all_present=command.all_present)
    work = start(room, command, context)
    work.record(decide(work.room, command, context))
    return run_followups(work, context)


def start(room: Room, command: AnyCommand, context: CommandContext) -> UnitOfWork:
    """Return the unit of work of a command before the command is decided.

    A player's command finds the clocks extended by any down time, and a match under outdated rules already ended. Time
    in a room never runs backwards.
    """
    work = UnitOfWork(room, context.by, max(context.now, room.time), Version(room.version + 1))
    if type(command) is Proceed:
        return work
    if room.is_outdated:
        work.record(end_outdated(room))
    elif context.outages:
        work.record(extend_clocks(room, context))
    return work


def open_room(request: OpenRoom, name: RoomName, epoch: Epoch, context: CommandContext) -> UnitOfWork:
    """Return the unit of work that opens a room, with all followups. Raises `Rejected` or `Invalid`."""
    first, *more = lifecycle.open_room(request, name, epoch, context)
    recorded = Recorded(Version(1), context.now, Version(1), None, context.by, first)
    work = UnitOfWork(evolve(None, recorded), context.by, context.now, Version(1), [recorded])
    work.record(more)
    return run_followups(work, context)


def run_followups(work: UnitOfWork, context: CommandContext) -> UnitOfWork:
    """Record what happens without a command until nothing more does."""
    while more := followups(work.room, context):
        work.record(more)
    return work


def dry_run(room: Room, command: AnyCommand, context: CommandContext) -> tuple[list[Recorded], bool]:
    """Return the events that a command would lead to, as far as its sender may know, and whether more would follow.

    Stops before any reveal and any draw of chance. Raises what `run` raises.
    """
    work = start(room, command, context)
    history = decide(work.room, command, context)
    if isinstance(command, Proceed):  # it leads to followups only
        return work.recorded, True
    for index, event in enumerate(history):
        if isinstance(event, REVEALING):
            return work.recorded, True
        work.record(history[index : index + 1])
    return work.recorded, bool(followups(work.room, context))
