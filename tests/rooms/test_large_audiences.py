"""More watchers than are sent to in one go: the loop gets its turns, and everybody gets everything in order."""

import asyncio
from itertools import pairwise

import pytest

from service.domain.room.model import commands
from service.domain.room.model.ids import Version
from service.rooms.feeds import hub, send_queue
from service.rooms.feeds.frames import OutgoingFrame
from service.rooms.feeds.send_queue import SendQueue
from service.rooms.loading.room import LoadedRoom
from tests.rooms.processes import ANNA, BEN, DORA, Process, Screen, lose_tail, settle

AT_ONCE = 20
QUEUE = 16


@pytest.fixture(autouse=True)
def _small_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let few be many, so that the tests stay quick."""
    monkeypatch.setattr(hub, "AT_ONCE", AT_ONCE)
    monkeypatch.setattr(send_queue, "QUEUE", QUEUE)


async def audience(process: Process, size: int) -> list[Screen]:
    """Return so many watchers of the room."""
    live = await process.friday()
    screens = [Screen() for _ in range(size)]
    for screen in screens:
        await process.rooms.subscribe(live, screen, None, None)
    return screens


async def test_a_small_audience_is_told_before_the_command_is_answered(process: Process) -> None:
    """No turn of the loop lies between the writing and the telling."""
    await process.match(ANNA, BEN)
    screens = await audience(process, AT_ONCE)
    await process.moves(ANNA, "a1")
    assert {screen.kinds[-1] for screen in screens} == {"update"}


async def test_a_large_audience_is_told_in_portions(process: Process) -> None:
    """In each turn of the loop so many, until all have heard."""
    await process.match(ANNA, BEN)
    screens = await audience(process, AT_ONCE * 3)
    await process.moves(ANNA, "a1")
    told = []
    for _ in range(5):
        told.append(sum(screen.kinds[-1] == "update" for screen in screens))
        await asyncio.sleep(0)
    portions = [after - before for before, after in pairwise(told) if after > before]
    assert portions == [AT_ONCE] * 3
    assert told[-1] == AT_ONCE * 3


async def test_many_commands_reach_a_large_audience_in_order(process: Process) -> None:
    """The next command comes before all have heard of the one before."""
    live = await process.match(ANNA, BEN)
    screens = await audience(process, AT_ONCE * 2 + 1)
    for count in range(20):
        await process.does(DORA, commands.Leave() if count % 2 else commands.Join(role="spectator"))
    late = await audience(process, 1)
    await process.moves(ANNA, "a1")
    await settle()
    assert {screen.without_gap_or_double(0) for screen in [*screens, *late]} == {live.head.version}
    assert process.core.hub._feeds[live.key].pump is None


async def test_who_goes_meanwhile_is_told_nothing_more(process: Process) -> None:
    """And holds up nobody else."""
    live = await process.match(ANNA, BEN)
    screens = await audience(process, AT_ONCE * 2)
    await process.moves(ANNA, "a1")
    gone = [screen for screen in screens if screen.kinds[-1] != "update"][:5]
    for screen in gone:
        process.rooms.unsubscribe(live, screen)
    await settle()
    assert {screen.kinds[-1] for screen in gone} == {"caught_up"}
    assert {screen.kinds[-1] for screen in screens if screen not in gone} == {"update"}


async def test_an_audience_that_can_not_be_kept_up_with_gets_the_whole_view(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Instead of more commands than may wait."""
    monkeypatch.setattr(hub, "BACKLOG", 3)
    live = await process.match(ANNA, BEN)
    screens = await audience(process, AT_ONCE + 1)
    for count in range(10):
        await process.does(DORA, commands.Leave() if count % 2 else commands.Join(role="spectator"))
    await settle()
    assert {screen.without_gap_or_double(0) for screen in screens} == {live.head.version}
    reasons = [frame["reason"] for frame in screens[-1].frames if frame["type"] == "snapshot"]
    assert "too_slow" in reasons


class Connection(Screen):
    """A watcher behind an outbox whose peer takes nothing until it is let."""

    def __init__(self, process: Process, live: LoadedRoom) -> None:
        """Watch through an outbox."""
        super().__init__()
        self.ready = asyncio.Event()
        self.lost = False
        self._process = process
        self._live = live
        self._outbox = SendQueue(self, self._behind, self._overrun)

    @property
    def is_clear(self) -> bool:
        """Be stuck until let go."""
        return self.ready.is_set()

    def write(self, frame: bytes) -> None:
        """Take a frame."""
        super().offer(OutgoingFrame(frame))

    async def cleared(self) -> None:
        """Wait to be let go."""
        await self.ready.wait()

    def _behind(self, _rooms: set[str]) -> None:
        self._process.rooms.resync(self._live, self, "too_slow")

    async def _overrun(self) -> None:
        self.lost = True

    def offer(self, frame: OutgoingFrame) -> None:
        """Hand a frame to the outbox."""
        self._outbox.offer(frame)

    async def drained(self) -> None:
        """Wait for the peer."""
        await self._outbox.drained()


async def test_a_slow_watcher_of_a_large_room_is_told_nothing_twice(process: Process) -> None:
    """Its fresh snapshot does not overtake what still waits for it in the room's own queue."""
    live = await process.match(ANNA, BEN)
    await audience(process, AT_ONCE * 2)
    slow = Connection(process, live)
    await process.rooms.subscribe(live, slow, None, None)
    for count in range(QUEUE + 3):
        await process.does(DORA, commands.Leave() if count % 2 else commands.Join(role="spectator"))
        if count < QUEUE - 20:
            await settle()
    await settle()
    slow.ready.set()
    await settle()
    await slow.drained()
    assert slow.without_gap_or_double(0) == live.head.version


@pytest.mark.parametrize("missed", [QUEUE // 2, QUEUE + 3, QUEUE * 3])
async def test_a_slow_watcher_who_missed_a_lot_is_told_nothing_twice(process: Process, missed: int) -> None:
    """Catching up waits for the peer before more waits than may."""
    live = await process.open()
    for count in range(missed):
        await process.does(DORA, commands.Leave() if count % 2 else commands.Join(role="spectator"))
    slow = Connection(process, live)
    coming = asyncio.create_task(process.rooms.subscribe(live, slow, Version(0), None))
    await settle()
    slow.ready.set()
    await coming
    await slow.drained()
    assert slow.without_gap_or_double(0) == live.head.version
    assert not slow.lost


async def test_nothing_of_a_lost_history_is_told_after_the_new_one(process: Process) -> None:
    """The move was lost while part of the audience had still to hear of it; they hear of the next one instead."""
    live = await process.match(ANNA, BEN)
    screens = await audience(process, AT_ONCE * 3)
    await process.moves(ANNA, "a1")
    lose_tail(process.line, live.key, 1)
    await process.fresh()
    await settle()
    assert {screen.kinds[-1] for screen in screens} == {"snapshot"}
    await process.moves(ANNA, "d1")
    await settle()
    assert {screen.without_gap_or_double(0) for screen in screens} == {live.head.version}
    assert {screen.frames[-1]["events"][0]["at"] for screen in screens} == {"d1"}
