"""A line of a chat as clients get it."""

from typing import Literal

import msgspec

from service.rooms.player import Player

Audience = Literal["all", "players", "spectators"]


class ChatLine(msgspec.Struct, frozen=True):
    """A line of a chat."""

    id: str
    """The line's id; later lines have greater ids."""
    time: str
    player: Player
    """Who said it, under the name that they had there."""
    audience: Audience
    """Who can read it: all, or in a room that keeps them apart only players or only spectators."""
    text: str
    """Plain text, whatever it looks like."""
