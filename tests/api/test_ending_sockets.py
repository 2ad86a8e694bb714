"""Sockets that end in the same iteration of the event loop: a bounded number of them is handled in each iteration."""

import asyncio
import itertools
from types import SimpleNamespace
from typing import Any, cast

import pytest
import uvicorn
from picows import WSMsgType

from service.api.server.socket_listener import ENDS, EndingSockets, Socket

SOCKETS = 10 * ENDS


async def lost_sockets() -> tuple[list[int], list[str]]:
    """Lose all sockets at once; return how many readers each iteration woke, and what they received."""
    loop, ending, config = asyncio.get_running_loop(), EndingSockets(), uvicorn.Config("unused")
    sockets = [Socket(lambda *_: None, config, ending) for _ in range(SOCKETS)]
    received: list[str] = []

    async def read(socket: Socket) -> None:
        assert (await socket.receive())["type"] == "websocket.connect"
        received.append((await socket.receive())["type"])

    readers = [loop.create_task(read(socket)) for socket in sockets]
    await asyncio.sleep(0)
    for socket in sockets:
        socket.lose()
    counts = [0]
    while len(received) < SOCKETS:
        await asyncio.sleep(0)
        counts.append(len(received))
    await asyncio.gather(*readers)
    return [after - before for before, after in itertools.pairwise(counts)], received


def test_sockets_that_are_lost_together_wake_a_bounded_number_of_readers_per_iteration() -> None:
    """Thousands of spectators who leave at once stall no one else."""
    woken, received = asyncio.run(lost_sockets())
    assert set(received) == {"websocket.disconnect"}
    assert max(woken) <= ENDS


def test_a_step_that_fails_does_not_keep_others_from_ending() -> None:
    """It is reported to the event loop's handler of exceptions."""

    async def end() -> tuple[list[str], int]:
        loop, ending, done = asyncio.get_running_loop(), EndingSockets(), asyncio.Event()
        failures: list[str] = []
        loop.set_exception_handler(lambda _, context: failures.append(str(context["exception"])))

        def fail() -> None:
            raise ValueError("broken")

        ending.add(fail)
        ending.add(done.set)
        await asyncio.wait_for(done.wait(), 30)
        return failures, done.is_set()

    assert asyncio.run(end()) == (["broken"], True)


@pytest.mark.parametrize(("is_closing", "sent"), [(False, [1000]), (True, [])])
def test_a_close_frame_is_answered_unless_the_connection_is_closed_meanwhile(
    *, is_closing: bool, sent: list[int]
) -> None:
    """The answer waits for its turn; the descriptor of a closed connection may belong to another one by then."""

    async def end() -> list[int]:
        answers: list[int] = []
        done = asyncio.Event()
        connection = SimpleNamespace(is_closing=lambda: is_closing, resume_reading=lambda: None)
        transport = cast(
            "Any",
            SimpleNamespace(
                underlying_transport=connection,
                send=lambda *_: None,
                send_close=lambda code, _reason: answers.append(code),
                disconnect=done.set,
            ),
        )
        socket = Socket(lambda *_: None, uvicorn.Config("unused"), EndingSockets())
        socket.on_ws_connected(transport)
        socket.on_ws_frame(transport, cast("Any", SimpleNamespace(msg_type=WSMsgType.CLOSE, payload_size=0)))
        await asyncio.wait_for(done.wait(), 30)
        socket.lose()
        return answers

    assert asyncio.run(end()) == sent
