"""A process's lease, and what a process that was late itself may conclude."""

from service.domain.room.model.ids import Millis
from service.rooms.social.lease import Lease, Timing
from service.store.memory.side_channels import MemorySideChannels
from service.store.side_channels import ProcessId

TIMING = Timing(beat=2.0, lease=15.0, doubt=4.0, late=1.0)
HERE, THERE = ProcessId("here"), ProcessId("there")


class Clocks:
    """The store's clock in milliseconds and a process's monotonic one in seconds, which go together."""

    def __init__(self) -> None:
        """Begin an hour after the start of the machine."""
        self.seconds = 3600.0

    def store(self) -> Millis:
        """Return the store's time."""
        return Millis(int(self.seconds * 1000))

    def monotonic(self) -> float:
        """Return the process's time."""
        return self.seconds


def lease(clocks: Clocks, beside: MemorySideChannels, process: ProcessId = HERE) -> Lease:
    """Return a process's lease."""
    return Lease(beside, process, TIMING, clocks.monotonic)


async def beats(lease: Lease, clocks: Clocks, seconds: float) -> None:
    """Renew a lease as often as it should be for a while."""
    for _ in range(int(seconds / TIMING.beat)):
        clocks.seconds += TIMING.beat
        await lease.renew()


async def test_nobody_is_judged_before_a_whole_lease_on_time() -> None:
    """The others may have been as late as the one who begins to look."""
    clocks = Clocks()
    here = lease(clocks, MemorySideChannels(clocks.store))
    assert not here.may_judge
    await here.renew()
    assert not here.may_judge
    await beats(here, clocks, TIMING.lease - 1)
    assert not here.may_judge
    await beats(here, clocks, 2)
    assert here.may_judge


async def test_a_process_that_was_late_judges_nobody_for_a_whole_lease() -> None:
    """Neither right after waking, nor right after its renewal."""
    clocks = Clocks()
    here = lease(clocks, MemorySideChannels(clocks.store))
    await here.renew()
    await beats(here, clocks, TIMING.lease + 1)
    assert here.may_judge
    clocks.seconds += TIMING.beat + TIMING.late + 0.1
    assert not here.may_judge
    await here.renew()
    assert not here.may_judge
    await beats(here, clocks, TIMING.lease - 1)
    assert not here.may_judge
    await beats(here, clocks, 2)
    assert here.may_judge


async def test_a_beat_a_little_late_changes_nothing() -> None:
    """Within the tolerance a process is on time."""
    clocks = Clocks()
    here = lease(clocks, MemorySideChannels(clocks.store))
    await here.renew()
    await beats(here, clocks, TIMING.lease + 1)
    clocks.seconds += TIMING.beat + TIMING.late - 0.1
    await here.renew()
    assert here.may_judge


async def test_after_a_stall_of_everyone_nobody_is_declared_dead() -> None:
    """Each finds all other leases ended, waits, and sees them renewed."""
    clocks = Clocks()
    beside = MemorySideChannels(clocks.store)
    here, there = lease(clocks, beside), lease(clocks, beside, THERE)
    for each in (here, there):
        await each.renew()
    clocks.seconds += 60
    assert await here.renew() == (THERE,)
    assert not here.may_judge
    assert await there.renew() == ()
    assert (here.process, there.process) == (HERE, THERE)


async def test_a_process_that_was_declared_dead_goes_on_under_another_id() -> None:
    """So what is tidied up after the old one cannot be what the process has noted since."""
    clocks = Clocks()
    beside = MemorySideChannels(clocks.store)
    here = lease(clocks, beside)
    await here.renew()
    clocks.seconds += 20
    assert await beside.declare_dead(HERE, Millis(4000))
    await here.renew_if_late()
    assert here.process == "here.2"
    assert here.is_own(HERE)
    assert here.is_own(ProcessId("here.2"))
    assert not here.is_own(ProcessId("hereafter"))
    await here.renew()
    assert here.process == "here.2"
    assert (await beside.beat(THERE, Millis(1000))).dead == (HERE,)


async def test_a_leaving_process_is_declared_dead_when_those_whom_it_sent_away_have_had_their_time() -> None:
    """The lease and the doubt are together as long as the grace of the leaving."""
    clocks = Clocks()
    beside = MemorySideChannels(clocks.store)
    await lease(clocks, beside).renew(leaving=True)
    clocks.seconds += TIMING.moving
    assert not await beside.declare_dead(HERE, Millis(4000))
    clocks.seconds += 0.1
    assert await beside.declare_dead(HERE, Millis(4000))
