"""Small types that must not be mixed up: ids, names, versions and times."""

from typing import NewType

import msgspec

Version = NewType("Version", int)
"""The number of an event in its room's stream, from 1; also the cursor of a feed and half of an ETag."""

Millis = NewType("Millis", int)
"""A time on the store's clock in milliseconds since 1970, or a duration in milliseconds."""

PlayerId = NewType("PlayerId", str)
"""A player's id; created with the player's token, which signs it."""

PLAYER_ID = "p-[a-z0-9]{1,40}"
"""The form of a player's id, as a regular expression."""

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
