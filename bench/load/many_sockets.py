"""Thousands of sockets that follow something and are silent otherwise."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from bench.load.senders import MeasurementFailed
from bench.load.wire import SocketLine, socket_line

CONNECTING_AT_ONCE = 50
WITHIN = 120.0
"""Seconds in which every socket has caught up."""

Received = Callable[[int, bytes], None]
"""Takes the number of a socket, and a frame of it after it has caught up."""


class Subscription(msgspec.Struct, frozen=True):
    """What a socket follows: the path of the socket, and the frame that it sends."""

    path: str
    frame: bytes


def ignore(_number: int, _frame: bytes) -> None:
    """Ignore a frame."""


class ManySockets:
    """Sockets, each with a subscription of its own."""

    def __init__(self, port: int, caught_up: bytes, received: Received = ignore) -> None:
        """Connect to this port; a frame that begins with `caught_up` ends the beginning of a subscription."""
        self._port = port
        self._caught_up = caught_up
        self._heard = received
        self.lines: list[SocketLine] = []
        self._there = 0

    async def open(self, subscriptions: Sequence[Subscription]) -> None:
        """Open a socket for each subscription, and return when all have caught up. Raises `MeasurementFailed`."""
        for begin in range(0, len(subscriptions), CONNECTING_AT_ONCE):
            some = subscriptions[begin : begin + CONNECTING_AT_ONCE]
            numbers = range(len(self.lines), len(self.lines) + len(some))
            opening = (
                socket_line(self._port, each.path, partial(self._receive, number))
                for number, each in zip(numbers, some, strict=True)
            )
            new = await asyncio.gather(*opening)
            for line, each in zip(new, some, strict=True):
                line.say(each.frame)
            self.lines += new
        deadline = asyncio.get_running_loop().time() + WITHIN
        while self._there < len(self.lines):
            if asyncio.get_running_loop().time() > deadline or any(line.lost for line in self.lines):
                raise MeasurementFailed(f"{self._there} of {len(self.lines)} sockets have caught up")
            await asyncio.sleep(0.05)

    def _receive(self, number: int, frame: bytes) -> None:
        if frame.startswith(self._caught_up):
            self._there += 1
        else:
            self._heard(number, frame)

    def close(self) -> None:
        """Close all of them."""
        for line in self.lines:
            line.close()
