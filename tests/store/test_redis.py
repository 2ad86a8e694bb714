"""What only a real server can show: scripts that vanish, refusals, memory, users."""

import asyncio
import re
import threading

import pytest
from msgspec.structs import replace

from service.domain.ids import Epoch, Millis, Version
from service.store.contract import NOT_BEGUN, Batch, Conflict, Head, StoreUnavailable
from service.store.redis.keys import Keys
from service.store.redis.scripts import APPEND
from service.store.redis.store import RedisStore
from tests.store.conftest import append_events, card, entries_after, open_room, room
from tests.store_server import ProgramServer, StoreServer, choose_server, free_port, run_server
from tests.waiting import wait_until

FRIDAY = room()


async def test_a_script_that_the_server_forgot_is_sent_along(
    redis_store: RedisStore, store_server: StoreServer
) -> None:
    """Every caller that finds it missing sends it, and the server knows it from then on."""
    head = await open_room(redis_store, FRIDAY)
    store_server.execute("SCRIPT", "FLUSH")
    others = (open_room(redis_store, room(f"room-{number}")) for number in range(20))
    ended = await asyncio.gather(append_events(redis_store, FRIDAY, head, "joined"), *others)
    assert [head.version for head in ended] == [2] + [1] * 20
    assert store_server.execute("SCRIPT", "EXISTS", APPEND.sha) == [1]


async def test_a_page_of_the_lobby_costs_little_more_than_it_shows(
    redis_store: RedisStore, store_server: StoreServer
) -> None:
    """The cost is the number of entries that the store looks up over all of its partitions."""
    opened = entries_after(NOT_BEGUN, "opened")
    for first in range(0, 1600, 100):  # all of them at once would leave no time for connecting
        await asyncio.gather(
            *(
                redis_store.append(
                    room(f"room-{number}"), NOT_BEGUN, Batch(opened, lobby=card(number + 1), name="claim")
                )
                for number in range(first, first + 100)
            )
        )
    for limit, most in ((1, 90), (50, 160), (500, 700)):
        store_server.execute("CONFIG", "RESETSTAT")
        assert len((await redis_store.lobby(None, limit)).entries) == limit
        stats = store_server.execute("INFO", "commandstats")
        [looked_up] = re.findall(r"cmdstat_hget:calls=(\d+)", stats.decode())
        assert int(looked_up) <= most


async def test_everything_of_a_room_lies_in_one_slot(redis_store: RedisStore, store_server: StoreServer) -> None:
    """All keys carry the same hash tag, so the script runs on a cluster too."""
    batch = Batch(entries_after(NOT_BEGUN, "opened"), due=Millis(5), lobby=card(5), matches=((1, b"one"),))
    await redis_store.append(FRIDAY, NOT_BEGUN, replace(batch, name="claim"))
    tag = Keys(16).partition_of(FRIDAY.name).tag
    keys = store_server.execute("KEYS", "*")
    assert len(keys) == 8
    assert all(key.startswith(tag) for key in keys)


async def test_a_closed_room_leaves_no_trace_but_itself(redis_store: RedisStore, store_server: StoreServer) -> None:
    """It is not in the lobby, not in the due set, and not under its name. When it closed is stored for the archive."""
    batch = Batch(entries_after(NOT_BEGUN, "opened"), due=Millis(5), lobby=card(5))
    await redis_store.append(FRIDAY, NOT_BEGUN, replace(batch, name="claim"))
    head = Head(Version(1), batch.entries[0].digest)
    await redis_store.append(FRIDAY, head, Batch(entries_after(head, "closed"), due=None, lobby=None, name="free"))
    kept = Keys(16)
    home = kept.partition_of(FRIDAY.name)
    left = [kept.stream(FRIDAY), kept.head(FRIDAY), home.closed, home.appended]
    assert sorted(store_server.execute("KEYS", "*")) == sorted(left)


async def test_the_version_is_the_id_of_the_entry(redis_store: RedisStore, store_server: StoreServer) -> None:
    """And an entry has two fields of one letter."""
    [entry] = entries_after(NOT_BEGUN, "opened")
    await redis_store.append(FRIDAY, NOT_BEGUN, Batch(name="claim", entries=(entry,)))
    assert store_server.execute("XRANGE", Keys(16).stream(FRIDAY), "-", "+") == [
        [b"1-0", [b"e", entry.data, b"d", entry.digest]]
    ]


async def test_a_lost_tail_is_a_conflict_not_a_gap(redis_store: RedisStore, store_server: StoreServer) -> None:
    """As after a cut append-only file: the stream ends earlier than the writer knows."""
    first = await open_room(redis_store, FRIDAY)
    store_server.execute("COPY", Keys(16).head(FRIDAY), "kept")
    second = await append_events(redis_store, FRIDAY, first, "joined")
    store_server.execute("COPY", "kept", Keys(16).head(FRIDAY), "REPLACE")
    store_server.execute("XDEL", Keys(16).stream(FRIDAY), "2-0")
    with pytest.raises(Conflict) as conflict:
        await append_events(redis_store, FRIDAY, second, "left")
    assert conflict.value.head == first


