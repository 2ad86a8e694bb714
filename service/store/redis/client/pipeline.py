"""One connection to a server for the whole process. All commands of one turn of the event loop are sent in one write.

Replies arrive in the order of the commands. When the connection breaks, every command that was sent and not answered
fails. It is not repeated here: only the caller knows whether a write may be repeated.
"""

import asyncio
import math
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any

import hiredis
import msgspec

from service.runtime import metrics
from service.runtime.os_errors import reason_of
from service.store.contract import StoreFailed, StoreUnavailable
from service.store.redis.client.address import Address
from service.store.redis.client.connection import BROKEN, PROBE_PATIENCE, Connection, connect, is_silent
from service.store.redis.client.resp import error_of, pack_command

REPLY_PATIENCE = 5.0
FIRST_PAUSE = 0.05
LONGEST_PAUSE = 0.5
"""Seconds: until a command has to be answered, and between attempts to connect (doubled each time)."""

CHECK_INTERVAL = 0.1
PROBE_AFTER = 0.3
"""Seconds: between checks of a call that is late, and the age at which the server is probed over a new connection.

A server that answers the probe is slow: it has `REPLY_PATIENCE`. One that does not is frozen: calls fail at once.
"""

PRECISION = 0.001
"""Seconds by which an event loop's timer may be early."""

PROBE_PAUSE = 1.0 - PROBE_PATIENCE
"""Seconds between two probes of a frozen server: one probe per second."""

ReplyFilter = Callable[[list[Any]], list[Any]]
"""Removes the replies that answer no call, such as published messages."""


class Call(msgspec.Struct):
    """A command without an answer: its bytes, the error if it fails after it was sent, and the caller's future."""

    command: bytes
    in_doubt: type[StoreFailed]
    answer: asyncio.Future[Any]
    sent_at: float = 0.0

    def resolve(self, reply: Any) -> None:
        """Give the reply to the caller, unless it no longer waits."""
        if isinstance(reply, hiredis.ReplyError):
            self.fail(error_of(reply))
        elif not self.answer.done():
            self.answer.set_result(reply)

    def fail(self, error: Exception) -> None:
        """Raise the error at the caller, unless it no longer waits."""
        if not self.answer.done():
            self.answer.set_exception(error)


