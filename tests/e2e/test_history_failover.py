"""The store's primary is killed and a replica takes over, with both levels of acknowledgement."""

import asyncio
import statistics
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from service.programs.embedded_store import server_binary
from tests.e2e.faulty_proxy import FaultyProxy
from tests.e2e.history import lost_commands
from tests.e2e.installation import Installation, play, run_installation
from tests.e2e.load import Load
from tests.e2e.losses import accept_loss
from tests.e2e.nodes import Node
from tests.e2e.outcomes import record_study
from tests.e2e.study import LARGE
from tests.store_server import run_server

FAILOVERS = 2

REPLICATION_GAP = 1.0
"""Seconds for which the replicas of the study with `local` receive nothing before their primary is killed."""


class Replication:
    """A primary and its replicas, which connect to it through a proxy that can cause faults."""

    def __init__(self, primary: Node, replicas: list[Node], proxy: FaultyProxy) -> None:
        """Start with a primary that all others replicate."""
        self.primary = primary
        self.replicas = replicas
        self.proxy = proxy

    async def start(self) -> None:
        """Start the replication, and wait until the replicas are in sync."""
        self.proxy.redirect(self.primary.address)
        for replica in self.replicas:
            replica.replicate(self.proxy.url)
            await asyncio.to_thread(replica.wait_for_sync)

    def refuse_writes_without_replica(self) -> None:
        """Configure every node to refuse writes that no replica would receive."""
        for node in (self.primary, *self.replicas):
            node.execute("CONFIG", "SET", "min-replicas-to-write", 1)

    def fail_over(self) -> Node:
        """Kill the primary and promote the replica that has received most, as Redis Sentinel does; return it."""
        self.primary.kill()
        self.proxy.reset()
        self.primary = max(self.replicas, key=lambda replica: replica.offset)
        self.replicas.remove(self.primary)
        self.primary.replicate("")
        self.proxy.redirect(self.primary.address)
        return self.primary


@pytest.fixture
def nodes() -> Iterator[list[Node]]:
    """Run four stores that do not replicate yet."""
    if server_binary() is None:
        pytest.skip("no server program for the nodes")
    with ExitStack() as stack:
        yield [stack.enter_context(run_server(Node())) for _ in range(4)]


@pytest.fixture
async def replication(nodes: list[Node]) -> AsyncIterator[Replication]:
    """Make all nodes but the first replicas of the first."""
    async with FaultyProxy(nodes[0].address).serve() as proxy:
        group = Replication(nodes[0], nodes[1:], proxy)
        await group.start()
        yield group


async def fail_over_during_play(
    installation: Installation, group: Replication, load: Load, witness: Path | None
) -> list[float]:
    """Fail over during play; return after how many seconds each room continued.

    With a `witness` the replicas lack the last entries, and an operator accepts that.
    """
    if witness is not None:
        group.proxy.fault = "drop"
        await asyncio.sleep(REPLICATION_GAP)
    promoted = await asyncio.to_thread(group.fail_over)
    group.proxy.fault = ""
    installation.store = promoted
    if witness is not None:
        await load.record_loss()
    installation.proxy.redirect(promoted.address)
    accepted = accept_loss(installation, load, witness) if witness is not None else asyncio.sleep(0)
    delays, _ = await asyncio.gather(load.seconds_to_next_event(), accepted)
    return delays


@pytest.mark.soak
@pytest.mark.parametrize("level", ["local", "replicated"])
async def test_a_failover_loses_nothing_that_was_replicated(
    replication: Replication, tmp_path: Path, level: str
) -> None:
    """With `local` the last moments are lost, and subscribers are informed."""
    group, delays, loss = replication, list[float](), level == "local"
    if not loss:
        group.refuse_writes_without_replica()
    witness = tmp_path / "witness"
    service = run_installation(group.primary, tmp_path, apis=2, workers=2, acknowledge=level, witness=str(witness))
    async with service as installation:
        async with play(installation, LARGE) as load:
            for _ in range(FAILOVERS):
                await load.wait_for_acknowledged(load.acknowledged + LARGE.moves)
                delays += await fail_over_during_play(installation, group, load, witness if loss else None)
            await load.wait_for_acknowledged(load.acknowledged + LARGE.moves)
        stored = await installation.stored_rooms()
    lost = len(lost_commands(load.recording, stored))
    assert bool(lost) == loss  # otherwise the fault had no effect
    changed = sum(one.reason == "history_changed" for each in load.recording.subscribers for one in each.deliveries)
    record_study(
        f"failover to a replica, acknowledged {level}",
        FAILOVERS,
        load,
        f"{changed} announcements of changed history" if loss else "",
        f"rooms continued after {statistics.median(delays):.1f} s at the median, {max(delays):.1f} s at most",
        lost=lost,
    )
