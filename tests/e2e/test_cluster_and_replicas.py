"""More than one store: the same programs with a Redis Cluster, and commands that wait for a replica."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from redis.crc import key_slot

from service.__main__ import main
from service.domain.ids import RoomName
from service.programs.embedded_store import server_binary
from service.store.redis.keys import Keys
from tests.e2e.client import ApiClient, connect_to
from tests.e2e.nodes import Node
from tests.e2e.processes import SECRET, ApiProcess, ServiceProcess, run_processes
from tests.e2e.seated_rooms import SeatedRoom, seat_players
from tests.store_server import free_port, run_server
from tests.waiting import wait_for

SLOTS = 16_384
ROOMS = 24


@pytest.fixture(scope="module")
def nodes() -> Iterator[list[Node]]:
    """Run three masters that share the slots."""
    if server_binary() is None:
        pytest.skip("no server program for the nodes")
    with ExitStack() as stack:
        buses = [free_port() for _ in range(3)]
        nodes = [Node("--cluster-enabled", "yes", "--cluster-port", str(bus)) for bus in buses]
        for number, node in enumerate(nodes):
            stack.enter_context(run_server(node))
            first_slot, next_slot = number * SLOTS // 3, (number + 1) * SLOTS // 3
            node.execute("CLUSTER", "ADDSLOTSRANGE", first_slot, next_slot - 1)
        for node, bus in zip(nodes[1:], buses[1:], strict=True):
            nodes[0].execute("CLUSTER", "MEET", "127.0.0.1", node.port, bus)
        wait_for(lambda: all(b"cluster_state:ok" in node.execute("CLUSTER", "INFO") for node in nodes))
        yield nodes


def node_of(seated: SeatedRoom) -> int:
    """Return the number of the node that serves a room's partition."""
    return key_slot(Keys(16).partition_of(RoomName(seated.room)).tag) * 3 // SLOTS


def test_api_and_worker_serve_a_cluster_like_one_store(
    nodes: list[Node], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rooms on every node are played and followed in two processes, restarted by a worker, listed and verified."""
    settings = {"redis_cluster": "true", "log_level": "warning", "witness": str(tmp_path / "witness")}
    apis = [ApiProcess(node.address, tmp_path / "log", **settings) for node in nodes[:2]]
    worker = ServiceProcess("service worker", nodes[2].address, tmp_path / "log", **settings)
    with run_processes(*apis, worker), connect_to(apis[0].url) as here, connect_to(apis[1].url) as there:
        rooms = [seat_players(here, "morris", 2, settings={"restart": 200}) for _ in range(ROOMS)]
        assert {node_of(seated) for seated in rooms} == {0, 1, 2}
        for seated in rooms:
            with seated.yellow.via(there).subscribe(seated.room) as feed:
                feed.until(lambda frame: frame["type"] == "caught_up")
                assert seated.red.play(seated.room, {"type": "place", "at": "a1"}).status == 200
                assert feed.update()["events"][-1]["at"] == "a1"
            assert seated.red.command(seated.room, "resign").status == 200
        for seated in rooms:
            wait_for_second_match(there, seated)
        assert lobby_names(there) == {seated.room for seated in rooms}
    monkeypatch.setenv("TURNSTREAM_REDIS_URL", nodes[1].address)
    monkeypatch.setenv("TURNSTREAM_REDIS_CLUSTER", "true")
    monkeypatch.setenv("TURNSTREAM_SECRET", SECRET)
    assert main(["verify", "--all"]) == 0
    feeds, rooms_line = capsys.readouterr().out.splitlines()
    assert feeds.startswith(f"player: {2 * ROOMS} streams, ")
    assert rooms_line.startswith(f"{ROOMS} rooms")
    assert (tmp_path / "log").read_text() == ""


def wait_for_second_match(client: ApiClient, seated: SeatedRoom) -> None:
    """Wait until the worker has begun the next match, with both players there."""
    readers = [player.via(client) for player in seated.players]
    wait_for(lambda: [reader.read_room(seated.room).body["match"]["number"] for reader in readers] == [2, 2])


def lobby_names(client: ApiClient) -> set[str]:
    """Return the names of all rooms in the lobby."""
    names: set[str] = set()
    page = client.anonymous().get("/v1/rooms").body
    names |= {entry["room"] for entry in page["rooms"]}
    while page.get("next"):
        page = client.anonymous().get("/v1/rooms", cursor=page["next"]).body
        names |= {entry["room"] for entry in page["rooms"]}
    return names


def test_with_replicated_an_acknowledged_command_is_on_a_replica(tmp_path: Path) -> None:
    """While the replica hangs the outcome is unknown; when it resumes, the repeated command is acknowledged."""
    if server_binary() is None:
        pytest.skip("no server program for the nodes")
    with run_server(Node()) as primary, run_server(Node("--replicaof", "127.0.0.1", str(primary.port))) as replica:
        replica.wait_for_sync()
        api = ApiProcess(primary.address, tmp_path / "log", acknowledge="replicated")
        other = ApiProcess(primary.address, tmp_path / "log", acknowledge="replicated")
        with run_processes(api, other), connect_to(api.url) as client, connect_to(other.url) as there:
            room, (red, _) = seat_players(client, "morris", 2)
            stream = next(key for key in replica.execute("KEYS", f"*room:{room}:*"))
            assert replica.execute("XLEN", stream) == red.read_room(room).body["version"]
            replica.pause()
            for _ in range(2):
                response_while_paused = red.play(room, {"type": "place", "at": "a1"}, key="k")
                assert (response_while_paused.status, response_while_paused.code) == (503, "outcome_unknown")
            elsewhere = red.via(there).play(room, {"type": "place", "at": "a1"}, key="k")
            assert (elsewhere.status, elsewhere.code) == (503, "outcome_unknown")
            replica.resume()
            response = red.play(room, {"type": "place", "at": "a1"}, key="k")
            assert (response.status, response.headers.get("idempotency-replayed")) == (200, "true")
            assert replica.execute("XLEN", stream) == response.body["version"]
