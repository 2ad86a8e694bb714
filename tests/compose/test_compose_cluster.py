"""The profile `cluster` of the compose file: the same matches over three masters, each of which crashes once."""

from collections.abc import Iterator
from functools import partial

import pytest

from tests.compose.conftest import Stack, play_at, ready_status, running

pytestmark = pytest.mark.compose

URL = "http://127.0.0.1:8001"
"""Where the compose file publishes the API over the cluster."""

NODES = ("cluster-1", "cluster-2", "cluster-3")


@pytest.fixture(scope="module")
def cluster(engine: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:  # noqa: ARG001 - only its answer
    """Run the services of the compose file with the cluster."""
    with running(Stack(tmp_path_factory.mktemp("cluster"), "cluster")) as stack:
        yield stack


def wait_until_ready(cluster: Stack) -> None:
    """Wait until the nodes are healthy and the API over them is ready."""
    cluster.wait_until_healthy()
    cluster.wait_until(lambda: ready_status(URL) == 200, "the API over the cluster is ready")


async def test_nodes_that_crash_one_by_one_lose_nothing(cluster: Stack) -> None:
    """Each is started again by the engine, with what it had on its disk."""

    def crash(name: str) -> None:
        [container] = cluster.containers(name)
        cluster.crash(container)
        wait_until_ready(cluster)

    wait_until_ready(cluster)
    read_store = partial(cluster.stored_rooms, "cluster-api")
    load = await play_at(URL, [partial(crash, name) for name in NODES], read_store, moves=60)
    assert load.answered >= 180


def test_down_and_up_keep_every_room_of_the_cluster(cluster: Stack) -> None:
    """New containers with new addresses find each other over the same volumes."""
    before = {room.key: room.version for room in cluster.stored_rooms("cluster-api")}
    assert before
    cluster.compose("down")
    cluster.up()
    wait_until_ready(cluster)
    after = {room.key: room.version for room in cluster.stored_rooms("cluster-api")}
    assert {key: after.get(key, 0) >= version for key, version in before.items()} == dict.fromkeys(before, True)
