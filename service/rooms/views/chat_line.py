"""A line of a chat in its wire form."""

from typing import Literal

import msgspec

from service.domain.ids import Player

Audience = Literal["all", "players", "spectators"]


class ChatLine(msgspec.Struct, frozen=True):
    """A line of a chat."""

    id: str
    """The line's id; later lines have greater ids."""
    time: str
    player: Player
    """Who wrote it, with the nickname that they had there."""
    audience: Audience
    """Who can read it: everyone, or, in a room with `chat` set to `apart`, only players or only spectators."""
    text: str
    """Plain text; empty if the player was erased."""
    room: str | msgspec.UnsetType = msgspec.UNSET
    """The room where it was written; absent in the lobby."""
    title: str | msgspec.UnsetType = msgspec.UNSET
    """The title of that room."""
