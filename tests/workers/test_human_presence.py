"""Where no human is present, bots don't play on among themselves and no match begins by itself."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from service.domain.room.due import due
from service.domain.room.model import clock, commands
from service.domain.room.model.clock import LAG, Days, PerMove
from service.domain.room.model.commands import BotSeat, OpenRoom
from service.domain.room.model.ids import Millis, RoomKey
from service.domain.room.model.settings import RequestedSettings
from service.domain.room.subjects.lifecycle import HOUR
from service.rooms.commands.activity import MINUTE, NOTED, STAY
from service.rooms.commands.requests import CommandRequest
from service.rooms.loading.room import LoadedRoom
from service.rooms.social.lease import Timing
from service.store.contract import StoreUnavailable
from service.store.side_channels import ProcessId
from service.workers import worker
from tests.rooms.processes import (
    ANNA,
    BEN,
    DORA,
    FRIDAY,
    NOON,
    Clock,
    Process,
    RecordingSubscriber,
    place,
    run_pending,
    subscribe,
    wait_until,
)
from tests.workers.fake_engine import worker_of

GONE = Millis(STAY + NOTED)
"""For how long a visit counts at most."""

BOTS = (BotSeat("easy"), BotSeat("easy"))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pauses take no time."""
    monkeypatch.setattr(worker, "PAUSE", 0.0001)


async def opened(process: Process, *seats: Any, **settings: Any) -> LoadedRoom:
    """Let Anna open a room with these seats and go away."""
    opening = OpenRoom(
        "morris", FRIDAY, settings=RequestedSettings(**{"bot_pause": 0, "restart": 0, **settings}), seats=seats
    )
    await process.rooms.open(opening, ANNA)
    return await process.cached_room()


@asynccontextmanager
async def worked(process: Process) -> AsyncIterator[Process]:
    """Run a worker over the same store, as another process."""
    other, stop = process.start_another(), asyncio.Event()
    running = asyncio.create_task(worker_of(other).run(stop))
    yield other
    stop.set()
    await running


def version(process: Process, key: RoomKey) -> int:
    """Return how many events a room has."""
    return process.store._streams[key].head.version


async def stands_still(process: Process, key: RoomKey) -> int:
    """Wait until a room isn't due any more, and return its version."""
    await wait_until(lambda: process.store._due[key] > process.clock.time + MINUTE)
    before = version(process, key)
    await run_pending()
    assert version(process, key) == before
    return before


async def goes_on(process: Process, key: RoomKey) -> None:
    """Wait until a room has some more events."""
    wanted = version(process, key) + 5
    async with asyncio.timeout(10):
        await wait_until(lambda: version(process, key) >= wanted)


async def test_bots_among_themselves_stop_when_everybody_has_gone() -> None:
    """Ten minutes after the last request with a token; the next request lets them continue at once."""
    process = Process(Clock())
    live = await opened(process, *BOTS)
    async with worked(process):
        await goes_on(process, live.key)
        process.clock.time = Millis(NOON + STAY - 1)
        await goes_on(process, live.key)
        process.clock.time = Millis(NOON + GONE)
        still = await stands_still(process, live.key)
        await process.rooms.read(FRIDAY, None)
        assert await stands_still(process, live.key) == still
        await process.rooms.read(FRIDAY, BEN.id)
        await goes_on(process, live.key)


async def test_a_feed_is_company_for_as_long_as_it_is_open() -> None:
    """Also without a token."""
    process = Process(Clock())
    process.with_social(ProcessId("here"), Timing(pause=0.0))
    live = await opened(process, *BOTS)
    process.clock.time = Millis(NOON + 2 * GONE)
    async with worked(process):
        await stands_still(process, live.key)
        spectator = await subscribe(process, RecordingSubscriber())
        await goes_on(process, live.key)
        process.clock.time = Millis(NOON + 4 * GONE)
        await goes_on(process, live.key)
        process.rooms.unsubscribe(live, spectator)
        await stands_still(process, live.key)


async def test_bots_move_for_a_human_regardless_of_presence() -> None:
    """Until it is the human's turn, or the match is over; also a day after the last request."""
    process = Process(Clock())
    live = await opened(process, "me", BotSeat("easy"))
    process.clock.time = Millis(NOON + 2 * GONE)
    await process.execute(ANNA, place("a1"))
    async with worked(process):
        await wait_until(lambda: version(process, live.key) == live.room.version + 1)


async def finished(process: Process) -> LoadedRoom:
    """Let Anna and Ben play a match to its end; the next one is due five seconds later."""
    live = await process.start_match(ANNA, BEN, restart=5000)
    await process.execute(BEN, commands.Resign())
    return live


