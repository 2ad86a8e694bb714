"""Frames that are held for a moment, so that they go out together."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from uvicorn.server import ServerState

from service.api.server.socket_protocol import SocketProtocol


async def nowhere(scope: object, receive: object, send: object) -> None:
    """Be an application that nobody asks for anything."""


@asynccontextmanager
async def connected() -> AsyncIterator[tuple[SocketProtocol, socket.socket]]:
    """Connect a socket's protocol with a peer that doesn't wait when it reads."""
    config = uvicorn.Config(nowhere, http="httptools", ws=SocketProtocol, lifespan="off", log_config=None)
    ours, theirs = socket.socketpair()
    theirs.settimeout(0)
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.connect_accepted_socket(lambda: SocketProtocol(config, ServerState(), {}), ours)
    with theirs:
        yield protocol, theirs
        transport.abort()
        await asyncio.sleep(0)


def read(peer: socket.socket) -> bytes:
    """Return what has arrived."""
    try:
        return peer.recv(1000)
    except BlockingIOError:
        return b""


async def test_a_frame_goes_out_at_once() -> None:
    """Where nothing is held."""
    async with connected() as (protocol, peer):
        protocol.write(b"one")
        assert read(peer) == b"one"


async def test_what_is_held_goes_out_when_the_turn_ends() -> None:
    """All of it, and what is written in the next turn at the end of that one."""
    async with connected() as (protocol, peer):
        protocol.hold()
        for turn in (b"one two", b"three four"):
            for word in turn.partition(b" "):
                protocol.write(word)
            assert read(peer) == b""
            await asyncio.sleep(0)
            assert read(peer) == turn


async def test_what_is_held_goes_out_when_it_is_released() -> None:
    """Before anything that is written later, and only once."""
    async with connected() as (protocol, peer):
        protocol.hold()
        protocol.write(b"one ")
        protocol.release()
        protocol.write(b"two")
        assert read(peer) == b"one two"
        await asyncio.sleep(0)
        assert read(peer) == b""


async def test_what_is_held_for_a_peer_that_goes_is_dropped() -> None:
    """Without a fault, at the end of the turn and when it is released."""
    faults: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
    async with connected() as (protocol, peer):
        protocol.hold()
        protocol.write(b"one")
        protocol.transport.abort()
        await asyncio.sleep(0)
        protocol.write(b"two")
        protocol.release()
        await asyncio.sleep(0)
        assert read(peer) in {b"", b"one"}
    assert faults == []
