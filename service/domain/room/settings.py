"""How a room is set: when matches begin, who may find it, who may hold which seat."""

from typing import Annotated, Literal

import msgspec


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a room; each field's default stands first in the API's table."""

    visibility: Literal["public", "unlisted"] = "public"
    """Whether the lobby shows the room; an unlisted one is found by its name only."""
    start: Literal["ready", "full", "creator"] = "ready"
    """What begins the first match: all seated players ready, all seats taken, or the creator's `start`."""
    restart: Annotated[int, msgspec.Meta(ge=0, le=86_400_000)] | None = 5000
    """Milliseconds from a match's end to the next match's start; null = the next one waits for readiness."""
    seats_next: Literal["keep", "rotate"] = "keep"
    """Whether the players move one seat on from match to match."""
    hot_seat: bool = False
    """Whether one player may hold several seats on one device."""
