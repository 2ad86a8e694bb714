"""The worker: it claims due rooms, issues their commands through the one write path, and survives failures."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator

import pytest
import structlog

from service.domain.ids import Millis, RoomKey, RoomName
from service.domain.room.model import commands
from service.domain.room.model.settings import OpenRoom
from service.domain.room.subjects.lifecycle import IDLE
from service.rooms.commands.requests import CommandRequest
from service.store.contract import StoreUnavailable
from service.workers import loop
from service.workers.claims import AFTER_FAILURE, LEASE, Claims, after_failure
from tests.rooms.processes import ANNA, BEN, NOON, Clock, Process, run_pending
from tests.waiting import wait_until
from tests.workers.fake_engine import worker_of

THEN = Millis(NOON + 5000)


@pytest.fixture(autouse=True)
def log_lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, object]]]:
    """Return the log lines, and make pauses take no time."""
    monkeypatch.setattr(loop, "PAUSE", 0.0001)
    monkeypatch.setattr(loop, "PAUSE_AFTER_FAILURE", 0.0001)
    with structlog.testing.capture_logs() as entries:
        yield entries  # type: ignore[misc]  # dictionaries


async def finished_rooms(process: Process, *names: str) -> list[RoomKey]:
    """Open rooms whose first match is over, so that their next one is due at THEN."""
    for name in names:
        await process.rooms.open(OpenRoom("morris", name, nickname="Anna"), ANNA)
        for by, command in (
            (BEN, commands.Join()),
            (ANNA, commands.Ready()),
            (BEN, commands.Ready()),
            (BEN, commands.Resign()),
        ):
            await process.rooms.command(RoomName(name), CommandRequest(command, by))
        await run_pending()  # their requests are recorded, so they count as present
    return [(await process.core.repository.by_name(RoomName(name))).key for name in names]


async def match_count(process: Process, key: RoomKey) -> int:
    """Return how many matches have begun in a room."""
    live = await process.rooms.find(key)
    assert live is not None
    return live.state.table.matches


def due_soon(process: Process) -> dict[RoomKey, Millis]:
    """Return when rooms are due, except for lack of activity."""
    return {key: moment for key, moment in process.rooms_due.items() if moment < NOON + IDLE}


async def run_worker(process: Process, holds: Callable[[], Awaitable[bool] | bool]) -> None:
    """Run a worker until a condition is true."""
    stop = asyncio.Event()
    running = asyncio.create_task(worker_of(process).run(stop))
    await wait_until(holds)
    stop.set()
    await running


async def test_matches_that_are_due_begin() -> None:
    """In every room, and in none too early."""
    process = Process(Clock())
    keys = await finished_rooms(process, "one", "two", "three")
    process.clock.time = THEN
    others = process.start_another()

    async def all_begun() -> bool:
        return all([await match_count(process, key) == 2 for key in keys])

    await run_worker(others, all_begun)
    assert due_soon(process) == {}


async def test_nothing_is_done_before_it_is_due() -> None:
    """A worker that claims a hundred times does not change the room."""
    process = Process(Clock())
    [key] = await finished_rooms(process, "one")
    process.clock.time = Millis(THEN - 1)
    await run_worker(process, lambda: process.store.requests.count("claim_due") > 100)
    assert await match_count(process, key) == 1


async def test_a_damaged_room_does_not_stop_the_others(log_lines: list[dict[str, object]]) -> None:
    """It is claimed again after a while, and the other rooms continue."""
    process = Process(Clock())
    broken, sound = await finished_rooms(process, "broken", "sound")
    entries = process.store._streams[broken].entries
    entries[-1] = entries[-2]
    process.clock.time = THEN
    here = process.start_another()

    async def sound_begun() -> bool:
        return await match_count(here, sound) == 2

    await run_worker(here, sound_begun)
    assert due_soon(process) == {broken: THEN + AFTER_FAILURE}
    assert {(entry["event"], entry["log_level"]) for entry in log_lines if entry.get("room") == "broken"} >= {
        ("due_work_failed", "warning")
    }


def test_a_room_that_fails_repeatedly_is_hidden_longer_each_time() -> None:
    """The first failure may be due to a failover that is soon over; a damaged room must not keep a worker busy."""
    assert [after_failure(count) for count in (1, 2, 3, 5, 6, 7, 1000)] == [500, 1000, 2000, 8000, 16000, 16000, 16000]


async def test_a_bug_is_logged_and_does_not_stop_the_worker(log_lines: list[dict[str, object]]) -> None:
    """With its traceback and its room."""
    process = Process(Clock())
    faulty, sound = await finished_rooms(process, "faulty", "sound")
    process.clock.time = THEN
    process.store.failing["append"] = ZeroDivisionError("a bug")

    async def one_begun() -> bool:
        return 2 in {await match_count(process, faulty), await match_count(process, sound)}

    await run_worker(process, one_begun)
    await run_pending()
    [entry] = [entry for entry in log_lines if entry["event"] == "due_work_failed"]
    assert entry["log_level"] == "error"
    assert isinstance(entry["exc_info"], ZeroDivisionError)
    assert entry["room"] in {"faulty", "sound"}


async def test_an_unavailable_store_is_tried_again(log_lines: list[dict[str, object]]) -> None:
    """Until it is available again."""
    process = Process(Clock())
    [key] = await finished_rooms(process, "one")
    await process.deliver()
    process.clock.time = THEN
    process.store.failing["claim_due"] = StoreUnavailable("away")

    async def begun() -> bool:
        return await match_count(process, key) == 2

    await run_worker(process, begun)
    assert [(entry["event"], entry["code"]) for entry in log_lines] == [("claim_failed", "store_unavailable")]


async def test_two_workers_do_not_do_the_same_work() -> None:
    """A room is claimed by one worker at a time."""
    process = Process(Clock())
    keys = await finished_rooms(process, *(f"room-{number}" for number in range(20)))
    process.clock.time = THEN
    stop = asyncio.Event()
    workers = [
        asyncio.create_task(worker_of(each).run(stop)) for each in (process.start_another(), process.start_another())
    ]
    await wait_until(lambda: not due_soon(process))
    stop.set()
    await asyncio.gather(*workers)
    assert {await match_count(process, key) for key in keys} == {2}


async def test_the_claims_of_a_killed_worker_pass_to_another() -> None:
    """After the lease has ended, not before."""
    process = Process(Clock())
    [key] = await finished_rooms(process, "one")
    await process.deliver()
    process.clock.time = THEN
    assert await process.store.claim_due(process.clock.now(), LEASE, 10) == [key]
    process.clock.time = Millis(THEN + LEASE - 1)
    assert await process.store.claim_due(process.clock.now(), LEASE, 10) == []
    process.clock.time = Millis(THEN + LEASE)

    async def begun() -> bool:
        return await match_count(process, key) == 2

    await run_worker(process, begun)


class RunningClock(Clock):
    """A clock on which a millisecond passes between two readings."""

    def now(self) -> Millis:
        """Return the next millisecond."""
        self.time = Millis(self.time + 1)
        return self.time


async def test_a_claim_is_handed_back_although_time_passes_while_it_is_made() -> None:
    """The worker gets the end of the lease from the store; with another end the claim would not be its own."""
    process = Process(RunningClock())
    [key] = await finished_rooms(process, "one")
    await process.deliver()
    process.clock.time = Millis(THEN + 1000)
    claims = Claims(process.rooms)
    assert await claims.take(10) == [key]
    await claims.hand_back()
    assert await process.store.claim_due(process.clock.now(), LEASE, 10) == [key]


async def test_a_worker_stops_on_request() -> None:
    """Immediately, even during its pause."""
    process = Process(Clock())
    stop = asyncio.Event()
    running = asyncio.create_task(worker_of(process).run(stop))
    await run_pending()
    stop.set()
    await running
    assert running.done()
