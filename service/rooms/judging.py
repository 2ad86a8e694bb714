"""What a command to a room leads to, worked out before anything is stored."""

import msgspec
from msgspec import UNSET

from service.domain.game import Rejected
from service.domain.room.events import Recorded
from service.domain.room.state import Room
from service.domain.room.story import executed
from service.domain.room.values import Millis
from service.rooms.asking import Fresh, Request, context, expect
from service.rooms.live import LiveRoom
from service.rooms.locks import admit
from service.rooms.projections import batch, next_due
from service.streams.codec import Stored, encoded
from service.streams.contract import Batch


class Change(msgspec.Struct, frozen=True):
    """What a command leads to: the room after it and when that is due, its events, and what the store is told."""

    room: Room
    due: Millis | None
    recorded: list[Recorded]
    history: list[Stored]
    """The same events with what the store keeps beside them."""
    batch: Batch


def judged(live: LiveRoom, request: Request, fresh: Fresh) -> Change:
    """Return what a command leads to. Refuses and raises as the rules do."""
    before = live.room
    admit(before, request)
    expect(before, request)
    story = executed(before, request.command, context(fresh, request.by, request.lock))
    room, recorded = story.room, story.recorded
    if not recorded:
        raise Rejected("nothing_due")
    history, entries = encoded(live.head, recorded, request.stamp)
    due = next_due(room)
    told = batch(before, room, recorded, entries, UNSET if due == live.due else due)
    return Change(room, due, recorded, history, told)
