"""The frames of a player's own feed."""

from typing import Literal

import msgspec

from service.domain.room.model.ids import Version
from service.rooms.feeds.frames import OutgoingFrame, Position, ServerFrame
from service.rooms.views.joined_room import JoinedRoom

FEED = "@me"
"""Names a player's own feed instead of a room in `OutgoingFrame`; no room can have this name."""

Reason = Literal["subscribed", "history_changed", "trimmed", "too_slow"]


class PlayerSubscribed(ServerFrame, frozen=True):
    """The subscription to the caller's own feed was accepted."""

    version: Version
    """The version of the feed."""
    mark: str
    recovered: bool
    """Whether the events after the client's version follow; otherwise a snapshot does."""


class PlayerSnapshot(ServerFrame, frozen=True):
    """The caller's rooms, and whether it is their turn there. It replaces everything before."""

    version: Version
    """The version of the feed."""
    mark: str
    reason: Reason
    """Why it is sent instead of the events."""
    rooms: tuple[JoinedRoom, ...]
    """The caller's rooms."""


class PlayerUpdate(ServerFrame, frozen=True):
    """New events of the caller's own feed."""

    version: Version
    """The version of the last event."""
    mark: str
    events: msgspec.Raw


class PlayerCaughtUp(ServerFrame, frozen=True):
    """The client has everything up to this version; the frames after this one are live."""

    version: Version
    """The version of the feed."""


PlayerFrame = PlayerSubscribed | PlayerSnapshot | PlayerUpdate | PlayerCaughtUp


def encode_frame(frame: PlayerFrame) -> OutgoingFrame:
    """Return the encoded frame, with the position up to which it brings its receiver."""
    mark = None if isinstance(frame, PlayerCaughtUp) else frame.mark
    position = Position(frame.version, mark, is_complete=not isinstance(frame, PlayerSubscribed))
    return OutgoingFrame(msgspec.json.encode(frame), FEED, position)
