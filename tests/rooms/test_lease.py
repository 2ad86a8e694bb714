"""A process's lease, and what a process may conclude that was late itself."""

from service.domain.ids import Millis
from service.rooms.social.lease import Lease, Timing
from service.store.side_channels import ProcessId
from tests.memory_store.side_channels import MemorySideChannels

TIMING = Timing(beat=2.0, lease=15.0, doubt=4.0, late=1.0)
HERE, THERE = ProcessId("here"), ProcessId("there")


class Clocks:
    """The store's clock in milliseconds and a process's monotonic clock in seconds, which advance together."""

    def __init__(self) -> None:
        """Start an hour after the start of the machine."""
        self.seconds = 3600.0

    def store(self) -> Millis:
        """Return the store's time."""
        return Millis(int(self.seconds * 1000))

    def monotonic(self) -> float:
        """Return the process's time."""
        return self.seconds


def lease(clocks: Clocks, side_channels: MemorySideChannels, process: ProcessId = HERE) -> Lease:
    """Return a process's lease."""
    return Lease(side_channels, process, TIMING, clocks.monotonic)


async def renew_for(lease: Lease, clocks: Clocks, seconds: float) -> None:
    """Renew a lease at its usual interval for some seconds."""
    for _ in range(int(seconds / TIMING.beat)):
        clocks.seconds += TIMING.beat
        await lease.renew()


async def test_a_process_declares_nobody_dead_before_a_lease_on_time() -> None:
    """The others may have been as late as the process that starts to check."""
    clocks = Clocks()
    here = lease(clocks, MemorySideChannels(clocks.store))
    assert not here.can_declare_dead
    await here.renew()
    assert not here.can_declare_dead
    await renew_for(here, clocks, TIMING.lease - 1)
    assert not here.can_declare_dead
    await renew_for(here, clocks, 2)
    assert here.can_declare_dead


async def test_a_process_that_was_late_declares_nobody_dead_for_a_lease() -> None:
    """Neither right after waking, nor right after its renewal."""
    clocks = Clocks()
    here = lease(clocks, MemorySideChannels(clocks.store))
    await here.renew()
    await renew_for(here, clocks, TIMING.lease + 1)
    assert here.can_declare_dead
    clocks.seconds += TIMING.beat + TIMING.late + 0.1
    assert not here.can_declare_dead
    await here.renew()
    assert not here.can_declare_dead
    await renew_for(here, clocks, TIMING.lease - 1)
    assert not here.can_declare_dead
    await renew_for(here, clocks, 2)
    assert here.can_declare_dead


async def test_a_slightly_late_renewal_changes_nothing() -> None:
    """Within the tolerance a process is on time."""
    clocks = Clocks()
    here = lease(clocks, MemorySideChannels(clocks.store))
    await here.renew()
    await renew_for(here, clocks, TIMING.lease + 1)
    clocks.seconds += TIMING.beat + TIMING.late - 0.1
    await here.renew()
    assert here.can_declare_dead


async def test_after_a_stall_of_all_processes_none_is_declared_dead() -> None:
    """Each finds all other leases ended, waits, and sees them renewed."""
    clocks = Clocks()
    side_channels = MemorySideChannels(clocks.store)
    here, there = lease(clocks, side_channels), lease(clocks, side_channels, THERE)
    for each in (here, there):
        await each.renew()
    clocks.seconds += 60
    assert await here.renew() == (THERE,)
    assert not here.can_declare_dead
    assert await there.renew() == ()
    assert (here.process, there.process) == (HERE, THERE)


async def test_a_process_that_was_declared_dead_continues_with_another_id() -> None:
    """So that cleaning up the old id cannot remove what the process has stored since."""
    clocks = Clocks()
    side_channels = MemorySideChannels(clocks.store)
    here = lease(clocks, side_channels)
    await here.renew()
    clocks.seconds += 20
    assert await side_channels.declare_dead(HERE, Millis(4000))
    await here.renew_if_late()
    assert here.process == "here.2"
    assert here.is_own(HERE)
    assert here.is_own(ProcessId("here.2"))
    assert not here.is_own(ProcessId("hereafter"))
    await here.renew()
    assert here.process == "here.2"
    assert (await side_channels.beat(THERE, Millis(1000))).dead == (HERE,)


async def test_a_process_that_shuts_down_is_declared_dead_after_the_grace_of_its_players() -> None:
    """The lease and the tolerance together are as long as that grace."""
    clocks = Clocks()
    side_channels = MemorySideChannels(clocks.store)
    await lease(clocks, side_channels).renew(leaving=True)
    clocks.seconds += TIMING.moving
    assert not await side_channels.declare_dead(HERE, Millis(4000))
    clocks.seconds += 0.1
    assert await side_channels.declare_dead(HERE, Millis(4000))
