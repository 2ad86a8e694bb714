"""The player's own feed: what happens to the player in all rooms at once."""

from collections.abc import AsyncIterator
from typing import TypeAlias

from turnstream_client.errors import EventsMissedError, TurnstreamError
from turnstream_client.feed import Feed, Followed, Readers
from turnstream_client.frames import Frame, OtherEvent, PlayerSnapshot, PlayerUpdate, decode_player_event
from turnstream_client.retries import Retries
from turnstream_client.schema import JoinedRoom, PlayerEvent

AnyPlayerEvent: TypeAlias = PlayerEvent | OtherEvent


class OwnFeed(Followed):
    """The own feed, followed: `async with client.follow_me() as feed`. The block begins when the rooms have arrived.

    After a lost connection it reconnects and resumes after the last event: no event is missing and none arrives twice.
    If it can no longer be followed, every method raises the reason.
    """

    def __init__(self, url: str, *, token: str | None, retries: Retries) -> None:
        """Prepare to follow; `Client.follow_me` does this."""
        self.rooms: tuple[JoinedRoom, ...] = ()
        """The player's rooms when the latest snapshot was made, which is when the block began."""
        self.version = 0
        """The version of the latest event."""
        self._mark: str | None = None
        self._events: Readers[AnyPlayerEvent] = Readers()
        self._feed = Feed(url, "/v1/feed", token, retries, {"me": True}, self)

    def events(self) -> AsyncIterator[AnyPlayerEvent]:
        """Yield each event after this call, in order and once. Raises `EventsMissedError`; `rooms` are new then."""
        return self._events.read(self.failure)

    # Frames

    def cursor(self) -> dict[str, object]:
        """Return where to resume."""
        return {} if self._mark is None else {"since": self.version, "mark": self._mark}

    def receive(self, frame: Frame) -> None:
        """Use a frame, and pass new events on. Raises `UnreadableError`."""
        match frame:
            case PlayerSnapshot():
                self._restart(frame)
            case PlayerUpdate():
                self._update(frame)

    def _restart(self, frame: PlayerSnapshot) -> None:
        """Use the rooms of a snapshot. It replaces the history, unless all events up to its version have arrived."""
        is_complete = self._mark is None or (frame.reason == "subscribed" and frame.version == self.version)
        self.version, self._mark, self.rooms = frame.version, frame.mark, frame.rooms
        self._is_loaded = True
        if not is_complete:
            self._events.put(EventsMissedError(frame.reason))

    def _update(self, frame: PlayerUpdate) -> None:
        """Pass new events on. Versions increase, but not all of them are sent."""
        events = [decode_player_event(event) for event in frame.events]
        fresh = [event for event in events if event.version > self.version]
        self.version, self._mark = frame.version, frame.mark
        for event in fresh:
            self._events.put(event)

    def _end(self, failure: TurnstreamError | None) -> None:
        self._events.put(failure)
