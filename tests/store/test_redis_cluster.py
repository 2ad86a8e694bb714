"""The same store on a cluster of two nodes, between which partitions move."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest
from redis.crc import key_slot

from service.domain.catalog import GAMES
from service.domain.ids import Millis, PlayerId, RoomKey, Version
from service.programs.embedded_store import server_binary
from service.store.contract import NOT_BEGUN, Batch, StoreUnavailable
from service.store.projections.leaderboards import BoardRow, RatedMatch, Stretch
from service.store.redis.client.cluster import with_address
from service.store.redis.keys import Keys
from service.store.redis.server_checks import UnsuitableStore
from service.store.redis.store import RedisStore
from service.store.side_channels import Line, ProcessId, Where
from service.store.stream_keys import KindKey, webhooks_key
from tests.store.conftest import append_events, card, entries_after, open_room, room
from tests.store_server import ProgramServer, free_port, run_server

HALF = 8192
ROOMS = [room(f"room-{number}") for number in range(40)]


def partition(key: RoomKey) -> int:
    """Return the number of a room's partition. Number 0 never moves here, for it holds the number of partitions."""
    return Keys(16).partition_of(key.name).number


@dataclass(frozen=True)
class Cluster:
    """Two nodes that share the slots, and the address of the first."""

    nodes: tuple[ProgramServer, ProgramServer]
    url: str

    def hand_over(self, key: RoomKey) -> None:
        """Move the empty partition of a room to the other node, so that both nodes agree."""
        slot = key_slot(Keys(16).partition_of(key.name).tag)
        giver, taker = self.nodes if slot < HALF else self.nodes[::-1]
        giver_id, taker_id = (node.execute("CLUSTER", "MYID") for node in (giver, taker))
        taker.execute("CLUSTER", "SETSLOT", slot, "IMPORTING", giver_id)
        giver.execute("CLUSTER", "SETSLOT", slot, "MIGRATING", taker_id)
        for node in (taker, giver):
            node.execute("CLUSTER", "SETSLOT", slot, "NODE", taker_id)

    def prefer(self, kind: str) -> None:
        """Let the nodes name each other by address (`ip`), or by host name (`hostname`), which they have none of."""
        for node in self.nodes:
            node.execute("CONFIG", "SET", "cluster-preferred-endpoint-type", kind)


@pytest.fixture(scope="module")
def two_nodes() -> Iterator[Cluster]:
    """Run two nodes for all tests here, for it takes them seconds to become a cluster."""
    if server_binary() is None:
        pytest.skip("no server program for the nodes")
    with ExitStack() as stack:
        ports = [(free_port(), free_port()) for _ in range(2)]
        nodes = [stack.enter_context(run_server(ProgramServer(*node_settings(*pair)))) for pair in ports]
        nodes[0].execute("CLUSTER", "ADDSLOTSRANGE", 0, HALF - 1)
        nodes[1].execute("CLUSTER", "ADDSLOTSRANGE", HALF, 2 * HALF - 1)
        nodes[0].execute("CLUSTER", "MEET", "127.0.0.1", *ports[1])
        while not all(b"cluster_state:ok" in node.execute("CLUSTER", "INFO") for node in nodes):
            time.sleep(0.01)
        yield Cluster((nodes[0], nodes[1]), f"redis://127.0.0.1:{ports[0][0]}")


@pytest.fixture
def cluster(two_nodes: Cluster) -> Cluster:
    """Return the cluster, empty."""
    for node in two_nodes.nodes:
        node.execute("FLUSHALL")
        node.execute("CONFIG", "SET", "maxmemory-policy", "noeviction")
    two_nodes.prefer("ip")
    return two_nodes


def node_settings(port: int, bus: int) -> Iterator[str]:
    """Return the settings of a node."""
    yield from ("--port", str(port), "--cluster-enabled", "yes", "--cluster-port", str(bus))


@pytest.fixture
async def clustered(cluster: Cluster) -> AsyncIterator[RedisStore]:
    """Return a client of the cluster that knows its first node only."""
    store = RedisStore(cluster.url, cluster=True)
    yield store
    await store.close()


