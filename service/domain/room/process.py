"""A command told to its end: what it leads to, and all that then follows by itself."""

import msgspec

from service.domain.game import Event
from service.domain.room.decide import decide
from service.domain.room.evolve import evolve
from service.domain.room.model import events as happened
from service.domain.room.model.command_context import Context
from service.domain.room.model.commands import AnswerFor, AnyCommand, PlayFor, Proceed
from service.domain.room.model.events import Recorded
from service.domain.room.model.ids import Epoch, Millis, PlayerId, RoomName, Version
from service.domain.room.model.state import Room, Table
from service.domain.room.subjects.lifecycle import OpenRoom, opening
from service.domain.room.subjects.matches import follow
from service.domain.room.subjects.moves import outdated
from service.domain.room.subjects.timeouts import given_back

UNCOVERING = (happened.MatchStarted, happened.MatchEnded)
"""Events that show what nobody may know before they are stored: a draw of chance, a seed."""


class Story(msgspec.Struct):
    """The events of one command as they will stand in the stream, and the room after each."""

    room: Room
    by: PlayerId | None
    now: Millis
    first: Version
    recorded: list[Recorded] = []

    def tell(self, history: list[Event]) -> None:
        """Add what happened next."""
        room = self.room
        for event in history:
            version, match = Version(room.version + 1), number_of_match(room.table, event)
            recorded = Recorded(version, self.now, self.first, match, self.by, event)
            self.recorded.append(recorded)
            room = evolve(room, recorded)
        self.room = room


def number_of_match(table: Table, event: Event) -> int | None:
    """Return the number of the match that an event belongs to, None around the board between two."""
    if table.status == "playing":
        return table.matches
    return table.matches + 1 if isinstance(event, happened.MatchStarted) else None


def executed(room: Room, command: AnyCommand, context: Context) -> Story:
    """Tell a command and all that follows from it. Raises `Rejected` or `Unfit`.

    After a bot's move or answer the next match is only due: it begins when a human is known to be present.
    """
    if isinstance(command, PlayFor | AnswerFor) or (isinstance(command, Proceed) and not command.company):
        context = msgspec.structs.replace(context, company=False)
    story = begun(room, command, context)
    story.tell(decide(story.room, command, context))
    return followed(story, context)


def begun(room: Room, command: AnyCommand, context: Context) -> Story:
    """Return the story of a command up to where it is judged: down time is given back before a player's.

    A match under other rules than this release has is over before that. The time in a room never goes back.
    """
    story = Story(room, context.by, max(context.now, room.time), Version(room.version + 1))
    if not isinstance(command, Proceed):
        story.tell(outdated(room.playing) or (given_back(room, context) if context.outages else []))
    return story


def opened(asked: OpenRoom, name: RoomName, epoch: Epoch, context: Context) -> Story:
    """Tell the opening of a room and all that follows from it. Raises `Rejected` or `Unfit`."""
    first, *more = opening(asked, name, epoch, context)
    recorded = Recorded(Version(1), context.now, Version(1), None, context.by, first)
    story = Story(evolve(None, recorded), context.by, context.now, Version(1), [recorded])
    story.tell(more)
    return followed(story, context)


def followed(story: Story, context: Context) -> Story:
    """Add what happens by itself until nothing does."""
    while more := follow(story.room, context):
        story.tell(more)
    return story


def foretold(room: Room, command: AnyCommand, context: Context) -> tuple[list[Recorded], bool]:
    """Return the events a command would lead to as far as its sender may know, and whether more would follow.

    Stops before any reveal and any draw of chance. Raises what the command would raise.
    """
    story = begun(room, command, context)
    history = decide(story.room, command, context)
    for index, event in enumerate(history):
        if isinstance(event, UNCOVERING):
            return story.recorded, True
        story.tell(history[index : index + 1])
    return story.recorded, bool(follow(story.room, context))
