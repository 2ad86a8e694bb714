"""Rooms written out, checked on the way."""

from collections.abc import AsyncIterator, Callable, Sequence

import msgspec

from service.domain.room.values import RoomKey, Version
from service.operating.records import FORMAT, AnyLine, Ending, EventLine, Heading, LogLine, RoomLine, Seal, written
from service.operating.survey import history
from service.rooms.moments import rfc3339
from service.streams.codec import UnknownEvent, envelope_of
from service.streams.contract import Entry, Store, Trimmed

LOG_PAGE = 1000


class Exported(msgspec.Struct, frozen=True):
    """What an export holds."""

    made: str
    rooms: int
    events: int
    seal: str


async def exported(
    store: Store, keys: Sequence[RoomKey], sealing: bytes, write: Callable[[bytes], object], *, log: bool
) -> Exported:
    """Write these rooms, each as it is at one moment, and the operators' log where wanted. Raises `Damaged`."""
    seal = Seal(sealing)

    def put(line: AnyLine) -> None:
        write(seal.add(written(line)))

    made, rooms, events = rfc3339(await store.time()), 0, 0
    put(Heading("export", FORMAT, made))
    for key in await oldest_first(store, keys):
        entries = [entry async for page in history(store, key) for entry in page]
        if entries:
            put(await room_line(store, key, entries[-1]))
            for entry in entries:
                put(EventLine(entry.version, entry.digest.hex(), msgspec.Raw(entry.data)))
            rooms, events = rooms + 1, events + len(entries)
    if log:
        async for line in operators_log(store):
            put(line)
    write(written(Ending(end=True, rooms=rooms, events=events, seal=seal.text())))
    return Exported(made, rooms, events, seal.text())


async def room_line(store: Store, key: RoomKey, last: Entry) -> RoomLine:
    """Return the line that begins a room whose last event is this."""
    live = await store.live(key.name) == key.epoch
    return RoomLine(key.name, key.epoch, last.version, last.digest.hex(), live)


async def oldest_first(store: Store, keys: Sequence[RoomKey]) -> list[RoomKey]:
    """Return the rooms in the order in which they were opened, which is that of their players' notes."""
    opened = [await opened_at(store, key) for key in keys]
    return [key for _, key in sorted(zip(opened, keys, strict=True), key=lambda pair: pair[0])]


async def opened_at(store: Store, key: RoomKey) -> int:
    """Return when a room was opened, 0 where its first event is missing."""
    try:
        return max([envelope_of(first).time for first in await store.read(key, Version(0), 1)], default=0)
    except (Trimmed, UnknownEvent):
        return 0


async def operators_log(store: Store) -> AsyncIterator[LogLine]:
    """Yield the log of what operators did."""
    after = None
    while lines := await store.overall.logged(after, LOG_PAGE):
        for line in lines:
            yield LogLine(line.id, msgspec.Raw(line.data))
        after = lines[-1].id
