"""uvicorn's server with a graceful shutdown."""

import asyncio
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

import uvicorn

from service.api.shutdown import GracefulShutdown
from service.runtime.timers import until_next

UNSENT_BYTES = 128 * 1024
"""How many unsent bytes the kernel buffers for one connection; its default is some megabytes.

Without this bound a client has to be megabytes behind before the server notices that it does not read.
"""


TICK = 1.0
"""Seconds between two updates of the date in the headers."""

NOT_READY_SECONDS = 0.1
"""How long the readiness check answers 503 before the server stops listening, so that a load balancer can see it."""


class Server(uvicorn.Server):
    """A server that shuts down gracefully: it stops listening, sends clients away, finishes requests and exits with 0.

    A second signal ends it at once.
    """

    def __init__(
        self, config: uvicorn.Config, shutdown: GracefulShutdown, seconds: float, before: Callable[[], Awaitable[None]]
    ) -> None:
        """Serve once `before` has run; a shutdown sends subscribers away over this many seconds."""
        super().__init__(config)
        self._graceful_shutdown = shutdown
        self._seconds = seconds
        self._before = before
        self._woken = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Shut down on SIGINT and SIGTERM."""
        before = [(number, signal.signal(number, self.handle_exit)) for number in (signal.SIGINT, signal.SIGTERM)]
        try:
            yield
        finally:
            for number, handler in before:
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - a signal handler's signature
        """Begin the shutdown; exit at once if the server has not started, or at the second signal."""
        if not self.started:
            sys.exit(0)
        self.force_exit = self.should_exit
        self.should_exit = True
        self._graceful_shutdown.close()
        loop = asyncio.get_running_loop()
        loop.call_soon_threadsafe(loop.call_later, NOT_READY_SECONDS, self._woken.set)

    async def main_loop(self) -> None:
        """Tick once per second until a shutdown is requested; uvicorn checks ten times per second."""
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                async with asyncio.timeout(until_next(TICK)):
                    await self._woken.wait()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start. Raises what `before` raises; uvicorn would log a traceback for an error in the lifespan."""
        await self._before()
        await super().startup(sockets)
        for server in self.servers:
            for listening in server.sockets:
                bound_unsent_bytes(listening)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop listening, then send subscribers away, then let uvicorn finish running requests."""
        for server in self.servers:
            server.close()
        await self._graceful_shutdown.drain(self._seconds)
        await super().shutdown(sockets)


def bound_unsent_bytes(listening: Any) -> None:
    """Bound the unsent bytes that the kernel buffers for each accepted connection, where it supports that."""
    option = getattr(socket, "TCP_NOTSENT_LOWAT", None)
    if option is not None and listening.family in {socket.AF_INET, socket.AF_INET6}:
        listening.setsockopt(socket.IPPROTO_TCP, option, UNSENT_BYTES)
