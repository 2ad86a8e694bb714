"""The batching connection, against a real server."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import hiredis
import pytest

from service.store.contract import OutcomeUnknown, StoreUnavailable
from service.store.redis.client.address import Address, address_of
from service.store.redis.client.connection import PROBE_PATIENCE, Connection, is_silent
from service.store.redis.client.pipeline import Pipeline
from tests.store_server import StoreServer
from tests.waiting import wait_until


class Written:
    """Counts what pipelines write."""

    writes = 0


@pytest.fixture
async def counted(
    store_server: StoreServer, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Pipeline, Written]]:
    """Return a pipeline and the count of its writes."""
    written, connect = Written(), Connection.connection_made

    def counting(connection: Connection, transport: asyncio.BaseTransport) -> None:
        connect(connection, transport)
        write = connection.write

        def count(commands: bytes) -> None:
            written.writes += 1
            write(commands)

        connection.write = count

    monkeypatch.setattr(Connection, "connection_made", counting)
    pipeline = Pipeline(address_of(store_server.url))
    yield pipeline, written
    await pipeline.close()


async def test_the_commands_of_one_turn_are_sent_in_one_write(counted: tuple[Pipeline, Written]) -> None:
    """There may be any number of callers."""
    pipeline, written = counted
    assert await asyncio.gather(*(pipeline.send(b"ECHO", b"%d" % n) for n in range(200))) == [
        b"%d" % n for n in range(200)
    ]
    assert written.writes == 1


async def test_callers_that_run_together_share_writes(counted: tuple[Pipeline, Written]) -> None:
    """64 callers, each with ten calls one after the other, make far fewer than 640 writes."""
    pipeline, written = counted

    async def caller(name: int) -> None:
        for number in range(10):
            words = b"%d.%d" % (name, number)
            assert await pipeline.send(b"ECHO", words) == words

    await asyncio.gather(*map(caller, range(64)))
    assert written.writes < 160


async def test_a_caller_that_gives_up_does_not_shift_the_replies_of_others(counted: tuple[Pipeline, Written]) -> None:
    """Not before its command is sent, and not while its reply is awaited."""
    pipeline, _ = counted
    early = [pipeline.send(b"ECHO", b"early %d" % n) for n in range(10)]
    for answer in early[::2]:
        answer.cancel()
    assert await asyncio.gather(*early[1::2]) == [b"early %d" % n for n in range(1, 10, 2)]

    async def impatient(number: int) -> object:
        return await pipeline.send(b"ECHO", b"%d" % number)

    late = [asyncio.ensure_future(impatient(number)) for number in range(10)]
    await wait_until(lambda: len(pipeline._sent) == len(late))
    for task in late[::2]:
        task.cancel()
    assert await asyncio.gather(*late[1::2]) == [b"%d" % n for n in range(1, 10, 2)]
    assert await pipeline.send(b"ECHO", b"last") == b"last"


async def test_a_call_given_up_before_it_was_sent_is_not_sent(counted: tuple[Pipeline, Written]) -> None:
    """Its reply has no receiver."""
    pipeline, _ = counted
    pipeline.send(b"INCR", b"count").cancel()
    await pipeline.send(b"INCR", b"count")
    assert await pipeline.send(b"GET", b"count") == b"1"


async def test_an_error_reply_fails_its_own_call_only(counted: tuple[Pipeline, Written]) -> None:
    """The other calls in the same write get their replies."""
    pipeline, _ = counted
    before, bad, after = pipeline.send(b"ECHO", b"a"), pipeline.send(b"NOSUCHCOMMAND"), pipeline.send(b"ECHO", b"b")
    with pytest.raises(hiredis.ReplyError):
        await bad
    assert (await before, await after) == (b"a", b"b")


async def test_a_reply_of_any_size_and_shape_comes_through(counted: tuple[Pipeline, Written]) -> None:
    """Nothing, a number, a list in a list, and a megabyte."""
    pipeline, _ = counted
    large = bytes(range(256)) * 4096
    await pipeline.send(b"SET", b"large", large)
    assert await pipeline.send(b"GET", b"large") == large
    assert await pipeline.send(b"GET", b"nothing") is None
    assert await pipeline.send(b"EVAL", b"return {1, {'a', false}, {}}", b"0") == [1, [b"a", None], []]


async def test_waiting_callers_fail_when_the_connection_is_closed(counted: tuple[Pipeline, Written]) -> None:
    """Later callers get the same error."""
    pipeline, _ = counted
    answer = pipeline.send(b"ECHO", b"a")
    await pipeline.close()
    with pytest.raises(StoreUnavailable):
        await answer
    with pytest.raises(StoreUnavailable):
        await pipeline.send(b"ECHO", b"b")


async def test_without_a_server_a_call_fails_at_once_and_did_nothing() -> None:
    """A command that was never sent did nothing."""
    pipeline = Pipeline(address_of("unix:///nowhere/store.sock"))
    with pytest.raises(StoreUnavailable):
        await pipeline.send(b"SET", b"a", b"b", in_doubt=OutcomeUnknown)
    with pytest.raises(StoreUnavailable):
        await pipeline.send(b"GET", b"a")
    await pipeline.close()


async def freeze_with_calls(pipeline: Pipeline, server: StoreServer) -> None:
    """Freeze a server that has two calls to answer: the read fails, the outcome of the write is unknown."""
    await pipeline.send(b"SET", b"a", b"1")
    server.pause()
    reading, writing = pipeline.send(b"GET", b"a"), pipeline.send(b"INCR", b"a", in_doubt=OutcomeUnknown)
    with pytest.raises(StoreUnavailable):
        await reading
    with pytest.raises(OutcomeUnknown):
        await writing


async def test_a_greeting_that_is_answered_too_late_is_ignored() -> None:
    """After the caller has given up, before the connection is closed."""
    connection = Connection([b"PING"], lambda _replies: None, lambda: None)
    connection.ready.cancel()
    connection.data_received(b"+PONG\r\n")
    assert connection.ready.cancelled()


async def test_a_server_that_hangs_is_given_up_and_comes_back(own_server: StoreServer) -> None:
    """Sent commands are in doubt. Once the server continues, the next call is answered."""
    pipeline = Pipeline(address_of(own_server.url), reply_patience=0.2)
    await freeze_with_calls(pipeline, own_server)
    own_server.resume()
    await wait_until(pipeline.ping)
    assert await pipeline.send(b"GET", b"a") == b"2"
    await pipeline.close()


async def test_a_frozen_server_is_found_out_by_a_probe_and_then_calls_fail_at_once(
    own_server: StoreServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long replies may take otherwise. While the server is frozen, no call connects; it recovers by itself."""
    dials, connect = 0, Address.connect

    async def counting(address: Address, protocol: Callable[[], asyncio.Protocol]) -> None:
        nonlocal dials
        dials += 1
        await connect(address, protocol)

    monkeypatch.setattr(Address, "connect", counting)
    pipeline = Pipeline(address_of(own_server.url), reply_patience=3600)
    await freeze_with_calls(pipeline, own_server)
    before = dials
    for _ in range(1000):
        with pytest.raises(StoreUnavailable):
            await pipeline.send(b"INCR", b"a", in_doubt=OutcomeUnknown)
    assert dials == before
    own_server.resume()
    await wait_until(pipeline.ping)
    assert await pipeline.send(b"GET", b"a") == b"2"
    await pipeline.close()


