"""The watch over a cluster: each node is checked separately, and a loss on one stops all writes."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.crc import key_slot

from service.store import witness
from service.store.contract import NOT_BEGUN, Batch, StoreLost, StoreUnavailable
from service.store.redis.keys import Keys
from service.store.redis.store import RedisStore
from service.store.watch.store_watch import StoreWatch
from service.store.write_guard import WriteGuard
from tests.store.conftest import entries_after
from tests.store.test_redis_cluster import HALF, ROOMS, Cluster, cluster, two_nodes
from tests.store_server import ProgramServer
from tests.waiting import wait_until

__all__ = ["cluster", "two_nodes"]

KEYS = Keys(16)


class Watched:
    """A watched cluster."""

    def __init__(self, cluster: Cluster, folder: Path) -> None:
        """Start before the first check."""
        self.guard = WriteGuard(range(16))
        self.store = RedisStore(cluster.url, cluster=True, guard=self.guard)
        self.watch = StoreWatch(self.store, self.guard, folder)


@pytest.fixture
async def watched(cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Watched]:
    """Return a watched cluster with a room in each partition, all of which the witness knows."""
    monkeypatch.setattr(witness, "LAG", 0.0)
    watched = Watched(cluster, tmp_path / "witness")
    await watched.watch.start()
    for key in ROOMS:
        await watched.store.append(key, NOT_BEGUN, Batch(name="claim", entries=entries_after(NOT_BEGUN, "opened")))
    for _ in range(2):
        await watched.watch.check()
    yield watched
    await watched.store.close()


def partitions_of(cluster: Cluster, node: ProgramServer) -> set[int]:
    """Return the partitions that a node of the cluster serves."""
    first = node is cluster.nodes[0]
    return {home.number for home in KEYS.all if (key_slot(home.tag) < HALF) == first}


def node_without_the_id(cluster: Cluster) -> ProgramServer:
    """Return the node that doesn't serve the first partition."""
    return next(node for node in cluster.nodes if 0 not in partitions_of(cluster, node))


async def test_a_node_that_lost_its_data_is_reported_by_its_partitions(watched: Watched, cluster: Cluster) -> None:
    """Nothing is written on any node until an operator accepts it."""
    node = node_without_the_id(cluster)
    node.execute("FLUSHALL")
    lost = await watched.watch.check()
    assert lost is not None
    assert not lost.is_other_store
    assert set(lost.missing()) == partitions_of(cluster, node) & {KEYS.partition_of(key.name).number for key in ROOMS}
    for key in ROOMS[:5]:
        with pytest.raises(StoreLost):
            await watched.store.append(key, NOT_BEGUN, Batch(()))
    await watched.store.identity.replace(())
    assert await watched.watch.check() is None


async def test_a_lost_connection_stops_only_the_partitions_of_its_node(watched: Watched, cluster: Cluster) -> None:
    """Until that node is checked again."""
    node = node_without_the_id(cluster)
    behind = partitions_of(cluster, node)
    node.execute("CLIENT", "KILL", "TYPE", "normal")
    await wait_until(lambda: not watched.guard.all_checked)
    assert {number for number in range(16) if not watched.guard.is_open(number)} == behind

    async def compared() -> bool:
        try:
            await watched.watch.check()
        except StoreUnavailable:
            return False
        return watched.guard.all_checked

    await wait_until(compared)
