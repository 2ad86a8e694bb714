"""How a room is set: when matches begin, who may find it, who may hold which seat."""

from typing import Annotated, Literal

import msgspec

from service.domain.room.model.clock import Clock, NoClock


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a room; each field's default stands first in the API's table."""

    visibility: Literal["public", "unlisted", "private"] = "public"
    """Whether the lobby shows the room; an unlisted one is found by its name, a private one only with its password."""
    start: Literal["ready", "full", "creator"] = "ready"
    """What begins the first match: all seated players ready, all seats taken, or the creator's `start`."""
    restart: Annotated[int, msgspec.Meta(ge=0, le=86_400_000)] | None = 5000
    """Milliseconds from a match's end to the next match's start; null = the next one waits for readiness.

    Bots among themselves stop a day after a player last asked for something.
    """
    clock: Clock = NoClock()
    """How much time the seats have."""
    on_timeout: Literal["lose", "random_move", "bot_move"] = "lose"
    """What happens to a seat whose time runs out: it drops out, or the house plays for it until the turn passes."""
    bot_pause: Annotated[int, msgspec.Meta(ge=0, le=60_000)] = 1000
    """Milliseconds that a bot waits before it moves, so that people can follow."""
    seats_next: Literal["keep", "rotate"] = "keep"
    """Whether the players move one seat on from match to match."""
    best_of: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0
    """How many matches make a series, which ends when somebody can't be caught up; 0 = no series."""
    hints: Literal["bots_only", "off", "on"] = "bots_only"
    """Where a player may ask the house for a move: against bots of the house only, nowhere, or everywhere."""
    hot_seat: bool = False
    """Whether one player may hold several seats on one device."""
    chat: Literal["together", "apart"] = "together"
    """Whether players and spectators read each other's lines."""
    spectators: bool = True
    """Whether others than the players may watch; where not, new spectators are refused and strangers see nothing."""
    grace_ms: Annotated[int, msgspec.Meta(ge=0, le=86_400_000)] = 60_000
    """Milliseconds after which a seat on which nobody plays any more can be claimed against."""


Password = Annotated[str, msgspec.Meta(min_length=1, max_length=128)]
NewPassword = Annotated[str, msgspec.Meta(min_length=6, max_length=128)]
"""Rooms that were opened with a shorter one keep it."""


class SettingsAsked(Settings, frozen=True, forbid_unknown_fields=True):
    """Settings as they are asked for."""

    password: NewPassword | None = None
    """Of a private room, 6 to 128 characters; `join` has to carry it. Only a salted scrypt hash is kept."""

    @property
    def kept(self) -> Settings:
        """What is kept of them in the open."""
        return Settings(**{field: getattr(self, field) for field in Settings.__struct_fields__})