async def test_a_server_that_is_slow_but_answers_a_probe_is_waited_for(tmp_path: Path) -> None:
    """It may work through a long queue of other clients; its late reply is accepted."""
    greeted = 0

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal greeted
        greeted += 1
        while received := await reader.read(1000):
            if b"ECHO" in received:
                await wait_until(lambda: greeted > 2)
                writer.write(b":7\r\n")
            else:
                writer.write(b"+OK\r\n" * received.count(b"*"))
        writer.close()

    async with await asyncio.start_unix_server(meet, tmp_path / "socket"):
        pipeline = Pipeline(Address(socket=f"{tmp_path}/socket"))
        assert await pipeline.send(b"ECHO", b"a") == 7
        await pipeline.close()


async def test_commands_beyond_the_write_buffer_are_not_sent(own_server: StoreServer) -> None:
    """So a command after a flood certainly did nothing, while the flood itself is in doubt."""
    pipeline = Pipeline(address_of(own_server.url), reply_patience=0.3)
    await pipeline.send(b"SET", b"a", b"1")
    own_server.pause()
    flood = pipeline.send(b"SET", b"flood", bytes(8_000_000), in_doubt=OutcomeUnknown)
    await wait_until(lambda: not pipeline._waiting)
    later = pipeline.send(b"INCR", b"a", in_doubt=OutcomeUnknown)
    with pytest.raises(OutcomeUnknown):
        await flood
    with pytest.raises(StoreUnavailable):
        await later
    own_server.resume()
    await wait_until(pipeline.ping)
    assert await pipeline.send(b"GET", b"a") == b"1"
    await pipeline.close()


