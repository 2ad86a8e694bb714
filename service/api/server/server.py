"""The server: it leaves in order."""

import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import uvicorn

from service.api.shutdown import GracefulShutdown

UNSENT_BYTES = 128 * 1024
"""How much the system holds for one connection that has not been sent; by default it is some megabytes.

Without the bound a reader has to be megabytes behind before anyone notices that it does not read.
"""


class Server(uvicorn.Server):
    """A server that leaves in order: no newcomers, everyone asked to go on elsewhere, what runs finished, exit code 0.

    A second signal ends it at once.
    """

    def __init__(
        self, config: uvicorn.Config, shutdown: GracefulShutdown, seconds: float, before: Callable[[], Awaitable[None]]
    ) -> None:
        """Serve when `before` is done; leaving sends those who follow rooms away over this many seconds."""
        super().__init__(config)
        self._graceful_shutdown = shutdown
        self._seconds = seconds
        self._before = before

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take SIGINT and SIGTERM as requests to leave."""
        before = [(number, signal.signal(number, self.handle_exit)) for number in (signal.SIGINT, signal.SIGTERM)]
        try:
            yield
        finally:
            for number, handler in before:
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - a signal handler's signature
        """Leave; before the start is over there is nothing to do first, and a second request is in a hurry."""
        if not self.started:
            sys.exit(0)
        self.force_exit = self.should_exit
        self.should_exit = True
        self._graceful_shutdown.close()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start; what `before` raises comes out as it is, where the application's own start would print a traceback."""
        await self._before()
        await super().startup(sockets)
        for server in self.servers:
            for listening in server.sockets:
                hold_little(listening)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop listening, then send everyone away, then let uvicorn finish what runs."""
        for server in self.servers:
            server.close()
        await self._graceful_shutdown.drain(self._seconds)
        await super().shutdown(sockets)


def hold_little(listening: Any) -> None:
    """Bound what the system holds unsent for each connection that a socket accepts, where the system can."""
    option = getattr(socket, "TCP_NOTSENT_LOWAT", None)
    if option is not None and listening.family in {socket.AF_INET, socket.AF_INET6}:
        listening.setsockopt(socket.IPPROTO_TCP, option, UNSENT_BYTES)