async def test_rooms_of_all_partitions_are_served_wherever_they_are(cluster: Cluster, clustered: RedisStore) -> None:
    """Streams, heads, names, lobby, due set, a player's rooms and codes of invitations, over both nodes."""
    for at, key in enumerate(ROOMS):
        await clustered.append(
            key,
            NOT_BEGUN,
            Batch(name="claim", entries=entries_after(NOT_BEGUN, key.name), due=Millis(at), lobby=card(at, key.name)),
        )
        await clustered.remember_room(PlayerId("p_mischa"), key)
        await clustered.side_channels.record_invitation(f"hash {at}", key, Millis(60_000))
    assert [head.version for head in await clustered.heads(ROOMS) if head] == [1] * 40
    assert [(await clustered.read(key, Version(0)))[0].data.decode() for key in ROOMS] == [key.name for key in ROOMS]
    assert [key for key, _ in (await clustered.lobby(None, 50)).entries] == ROOMS[::-1]
    assert await clustered.claim_due(Millis(99), Millis(1), 50) == ROOMS
    assert await clustered.rooms_of(PlayerId("p_mischa")) == ROOMS
    codes = [await clustered.side_channels.find_invitation(f"hash {at}") for at in range(len(ROOMS))]
    assert codes == ROOMS
    assert all(node.execute("DBSIZE") > 40 for node in cluster.nodes)


async def test_webhooks_of_all_partitions_are_due_wherever_they_are(clustered: RedisStore) -> None:
    """Each is woken by an append to the stream of its owner, which is on the same node, and settled there."""
    owners = [PlayerId(f"p-{number}") for number in range(40)]
    for owner in owners:
        await clustered.append(webhooks_key(owner), NOT_BEGUN, Batch(entries_after(NOT_BEGUN, "made"), due=Millis(90)))
        event = Batch(entries_after(NOT_BEGUN, "happened"), wakes=Millis(9))
        await clustered.append(KindKey("player", owner), NOT_BEGUN, event)
    claimed = await clustered.claim_due(Millis(0), Millis(5), 50, webhooks=True)
    assert set(claimed) == {webhooks_key(owner) for owner in owners}
    for owner in owners:
        await clustered.settle_webhooks(webhooks_key(owner), Version(1), Version(1), Millis(70))
    assert await clustered.claim_due(Millis(69), Millis(5), 50, webhooks=True) == []
    assert len(await clustered.claim_due(Millis(70), Millis(5), 50, webhooks=True)) == 40


