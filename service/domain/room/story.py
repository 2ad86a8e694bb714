"""A command told to its end: what it leads to, and all that then follows by itself."""

import msgspec

from service.domain.game import Event
from service.domain.room import events as happened
from service.domain.room.commands import AnyCommand, Proceed
from service.domain.room.context import Context
from service.domain.room.decide import decide
from service.domain.room.events import Recorded
from service.domain.room.evolve import evolve
from service.domain.room.matches import follow
from service.domain.room.opening import OpenRoom, opening
from service.domain.room.state import Room
from service.domain.room.timing import given_back
from service.domain.room.values import Epoch, Millis, PlayerId, RoomName, Version

UNCOVERING = (happened.MatchStarted, happened.MatchEnded)
"""Events that show what nobody may know before they are stored: a draw of chance, a seed."""


class Story(msgspec.Struct):
    """The events of one command as they will stand in the stream, and the room after each."""

    room: Room | None
    """None for one that is being opened."""
    by: PlayerId | None
    now: Millis
    first: Version
    recorded: list[Recorded] = []

    def tell(self, history: list[Event]) -> None:
        """Add what happened next."""
        room = self.room
        for event in history:
            version = self.first if room is None else Version(room.version + 1)
            recorded = Recorded(version, self.now, self.first, number_of_match(room, event), self.by, event)
            self.recorded.append(recorded)
            room = evolve(room, recorded)
        self.room = room


def number_of_match(room: Room | None, event: Event) -> int | None:
    """Return the number of the match that an event belongs to, None around the board between two."""
    if room is None:
        return None
    table = room.table
    if table.status == "playing":
        return table.matches
    return table.matches + 1 if isinstance(event, happened.MatchStarted) else None


def beginning(room: Room, context: Context) -> Story:
    """Return the story of a command before anything is told; the store's clock never goes back in a room."""
    return Story(room, context.by, max(context.now, room.time), Version(room.version + 1))


def executed(room: Room, command: AnyCommand, context: Context) -> Story:
    """Tell a command and all that follows from it. Raises `Rejected` or `Unfit`."""
    story = beginning(room, context)
    story.tell(decide(on_clock(story, room, command, context), command, context))
    return followed(story, context)


def on_clock(story: Story, room: Room, command: AnyCommand, context: Context) -> Room:
    """Give down time back before a player's command is judged, and return the room after it."""
    if context.outages and not isinstance(command, Proceed):
        story.tell(given_back(room, context))
    return story.room or room


def opened(asked: OpenRoom, name: RoomName, epoch: Epoch, context: Context) -> Story:
    """Tell the opening of a room and all that follows from it. Raises `Rejected` or `Unfit`."""
    story = Story(None, context.by, context.now, Version(1))
    story.tell(opening(asked, name, epoch, context))
    return followed(story, context)


def followed(story: Story, context: Context) -> Story:
    """Add what happens by itself until nothing does."""
    while story.room is not None and (more := follow(story.room, context)):
        story.tell(more)
    return story


def foretold(room: Room, command: AnyCommand, context: Context) -> tuple[list[Recorded], bool]:
    """Return the events a command would lead to as far as its sender may know, and whether more would follow.

    Stops before any reveal and any draw of chance. Raises what the command would raise.
    """
    story = beginning(room, context)
    history = decide(on_clock(story, room, command, context), command, context)
    for index, event in enumerate(history):
        if isinstance(event, UNCOVERING):
            return story.recorded, True
        story.tell(history[index : index + 1])
    return story.recorded, story.room is not None and bool(follow(story.room, context))
