"""Small types that must not be mixed up: ids, names, versions and times; and players, who have some of them."""

from typing import Annotated, ClassVar, NewType

import msgspec

Version = NewType("Version", int)
"""The number of an event in its room's stream, from 1; also the cursor of a feed and half of an ETag."""

Millis = NewType("Millis", int)
"""A time on the store's clock in milliseconds since 1970, or a duration in milliseconds."""

Moment = Annotated[Millis, msgspec.Meta(extra={"is_time": True})]
"""A time that is stored in milliseconds since 1970, and sent to clients as RFC 3339; see `wire_form`."""

PlayerId = NewType("PlayerId", str)
"""A player's id; created with the player's token, which signs it."""

PLAYER_ID = "p-[a-z0-9]{1,40}"
"""The form of a player's id, as a regular expression."""


def is_person(player: PlayerId) -> bool:
    """Return whether this is the id of a person; those of the service's bots begin with `bot-`."""
    return player.startswith("p-")


NameRef = NewType("NameRef", str)
"""Refers to a nickname of a player: the player's id, a slash and a number. Nicknames are stored apart from events."""

RoomName = NewType("RoomName", str)
"""A folded name: 3 to 40 of the characters `a-z 0-9 -`."""

Epoch = NewType("Epoch", str)
"""Distinguishes the rooms of one name; each room that is opened under the name gets another one."""


class RoomKey(msgspec.Struct, frozen=True, cache_hash=True):
    """Identifies a room permanently: its name and epoch. A closed room keeps its key when its name is used again."""

    name: RoomName
    epoch: Epoch
    kind: ClassVar[str] = "room"

    @property
    def id(self) -> str:
        """What identifies the room among those with its epoch: its name."""
        return self.name

    @property
    def label(self) -> str:
        """The key as a text, as in the store's sets."""
        return f"{self.name}:{self.epoch}"


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player; a command to join can set another nickname for its room."""

    id: PlayerId
    """The player's id."""
    nickname: str
    bot: bool = False
    """Whether the player declared that a program plays for them; absent for people."""