class Pipeline:
    """The batching connection. It connects at the first call, and again at the first call after it broke.

    While a server is frozen, calls fail at once, until it answers one of the probes, which are sent once per second.
    """

    def __init__(
        self,
        address: Address,
        *,
        reply_patience: float = REPLY_PATIENCE,
        reply_filter: ReplyFilter | None = None,
        on_break: Callable[[], None] = lambda: None,
    ) -> None:
        """Connect with the first command to the address. A command has to be answered within `reply_patience` seconds.

        Without a `reply_filter` every reply answers a call. `on_break` is called when a connection has ended, before a
        new one is opened.
        """
        self._address = address
        self._reply_patience = reply_patience
        self._late_after = min(PROBE_AFTER, reply_patience)
        self._reply_filter = reply_filter
        self._on_break = on_break
        self._waiting: list[Call] = []
        self._sent: deque[Call] = deque()
        self._connection: Connection | None = None
        self._run: asyncio.Task[None] | None = None
        self.ended = 0
        """The number of connections that have ended."""
        self._probing: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop
        self._check: asyncio.TimerHandle | None = None
        """When the oldest call is checked next; None while there is none, so that an idle process sleeps."""
        self._late: asyncio.Future[None]
        """Done when the oldest call is late."""
        self._closing: set[asyncio.Task[None]] = set()
        self._closed = False
        self._pause = 0.0
        self._connect_again_at = 0.0
        self._is_silent = False
        self._reason = ""
        metrics.STORE_QUEUES.add(self)

    def depth(self) -> int:
        """Return the number of calls without an answer."""
        return len(self._waiting) + len(self._sent)

    def send(self, *parts: bytes, in_doubt: type[StoreFailed] = StoreUnavailable) -> asyncio.Future[Any]:
        """Send a command and return the future of its reply. An error reply raises the exception of `errors.error_of`.

        Raises `StoreUnavailable` at once while the server is known to be down. If the connection breaks after the
        command was sent, the future raises `in_doubt`.
        """
        return self.send_packed(pack_command(parts), in_doubt)

    def send_packed(self, command: bytes, in_doubt: type[StoreFailed]) -> asyncio.Future[Any]:
        """Send a command that is already packed, as `send` does."""
        if self._run is None:
            self._loop = asyncio.get_running_loop()
            self._start(self._loop)
        if not self._waiting:
            self._loop.call_soon(self._write)
        answer = self._loop.create_future()
        self._waiting.append(Call(command, in_doubt, answer))
        return answer

    async def ping(self) -> bool:
        """Return whether the server answers. A connection without an answer is given up."""
        try:
            await self.send(b"PING")
        except StoreUnavailable:
            return False
        return True

    async def close(self) -> None:
        """Close the connection. Calls without an answer fail."""
        self._closed = True
        for task in self._closing:
            task.cancel()
        await asyncio.gather(*self._closing, return_exceptions=True)
        self._disconnected(never_connected=False)

    def _start(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._closed:
            raise StoreUnavailable("the store was closed")
        if loop.time() < self._connect_again_at:
            raise StoreUnavailable(self._reason)
        self._run = self._start_task(self._serve())

    def _start_task(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Run a task that is cancelled when the pipeline is closed."""
        task = self._loop.create_task(work)
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)
        return task

    async def _serve(self) -> None:
        self._reason, self._late = "the store was closed", self._loop.create_future()
        try:
            self._connection = await connect(self._address, self._read, self._write)
            self._pause = 0.0
            self._write()
            raise await self._end_of(self._connection)
        except BROKEN as error:
            self._reason = f"no connection to the store: {reason_of(error)}"
            self._is_silent = isinstance(error, TimeoutError)
        finally:
            connection, self._connection = self._connection, None
            if self._check is not None:
                self._check.cancel()
                self._check = None
            self._disconnected(never_connected=connection is None)
            if connection is not None:
                await connection.close()

    async def _end_of(self, connection: Connection) -> Exception:
        """Wait until a connection has ended or its server does not answer, and return the reason."""
        while not connection.ended.done():
            self._late = self._loop.create_future()
            if self._check is None:
                self._check_in(min(CHECK_INTERVAL, self._reply_patience / 4))
            ends: tuple[asyncio.Future[Any], ...] = (connection.ended, self._late)
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            age = self._age()
            if age > self._reply_patience:
                return TimeoutError(f"no reply within {self._reply_patience:g} s")
            if age > PROBE_AFTER and await self._is_frozen(connection):
                return TimeoutError("the store answers neither a command nor a new connection")
        return connection.ended.result()

    def _age(self) -> float:
        """Return for how many seconds the oldest call has waited for its answer."""
        return self._loop.time() - self._sent[0].sent_at if self._sent else 0.0

    def _check_in(self, seconds: float) -> None:
        self._check = self._loop.call_later(seconds, self._check_oldest)

    def _check_oldest(self) -> None:
        """Detect that the oldest call is late, or check again when it could be."""
        self._check = None
        if self._late.done():
            return
        if (left := self._late_after - self._age()) < 0:
            self._late.set_result(None)
        elif self._sent:
            self._check_in(left + PRECISION)

    async def _is_frozen(self, connection: Connection) -> bool:
        """Return whether the server answers neither the oldest call nor a new connection.

        If this process itself was stopped for a while, replies may wait to be read; they are read before the decision.
        """
        oldest = self._sent[0]
        if not await is_silent(self._address):
            return False
        await asyncio.wait([connection.ended], timeout=CHECK_INTERVAL)
        return bool(self._sent) and self._sent[0] is oldest

    async def _probe(self) -> None:
        """Probe a frozen server until it answers. The next call after that connects."""
        while await is_silent(self._address):  # noqa: ASYNC110 - no event reports that it answers
            await asyncio.sleep(PROBE_PAUSE)
        self._connect_again_at, self._is_silent = 0.0, False

    def _disconnected(self, *, never_connected: bool) -> None:
        """Fail all calls. The next call connects again, after a pause if no connection could be opened."""
        self._run = None
        self.ended += 1
        if never_connected:
            self._pause = min(LONGEST_PAUSE, self._pause * 2 or FIRST_PAUSE)
            self._connect_again_at = asyncio.get_running_loop().time() + self._pause
        if self._is_silent and not self._closed:
            self._connect_again_at = math.inf
            self._probing = self._start_task(self._probe())
        sent, self._sent = self._sent, deque()
        waiting, self._waiting = self._waiting, []
        for call in sent:
            call.fail(call.in_doubt(self._reason))
        for call in waiting:
            call.fail(StoreUnavailable(self._reason))
        if not self._closed:
            metrics.STORE_BREAKS.inc()
            self._on_break()

    def _write(self) -> None:
        """Write all waiting commands, unless the connection is not ready or its write buffer is full."""
        if self._connection is None or not self._connection.is_writable:
            return
        commands, now = [], self._loop.time()
        for call in self._waiting:
            if not call.answer.done():
                call.sent_at = now
                self._sent.append(call)
                commands.append(call.command)
        self._waiting.clear()
        if commands:
            self._connection.write(b"".join(commands))
            if self._check is None and not self._late.done():
                self._check_in(self._late_after)

    def _read(self, replies: list[Any]) -> None:
        """Give each reply to the oldest call. Raises `hiredis.ProtocolError` for a reply without a call."""
        for reply in replies if self._reply_filter is None else self._reply_filter(replies):
            if not self._sent:
                raise hiredis.ProtocolError("the server sent a reply without a command")
            self._sent.popleft().resolve(reply)
