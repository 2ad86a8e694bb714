"""Messages between a process and its child: whole or not at all, and their end is the end of the other side."""

import asyncio
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.runtime import child_process as child_module
from service.runtime.child_messages import LARGEST, answer_requests, framed, receive, send
from service.runtime.child_process import ForkedChildren, NotBegun, start
from tests.waiting import PATIENCE, wait_until

ECHO = """
import socket, sys
from service.runtime.child_messages import answer_requests
answer_requests(socket.socket(fileno=int(sys.argv[-1])), lambda message: message)
"""

Pair = tuple[socket.socket, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    """Return both ends of a connection."""
    one, other = socket.socketpair()
    with one, other:
        yield one, other


@pytest.mark.parametrize("size", [0, 1, 4, 300_000])
def test_a_message_arrives_whole(pair: Pair, size: int) -> None:
    """Also one that no buffer of a socket can hold."""
    message = os.urandom(size)
    sending = threading.Thread(target=send, args=(pair[0], message))
    sending.start()
    assert receive(pair[1]) == (message, [])
    sending.join()


def test_a_descriptor_arrives_with_its_message(pair: Pair) -> None:
    """It leads to the same file."""
    reads, writes = os.pipe()
    send(pair[0], b"here", writes)
    os.close(writes)
    message, [received] = receive(pair[1])
    os.write(received, b"written")
    assert (message, os.read(reads, 100)) == (b"here", b"written")
    for each in (reads, received):
        os.close(each)


def test_a_message_that_is_cut_off_is_none(pair: Pair) -> None:
    """The other side has died while it wrote."""
    pair[0].send(framed(b"a long message")[:-1])
    pair[0].close()
    with pytest.raises(EOFError):
        receive(pair[1])


def test_a_message_is_bounded() -> None:
    """A bug must not fill the memory of both processes."""
    assert len(framed(bytes(LARGEST))) > LARGEST
    with pytest.raises(OSError, match="too large"):
        framed(bytes(LARGEST + 1))


def test_a_child_returns_when_its_parent_has_ended(pair: Pair) -> None:
    """Also in the middle of a request."""
    answering = threading.Thread(target=answer_requests, args=(pair[1], bytes))
    answering.start()
    assert receive(pair[0]) == (b"%d" % os.getpid(), [])
    pair[0].send(framed(b"request")[:6])
    pair[0].close()
    answering.join(PATIENCE)
    assert not answering.is_alive()


async def test_a_child_answers_until_it_is_killed() -> None:
    """Then a request fails at once, and nothing is left of it."""
    child, process = await start([sys.executable, "-c", ECHO])
    for message in (b"one", b"", bytes(1_000_000)):
        assert await child.ask(message, begin_within=PATIENCE, within=PATIENCE) == message
    child.kill()
    with pytest.raises((EOFError, OSError)):
        await child.ask(b"one", begin_within=PATIENCE, within=PATIENCE)
    await process.wait()


async def test_a_child_that_does_not_begin_in_time_is_killed() -> None:
    """It is stopped before it reads the request."""
    child, process = await start([sys.executable, "-c", ECHO])
    os.kill(child.pid, signal.SIGSTOP)
    with pytest.raises(NotBegun):
        await child.ask(b"one", begin_within=0.01, within=PATIENCE)
    assert await process.wait() == -signal.SIGKILL


async def test_a_child_that_nobody_waits_for_is_killed(tmp_path: Path) -> None:
    """It was requested by a task that was cancelled before the child had begun to answer."""
    noted = tmp_path / "pid"
    silent = f"import os, time; open({str(noted)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    starting = asyncio.create_task(start([sys.executable, "-c", silent]))
    await wait_until(lambda: noted.exists() and noted.read_text() != "")
    starting.cancel()
    await asyncio.wait([starting])
    with pytest.raises(ProcessLookupError):
        os.kill(int(noted.read_text()), 0)


async def test_a_module_that_cannot_be_forked_ends_with_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its fork server is started again and again, until nobody wants it."""
    monkeypatch.setattr(child_module, "RESTART_AFTER", 0.0)
    started: list[int] = []
    run = child_module.run

    async def count(program: tuple[str, ...], theirs: socket.socket) -> "asyncio.subprocess.Process":
        process = await run(program, theirs)
        started.append(process.pid)
        return process

    monkeypatch.setattr(child_module, "run", count)
    keeping = asyncio.create_task(ForkedChildren("service.nothing_here", 1).run())
    await wait_until(lambda: len(started) > 1)
    keeping.cancel()
    await asyncio.wait([keeping])
    await wait_until(lambda: not any(Path(f"/proc/{each}").exists() for each in started))
