"""Which rooms a subscriber of the lobby wants, and the frames of changes for it."""

from collections.abc import Iterable

import msgspec

from service.domain.ids import Millis, RoomKey
from service.rooms.feeds import frames
from service.rooms.feeds.frames import OutgoingFrame
from service.rooms.views.lobby_entry import LobbyEntry

Changes = dict[RoomKey, LobbyEntry | None]
"""The latest entry of each room that changed, None for a room that is no longer listed."""


class LobbyFilter(msgspec.Struct, frozen=True):
    """Which rooms are shown."""

    game: str | None = None
    """Only rooms of this game."""
    joinable: bool = False
    """Only rooms in which others can take a seat."""

    def shows(self, entry: LobbyEntry, now: Millis) -> bool:
        """Return whether a room is shown."""
        return self.game in {None, entry.game} and (not self.joinable or entry.is_joinable(now))


EVERYTHING = LobbyFilter()


def change_frames(changes: Changes, wanted: LobbyFilter, now: Millis) -> list[OutgoingFrame]:
    """Return the frames for changes: first the removed rooms, then the new and changed ones.

    A room that can no longer be joined is removed, whether it was shown before or not.
    """
    gone = [key for key, entry in changes.items() if entry is None or (wanted.joinable and not entry.is_joinable(now))]
    entries = tuple([entry for entry in changes.values() if entry is not None and wanted.shows(entry, now)])
    changed = [removal_frame(gone)] if gone else []
    return [*changed, frames.encode_frame(frames.LobbyFrame(upsert=entries), frames.LOBBY)] if entries else changed


def removal_frame(gone: Iterable[RoomKey]) -> OutgoingFrame:
    """Return the frame for rooms that are no longer shown."""
    rooms = tuple(frames.LobbyRoom(key.name, key.epoch) for key in gone)
    return frames.encode_frame(frames.LobbyFrame(remove=rooms), frames.LOBBY)


class AbandonedRooms:
    """Rooms that can still be joined for some time although everybody has left; that ends without an event."""

    def __init__(self) -> None:
        """Start without any."""
        self._rooms: dict[RoomKey, LobbyEntry] = {}

    def note(self, key: RoomKey, entry: LobbyEntry | None, now: Millis) -> None:
        """Take the current entry of a room."""
        self._rooms.pop(key, None)
        if entry is not None and entry.abandoned_at is not None and entry.is_joinable(now):
            self._rooms[key] = entry

    def take_ended(self, now: Millis) -> list[RoomKey]:
        """Return and forget the rooms that can no longer be joined."""
        ended = [key for key, entry in self._rooms.items() if not entry.is_joinable(now)]
        for key in ended:
            del self._rooms[key]
        return ended
