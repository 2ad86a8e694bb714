"""What is kept of a closed room when its events are thrown away: everything that the public could read."""

from service.domain.room.events import MatchEnded, MatchStarted, Recorded
from service.domain.room.values import RoomKey, Version
from service.rooms.events import event_lines
from service.rooms.problems import Refused
from service.rooms.rooms import Rooms
from service.rooms.shelf import decoded, first_game, is_continuation
from service.streams.contract import NOT_BEGUN, Trimmed

ROOM = "room.ndjson"
"""All events of the room, one a line."""


async def archived(rooms: Rooms, key: RoomKey) -> dict[str, bytes]:
    """Return the files of a room's archive by name: the room's, and `<number>.ndjson` for each match that ended.

    A match's file is what its export gives, so `turnstream verify` accepts it. Refuses `trimmed`, `history_damaged`.
    """
    history = await whole_history(rooms, key)
    matches = {f"{number}.ndjson": event_lines(events, None) for number, events in ended_matches(history).items()}
    return {ROOM: event_lines(history, None), **matches}


async def whole_history(rooms: Rooms, key: RoomKey) -> list[Recorded]:
    """Return all events of a room, each held against the digests. Refuses `trimmed`, `history_damaged`."""
    try:
        entries = await rooms.store.read(key, Version(0))
    except Trimmed:
        raise Refused("trimmed") from None
    if not entries or not is_continuation(NOT_BEGUN, entries):
        raise Refused("history_damaged")
    return [stored.recorded for stored in decoded(first_game(entries), entries)]


def ended_matches(history: list[Recorded]) -> dict[int, list[Recorded]]:
    """Return the events of each match that has ended, by its number."""
    found: dict[int, list[Recorded]] = {}
    for recorded in history:
        if recorded.match is not None and (isinstance(recorded.event, MatchStarted) or recorded.match in found):
            found.setdefault(recorded.match, []).append(recorded)
    return {number: events for number, events in found.items() if isinstance(events[-1].event, MatchEnded)}
