"""One connection to a node for the whole process: what is asked in one turn of the loop travels in one write.

Replies come back in the order of the calls. When the connection breaks, whatever was sent and not answered fails and is
never repeated here: whether to repeat a write is for the one who knows what it meant.
"""

import asyncio
import math
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any

import hiredis
import msgspec

from service.store.contract import OutcomeUnknown, StoreUnavailable
from service.store.redis.client.address import Address
from service.store.redis.client.connection import BROKEN, PROBE_PATIENCE, Wire, connected, is_silent
from service.store.redis.client.errors import refused
from service.store.redis.client.resp import packed
from service.telemetry import metrics

REPLY_PATIENCE = 5.0
FIRST_PAUSE = 0.05
LONGEST_PAUSE = 0.5
"""Seconds: for a reply to come, and between attempts to dial (doubled each time)."""

LOOK_EVERY = 0.1
PROBE_AFTER = 0.3
"""Seconds: between looks at the oldest call, and its age from which a new connection probes the node.

A node that answers the probe is slow and has `REPLY_PATIENCE`. One that does not is frozen, and calls fail at once.
"""

PROBE_PAUSE = 1.0 - PROBE_PATIENCE
"""Seconds between two probes of a frozen node, so that there is one a second."""

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
        if isinstance(reply, hiredis.ReplyError):
            self.fail(refused(reply))
        elif not self.answer.done():
            self.answer.set_result(reply)

    def fail(self, error: Exception) -> None:
        """Hand over the failure, unless the caller has gone."""
        if not self.answer.done():
            self.answer.set_exception(error)


class Link:
    """The batching connection. It dials when it is first needed, and again on the next call after it broke.

    After a node was silent, calls fail at once until a probe, one a second, is answered.
    """

    def __init__(
        self,
        address: Address,
        *,
        reply_patience: float = REPLY_PATIENCE,
        sift: Sift = nothing_is_pushed,
        broke: Callable[[], None] = nobody_minds,
    ) -> None:
        """Prepare to dial. `reply_patience` is how many seconds a sent command may stay without an answer.

        `sift` takes out what answers nobody; `broke` is called when a connection has ended, before anyone dials anew.
        """
        self._address = address
        self._reply_patience = reply_patience
        self._sift = sift
        self._broke = broke
        self._waiting: list[Call] = []
        self._sent: deque[Call] = deque()
        self._wire: Wire | None = None
        self._run: asyncio.Task[None] | None = None
        self.ended = 0
        """How many connections have ended."""
        self._probing: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop
        self._closing: set[asyncio.Task[None]] = set()
        self._closed = False
        self._pause = 0.0
        self._dial_again_at = 0.0
        self._is_silent = False
        self._reason = ""
        metrics.STORE_LINKS.add(self)

    def depth(self) -> int:
        """Return how many calls have no answer yet."""
        return len(self._waiting) + len(self._sent)

    def send(self, *parts: bytes, in_doubt: Failure = StoreUnavailable) -> asyncio.Future[Any]:
        """Ask the node; the future gets its reply, or a `hiredis.ReplyError` that isn't about the state of the store.

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
        for task in self._closing:
            task.cancel()
        await asyncio.gather(*self._closing, return_exceptions=True)
        self._hang_up(never_connected=False)

    def _start(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._closed:
            raise StoreUnavailable("the store was closed")
        if loop.time() < self._dial_again_at:
            raise StoreUnavailable(self._reason)
        self._run = self._begin(self._serve())

    def _begin(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Run something that ends when the link is closed."""
        task = self._loop.create_task(work)
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)
        return task

    async def _serve(self) -> None:
        self._reason = "the link was closed"
        try:
            self._wire = await connected(self._address, self._read, self._write)
            self._pause = 0.0
            self._write()
            raise await self._end_of(self._wire)
        except BROKEN as error:
            self._reason = f"{type(error).__name__}: {error}"
            self._is_silent = isinstance(error, TimeoutError)
        finally:
            wire, self._wire = self._wire, None
            self._hang_up(never_connected=wire is None)
            if wire is not None:
                await wire.hang_up()

    async def _end_of(self, wire: Wire) -> Exception:
        """Wait until a connection has ended or its node is silent; return why it ends."""
        while not wire.ended.done():
            await asyncio.wait([wire.ended], timeout=min(LOOK_EVERY, self._reply_patience / 4))
            age = self._loop.time() - self._sent[0].sent_at if self._sent else 0.0
            if age > self._reply_patience:
                return TimeoutError(f"no reply within {self._reply_patience:g} s")
            if age > PROBE_AFTER and await self._is_frozen(wire):
                return TimeoutError("the store answers neither a command nor a new connection")
        return wire.ended.result()

    async def _is_frozen(self, wire: Wire) -> bool:
        """Return whether a node answers neither the oldest call nor a new connection.

        A process that was late itself reads what has come meanwhile before it decides.
        """
        oldest = self._sent[0]
        if not await is_silent(self._address):
            return False
        await asyncio.wait([wire.ended], timeout=LOOK_EVERY)
        return bool(self._sent) and self._sent[0] is oldest

    async def _probe(self) -> None:
        """Probe a frozen node until it answers; then the next call dials."""
        while await is_silent(self._address):  # noqa: ASYNC110 - only asking tells that it answers
            await asyncio.sleep(PROBE_PAUSE)
        self._dial_again_at, self._is_silent = 0.0, False

    def _hang_up(self, *, never_connected: bool) -> None:
        """Fail everyone who waits, and let the next call dial anew, after a pause where dialling itself failed."""
        self._run = None
        self.ended += 1
        if never_connected:
            self._pause = min(LONGEST_PAUSE, self._pause * 2 or FIRST_PAUSE)
            self._dial_again_at = asyncio.get_running_loop().time() + self._pause
        if self._is_silent and not self._closed:
            self._dial_again_at = math.inf
            self._probing = self._begin(self._probe())
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
        """Hand over replies, the oldest call's first. Raises `hiredis.ProtocolError` where there is none."""
        for reply in self._sift(replies):
            if not self._sent:
                raise hiredis.ProtocolError("a reply that nobody asked for")
            self._sent.popleft().end(reply)
