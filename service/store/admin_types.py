"""What operators are told of a whole store."""

import msgspec

from service.domain.room.model.ids import RoomKey


class StoreNode(msgspec.Struct, frozen=True):
    """What one server of a store says of itself."""

    memory: int
    """Bytes in use."""
    memory_limit: int
    """Bytes; 0 where there is no limit."""
    file: int
    """Bytes of its append-only file."""
    writes: bool
    """Whether its latest write to its file went well."""
    replicas: int


class RoomsPage(msgspec.Struct, frozen=True):
    """Some of all rooms, in no order, and where to go on (None at the end)."""

    rooms: tuple[RoomKey, ...]
    next: str | None