async def test_a_cluster_is_fit_and_both_nodes_are_looked_at(cluster: Cluster, clustered: RedisStore) -> None:
    """One node that may evict is enough to refuse it."""
    assert await clustered.check() == []
    cluster.nodes[1].execute("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    with pytest.raises(UnsuitableStore, match="noeviction"):
        await clustered.check()


async def test_a_cluster_must_be_called_one(cluster: Cluster) -> None:
    """As a single server it would lose half of the notifications."""
    store = RedisStore(cluster.url)
    with pytest.raises(UnsuitableStore, match="cluster"):
        await store.check()
    await store.close()


async def test_a_partition_that_moves_is_followed(cluster: Cluster, clustered: RedisStore) -> None:
    """The call that meets the old node is answered by the new one."""
    await clustered.check()
    moving = next(key for key in ROOMS if partition(key) == 1)
    cluster.hand_over(moving)
    head = await open_room(clustered, moving)
    assert (await append_events(clustered, moving, head, "joined")).version == 2


async def test_a_node_whose_name_another_does_not_know_yet_stays_where_it_was(
    cluster: Cluster, clustered: RedisStore
) -> None:
    """For moments after a restart `CLUSTER SLOTS` has `?` instead of its name, which is no address."""
    await clustered.check()
    head = await open_room(clustered, ROOMS[0])
    moving = next(key for key in ROOMS if partition(key) == 3)
    cluster.prefer("hostname")
    cluster.hand_over(moving)
    with pytest.raises(StoreUnavailable, match="MOVED"):
        await open_room(clustered, moving)
    assert (await append_events(clustered, ROOMS[0], head, "joined")).version == 2
    cluster.prefer("ip")
    assert (await open_room(clustered, moving)).version == 1


async def test_listening_follows_a_partition_that_moves(cluster: Cluster, clustered: RedisStore) -> None:
    """Subscribers are notified, because messages may have been missed, and get later messages."""
    heard: asyncio.Queue[tuple[RoomKey, Version]] = asyncio.Queue()
    for key in ROOMS:
        await clustered.subscribe(key, lambda key, version: heard.put_nowait((key, version)))
    moving = [key for key in ROOMS if partition(key) == 2]
    cluster.hand_over(moving[0])
    woken = [await heard.get() for _ in moving]
    assert sorted(key.name for key, _ in woken) == sorted(key.name for key in moving)
    assert {version for _, version in woken} == {0}
    for key in ROOMS:
        await open_room(clustered, key)
        assert await heard.get() == (key, 1)


class SideChannelObserver:
    """Records what arrives over side channels."""

    def __init__(self) -> None:
        """Begin without messages."""
        self.heard: asyncio.Queue[object] = asyncio.Queue()

    def line_added(self, where: Where, line: Line) -> None:
        """Record a line."""
        self.heard.put_nowait((where, line.data))

    def presence_changed(self, where: Where, process: ProcessId) -> None:
        """Record which process announced a room."""
        self.heard.put_nowait((where, process))

    def changes_missed(self, where: Where) -> None:
        """Record that notifications may have been missed."""
        self.heard.put_nowait(where)


async def test_lobby_chat_and_presence_are_heard_from_both_nodes(cluster: Cluster, clustered: RedisStore) -> None:
    """Each by the node of its partition."""
    other, observer, process = RedisStore(cluster.url, cluster=True), SideChannelObserver(), ProcessId("process")
    await clustered.side_channels.subscribe_to_lobby(lambda key, data: observer.heard.put_nowait((key, data)))
    for key in ROOMS:
        await other.append(
            key, NOT_BEGUN, Batch(name="claim", entries=entries_after(NOT_BEGUN, key.name), lobby=card(1, key.name))
        )
        assert await observer.heard.get() == (key, key.name.encode())
        await clustered.side_channels.subscribe(key, observer)
        await other.side_channels.add_line(key, b"hello", 9, Millis(1000))
        assert await observer.heard.get() == (key, b"hello")
        await other.side_channels.store_presence(key, process, b"anna")
        assert await observer.heard.get() == (key, process)
    assert len(await clustered.side_channels.rooms_of_process(process)) == len(ROOMS)
    assert (await clustered.side_channels.beat(process, Millis(1000))).dead == ()
    await other.close()


@pytest.mark.parametrize(
    ("url", "host", "expected"),
    [
        ("redis://user:pw@first:7000/0?a=b", "10.0.0.2", "redis://user:pw@10.0.0.2:7001/0?a=b"),
        ("rediss://first", "second.example", "rediss://second.example:7001"),
        ("redis://first", "::1", "redis://[::1]:7001"),
        ("redis://:pw@first:7000", "", "redis://:pw@first:7001"),
    ],
)
def test_another_node_is_reached_as_the_first_one_was(url: str, host: str, expected: str) -> None:
    """The same user, password and scheme at another address."""
    assert with_address(url, host, 7001) == expected


async def test_leaderboards_are_wherever_their_lists_are(clustered: RedisStore) -> None:
    """Also while they are made again: all keys of a board are in one slot."""
    boards, anna = clustered.leaderboards, PlayerId("p-anna")
    lists = [f"{game}.blitz" for game in GAMES]
    for number, board in enumerate(lists):
        row = BoardRow(anna, board.encode(), number, has_place=True)
        assert await boards.update(board, Version(0), Version(1), [row], Stretch([RatedMatch("a.e1.1", Version(1))]))
        rebuild = await boards.begin(board, take_over=False)
        assert rebuild is not None
        assert await boards.stage(board, rebuild, [row._replace(data=b"again")], Stretch())
        assert await boards.publish(board, rebuild, Version(2))
    pages = [await boards.page(board, 0, 9) for board in lists]
    assert [[(placed.player, placed.data) for placed in page] for page in pages] == [[(anna, b"again")]] * len(lists)
    assert [await boards.version(board) for board in lists] == [2] * len(lists)
    assert await boards.match(lists[0], "a.e1.1") is None
