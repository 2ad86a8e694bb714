"""The words a room is told in: small types that must not mix."""

from typing import NewType

import msgspec

Version = NewType("Version", int)
"""The number of an event in its room's stream, from 1; also the cursor of a feed and half of an ETag."""

Millis = NewType("Millis", int)
"""A moment on the store's clock, in milliseconds since 1970, or a duration in milliseconds."""

PlayerId = NewType("PlayerId", str)
"""Who sits, watches or commands; made when a guest arrives, signed into its token."""

RoomName = NewType("RoomName", str)
"""A folded name: 3 to 40 of `a-z 0-9 -`."""

Epoch = NewType("Epoch", str)
"""Which room of a name: another one every time the name is opened."""


class RoomKey(msgspec.Struct, frozen=True, cache_hash=True):
    """A room for ever: its name and its epoch. A closed room keeps its key when the name is opened again."""

    name: RoomName
    epoch: Epoch
