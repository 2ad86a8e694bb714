"""The batching connection, against a real server."""

import asyncio
from collections.abc import AsyncIterator, Iterable

import pytest
from redis.asyncio.connection import Connection, SSLConnection, UnixDomainSocketConnection
from redis.exceptions import ResponseError

from service.streams.contract import OutcomeUnknown, StoreUnavailable
from service.streams.link import Link
from service.streams.wire import Dialled, dial
from tests.store_server import StoreServer
from tests.streams.conftest import until


class CountingWire:
    """A connection that counts what goes over it."""

    def __init__(self, wire: Dialled) -> None:
        """Count over this connection."""
        self.wire = wire
        self.writes = 0

    @property
    def _reader(self) -> asyncio.StreamReader | None:
        return self.wire._reader

    async def connect(self) -> None:
        """Connect."""
        await self.wire.connect()

    async def send_packed_command(self, command: Iterable[bytes], *, check_health: bool = True) -> None:
        """Count a write."""
        self.writes += 1
        await self.wire.send_packed_command(command, check_health=check_health)

    async def disconnect(self) -> None:
        """Hang up."""
        await self.wire.disconnect()


@pytest.fixture
async def counted(store_server: StoreServer) -> AsyncIterator[tuple[Link, CountingWire]]:
    """Return a link and the one connection under it."""
    wire = CountingWire(dial(store_server.url))
    link = Link(lambda: wire)  # type: ignore[arg-type, return-value]  # it takes a keyword where redis-py takes both
    yield link, wire
    await link.close()


async def test_what_is_asked_in_one_turn_travels_in_one_write(counted: tuple[Link, CountingWire]) -> None:
    """By as many callers as there may be."""
    link, wire = counted
    assert await asyncio.gather(*(link.send(b"ECHO", b"%d" % n) for n in range(200))) == [b"%d" % n for n in range(200)]
    assert wire.writes == 1


async def test_callers_that_go_on_together_are_packed_together(counted: tuple[Link, CountingWire]) -> None:
    """64 callers, each with ten calls one after the other, make far fewer than 640 writes."""
    link, wire = counted

    async def caller(name: int) -> None:
        for number in range(10):
            words = b"%d.%d" % (name, number)
            assert await link.send(b"ECHO", words) == words

    await asyncio.gather(*map(caller, range(64)))
    assert wire.writes < 160


async def test_a_caller_that_gives_up_does_not_shift_the_replies_of_others(counted: tuple[Link, CountingWire]) -> None:
    """Neither before its command is sent nor while its reply is awaited."""
    link, _ = counted
    early = [link.send(b"ECHO", b"early %d" % n) for n in range(10)]
    for answer in early[::2]:
        answer.cancel()
    assert await asyncio.gather(*early[1::2]) == [b"early %d" % n for n in range(1, 10, 2)]

    async def impatient(number: int) -> object:
        return await link.send(b"ECHO", b"%d" % number)

    late = [asyncio.ensure_future(impatient(number)) for number in range(10)]
    await until(lambda: len(link._sent) == len(late))
    for task in late[::2]:
        task.cancel()
    assert await asyncio.gather(*late[1::2]) == [b"%d" % n for n in range(1, 10, 2)]
    assert await link.send(b"ECHO", b"last") == b"last"


async def test_a_call_given_up_before_it_was_sent_is_not_sent(counted: tuple[Link, CountingWire]) -> None:
    """Its reply would be nobody's."""
    link, _ = counted
    link.send(b"INCR", b"count").cancel()
    await link.send(b"INCR", b"count")
    assert await link.send(b"GET", b"count") == b"1"


async def test_an_error_reply_fails_its_own_call_only(counted: tuple[Link, CountingWire]) -> None:
    """The others in the same write get theirs."""
    link, _ = counted
    before, bad, after = link.send(b"ECHO", b"a"), link.send(b"NOSUCHCOMMAND"), link.send(b"ECHO", b"b")
    with pytest.raises(ResponseError):
        await bad
    assert (await before, await after) == (b"a", b"b")


async def test_a_reply_of_any_size_and_shape_comes_through(counted: tuple[Link, CountingWire]) -> None:
    """Nothing, a number, a list in a list, and a megabyte."""
    link, _ = counted
    large = bytes(range(256)) * 4096
    await link.send(b"SET", b"large", large)
    assert await link.send(b"GET", b"large") == large
    assert await link.send(b"GET", b"nothing") is None
    assert await link.send(b"EVAL", b"return {1, {'a', false}, {}}", b"0") == [1, [b"a", None], []]


async def test_whoever_waits_when_the_link_is_closed_is_told(counted: tuple[Link, CountingWire]) -> None:
    """And so is whoever comes later."""
    link, _ = counted
    answer = link.send(b"ECHO", b"a")
    await link.close()
    with pytest.raises(StoreUnavailable):
        await answer
    with pytest.raises(StoreUnavailable):
        await link.send(b"ECHO", b"b")


async def test_nobody_answering_the_door_is_told_at_once_and_without_doubt() -> None:
    """A command that was never sent did nothing, whatever it was."""
    link = Link(lambda: dial("unix:///nowhere/store.sock"))
    with pytest.raises(StoreUnavailable):
        await link.send(b"SET", b"a", b"b", in_doubt=OutcomeUnknown)
    with pytest.raises(StoreUnavailable):
        await link.send(b"GET", b"a")
    await link.close()


async def test_a_server_that_hangs_is_given_up_and_comes_back(own_server: StoreServer) -> None:
    """What was sent is in doubt; once the server goes on, the next call is answered."""
    link = Link(lambda: dial(own_server.url), reply_patience=0.2)
    await link.send(b"SET", b"a", b"1")
    own_server.pause()
    reading, writing = link.send(b"GET", b"a"), link.send(b"INCR", b"a", in_doubt=OutcomeUnknown)
    with pytest.raises(StoreUnavailable):
        await reading
    with pytest.raises(OutcomeUnknown):
        await writing
    own_server.resume()
    await until(link.ping)
    assert await link.send(b"GET", b"a") == b"2"
    await link.close()


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("redis://user:secret@store:7000/3", Connection),
        ("rediss://:secret@store", SSLConnection),
        ("unix://user:secret@/run/store.sock?db=2", UnixDomainSocketConnection),
    ],
)
def test_every_kind_of_url_is_dialled(url: str, kind: type) -> None:
    """TCP, TLS and a Unix socket, with a password or a user."""
    wire = dial(url)
    assert type(wire) is kind
    assert wire.password == "secret"  # type: ignore[attr-defined]  # noqa: S105 - redis-py's; not a secret


@pytest.mark.parametrize("url", ["", "http://store", "redis://store?db=x", "redis://store?no_such_thing=1"])
def test_a_url_that_cannot_be_dialled_is_a_value_error(url: str) -> None:
    """At the start, not at the first call."""
    with pytest.raises(ValueError, match=r".+"):
        dial(url)
