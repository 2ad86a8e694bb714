"""The archive of closed rooms: files with everything that the public can read, made before the events are deleted."""

import asyncio

from service.domain.ids import Millis, RoomKey
from service.domain.room.model.events import MatchEnded, MatchStarted, Recorded, RoomOpened
from service.rooms.kind import ROOMS
from service.rooms.views.event_view import event_lines
from service.store.contract import Store, Trimmed
from service.store.integrity import BrokenHistory
from service.streams.errors import ServiceError
from service.streams.reader import SLICE, damaged, decode_entry, whole_stream

ROOM = "room.ndjson"
"""All events of the room, one per line."""


class RoomArchive:
    """The closed rooms of a store, whose events are moved to files after some time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.trim = self._store.worker_store.trim
        """Deletes the events of a closed room from the store."""

    async def closed_for(self, age: Millis, limit: int) -> list[RoomKey]:
        """Return rooms that have been closed for so long and whose events are still in the store."""
        now = await self._store.time()  # closing times are in the store's time, not the service's
        return await self._store.worker_store.closed(Millis(now - age), limit)

    async def files(self, key: RoomKey) -> dict[str, bytes]:
        """Return the files of a room's archive by name: the room's, and `<number>.ndjson` for each match that ended.

            A match's file is its export, so `turnstream verify` accepts it.
        Raises `ServiceError` with `trimmed`, `history_damaged` or `newer_events`.
        """
        game, history = await full_history(self._store, key)
        parts = {f"{number}.ndjson": events for number, events in ended_matches(history).items()}
        return {name: event_lines(events, None, game) for name, events in {ROOM: history, **parts}.items()}


async def full_history(store: Store, key: RoomKey) -> tuple[str, list[Recorded]]:
    """Return the game and all events of a room, checked.

    Raises `ServiceError` with `trimmed`, `history_damaged` or `newer_events`.
    """
    try:
        entries = [entry async for page in whole_stream(store, key) for entry in page]
    except Trimmed:
        raise ServiceError("trimmed") from None
    except BrokenHistory as broken:
        raise damaged(key, broken) from None
    if not entries:
        raise damaged(key, "there are no events")
    game, history = "", list[Recorded]()
    for count, entry in enumerate(entries, 1):
        history.append(decode_entry(ROOMS, key, game, entry).recorded)
        game = game or opened_game(history[0])
        if count % SLICE == 0:
            await asyncio.sleep(0)
    return game, history


def opened_game(first: Recorded) -> str:
    """Return the game of a room by its first event."""
    assert isinstance(first.event, RoomOpened)  # noqa: S101 - as the codec checks
    return first.event.game


def ended_matches(history: list[Recorded]) -> dict[int, list[Recorded]]:
    """Return the events of each match that has ended, by its number."""
    found: dict[int, list[Recorded]] = {}
    for recorded in history:
        if recorded.match is not None and (isinstance(recorded.event, MatchStarted) or recorded.match in found):
            found.setdefault(recorded.match, []).append(recorded)
    return {number: events for number, events in found.items() if isinstance(events[-1].event, MatchEnded)}
