"""Retention of streams: 1,000 events and 30 days; what is deleted is in a summary, so that the state stays the same."""

import asyncio
import random

import pytest
from msgspec.structs import replace

from service.domain.ids import Epoch, Millis, PlayerId, RoomName, Version
from service.domain.players.kind import PLAYERS, PlayerState
from service.domain.room.model.notices import TurnBegan
from service.domain.streams import Change, Source
from service.store.contract import Trimmed
from service.store.stream_keys import KindKey
from service.streams.errors import ServiceError
from service.streams.processor import Decide, StreamProcessor
from service.streams.repository import StreamRepository
from service.streams.retention import KEPT_EVENTS, KEPT_FOR, SUMMARY_EVERY
from tests.rooms.processes import NOON, Clock, SharedStore

ANNA = KindKey("player", PlayerId("p-anna"))
DAY = 24 * 3600 * 1000


class Here:
    """One process with players' streams over a store in memory."""

    def __init__(self, clock: Clock, first: "Here | None" = None) -> None:
        """Share the store of the first one."""
        self.clock = clock
        self.store: SharedStore = SharedStore(clock, first.store if first else None)
        self.repository: StreamRepository[PlayerState] = StreamRepository(self.store, PLAYERS, 10)
        self.processor = StreamProcessor(self.repository, clock.now)

    async def add(self, count: int, room: str = "one") -> None:
        """Append turns, one command each."""
        for _ in range(count):
            stream = await self.repository.current(ANNA)
            await self.processor.execute(ANNA, appending(turn(room, Version(stream.head.version + 1))))

    async def stored(self) -> tuple[int, int]:
        """Return the versions of the oldest and the newest entry in the store."""
        first = await self.store.first_version(ANNA)
        [head] = await self.store.heads([ANNA])
        assert first is not None
        assert head is not None
        return first, head.version

    async def loaded_anew(self) -> PlayerState:
        """Return the state as another process loads it from the store."""
        return (await Here(self.clock, self).repository.current(ANNA)).state

    async def is_due_at(self) -> int | None:
        """Return in how many milliseconds after noon a worker has to look after the stream."""
        due = self.store._due.get(ANNA)
        return None if due is None else due - NOON


def appending(change: Change) -> Decide[PlayerState]:
    """Return the decision to append one event."""
    return lambda _state, _now: [change]


def turn(room: str, version: Version) -> Change:
    """Return a turn that a room delivers at this version."""
    return Change(TurnBegan(RoomName(room), Epoch("e1"), "morris", 1, ()), Source(f"{room}:e1", version))


@pytest.fixture
def here() -> Here:
    """Return a process over an empty store, at noon."""
    return Here(Clock())


async def test_a_stream_keeps_at_least_a_thousand_events(here: Here) -> None:
    """And not many more; what is in memory is what another process loads."""
    for _ in range(6):
        await here.add(SUMMARY_EVERY)
        await here.processor.close()
        first, last = await here.stored()
        assert last - first <= KEPT_EVENTS + SUMMARY_EVERY + 10
        assert first == 1 or last - first >= KEPT_EVENTS
        assert await here.loaded_anew() == (await here.repository.current(ANNA)).state
    assert (await here.stored())[0] > 1


async def test_the_state_survives_what_is_deleted(here: Here) -> None:
    """A delivery from long ago is still known although its event is gone."""
    await here.add(1, room="long-ago")
    await here.add(7 * SUMMARY_EVERY)
    await here.processor.close()
    state = await here.loaded_anew()
    assert state.has(turn("long-ago", Version(1)).event, Source("long-ago:e1", Version(1)))
    stream = await here.repository.current(ANNA)
    with pytest.raises(Trimmed):
        await here.repository.reader.records(stream, Version(0))


async def test_events_are_deleted_after_thirty_days(here: Here) -> None:
    """A worker does it when it is due; then only the summary is left, and nothing more is due."""
    await here.add(5)
    assert await here.is_due_at() == KEPT_FOR
    here.clock.time = Millis(NOON + KEPT_FOR - 1)
    await here.processor.proceed(ANNA)
    assert (await here.stored())[0] == 1
    here.clock.time = Millis(NOON + KEPT_FOR)
    await here.processor.proceed(ANNA)
    first, last = await here.stored()
    assert last - first == 1  # the entry before the summary stays, as its digest proves the summary
    assert await here.is_due_at() is None
    state = await here.loaded_anew()
    assert state.has(turn("one", Version(5)).event, Source("one:e1", Version(5)))
    await here.add(1)
    assert await here.is_due_at() == 2 * KEPT_FOR


async def test_a_player_who_plays_every_day_keeps_thirty_days(here: Here) -> None:
    """Not more than one day longer, however few the events are."""
    for day in range(80):
        here.clock.time = Millis(NOON + day * DAY)
        await here.add(3)
    await here.processor.close()
    stream = await here.repository.current(ANNA)
    records = await here.repository.reader.records(stream, stream.first)
    oldest = (here.clock.time - records[0].time) // DAY
    assert 29 <= oldest <= 30
    assert await here.loaded_anew() == stream.state


async def test_a_summary_that_was_changed_in_the_store_is_noticed(here: Here) -> None:
    """Although nothing before it is left."""
    await here.add(6 * SUMMARY_EVERY)
    await here.processor.close()
    entries = here.store._streams[ANNA].entries
    assert b"summarised" in entries[1].data
    entries[1] = replace(entries[1], data=entries[1].data.replace(b"one:e1", b"two:e1"))
    with pytest.raises(ServiceError, match="history_damaged"):
        await here.loaded_anew()


async def test_two_processes_write_to_one_stream(here: Here) -> None:
    """Each event once, whichever process is faster; both have the same state."""
    there = Here(here.clock, here)
    for each in (here, there):
        each.store.dice = random.Random(1)  # noqa: S311 - the order of replies
    rooms = {f"room-{number}": (here, there)[number % 2] for number in range(40)}
    await asyncio.gather(
        *(each.processor.execute(ANNA, appending(turn(room, Version(1)))) for room, each in rooms.items())
    )
    states = [(await each.repository.current(ANNA)).state for each in (here, there)]
    assert states[0] == states[1] == await here.loaded_anew()
    assert (await here.stored())[1] == 40
