"""More subscribers than are served in one turn of the loop: others get their turns, and order is kept."""

import asyncio
from itertools import pairwise

import pytest

from service.domain.ids import Version
from service.domain.room.model import commands
from service.rooms.feeds import hub, send_queue
from service.rooms.feeds.frames import OutgoingFrame
from service.rooms.feeds.send_queue import SendQueue
from service.rooms.repository import LoadedRoom
from tests.rooms.processes import ANNA, BEN, DORA, Process, RecordingSubscriber, lose_tail, run_pending

AT_ONCE = 20
QUEUE = 16


@pytest.fixture(autouse=True)
def _small_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the limits, so that the tests are fast."""
    monkeypatch.setattr(hub, "BATCH", AT_ONCE)
    monkeypatch.setattr(send_queue, "QUEUE", QUEUE)


async def subscribe_many(process: Process, size: int) -> list[RecordingSubscriber]:
    """Return so many subscribers of the room."""
    live = await process.cached_room()
    subscribers = [RecordingSubscriber() for _ in range(size)]
    for subscriber in subscribers:
        await process.rooms.subscribe(live, subscriber, None, None)
    return subscribers


async def test_a_small_audience_is_served_before_the_reply(process: Process) -> None:
    """There is no turn of the loop between the append and the frames."""
    await process.start_match(ANNA, BEN)
    subscribers = await subscribe_many(process, AT_ONCE)
    await process.place_man(ANNA, "a1")
    assert {subscriber.types[-1] for subscriber in subscribers} == {"update"}


async def test_a_large_audience_is_served_in_portions(process: Process) -> None:
    """So many in each turn of the loop, until all are served."""
    await process.start_match(ANNA, BEN)
    subscribers = await subscribe_many(process, AT_ONCE * 3)
    await process.place_man(ANNA, "a1")
    counts = []
    for _ in range(5):
        counts.append(sum(subscriber.types[-1] == "update" for subscriber in subscribers))
        await asyncio.sleep(0)
    portions = [after - before for before, after in pairwise(counts) if after > before]
    assert portions == [AT_ONCE] * 3
    assert counts[-1] == AT_ONCE * 3


async def test_many_commands_reach_a_large_audience_in_order(process: Process) -> None:
    """The next command comes before all have received the one before."""
    live = await process.start_match(ANNA, BEN)
    subscribers = await subscribe_many(process, AT_ONCE * 2 + 1)
    for count in range(20):
        await process.execute(DORA, commands.Leave() if count % 2 else commands.Join(role="spectator"))
    late = await subscribe_many(process, 1)
    await process.place_man(ANNA, "a1")
    await run_pending()
    assert {subscriber.check_versions(0) for subscriber in [*subscribers, *late]} == {live.head.version}
    assert process.core.hub._feeds[live.key].pump is None


async def test_a_subscriber_that_leaves_meanwhile_receives_nothing_more(process: Process) -> None:
    """It does not delay others."""
    live = await process.start_match(ANNA, BEN)
    subscribers = await subscribe_many(process, AT_ONCE * 2)
    await process.place_man(ANNA, "a1")
    left = [subscriber for subscriber in subscribers if subscriber.types[-1] != "update"][:5]
    for subscriber in left:
        process.rooms.unsubscribe(live, subscriber)
    await run_pending()
    assert {subscriber.types[-1] for subscriber in left} == {"caught_up"}
    assert {subscriber.types[-1] for subscriber in subscribers if subscriber not in left} == {"update"}


async def test_an_audience_that_falls_behind_is_resynced(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """When more commands wait than are allowed."""
    monkeypatch.setattr(hub, "BACKLOG", 3)
    live = await process.start_match(ANNA, BEN)
    subscribers = await subscribe_many(process, AT_ONCE + 1)
    for count in range(10):
        await process.execute(DORA, commands.Leave() if count % 2 else commands.Join(role="spectator"))
    await run_pending()
    assert {subscriber.check_versions(0) for subscriber in subscribers} == {live.head.version}
    reasons = [frame["reason"] for frame in subscribers[-1].frames if frame["type"] == "snapshot"]
    assert "too_slow" in reasons


class StuckConnection(RecordingSubscriber):
    """A subscriber with a send queue whose peer reads nothing until the test releases it."""

    def __init__(self, process: Process, live: LoadedRoom) -> None:
        """Subscribe through a send queue."""
        super().__init__()
        self.ready = asyncio.Event()
        self.lost = False
        self._process = process
        self._live = live
        self._queue = SendQueue(self, self._behind, self._overrun)

    @property
    def is_clear(self) -> bool:
        """Return whether the test has released the peer."""
        return self.ready.is_set()

    def write(self, frame: bytes) -> None:
        """Receive a frame."""
        super().offer(OutgoingFrame(frame))

    async def cleared(self) -> None:
        """Wait for the release."""
        await self.ready.wait()

    def _behind(self, _rooms: set[str]) -> None:
        self._process.rooms.resync(self._live, self, "too_slow")

    async def _overrun(self) -> None:
        self.lost = True

    def offer(self, frame: OutgoingFrame) -> None:
        """Put a frame into the send queue."""
        self._queue.offer(frame)

    async def drained(self) -> None:
        """Wait for the peer."""
        await self._queue.drained()


async def test_a_slow_subscriber_of_a_large_room_receives_nothing_twice(process: Process) -> None:
    """Its new snapshot does not overtake the frames that wait in the room's own queue."""
    live = await process.start_match(ANNA, BEN)
    await subscribe_many(process, AT_ONCE * 2)
    slow = StuckConnection(process, live)
    await process.rooms.subscribe(live, slow, None, None)
    for count in range(QUEUE + 3):
        await process.execute(DORA, commands.Leave() if count % 2 else commands.Join(role="spectator"))
        if count < QUEUE - 20:
            await run_pending()
    await run_pending()
    slow.ready.set()
    await run_pending()
    await slow.drained()
    assert slow.check_versions(0) == live.head.version


@pytest.mark.parametrize("missed", [QUEUE // 2, QUEUE + 3, QUEUE * 3])
async def test_a_slow_subscriber_that_missed_many_events_receives_nothing_twice(process: Process, missed: int) -> None:
    """Catching up waits for the peer before too many frames wait."""
    live = await process.open()
    for count in range(missed):
        await process.execute(DORA, commands.Leave() if count % 2 else commands.Join(role="spectator"))
    slow = StuckConnection(process, live)
    coming = asyncio.create_task(process.rooms.subscribe(live, slow, Version(0), None))
    await run_pending()
    slow.ready.set()
    await coming
    await slow.drained()
    assert slow.check_versions(0) == live.head.version
    assert not slow.lost


async def test_nothing_of_a_lost_history_is_sent_after_the_new_one(process: Process) -> None:
    """The move was lost while part of the audience had not received it; they receive the next one instead."""
    live = await process.start_match(ANNA, BEN)
    subscribers = await subscribe_many(process, AT_ONCE * 3)
    await process.place_man(ANNA, "a1")
    lose_tail(process.store, live.key, 1)
    await process.stored_room()
    await run_pending()
    assert {subscriber.types[-1] for subscriber in subscribers} == {"snapshot"}
    await process.place_man(ANNA, "d1")
    await run_pending()
    assert {subscriber.check_versions(0) for subscriber in subscribers} == {live.head.version}
    assert {subscriber.frames[-1]["events"][0]["at"] for subscriber in subscribers} == {"d1"}
