"""What the events of a room have in common."""

from service.domain.game import Event


class RoomEvent(Event, frozen=True):
    """An event of the room; this base class distinguishes it from the events of games."""
