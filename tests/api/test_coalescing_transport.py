"""Writes that wait for the end of a turn of the loop, so that they go out together."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvloop

from service.api.server.transport import CoalescingTransport


@asynccontextmanager
async def connected() -> AsyncIterator[tuple[CoalescingTransport, socket.socket]]:
    """Connect a transport with a peer that doesn't wait when it reads."""
    ours, theirs = socket.socketpair()
    theirs.settimeout(0)
    transport, _ = await asyncio.get_running_loop().connect_accepted_socket(asyncio.Protocol, ours)
    with theirs:
        yield CoalescingTransport(transport), theirs
        transport.abort()
        await asyncio.sleep(0)


def read(peer: socket.socket) -> bytes:
    """Return what has arrived."""
    try:
        return peer.recv(1000)
    except BlockingIOError:
        return b""


async def test_data_written_in_one_turn_are_sent_at_its_end() -> None:
    """What is written in the next turn of the loop is sent at the end of that turn."""
    async with connected() as (transport, peer):
        for turn in (b"one two", b"three four"):
            for word in turn.partition(b" "):
                transport.write(word)
            assert read(peer) == b""
            await asyncio.sleep(0)
            assert read(peer) == turn


async def test_waiting_data_are_sent_when_they_are_flushed() -> None:
    """They are sent only once."""
    async with connected() as (transport, peer):
        transport.write(b"head ")
        transport.write(b"body")
        transport.flush()
        assert read(peer) == b"head body"
        await asyncio.sleep(0)
        assert read(peer) == b""


async def test_what_waits_goes_out_before_the_end() -> None:
    """And only then is the connection closed."""
    async with connected() as (transport, peer):
        transport.write(b"last words")
        assert not transport.is_closing()
        transport.close()
        assert transport.is_closing()
        assert read(peer) == b"last words"
        await asyncio.sleep(0)
        assert peer.recv(1) == b""


async def test_what_waits_for_a_peer_that_goes_is_dropped() -> None:
    """Without a fault, at the end of the turn and when it is flushed."""
    faults: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
    async with connected() as (transport, peer):
        transport.write(b"one")
        transport.abort()
        await asyncio.sleep(0)
        transport.write(b"two")
        transport.flush()
        await asyncio.sleep(0)
        assert read(peer) in {b"", b"one"}
    assert faults == []


def test_data_for_a_lost_connection_are_dropped() -> None:
    """With uvloop, a write to a closed transport is an error."""
    errors: list[object] = []

    async def write_after_the_end() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _loop, context: errors.append(context))
        async with connected() as (transport, _):
            transport.abort()
            await asyncio.sleep(0.01)
            transport.write(b"late")
            await asyncio.sleep(0.01)

    uvloop.run(write_after_the_end())
    assert errors == []
