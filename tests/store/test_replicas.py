"""With replicas an answer means that they have it: also on a new connection, and for what somebody else wrote."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from service.programs.embedded_store import server_binary
from service.store.contract import NOT_BEGUN, Batch, Conflict, OutcomeUnknown
from service.store.redis.store import RedisStore
from tests.store.conftest import append_events, entries_after, open_room, room
from tests.store_server import ProgramServer, free_port, run_server
from tests.waiting import wait_for, wait_until

FRIDAY = room()


class Pair:
    """A server and its replica."""

    def __init__(self, primary: ProgramServer, replica: ProgramServer) -> None:
        self.primary, self.replica = primary, replica


@pytest.fixture
def pair() -> Iterator[Pair]:
    """Run a server with a replica that has caught up."""
    if server_binary() is None:
        pytest.skip("no server program for the nodes")
    port = str(free_port())
    with (
        run_server(ProgramServer("--port", port)) as primary,
        run_server(ProgramServer("--replicaof", "127.0.0.1", port)) as replica,
    ):
        wait_for(lambda: b"master_link_status:up" in replica.execute("INFO", "replication"))
        yield Pair(primary, replica)
        replica.resume()


@pytest.fixture
async def store(pair: Pair) -> AsyncIterator[RedisStore]:
    """Return a client that waits for the replica."""
    store = RedisStore(pair.primary.url, replicas=1)
    yield store
    await store.close()


async def test_a_conflict_on_a_new_connection_is_reported_once_replicas_have_the_entry(
    store: RedisStore, pair: Pair
) -> None:
    """It may be an earlier attempt of the same command, which the writer then counts as answered."""
    await open_room(store, FRIDAY)
    pair.replica.pause()
    writer = RedisStore(pair.primary.url)
    await append_events(writer, FRIDAY, (await writer.heads([FRIDAY]))[0] or NOT_BEGUN, "joined")
    fresh = RedisStore(pair.primary.url, replicas=1)
    for _ in range(2):
        with pytest.raises(OutcomeUnknown, match="0 of 1"):
            await fresh.append(FRIDAY, NOT_BEGUN, Batch(entries_after(NOT_BEGUN, "opened")))
        with pytest.raises(OutcomeUnknown, match="0 of 1"):
            await fresh.wait_until_durable(FRIDAY)
    pair.replica.resume()
    with pytest.raises(Conflict):
        await fresh.append(FRIDAY, NOT_BEGUN, Batch(entries_after(NOT_BEGUN, "opened")))
    await fresh.wait_until_durable(FRIDAY)
    for client in (writer, fresh):
        await client.close()


async def test_a_connection_that_ends_before_replicas_confirm_leaves_the_outcome_unknown(
    store: RedisStore, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a failover, the next connection knows nothing of this append."""
    head = await open_room(store, FRIDAY)
    call = store._cluster.call

    async def call_and_lose_the_connection(*arguments: Any) -> Any:
        reply = await call(*arguments)
        [pipeline] = store._cluster._pipelines.values()
        ended = pipeline.ended
        pair.replica.pause()
        pair.primary.execute("CLIENT", "KILL", "TYPE", "normal")
        await wait_until(lambda: pipeline.ended > ended)
        return reply

    monkeypatch.setattr(store._cluster, "call", call_and_lose_the_connection)
    with pytest.raises(OutcomeUnknown):
        await append_events(store, FRIDAY, head, "joined")


async def test_without_replicas_nothing_is_waited_for(pair: Pair) -> None:
    """Nothing is written for that either."""
    alone = RedisStore(pair.primary.url)
    head = await open_room(alone, FRIDAY)
    pair.replica.pause()
    await append_events(alone, FRIDAY, head, "joined")
    await alone.wait_until_durable(FRIDAY)
    assert sum((await alone.identity.observe()).appended.values()) == 2
    await alone.close()
