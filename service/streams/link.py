"""One connection to a node for the whole process: what is asked in one turn of the loop travels in one write.

Replies come back in the order of the calls. When the connection breaks, whatever was sent and not answered fails and is
never repeated here: whether to repeat a write is for the one who knows what it meant.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

import msgspec
from redis.exceptions import InvalidResponse, ResponseError

from service.streams.contract import OutcomeUnknown, StoreUnavailable
from service.streams.packing import packed
from service.streams.refusals import refused
from service.streams.wire import BROKEN, Dial, Wire, connected
from service.telemetry import metrics

CONNECT_PATIENCE = 1.0
REPLY_PATIENCE = 5.0
FIRST_PAUSE = 0.05
LONGEST_PAUSE = 2.0
"""Seconds: for a connection to be ready, for a reply to come, and between attempts to dial (doubled each time)."""

Failure = type[StoreUnavailable] | type[OutcomeUnknown]

Sift = Callable[[list[Any]], list[Any]]
"""Takes out of the replies, in which errors stand unraised, whatever answers no call."""


def nothing_is_pushed(replies: list[Any]) -> list[Any]:
    """Take every reply for the answer to a call."""
    return replies


def nobody_minds() -> None:
    """Let a broken connection be noticed by those who call."""


class Call(msgspec.Struct):
    """A command on its way: its bytes, what its failure means once it was sent, and where its caller waits."""

    command: bytes
    in_doubt: Failure
    answer: asyncio.Future[Any]
    sent_at: float = 0.0

    def end(self, reply: Any) -> None:
        """Hand over the reply, unless the caller has gone."""
        if isinstance(reply, ResponseError):
            self.fail(refused(reply))
        elif not self.answer.done():
            self.answer.set_result(reply)

    def fail(self, error: Exception) -> None:
        """Hand over the failure, unless the caller has gone."""
        if not self.answer.done():
            self.answer.set_exception(error)


class Link:
    """The batching connection. It dials when it is first needed, and again on the next call after it broke."""

    def __init__(
        self,
        dial: Dial,
        *,
        reply_patience: float = REPLY_PATIENCE,
        sift: Sift = nothing_is_pushed,
        broke: Callable[[], None] = nobody_minds,
    ) -> None:
        """Prepare to dial. `reply_patience` is how many seconds a sent command may stay without an answer.

        `sift` takes out what answers nobody; `broke` is called when a connection has ended, before anyone dials anew.
        """
        self._dial = dial
        self._reply_patience = reply_patience
        self._sift = sift
        self._broke = broke
        self._waiting: list[Call] = []
        self._sent: deque[Call] = deque()
        self._wire: Wire | None = None
        self._run: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop
        self._closing: set[asyncio.Task[None]] = set()
        self._closed = False
        self._pause = 0.0
        self._dial_again_at = 0.0
        self._reason = ""
        metrics.STORE_LINKS.add(self)

    def depth(self) -> int:
        """Return how many calls have no answer yet."""
        return len(self._waiting) + len(self._sent)

    def send(self, *parts: bytes, in_doubt: Failure = StoreUnavailable) -> asyncio.Future[Any]:
        """Ask the node; the future gets its reply, or a `ResponseError` that isn't about the state of the store.

        Raises `StoreUnavailable` at once while the node is known to be down. Should the connection break after the
        command was sent, the future fails with `in_doubt`.
        """
        return self.post(packed(parts), in_doubt)

    def post(self, command: bytes, in_doubt: Failure) -> asyncio.Future[Any]:
        """Send a command that is packed already."""
        if self._run is None:
            self._loop = asyncio.get_running_loop()
            self._start(self._loop)
        if not self._waiting:
            self._loop.call_soon(self._write)
        answer = self._loop.create_future()
        self._waiting.append(Call(command, in_doubt, answer))
        return answer

    async def ping(self) -> bool:
        """Return whether the node answers; a connection that doesn't is given up."""
        try:
            await self.send(b"PING")
        except StoreUnavailable:
            return False
        return True

    async def close(self) -> None:
        """Hang up; calls not yet answered fail."""
        self._closed = True
        if self._run is not None:
            self._run.cancel()
        await asyncio.gather(*self._closing, return_exceptions=True)
        self._hang_up(never_connected=False)

    def _start(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._closed:
            raise StoreUnavailable("the store was closed")
        if loop.time() < self._dial_again_at:
            raise StoreUnavailable(self._reason)
        self._run = loop.create_task(self._serve())
        self._closing.add(self._run)
        self._run.add_done_callback(self._closing.discard)

    async def _serve(self) -> None:
        self._reason = "the link was closed"
        try:
            self._wire = await connected(self._dial, CONNECT_PATIENCE, self._read, self._write)
            self._pause = 0.0
            self._write()
            raise await self._end_of(self._wire)
        except BROKEN as error:
            self._reason = f"{type(error).__name__}: {error}"
        finally:
            wire, self._wire = self._wire, None
            self._hang_up(never_connected=wire is None)
            if wire is not None:
                await wire.hang_up()

    async def _end_of(self, wire: Wire) -> Exception:
        """Wait until a connection has ended or leaves a command without an answer for too long; return why it ends."""
        while not wire.ended.done():
            await asyncio.wait([wire.ended], timeout=self._reply_patience / 4)
            if self._sent and self._loop.time() - self._sent[0].sent_at > self._reply_patience:
                return TimeoutError(f"no reply within {self._reply_patience:g} s")
        return wire.ended.result()

    def _hang_up(self, *, never_connected: bool) -> None:
        """Fail everyone who waits, and let the next call dial anew, after a pause where dialling itself failed."""
        self._run = None
        if never_connected:
            self._pause = min(LONGEST_PAUSE, self._pause * 2 or FIRST_PAUSE)
            self._dial_again_at = asyncio.get_running_loop().time() + self._pause
        sent, self._sent = self._sent, deque()
        waiting, self._waiting = self._waiting, []
        for call in sent:
            call.fail(call.in_doubt(self._reason))
        for call in waiting:
            call.fail(StoreUnavailable(self._reason))
        if not self._closed:
            metrics.STORE_BREAKS.inc()
            self._broke()

    def _write(self) -> None:
        """Write what waits; a connection that isn't ready or takes no more asks for it later."""
        if self._wire is None or not self._wire.takes_more:
            return
        calls = [call for call in self._waiting if not call.answer.done()]
        self._waiting.clear()
        now = self._loop.time()
        for call in calls:
            call.sent_at = now
        self._sent.extend(calls)
        if calls:
            self._wire.write(b"".join([call.command for call in calls]))

    def _read(self, replies: list[Any]) -> None:
        """Hand over replies, the oldest call's first. Raises `InvalidResponse` where there is none."""
        for reply in self._sift(replies):
            if not self._sent:
                raise InvalidResponse("a reply that nobody asked for")
            self._sent.popleft().end(reply)
