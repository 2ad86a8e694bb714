"""A child process as its parent sees it, and children that are forked from one process; for programs with asyncio."""

import asyncio
import os
import signal
import socket
import sys
from asyncio import subprocess
from collections.abc import Sequence
from contextlib import suppress

import structlog

from service.runtime.child_messages import LARGEST, SIZE, framed, send
from service.runtime.fork_server import Start, encode

log = structlog.get_logger()

EXIT_WITHIN = 0.25
"""Seconds that a process has to exit before it is killed."""

RESTART_AFTER = 0.5
"""Seconds until a fork server that died is started again."""

BETWEEN_FORKS = 0.02
"""Seconds between the end of a child and its replacement, so that some that die at once do not overload the machine."""


class NotBegun(Exception):  # noqa: N818 - what was found
    """A child did not begin to work on a request in time."""


class Child:
    """A child that answers one request at a time. One that does not is killed, so that answers are not confused."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pid: int) -> None:
        """Use the connection to a running child."""
        self._reader, self._writer = reader, writer
        self.pid = pid
        self._messages: asyncio.Queue[bytes | None] = asyncio.Queue()
        """What the child has sent; None at the end."""
        self._reading = asyncio.create_task(self._read())

    @property
    def has_ended(self) -> bool:
        """Whether the child has ended or was killed."""
        return self._reading.done()

    async def ask(self, request: bytes, *, begin_within: float, within: float) -> bytes:
        """Return the answer to a request.

        Raises `NotBegun`, `TimeoutError` if the answer takes longer than `within` seconds from its beginning, and
        `EOFError` or `OSError` if the child has died. The child is killed if anything is raised.
        """
        try:
            self._writer.write(framed(request))
            try:
                async with asyncio.timeout(begin_within):
                    await self._next()
            except TimeoutError:
                raise NotBegun from None
            async with asyncio.timeout(within):
                return await self._next()
        except BaseException:
            self.kill()
            raise

    async def ended(self) -> None:
        """Wait until the child has ended."""
        await asyncio.wait([self._reading])

    def kill(self) -> None:
        """Kill the child, unless it has ended."""
        if not self.has_ended:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
        self._reading.cancel()
        self._writer.close()

    async def _next(self) -> bytes:
        message = None if self.has_ended and self._messages.empty() else await self._messages.get()
        if message is None:
            raise EOFError("the process died")
        return message

    async def _read(self) -> None:
        try:
            while True:
                self._messages.put_nowait(await received(self._reader))
        except (EOFError, OSError):
            return
        finally:
            self._messages.put_nowait(None)


async def received(reader: asyncio.StreamReader) -> bytes:
    """Return the next message. Raises `EOFError`, or `OSError` for one that is too large."""
    size = int.from_bytes(await reader.readexactly(SIZE), "big")
    if size > LARGEST:
        raise OSError(f"a message of {size} bytes is too large")
    return await reader.readexactly(size)


async def connected(ours: socket.socket) -> Child:
    """Return the child at the other end, which has just been started. Raises `EOFError` or `OSError` if it has died."""
    reader, writer = await asyncio.open_unix_connection(sock=ours)
    try:
        return Child(reader, writer, int(await received(reader)))
    except BaseException:
        writer.close()
        raise


async def start(program: Sequence[str]) -> tuple[Child, subprocess.Process]:
    """Start a child; the descriptor of its connection is its last argument. Raises `EOFError` or `OSError`."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = await run(program, theirs)
    try:
        return await connected(ours), process
    except BaseException:
        await stop(process)
        raise


async def run(program: Sequence[str], theirs: socket.socket) -> subprocess.Process:
    """Run a program with one end of a connection. Raises `OSError`."""
    descriptor = theirs.fileno()
    return await subprocess.create_subprocess_exec(
        *program, str(descriptor), stdin=subprocess.DEVNULL, pass_fds=(descriptor,)
    )


class ForkedChildren:
    """Children that are forked from one process, which imports a module once; each one that ends is replaced."""

    def __init__(self, module: str, count: int) -> None:
        """Fork this many children of a module, once `run` runs."""
        self._program = (sys.executable, "-P", "-m", module)
        self._count = count
        self._free: asyncio.Queue[Child] = asyncio.Queue()
        self.give_back = self._free.put_nowait
        """Lets others use a child that has answered."""

    async def take(self) -> Child:
        """Wait for a child that has no request."""
        while (child := await self._free.get()).has_ended:
            pass
        return child

    async def run(self) -> None:
        """Keep the fork server and the children running until cancelled."""
        while True:
            control, theirs = socket.socketpair()
            with control:
                with theirs:
                    server = await run(self._program, theirs)
                keeping = [asyncio.create_task(self._keep(control)) for _ in range(self._count)]
                try:
                    code = await server.wait()
                finally:
                    for each in keeping:
                        each.cancel()
                    await asyncio.wait(keeping)
                    control.close()
                    await stop(server)
            log.error("fork_server_died", code=code)
            await asyncio.sleep(RESTART_AFTER)

    async def _keep(self, control: socket.socket) -> None:
        """Keep one child running."""
        while True:
            with suppress(EOFError, OSError):  # it has died at once, or the fork server has
                child = await fork(control)
                try:
                    self._free.put_nowait(child)
                    await child.ended()
                finally:
                    child.kill()
            await asyncio.sleep(BETWEEN_FORKS)


async def fork(control: socket.socket) -> Child:
    """Have a child forked. Raises `EOFError` or `OSError`."""
    ours, theirs = socket.socketpair()
    with theirs:
        send(control, encode(Start()), theirs.fileno())
    return await connected(ours)


async def stop(process: subprocess.Process) -> None:
    """Wait until a process exits, whose connection was closed; kill it if it does not.

    This is called in a task that is cancelled, in which `asyncio.timeout` does not work before Python 3.11.4.
    """
    exits = asyncio.create_task(process.wait())
    if not (await asyncio.wait([exits], timeout=EXIT_WITHIN))[0]:
        process.kill()
    await exits
