"""The fold of a room: copies what the events say, and never checks them."""

from collections.abc import Iterable

from msgspec.structs import replace

from service.domain.catalog import GAMES
from service.domain.ids import PlayerId, RoomKey
from service.domain.room.evolve_match import apply_game_event, apply_room_event_to_match
from service.domain.room.evolve_table import apply_to_table
from service.domain.room.model.events import Recorded, RoomEvent, RoomOpened
from service.domain.room.model.state import Room, Table
from service.domain.validation import convert


def evolve(room: Room | None, recorded: Recorded) -> Room:
    """Return the room after an event; None is the room before it was opened."""
    event = recorded.event
    if room is None:
        return open_room(recorded)
    if not isinstance(event, RoomEvent):
        return Room(room.table, apply_game_event(room, recorded), recorded.version, recorded.time)
    table = apply_to_table(room.table, event, recorded)  # type: ignore[arg-type]  # the codec decodes no other subclass
    if recorded.by in table.members and not table.members[recorded.by].bot:
        table = replace(table, heard=recorded.time)
    return Room(table, apply_room_event_to_match(room, recorded), recorded.version, recorded.time)


def open_room(recorded: Recorded) -> Room:
    """Return the room after its `RoomOpened`."""
    event = recorded.event
    assert isinstance(event, RoomOpened)  # noqa: S101 - the first event of every stream, as the codec checks
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
        seats=(None,) * len(game.seats(convert(event.options, game.options))),
        next_seed=bytes.fromhex(event.next_seed) if event.next_seed else None,
        tournament=event.tournament or None,
    )
    return Room(table, None, recorded.version, recorded.time)


def fold(room: Room, history: Iterable[Recorded]) -> Room:
    """Return the room after these events."""
    for recorded in history:
        room = evolve(room, recorded)
    return room