async def test_many_writers_leave_every_stream_in_order(redis_store: RedisStore, store_server: StoreServer) -> None:
    """Two processes append to the same 20 rooms; every answered event has the version that its writer got."""
    rival = RedisStore(store_server.url)
    keys = [room(f"room-{number}") for number in range(20)]
    await asyncio.gather(*(open_room(redis_store, key) for key in keys))

    async def write(store: RedisStore, mark: str, key_number: int) -> list[tuple[Version, str]]:
        key, written = keys[key_number], []
        for number in range(10):
            [head] = await store.heads([key])
            event = f"{mark}{number}"
            try:
                head = await append_events(store, key, head or NOT_BEGUN, event)
            except Conflict:
                continue
            written.append((head.version, event))
        return written

    writers = [(store, mark, n) for n in range(20) for store, mark in ((redis_store, "a"), (rival, "b"))]
    answered = await asyncio.gather(*(write(*writer) for writer in writers))
    for number, key in enumerate(keys):
        stored = [(entry.version, entry.data.decode()) for entry in await rival.read(key, Version(1))]
        assert stored == sorted(answered[2 * number] + answered[2 * number + 1])
    await rival.close()


async def refused(store: RedisStore, head: Head) -> str:
    """Append to Friday's room and return why the store refuses."""
    with pytest.raises(StoreUnavailable) as refusal:
        await append_events(store, FRIDAY, head, "joined")
    return str(refusal.value)


async def test_a_replica_does_not_write(own_server: StoreServer) -> None:
    """The error has the reason. Once it is a primary again, the same client continues."""
    store = RedisStore(own_server.url)
    head = await open_room(store, FRIDAY)
    own_server.execute("REPLICAOF", "127.0.0.1", free_port())
    assert "read only" in await refused(store, head)
    own_server.execute("REPLICAOF", "NO", "ONE")
    assert (await append_events(store, FRIDAY, head, "joined")).version == 2
    await store.close()


async def test_a_full_server_writes_nothing_at_all(own_server: StoreServer) -> None:
    """Not even the part of an append that would have fitted."""
    store = RedisStore(own_server.url)
    head = await open_room(store, FRIDAY)
    own_server.execute("CONFIG", "SET", "maxmemory", 1)
    assert "used memory" in await refused(store, head)
    own_server.execute("CONFIG", "SET", "maxmemory", 0)
    assert await store.heads([FRIDAY]) == [head]
    assert (await append_events(store, FRIDAY, head, "joined")).version == 2
    await store.close()


async def test_a_busy_server_refuses_and_goes_on(own_server: StoreServer) -> None:
    """Another client runs an endless script; calls fail at once."""
    store = RedisStore(own_server.url)
    head = await open_room(store, FRIDAY)
    own_server.execute("CONFIG", "SET", "lua-time-limit", 1)

    def hog() -> None:
        with pytest.raises(Exception, match="script"):
            own_server.execute("EVAL", "while true do end", 0)

    thread = threading.Thread(target=hog)
    thread.start()
    await wait_until(lambda: not own_server.answers())
    assert "busy" in await refused(store, head)
    own_server.execute("SCRIPT", "KILL")
    thread.join()
    assert (await append_events(store, FRIDAY, head, "joined")).version == 2
    await store.close()


def as_user(server: StoreServer, name: str, *rights: str) -> str:
    """Return the URL of the server for a new user with these rights."""
    server.execute("ACL", "SETUSER", name, "on", ">secret", *rights)
    scheme, rest = server.url.split("://")
    return f"{scheme}://{name}:secret@{rest}"


async def test_a_user_of_the_access_list_is_let_in(own_server: StoreServer) -> None:
    """The URL has the name and the password."""
    store = RedisStore(as_user(own_server, "rooms", "~*", "&*", "+@all"))
    assert (await open_room(store, FRIDAY)).version == 1
    await store.close()


async def test_a_wrong_password_is_an_unavailable_store(own_server: StoreServer) -> None:
    """The error has the reason, without the password."""
    store = RedisStore(as_user(own_server, "rooms", "~*", "+@all").replace("secret", "guess"))
    with pytest.raises(StoreUnavailable) as refusal:
        await store.open_epoch(FRIDAY.name)
    assert "invalid username-password" in str(refusal.value)
    assert "guess" not in str(refusal.value)
    await store.close()


async def test_a_user_who_may_not_publish_still_appends_all_of_it(own_server: StoreServer) -> None:
    """Notifications may be lost; half an append may not be."""
    store = RedisStore(as_user(own_server, "mute", "~*", "resetchannels", "+@all"))
    await store.append(
        FRIDAY, NOT_BEGUN, Batch(name="claim", entries=entries_after(NOT_BEGUN, "opened"), due=Millis(5), lobby=card(5))
    )
    assert await store.claim_due(Millis(5), Millis(1), 1) == [FRIDAY]
    assert await store.open_epoch(FRIDAY.name) == Epoch("e1")
    await store.close()


@pytest.mark.skipif(
    choose_server()[1] is not ProgramServer, reason="every other store is reached over TCP in all tests"
)
async def test_a_store_is_reached_over_tcp() -> None:
    """A Unix socket is the other possibility."""
    port = free_port()
    with run_server(ProgramServer("--port", str(port))):
        store = RedisStore(f"redis://127.0.0.1:{port}")
        assert (await open_room(store, FRIDAY)).version == 1
        await store.close()
