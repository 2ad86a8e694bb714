"""What the events of a room have in common."""

from typing import Literal

from service.domain.game import Event, Level

CloseReason = Literal["by_creator", "by_operator", "deserted", "idle"]
"""Who or what closed a room."""

VoidReason = Literal["closed", "restarted", "replaced", "rules_changed"]
"""Why a match was ended without a result."""

BotKind = Level | Literal["external"]
"""The kind of a bot: the level of a bot of the service, or `external` for a player's own program."""


class RoomEvent(Event, frozen=True):
    """An event of the room; this base class distinguishes it from the events of games."""
