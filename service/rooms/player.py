"""Who commands or reads."""

import msgspec

from service.domain.room.model.ids import PlayerId


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who commands or looks; the nickname is what they are called where they give no other."""

    id: PlayerId
    nickname: str
    bot: bool = False
    """Whether they said that a program plays for them; absent for people."""
