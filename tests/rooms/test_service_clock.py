"""The service's clock: steady, whatever happens to the store's clock and whichever process is suspended."""

import asyncio

import pytest

from service.domain.ids import SILENCE, Millis, Outage
from service.store.contract import Report, StoreUnavailable
from service.store.watch.service_clock import ServiceClock
from tests.memory_store.store import MemoryStore
from tests.rooms.processes import NOON, run_pending

SECOND, MINUTE, HOUR, DAY = 1000, 60_000, 3_600_000, 86_400_000
EVERY = 500


class World:
    """A store and the processes over it; time passes only by `advance`."""

    def __init__(self) -> None:
        """Start at noon, with a correct store's clock."""
        self.time = 0
        self.set_by = 0
        """By how much the store's clock was set, in milliseconds."""
        self.store = MemoryStore(lambda: Millis(NOON + self.time + self.set_by))
        self.running: list[Machine] = []

    @property
    def outages(self) -> tuple[Outage, ...]:
        """The recorded outages."""
        return self.store.worker_store.noted.pulse.outages

    async def advance(self, millis: int) -> None:
        """Let time pass; running processes report twice a second."""
        for _ in range(millis // EVERY):
            self.time += EVERY
            for machine in self.running:
                await machine.report()

    async def advance_without_processes(self, millis: int) -> None:
        """Let time pass in which no process runs."""
        self.time += millis


class Machine:
    """A process on a machine of its own."""

    def __init__(self, world: World, *, beats: bool = True, ahead: int = 0) -> None:
        """Be a worker, or with `beats` false an API process; the wall clock may be ahead of the true time."""
        self.world, self.beats = world, beats
        self.missed, self.wall_set_by = 0, ahead
        self.clock = ServiceClock(self.elapsed, lambda: NOON + world.time + self.wall_set_by)
        world.running.append(self)

    def elapsed(self) -> int:
        """Return the monotonic clock."""
        return self.world.time - self.missed + 12_345

    async def report(self) -> None:
        """Do what a process does twice a second."""
        await self.clock.report(self.world.store.worker_store, beats=self.beats)

    @property
    def service_time(self) -> int:
        """How much of the service's time has passed since noon."""
        return self.clock.now() - NOON

    def kill(self) -> None:
        """Kill the process."""
        self.world.running.remove(self)


async def service() -> tuple[World, Machine, Machine]:
    """Return a worker and an API process that have run for five seconds."""
    world = World()
    worker, api = Machine(world), Machine(world, beats=False)
    await world.advance(5 * SECOND)
    return world, worker, api


STEPS = [HOUR, DAY, -HOUR, -DAY, 30 * DAY, 2 * SECOND, -2 * SECOND]


@pytest.mark.parametrize("step", STEPS)
async def test_a_step_of_the_stores_clock_is_no_step_of_the_services(step: int) -> None:
    """Nor is it an outage; every process has the same time before, during and after its detection."""
    world, worker, api = await service()
    world.set_by = step
    assert worker.service_time == api.service_time == 5 * SECOND
    await world.advance(SECOND)
    assert worker.service_time == api.service_time == 6 * SECOND
    late = Machine(world)
    await world.advance(SECOND)
    assert worker.service_time == api.service_time == late.service_time == 7 * SECOND
    assert world.outages == ()
    assert (await world.store.worker_store.read_clock()).correction == -step


async def test_a_clock_that_is_set_forth_and_back_has_no_lasting_effect() -> None:
    """No correction remains."""
    world, worker, _ = await service()
    for step in (HOUR, DAY, -HOUR, 0):
        world.set_by = step
        await world.advance(SECOND)
    assert worker.service_time == 9 * SECOND
    assert (await world.store.worker_store.read_clock()).correction == 0
    assert world.outages == ()


@pytest.mark.parametrize("step", [0, *STEPS])
async def test_a_pause_of_all_processes_is_an_outage_of_its_length(step: int) -> None:
    """Suspended for a minute, their clocks continued; a step in the meantime changes nothing."""
    world, worker, api = await service()
    await world.advance_without_processes(MINUTE)
    world.set_by = step
    await world.advance(SECOND)
    assert worker.service_time == api.service_time == 66 * SECOND
    assert world.outages == (Outage(Millis(NOON + 5 * SECOND), Millis(NOON + 65 * SECOND + EVERY)),)


@pytest.mark.parametrize("step", [0, HOUR, DAY])
async def test_an_outage_without_survivors_is_no_longer_than_both_clocks_show(step: int) -> None:
    """All processes were killed, others start a minute later, and the store's clock was set forward meanwhile."""
    world, *killed = await service()
    for machine in killed:
        machine.kill()
    await world.advance_without_processes(MINUTE)
    world.set_by = step
    worker = Machine(world)
    await worker.report()
    assert worker.service_time == 65 * SECOND
    assert world.outages == (Outage(Millis(NOON + 5 * SECOND), Millis(NOON + 65 * SECOND)),)


async def test_without_survivors_a_clock_that_was_set_back_is_stopped() -> None:
    """The length of the outage is unknown then; no time passes, and none is given back."""
    world, *killed = await service()
    for machine in killed:
        machine.kill()
    await world.advance_without_processes(MINUTE)
    world.set_by = -HOUR
    worker = Machine(world)
    await worker.report()
    assert (worker.service_time, world.outages) == (5 * SECOND, ())


@pytest.mark.parametrize("ahead", [HOUR, -HOUR])
async def test_a_process_on_a_machine_with_a_wrong_wall_clock_joins_the_others(ahead: int) -> None:
    """While others run no wall clock is needed."""
    world, worker, _ = await service()
    other = Machine(world, ahead=ahead)
    assert other.service_time == 5 * SECOND + ahead
    await world.advance(SECOND)
    assert other.service_time == worker.service_time == 6 * SECOND
    other.wall_set_by = 0
    await world.advance(SECOND)
    assert other.service_time == worker.service_time == 7 * SECOND
    assert (await world.store.worker_store.read_clock()).correction == 0


async def test_a_process_that_was_suspended_alone_follows_the_others() -> None:
    """Its own clock was stopped; that is no step of the store's."""
    world, worker, api = await service()
    world.running.remove(api)
    await world.advance(MINUTE)
    api.missed = MINUTE
    world.running.append(api)
    await world.advance(SECOND)
    assert worker.service_time == api.service_time == 66 * SECOND
    assert world.outages == ()
    assert (await world.store.worker_store.read_clock()).correction == 0


async def test_a_suspended_worker_follows_too_and_its_suspension_is_an_outage() -> None:
    """It was the only one: nothing that was due was done, as the API process that continued reports."""
    world, worker, api = await service()
    world.running.remove(worker)
    await world.advance(MINUTE)
    worker.missed = MINUTE
    world.running.append(worker)
    await world.advance(SECOND)
    assert worker.service_time == api.service_time == 66 * SECOND
    assert world.outages == (Outage(Millis(NOON + 5 * SECOND), Millis(NOON + 65 * SECOND + EVERY)),)


async def test_a_slow_reply_is_no_step() -> None:
    """The store's time was read at some point in between."""
    world, worker, _ = await service()
    read = world.store.worker_store.read_clock

    async def late() -> object:
        world.time += 20 * SECOND
        reading = await read()
        world.time += 20 * SECOND
        return reading

    world.store.worker_store.read_clock = late  # type: ignore[method-assign,assignment]  # a store that hangs
    await worker.report()
    world.store.worker_store.read_clock = read  # type: ignore[method-assign]  # it answers again
    await world.advance(SECOND)
    assert worker.service_time == 46 * SECOND
    assert (await read()).correction == 0


async def test_an_outage_ends_when_the_heartbeat_was_last_read() -> None:
    """An API process that was late itself knows of no outage before it has read the workers' heartbeat."""
    world, _, api = await service()
    world.running.remove(api)
    await world.advance(10 * SECOND)
    assert api.clock.outages(api.clock.now()) == ()
    assert api.clock.is_stale()
    waiting = asyncio.create_task(api.clock.refreshed())
    await run_pending()
    assert not waiting.done()
    await api.report()
    await waiting
    assert not api.clock.is_stale()
    assert api.clock.outages(api.clock.now()) == ()


async def test_a_missing_heartbeat_is_an_outage_while_it_lasts() -> None:
    """The worker was killed, and the API process continues."""
    world, worker, api = await service()
    worker.kill()
    await world.advance(SILENCE)
    assert api.clock.outages(api.clock.now()) == ()
    await world.advance(SECOND)
    assert api.clock.outages(api.clock.now()) == (Outage(Millis(NOON + 5 * SECOND), api.clock.now()),)


async def test_a_store_that_does_not_reply_is_an_outage() -> None:
    """It is known without waiting for the store, and lasts until now."""
    world, _, api = await service()

    async def refuse(_report: Report) -> None:
        raise StoreUnavailable

    world.store.worker_store.pulse = refuse  # type: ignore[method-assign,assignment]  # a store that is away
    for _ in range(5):
        world.time += SECOND
        with pytest.raises(StoreUnavailable):
            await api.report()
    assert not api.clock.is_stale()
    assert api.clock.outages(api.clock.now()) == (Outage(Millis(NOON + 5 * SECOND), api.clock.now()),)


async def test_time_never_goes_back_in_a_process() -> None:
    """It does not even go back when a measurement makes a small correction."""
    world, worker, _ = await service()
    before = worker.clock.now()
    world.set_by = -200
    await worker.report()
    assert worker.clock.now() == before
    await world.advance(SECOND)
    assert worker.clock.now() == before + 800