@pytest.mark.parametrize("later", [5000, GONE])
async def test_the_next_match_begins_only_with_somebody_present(later: int) -> None:
    """Five seconds after the last one somebody is; after ten minutes nobody, until somebody comes."""
    process = Process(Clock())
    live = await finished(process)
    process.clock.time = Millis(NOON + later)
    async with worked(process) as other:
        if later == GONE:
            await stands_still(process, live.key)
            assert (await other.stored_room()).table.matches == 1
            await process.rooms.command(FRIDAY, CommandRequest(commands.Join("spectator"), DORA))
        await wait_until(lambda: process.store._streams[live.key].matches.keys() >= {2})


async def test_a_room_that_nobody_comes_back_to_closes_in_the_end() -> None:
    """When it has been idle for long, and without another match."""
    process = Process(Clock())
    live = await finished(process)
    process.clock.time = Millis(NOON + GONE)
    async with worked(process) as other:
        await stands_still(process, live.key)
        process.clock.time = Millis(NOON + 26 * HOUR)
        await wait_until(
            lambda: process.store._streams[live.key].matches.keys() >= {1} and live.key not in process.store._due
        )
        rooms = await other.core.repository.by_key(live.key)
        assert (rooms.room.table.status, rooms.room.table.matches) == ("closed", 1)


@pytest.mark.parametrize(("kind", "later"), [(PerMove(Millis(1000)), GONE), (Days(2), Millis(48 * HOUR + LAG))])
async def test_clocks_run_out_without_company_and_no_match_follows(kind: clock.Clock, later: Millis) -> None:
    """Two players who have gone lose nothing but the match in which they went."""
    process = Process(Clock())
    live = await process.start_match(ANNA, BEN, restart=0, clock=kind)
    process.clock.time = Millis(NOON + later)
    async with worked(process) as other:
        await wait_until(lambda: process.store._due[live.key] > NOON + later + LAG + MINUTE)
        room = (await other.core.repository.by_key(live.key)).room
        assert (room.table.status, room.table.matches) == ("finished", 1)
        owed = due(room)
        assert owed is not None
        assert owed.why == "restart"


async def test_who_comes_between_the_look_and_the_giving_up_is_not_missed() -> None:
    """The worker has seen nobody; then somebody comes; then it gives the room up, and the store knows better."""
    process = Process(Clock())
    live = await opened(process, *BOTS)
    process.clock.time = Millis(NOON + GONE)
    other, stop, came = process.start_another(), asyncio.Event(), False
    look = other.store.side_channels.was_visited

    async def looks_slowly(key: RoomKey) -> bool:
        nonlocal came
        seen = await look(key)
        if not came:
            came = True
            await process.rooms.read(FRIDAY, BEN.id)
            await run_pending()
        return seen

    other.store.side_channels.was_visited = looks_slowly  # type: ignore[method-assign]  # an answer on its way
    running = asyncio.create_task(worker_of(other).run(stop))
    await goes_on(process, live.key)
    stop.set()
    await running


@pytest.mark.parametrize("seed", range(20))
async def test_a_room_continues_after_a_visit_in_any_order_of_writes(seed: int) -> None:
    """Answers of the store take random times; somebody comes at a random moment of the giving up."""
    process = Process(Clock())
    live = await opened(process, *BOTS)
    process.clock.time = Millis(NOON + GONE)
    dice = random.Random(seed)  # noqa: S311 - an order of events
    async with worked(process) as other:
        process.store.dice = other.store.dice = dice
        for _ in range(dice.randrange(40)):
            await asyncio.sleep(0)
        await process.rooms.read(FRIDAY, BEN.id)
        await goes_on(process, live.key)


async def test_a_visit_is_stored_once_a_minute_without_delaying_requests() -> None:
    """A hundred reads cost the store one note, and one look at when the room is due."""
    process = Process(Clock())
    live = await process.start_match(ANNA, BEN)
    stored = []
    note = process.store.side_channels.record_visit

    async def counted(key: RoomKey, lasts: Millis) -> None:
        stored.append(key)
        await note(key, lasts)

    process.store.side_channels.record_visit = counted  # type: ignore[method-assign]  # counted on its way
    for moment in (0, 1, NOTED - 1, NOTED):
        process.clock.time = Millis(NOON + moment)
        for _ in range(25):
            await process.rooms.read(FRIDAY, BEN.id)
        await run_pending()
    assert stored == [live.key] * 2
    assert process.store.requests.count("heads") <= 100 + 2


async def test_a_note_that_failed_is_written_at_the_next_request() -> None:
    """The store was away when somebody came."""
    process = Process(Clock())
    live = await opened(process, *BOTS)
    process.clock.time = Millis(NOON + GONE)
    async with worked(process):
        await stands_still(process, live.key)
        process.store.failing["append"] = StoreUnavailable("away")
        await process.rooms.read(FRIDAY, BEN.id)
        await wait_until(lambda: not process.store.failing)
        await run_pending()
        await process.rooms.read(FRIDAY, BEN.id)
        await goes_on(process, live.key)
