"""The types of `AdminStore`."""

import msgspec

from service.domain.ids import PlayerId, RoomKey
from service.store.side_channels import Where
from service.store.stream_keys import KindKey


class StoreNode(msgspec.Struct, frozen=True):
    """The state of one server of a store."""

    memory: int
    """Bytes in use."""
    memory_limit: int
    """Bytes; 0 if there is no limit."""
    file: int
    """Bytes of its append-only file."""
    writes: bool
    """Whether its latest write to that file succeeded."""
    replicas: int


class StreamsPage(msgspec.Struct, frozen=True):
    """A page of the streams of a kind, in no order, and the cursor of the next page (None at the end)."""

    streams: tuple[KindKey, ...]
    next: str | None


class ChatsPage(msgspec.Struct, frozen=True):
    """A page of all places with lines of chat, in no order, and the cursor of the next page (None at the end)."""

    places: tuple[Where, ...]
    next: str | None


class NamedPlayersPage(msgspec.Struct, frozen=True):
    """A page of all players with nicknames, in no order, and the cursor of the next page (None at the end)."""

    players: tuple[PlayerId, ...]
    next: str | None


class RoomsPage(msgspec.Struct, frozen=True):
    """A page of all rooms, in no order, and the cursor of the next page (None at the end)."""

    rooms: tuple[RoomKey, ...]
    next: str | None