async def test_waiting_commands_are_sent_when_the_server_continues(own_server: StoreServer) -> None:
    """They are sent in the order of the calls."""
    pipeline = Pipeline(address_of(own_server.url))
    await pipeline.send(b"SET", b"a", b"1")
    own_server.pause()
    flood = pipeline.send(b"SET", b"flood", bytes(8_000_000))
    await wait_until(lambda: not pipeline._waiting)
    later = [pipeline.send(b"INCR", b"a") for _ in range(3)]
    await asyncio.sleep(0)
    assert pipeline.depth() == len(pipeline._waiting) + 1 == 4
    own_server.resume()
    assert await asyncio.gather(flood, *later) == [b"OK", 2, 3, 4]
    await pipeline.close()


@asynccontextmanager
async def strange_server(tmp_path: Path, *replies: bytes) -> AsyncIterator[str]:
    """Run a server that answers the greeting, then sends each of these to one connection, and closes it."""
    unsent = iter(replies)

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while b"ECHO" not in (received := await reader.read(1000)):
            writer.write(b"+OK\r\n" * received.count(b"*"))
        writer.write(next(unsent))
        writer.close()

    async with await asyncio.start_unix_server(meet, tmp_path / "socket"):
        yield f"unix://{tmp_path}/socket"


async def test_an_unusable_connection_is_given_up(tmp_path: Path) -> None:
    """It is closed, sends bytes that are not a reply, or an unexpected reply. The next one works."""
    async with strange_server(tmp_path, b"", b"hello\r\n", b":1\r\n:2\r\n", b":3\r\n") as url:
        pipeline = Pipeline(address_of(url))
        for _ in range(2):
            with pytest.raises(OutcomeUnknown):
                await pipeline.send(b"ECHO", b"a", in_doubt=OutcomeUnknown)
        assert await pipeline.send(b"ECHO", b"a") == 1
        await wait_until(lambda: pipeline._run is None)
        assert await pipeline.send(b"ECHO", b"a") == 3
        await pipeline.close()


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (b"", "closed the connection"),
        (b"-WRONGPASS invalid username-password pair\r\n", "WRONGPASS"),
        (b"-ERR max number of clients reached\r\n", "max number of clients"),
        (b"+OK\r\n+OK\r\n+OK\r\n", "reply without a command"),
        (b"hello\r\n", "Protocol error"),
    ],
)
async def test_a_server_that_refuses_the_greeting_gets_no_command(tmp_path: Path, reply: bytes, reason: str) -> None:
    """So nothing was executed; the error has the reason."""
    heard = []

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.read(1000))
        writer.write(reply)
        if not reply:
            writer.close()
        heard.append(await reader.read(1000))
        writer.close()

    async with await asyncio.start_unix_server(meet, tmp_path / "socket"):
        pipeline = Pipeline(Address(socket=f"{tmp_path}/socket", login=("secret",)))
        with pytest.raises(StoreUnavailable, match=reason):
            await pipeline.send(b"SET", b"a", b"b", in_doubt=OutcomeUnknown)
        await pipeline.close()
    assert b"SET\r\n" not in b"".join(heard)


async def test_a_server_that_is_slow_to_reach_is_not_frozen(
    own_server: StoreServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A probe waits longer for a connection than for an answer: the network may be slow or lose packets."""
    address, connect = address_of(own_server.url), Address.connect

    async def far(address: Address, protocol: Callable[[], asyncio.Protocol]) -> None:
        await asyncio.sleep(PROBE_PATIENCE + 0.1)
        await connect(address, protocol)

    monkeypatch.setattr(Address, "connect", far)
    assert not await is_silent(address)
    own_server.pause()
    assert await is_silent(address)
    own_server.resume()
    assert not await is_silent(address)
