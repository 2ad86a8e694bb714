"""What the events of a room have in common."""

from typing import Literal

from service.domain.game import Event

CloseReason = Literal["by_creator", "by_operator", "deserted", "idle"]
"""Who or what closed a room."""


class RoomEvent(Event, frozen=True):
    """An event of the room; this base class distinguishes it from the events of games."""
