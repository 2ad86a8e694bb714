"""The profile `cluster` of the compose file: the same matches over three masters, each of which crashes once."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from tests.compose.conftest import Stack, new_backup, play_at, ready_status, running
from tests.e2e.stored import StoredRoom

pytestmark = pytest.mark.compose

URL = "http://127.0.0.1:8001"
"""The URL of the API that uses the cluster."""

NODES = ("cluster-1", "cluster-2", "cluster-3")
OURS = (*NODES, "cluster-api", "cluster-worker")


@pytest.fixture(scope="module")
def cluster(engine: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:  # noqa: ARG001 - only its answer
    """Run the services of the compose file with the cluster."""
    with running(Stack(tmp_path_factory.mktemp("cluster"), "cluster")) as stack:
        wait_until_ready(stack)
        yield stack


def wait_until_ready(cluster: Stack) -> None:
    """Wait until the nodes are healthy and the API over them is ready."""
    cluster.wait_until_healthy()
    cluster.wait_until(lambda: ready_status(URL) == 200, "the API over the cluster is ready")


async def survive(cluster: Stack, *faults: Callable[[], object]) -> None:
    """Play on the cluster while containers fail, and compare the recorded history with its nodes."""
    load = await play_at(URL, faults, partial(cluster.stored_rooms, "cluster-api"), moves=60)
    assert load.acknowledged >= 60 * len(faults)


async def test_a_backup_of_one_store_is_restored_into_the_cluster(cluster: Stack) -> None:
    """With the commands of docs/operating/grow.md; every acknowledged command is there."""

    def moved() -> list[StoredRoom]:
        cluster.follow_guide("cluster-worker turnstream restore", FILE=new_backup(cluster))
        return cluster.stored_rooms("cluster-api")

    await play_at(cluster.url, (), moved, moves=120)


async def test_containers_that_crash_one_by_one_lose_nothing(cluster: Stack) -> None:
    """Each is restarted by the engine, the nodes with the data on their disks."""

    def crash(name: str) -> None:
        [container] = cluster.containers(name)
        cluster.crash(container)
        wait_until_ready(cluster)

    await survive(cluster, *(partial(crash, name) for name in OURS))


async def test_containers_that_are_restarted_one_by_one_lose_nothing(cluster: Stack) -> None:
    """By `docker compose restart`, as an operator would."""

    def restart(name: str) -> None:
        cluster.compose("restart", name)
        wait_until_ready(cluster)

    await survive(cluster, *(partial(restart, name) for name in OURS))


async def test_down_and_up_lose_nothing_on_the_cluster(cluster: Stack) -> None:
    """New containers with new addresses find each other over the same volumes."""

    def down_and_up() -> None:
        cluster.compose("down")
        cluster.up()
        wait_until_ready(cluster)

    await survive(cluster, down_and_up)
