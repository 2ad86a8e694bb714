"""The room's fold: copies what happened, never judges."""

from collections.abc import Iterable

from msgspec.structs import replace

from service.domain.catalog import GAMES
from service.domain.room.evolve_match import on_the_table, played
from service.domain.room.evolve_table import around_the_table
from service.domain.room.model import events as happened
from service.domain.room.model.events import Recorded, RoomEvent
from service.domain.room.model.ids import PlayerId, RoomKey
from service.domain.room.model.state import Room, Table
from service.domain.validation import fit


def evolve(room: Room | None, recorded: Recorded) -> Room:
    """Return the room after an event; None is the room before it was opened."""
    event = recorded.event
    if room is None:
        return opened(recorded)
    if not isinstance(event, RoomEvent):
        return Room(room.table, played(room, recorded), recorded.version, recorded.time)
    table = around_the_table(room.table, event, recorded)  # type: ignore[arg-type]  # the codec decodes no other subclass
    if recorded.by in table.members and not table.members[recorded.by].bot:
        table = replace(table, heard=recorded.time)
    return Room(table, on_the_table(room, recorded), recorded.version, recorded.time)


def opened(recorded: Recorded) -> Room:
    """Return the room that `RoomOpened` tells of."""
    event = recorded.event
    assert isinstance(event, happened.RoomOpened)  # noqa: S101 - a stream's first event, by the codec
    game = GAMES[event.game]
    table = Table(
        key=RoomKey(event.name, event.epoch),
        title=event.title,
        game=event.game,
        options=event.options,
        settings=event.settings,
        lock=event.lock or None,
        opened=recorded.time,
        creator=recorded.by or PlayerId(""),
        status="open",
        members={},
        seats=(None,) * len(game.seats(fit(event.options, game.options))),
        next_seed=bytes.fromhex(event.next_seed) if event.next_seed else None,
    )
    return Room(table, None, recorded.version, recorded.time)


def fold(room: Room, history: Iterable[Recorded]) -> Room:
    """Return the room after a run of events."""
    for recorded in history:
        room = evolve(room, recorded)
    return room
