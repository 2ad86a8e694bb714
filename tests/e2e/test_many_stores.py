"""Bigger than one machine: the same programs over a Redis Cluster, and answers that wait for a replica."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from redis.crc import key_slot

from service.__main__ import main
from service.domain.room.model.ids import RoomName
from service.standalone.server_binary import server_binary
from service.store.redis.keys import Keys
from tests.e2e.client import PATIENCE, Door, door_to
from tests.e2e.nodes import Node
from tests.e2e.processes import SECRET, ApiProcess, ServiceProcess, started
from tests.e2e.tables import Table, seated
from tests.store_server import free_port, running

SLOTS = 16_384
ROOMS = 24


@pytest.fixture(scope="module")
def cluster() -> Iterator[list[Node]]:
    """Run three masters that share the slots."""
    if server_binary() is None:
        pytest.skip("no server program for the nodes")
    with ExitStack() as stack:
        buses = [free_port() for _ in range(3)]
        nodes = [Node("--cluster-enabled", "yes", "--cluster-port", str(bus)) for bus in buses]
        for number, node in enumerate(nodes):
            stack.enter_context(running(node))
            first, behind = number * SLOTS // 3, (number + 1) * SLOTS // 3
            node.order("CLUSTER", "ADDSLOTSRANGE", first, behind - 1)
        for node, bus in zip(nodes[1:], buses[1:], strict=True):
            nodes[0].order("CLUSTER", "MEET", "127.0.0.1", node.port, bus)
        deadline = time.monotonic() + 60
        while not all(b"cluster_state:ok" in node.order("CLUSTER", "INFO") for node in nodes):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield nodes


def node_of(table: Table) -> int:
    """Return the number of the node that serves a room's partition."""
    return key_slot(Keys(16).partition_of(RoomName(table.room)).tag) * 3 // SLOTS


def test_api_and_worker_serve_a_cluster_like_one_store(
    cluster: list[Node], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rooms on every node: played at one process, told at another, in one lobby, restarted by a worker, verified."""
    settings = {"redis_cluster": "true", "log_level": "warning", "witness": str(tmp_path / "witness")}
    apis = [ApiProcess(node.address, tmp_path / "log", **settings) for node in cluster[:2]]
    worker = ServiceProcess("service worker", cluster[2].address, tmp_path / "log", **settings)
    with started(*apis, worker), door_to(apis[0].url) as here, door_to(apis[1].url) as there:
        tables = [seated(here, "morris", 2, settings={"restart": 200}) for _ in range(ROOMS)]
        assert {node_of(table) for table in tables} == {0, 1, 2}
        for table in tables:
            with table.yellow.at(there).follows(table.room) as feed:
                feed.until(lambda frame: frame["type"] == "caught_up")
                assert table.red.plays(table.room, {"type": "place", "at": "a1"}).status == 200
                assert feed.update()["events"][-1]["at"] == "a1"
            assert table.red.asks(table.room, "resign").status == 200
        for table in tables:
            await_second_match(there, table)
        assert in_lobby(there) == {table.room for table in tables}
    monkeypatch.setenv("TURNSTREAM_REDIS_URL", cluster[1].address)
    monkeypatch.setenv("TURNSTREAM_REDIS_CLUSTER", "true")
    monkeypatch.setenv("TURNSTREAM_SECRET", SECRET)
    assert main(["verify", "--all"]) == 0
    assert capsys.readouterr().out.startswith(f"{ROOMS} rooms")
    assert (tmp_path / "log").read_text() == ""


def await_second_match(door: Door, table: Table) -> None:
    """Wait until the worker has begun the next match."""
    deadline = time.monotonic() + 2 * PATIENCE
    while table.red.at(door).sees(table.room).body["match"]["number"] < 2:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def in_lobby(door: Door) -> set[str]:
    """Return the names of all rooms in the lobby."""
    names: set[str] = set()
    page = door.stranger().gets("/v1/rooms").body
    names |= {card["room"] for card in page["rooms"]}
    while page.get("next"):
        page = door.stranger().gets("/v1/rooms", cursor=page["next"]).body
        names |= {card["room"] for card in page["rooms"]}
    return names


def test_with_replicated_an_answer_means_that_a_replica_has_it(tmp_path: Path) -> None:
    """While it hangs the outcome is unknown, however often one asks; when it is back, the repetition is answered."""
    if server_binary() is None:
        pytest.skip("no server program for the nodes")
    with running(Node()) as primary, running(Node("--replicaof", "127.0.0.1", str(primary.port))) as replica:
        replica.await_primary()
        api = ApiProcess(primary.address, tmp_path / "log", acknowledge="replicated")
        other = ApiProcess(primary.address, tmp_path / "log", acknowledge="replicated")
        with started(api, other), door_to(api.url) as door, door_to(other.url) as there:
            room, (red, _) = seated(door, "morris", 2)
            stream = next(key for key in replica.order("KEYS", f"*room:{room}:*"))
            assert replica.order("XLEN", stream) == red.sees(room).body["version"]
            replica.pause()
            for _ in range(2):
                hanging = red.plays(room, {"type": "place", "at": "a1"}, key="k")
                assert (hanging.status, hanging.code) == (503, "outcome_unknown")
            elsewhere = red.at(there).plays(room, {"type": "place", "at": "a1"}, key="k")
            assert (elsewhere.status, elsewhere.code) == (503, "outcome_unknown")
            replica.resume()
            answer = red.plays(room, {"type": "place", "at": "a1"}, key="k")
            assert (answer.status, answer.headers.get("idempotency-replayed")) == (200, "true")
            assert replica.order("XLEN", stream) == answer.body["version"]
