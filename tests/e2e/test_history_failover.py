"""The store's primary dies and a replica takes its place, with both levels of acknowledgement."""

import asyncio
import statistics
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from service.standalone.server_binary import server_binary
from tests.e2e.faults import FaultyLine
from tests.e2e.history import lost_commands
from tests.e2e.load import Load
from tests.e2e.losses import accept_loss
from tests.e2e.nodes import Node
from tests.e2e.outcomes import note
from tests.e2e.site import Site, playing, running
from tests.e2e.study import LARGE, WITHIN
from tests.store_server import running as running_store

FAILOVERS = 2

CUT_OFF = 1.0
"""Seconds for which the replicas of the study with `local` get nothing before their primary dies."""


class Replication:
    """A primary and its replicas, which reach it by a line that can be disturbed."""

    def __init__(self, primary: Node, replicas: list[Node], line: FaultyLine) -> None:
        """Begin with a primary that all others follow."""
        self.primary = primary
        self.replicas = replicas
        self.line = line

    async def start(self) -> None:
        """Let the replicas follow, and wait until they have everything."""
        self.line.lead_to(self.primary.address)
        for replica in self.replicas:
            replica.follow(self.line.url)
            await asyncio.to_thread(replica.await_primary)

    def refuse_writes_without_replica(self) -> None:
        """Let every node refuse what no replica would have, when it is a primary."""
        for node in (self.primary, *self.replicas):
            node.order("CONFIG", "SET", "min-replicas-to-write", 1)

    def fail_over(self) -> Node:
        """Kill the primary and promote the replica that has most of it, as Redis Sentinel does; return it."""
        self.primary.kill()
        self.line.cut()
        self.primary = max(self.replicas, key=lambda replica: replica.offset)
        self.replicas.remove(self.primary)
        self.primary.follow("")
        self.line.lead_to(self.primary.address)
        return self.primary


@pytest.fixture
def nodes() -> Iterator[list[Node]]:
    """Run four stores that do not know of each other yet."""
    if server_binary() is None:
        pytest.skip("no server program for the nodes")
    with ExitStack() as stack:
        yield [stack.enter_context(running_store(Node())) for _ in range(4)]


@pytest.fixture
async def replication(nodes: list[Node]) -> AsyncIterator[Replication]:
    """Let all but the first follow the first."""
    async with FaultyLine(nodes[0].address).listening() as line:
        group = Replication(nodes[0], nodes[1:], line)
        await group.start()
        yield group


async def failed_over(site: Site, group: Replication, load: Load, witness: Path | None) -> list[float]:
    """Fail over in the middle of play; return after how many seconds each room went on.

    With a `witness` the replicas lack the end, and an operator accepts that.
    """
    if witness is not None:
        group.line.fault = "drop"
        await asyncio.sleep(CUT_OFF)
    promoted = await asyncio.to_thread(group.fail_over)
    group.line.fault = ""
    site.store = promoted
    if witness is not None:
        await load.note_loss()
    site.line.lead_to(promoted.address)
    accepted = accept_loss(site, load, witness) if witness is not None else asyncio.sleep(0)
    waits, _ = await asyncio.gather(load.all_go_on(WITHIN), accepted)
    return waits


@pytest.mark.soak
@pytest.mark.parametrize("level", ["local", "replicated"])
async def test_nothing_replicated_is_lost_in_a_failover_and_no_loss_is_silent(
    replication: Replication, tmp_path: Path, level: str
) -> None:
    """With `replicated` nothing is lost; with `local` the last moments, which subscribers are told."""
    group, waits, loss = replication, list[float](), level == "local"
    if not loss:
        group.refuse_writes_without_replica()
    witness = tmp_path / "witness"
    service = running(group.primary, tmp_path, apis=2, workers=2, acknowledge=level, witness=str(witness))
    async with service as site:
        async with playing(site, LARGE) as load:
            for _ in range(FAILOVERS):
                await load.reach(load.answered + LARGE.moves, WITHIN)
                waits += await failed_over(site, group, load, witness if loss else None)
            await load.reach(load.answered + LARGE.moves, WITHIN)
        stored = await site.stored_rooms()
    lost = len(lost_commands(load.recording, stored))
    assert bool(lost) == loss  # otherwise the fault was none
    changed = sum(one.reason == "history_changed" for each in load.recording.subscribers for one in each.deliveries)
    note(
        f"failover to a replica, acknowledged {level}",
        FAILOVERS,
        load,
        f"{changed} announcements of changed history" if loss else "",
        f"rooms went on after {statistics.median(waits):.1f} s at the median, {max(waits):.1f} s at most",
        lost=lost,
    )
