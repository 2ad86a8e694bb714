"""What a client knows about one room: the latest view, the version of the latest event, and the server's time."""

from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

import msgspec

from turnstream_client.errors import EventsMissedError, GapError, RoomReplacedError, TurnstreamError
from turnstream_client.frames import (
    Frame,
    Heartbeat,
    OtherEvent,
    Presence,
    Snapshot,
    Subscribed,
    Update,
    convert_view,
    decode_event,
)
from turnstream_client.patch import apply_patch
from turnstream_client.schema import (
    AnyEvent,
    MorrisMatchView,
    RainbowMatchView,
    RoomView,
    TernioMatchView,
    TriboardMatchView,
    TurncoatMatchView,
)

MatchView: TypeAlias = MorrisMatchView | RainbowMatchView | TernioMatchView | TriboardMatchView | TurncoatMatchView
"""The running match of a room, or its last one."""
News: TypeAlias = AnyEvent | OtherEvent | TurnstreamError
"""An event, or the reason why some are missing."""


class RoomState:
    """One room, as described by the frames of its feed."""

    def __init__(self) -> None:
        """Start empty."""
        self.view: RoomView | None = None
        self.version = 0
        """The version of the latest event."""
        self.mark: str | None = None
        """The mark of that version, from which the room resumes."""
        self.generation = 0
        """How often a snapshot has replaced the history."""
        self._sent: dict[str, Any] = {}
        """The view as sent, which the next patch changes."""
        self._epoch: str | None = None
        self._ahead: timedelta | None = None

    def apply(self, frame: Frame) -> list[News]:
        """Apply a frame and return its new events. Raises `GapError`, `RoomReplacedError`, `UnreadableError`."""
        match frame:
            case Subscribed():
                self._subscribe(frame)
            case Snapshot():
                return self._restart(frame)
            case Update():
                return self._update(frame)
            case Presence() if self.view is not None:
                self.view = with_presence(self.view, frame)
            case Heartbeat():
                self._measure(frame.server_time)
        return []

    def _subscribe(self, frame: Subscribed) -> None:
        if self._epoch not in {None, frame.epoch}:
            raise RoomReplacedError(f"another room is called {frame.room} now")
        self._epoch = frame.epoch
        self._ahead = None  # the device's clock may have been set while there was no connection

    def _restart(self, frame: Snapshot) -> list[News]:
        """Use a complete view. It replaces the history, unless all events up to its version have arrived."""
        is_complete = self.view is None or (frame.reason == "subscribed" and frame.version == self.version)
        self.version, self.mark = frame.version, frame.mark
        self._set_view(frame.view)
        if is_complete:
            return []
        self.generation += 1
        return [EventsMissedError(frame.reason)]

    def _update(self, frame: Update) -> list[News]:
        game = self.view.game if self.view is not None else ""
        events = [decode_event(event, game) for event in frame.events]
        new = [event for event in events if event.version > self.version]
        if not new:
            return []
        if new[0].version != self.version + 1:
            raise GapError(f"version {self.version + 1} is missing before {new[0].version}")
        view = frame.view if frame.patch is None else self._patched(frame)
        self.version, self.mark = frame.version, frame.mark
        if view is not None:
            self._set_view(view)
        return list(new)

    def _patched(self, frame: Update) -> dict[str, Any]:
        """Return the view after an update. Raises `GapError`."""
        if frame.from_ != self._sent.get("version"):
            raise GapError(f"the view of version {frame.from_} is missing")
        try:
            view: dict[str, Any] = apply_patch(self._sent, frame.patch or [])
        except LookupError as error:
            raise GapError(f"the patch after version {frame.from_} does not fit: {error}") from error
        return view

    def _set_view(self, view: dict[str, Any]) -> None:
        self._sent, self.view = view, convert_view(view)
        self._measure(self.view.server_time)

    # The server's time

    def _measure(self, server_time: datetime) -> None:
        """Compare clocks. Frames arrive late, so the greatest difference is the most exact."""
        ahead = server_time - datetime.now(UTC)
        self._ahead = ahead if self._ahead is None else max(ahead, self._ahead)

    def now(self) -> datetime:
        """Return the server's time."""
        return datetime.now(UTC) + (self._ahead or timedelta())

    def remaining_ms(self) -> list[int] | None:
        """Return the milliseconds that each seat has left now, None where time is not limited."""
        match = self.view.match if self.view is not None else None
        if match is None or match.clock is None:
            return None
        clock = match.clock
        passed = (self.now() - clock.server_time) // timedelta(milliseconds=1) if clock.deadline else 0
        running = [passed if seat in match.to_move else 0 for seat in range(len(clock.remaining))]
        return [max(0, left - spent) for left, spent in zip(clock.remaining, running, strict=True)]


def with_presence(view: RoomView, frame: Presence) -> RoomView:
    """Return the view with who is connected now."""
    players = [
        msgspec.structs.replace(each, presence=frame.players.get(each.id, each.presence)) for each in view.players
    ]
    return msgspec.structs.replace(view, players=players, watchers=frame.watchers)
