"""A player as the sender of requests."""

import msgspec

from service.domain.room.model.ids import PlayerId


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player; a command to join can set another nickname for its room."""

    id: PlayerId
    """The player's id."""
    nickname: str
    bot: bool = False
    """Whether the player declared that a program plays for them; absent for people."""
