"""One subscription over a socket that is opened again whenever it breaks."""

import asyncio
import contextlib
import itertools
import logging
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Generic, Literal, Protocol, Self, TypeAlias, TypeVar

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from turnstream_client.errors import FeedClosedError, GapError, RefusedError, TurnstreamError, UnreachableError
from turnstream_client.frames import Error, Frame, Reply, decode_frame
from turnstream_client.retries import Retries

log = logging.getLogger("turnstream_client")

T = TypeVar("T")

BUSY = frozenset({429, 503})
"""Statuses after which a command or a subscription is sent again."""
BROKEN_FRAME = frozenset({1002, 1007, 1009})
RESUME_BELOW = 4100
"""From this close code on, resuming does not help."""
PING_SECONDS = 20.0
"""How often the socket is probed, and how long the answer may take before it counts as lost."""
CLOSE_SECONDS = 1.0

FeedStatus: TypeAlias = Literal["connecting", "connected", "reconnecting", "closed"]
Listener: TypeAlias = Callable[[Frame | None], object]
"""Called with each frame, and with None when the connection is lost or the feed has ended."""


class Receiver(Protocol):
    """What receives the frames of a feed."""

    def cursor(self) -> dict[str, object]:
        """Return the rest of the subscription: where to resume, and whose view to send."""

    def receive(self, frame: Frame) -> None:
        """Use a frame. Raises `GapError` if something before it is missing, and the reason if the feed has to end."""


class Readers(Generic[T]):
    """The iterations that get each value in order and once."""

    def __init__(self) -> None:
        """Start without any."""
        self._queues: set[asyncio.Queue[T | TurnstreamError | None]] = set()

    def put(self, value: T | TurnstreamError | None) -> None:
        """Pass a value to each iteration; an error is raised there, None ends it."""
        for queue in self._queues:
            queue.put_nowait(value)

    def read(self, failure: TurnstreamError | None) -> AsyncIterator[T]:
        """Yield each value after this call. Raises the failure, if there is one already."""
        queue: asyncio.Queue[T | TurnstreamError | None] = asyncio.Queue()
        self._queues.add(queue)
        if failure is not None:
            queue.put_nowait(failure)
        return self._read(queue)

    async def _read(self, queue: "asyncio.Queue[T | TurnstreamError | None]") -> AsyncIterator[T]:
        try:
            while (value := await queue.get()) is not None:
                if isinstance(value, TurnstreamError):
                    raise value
                yield value
        finally:
            self._queues.discard(queue)


class Feed:
    """A subscription: it connects again and resumes whenever the connection is lost."""

    def __init__(
        self, url: str, path: str, token: str | None, retries: Retries, topic: dict[str, object], receiver: Receiver
    ) -> None:
        """Prepare to follow a topic, such as `{"room": ...}` or `{"lobby": True}`, over the socket at this path."""
        self.status: FeedStatus = "connecting"
        self.failure: TurnstreamError | None = None
        """Why the feed is closed and will not reconnect."""
        self._url = f"ws{url.removeprefix('http')}{path}"
        self._token = token
        self._retries = retries
        self._topic = topic
        self._receiver = receiver
        self._socket: ClientConnection | None = None
        self._ids = itertools.count(1)
        self._pending: dict[int, tuple[bytes, asyncio.Future[Reply]]] = {}
        self._listeners: list[Listener] = []
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def open(self, is_ready: Callable[[], bool]) -> None:
        """Connect, and wait until `is_ready` returns true. Raises the failure, or `UnreachableError` in the end."""
        self._task = asyncio.create_task(self._run(), name=f"follow {self._topic}")
        try:
            async with asyncio.timeout(self._retries.patience):
                while not is_ready():
                    await self.next_change()
        except TimeoutError:
            await self.close()
            raise UnreachableError(f"{self._url} sent no view") from None
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Close the socket permanently, and raise an error from everything that waits."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        if self.failure is None:
            self._fail(TurnstreamError("the block that followed this has ended"))

    # Waiting

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call a function after each frame; return the function that ends this."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def next_change(self) -> None:
        """Wait for the next frame or the loss of the connection. Raises the failure."""
        self._check()
        await self._news.wait()
        self._check()

    def _publish(self, frame: Frame | None) -> None:
        """Call the listeners, and wake everything that waits for a change."""
        for listener in list(self._listeners):
            try:
                listener(frame)
            except Exception:  # a listener's fault does not end the feed
                log.exception("a listener failed")
        changed, self._news = self._news, asyncio.Event()
        changed.set()

    def _check(self) -> None:
        if self.failure is not None:
            raise self.failure

    def _fail(self, failure: TurnstreamError) -> None:
        """Raise an error from everything that waits, and from now on."""
        self.failure, self.status = failure, "closed"
        for _, future in self._pending.values():
            if not future.done():
                future.set_exception(failure)
        self._publish(None)

    # Sending

    async def resubscribe(self) -> None:
        """Subscribe again on the same socket, because the cursor has changed."""
        if self._socket is not None:
            await transmit(self._socket, self._subscription())

    async def reply(self, command: dict[str, object]) -> Reply:
        """Return the reply to a command. The command is sent again after each reconnection until the reply arrives."""
        self._check()
        number = next(self._ids)
        frame = msgspec.json.encode({"type": "command", "id": number, **command})
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._pending[number] = (frame, future)
        try:
            if self._socket is not None and self.status == "connected":
                await transmit(self._socket, frame)
            return await future
        finally:
            del self._pending[number]

    def _subscription(self) -> bytes:
        """Return the first frame: the token for the whole socket, and where to resume."""
        token = {} if self._token is None else {"token": self._token}
        return msgspec.json.encode({"type": "subscribe", **self._topic, **token, **self._receiver.cursor()})

    # The socket

    async def _run(self) -> None:
        """Follow until that is no longer possible."""
        try:
            await self._follow()
        except TurnstreamError as failure:
            self._fail(failure)

    async def _follow(self) -> None:
        """Open one socket after the other. Raises the reason when the topic can no longer be followed."""
        pauses = self._retries.pauses()
        while True:
            try:
                await self._follow_once()
            except (OSError, GapError, InvalidHandshake, ConnectionClosed) as error:
                log.info("%s: %s; resuming", self._topic, error)
                check_status(error)
            finally:
                was_connected, self._socket = self.status == "connected", None
            if was_connected:
                pauses = self._retries.pauses()
            self.status = "reconnecting"
            self._publish(None)
            await asyncio.sleep(next(pauses))

    async def _follow_once(self) -> None:
        """Follow the topic on one socket until the connection is lost."""
        opening = connect(
            self._url,
            max_size=None,
            ping_interval=PING_SECONDS,
            ping_timeout=PING_SECONDS,
            close_timeout=CLOSE_SECONDS,
        )
        async with opening as socket:
            self._socket = socket
            await transmit(socket, self._subscription())
            try:
                while True:
                    await self._receive(socket, await socket.recv())
            except ConnectionClosed as closed:
                code, reason = (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (1006, "")
                if code >= RESUME_BELOW or code in BROKEN_FRAME:
                    raise FeedClosedError(code, reason) from None
                raise

    async def _receive(self, socket: ClientConnection, data: bytes | str) -> None:
        """Act on a frame."""
        frame = decode_frame(data)
        match frame:
            case None:
                return
            case Reply():
                self._answer(frame)
            case Error():
                self._on_error(frame)
            case _:
                self._receiver.receive(frame)
                await self._on_accepted(socket)
        self._publish(frame)

    async def _on_accepted(self, socket: ClientConnection) -> None:
        """Send the pending commands: the receiver has accepted the first frame, so the socket is for the same room."""
        if self.status != "connected":
            self.status = "connected"
            for waiting, _ in list(self._pending.values()):
                await transmit(socket, waiting)

    def _answer(self, reply: Reply) -> None:
        _, future = self._pending.get(reply.id, (b"", None))
        if future is not None and not future.done():
            future.set_result(reply)

    def _on_error(self, error: Error) -> None:
        """Raise the server's refusal to follow the topic, and log any other error."""
        if ("room" in self._topic) != (error.room is not None):
            log.warning("%s: %s", self._topic, error.problem.detail)
        elif error.problem.status in BUSY:
            raise OSError(error.problem.detail)
        else:
            raise RefusedError(error.problem)


class Followed:
    """What a feed follows: a room, the lobby, or the player's own events."""

    _feed: Feed
    _is_loaded = False
    """Whether what is followed has arrived."""

    async def __aenter__(self) -> Self:
        """Wait until what is followed has arrived. Raises `RefusedError`, `FeedClosedError`, `UnreachableError`."""
        self._feed.subscribe(lambda _: self.failure and self._end(self.failure))
        await self._feed.open(lambda: self._is_loaded)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop following it."""
        await self._feed.close()

    def cursor(self) -> dict[str, object]:
        """Return nothing: each subscription begins with everything."""
        return {}

    def _end(self, failure: TurnstreamError | None) -> None:
        """End all iterations, with an error if it can no longer be followed."""

    @property
    def status(self) -> FeedStatus:
        """Whether there is a connection: `connecting`, `connected`, `reconnecting` or `closed`."""
        return self._feed.status

    @property
    def failure(self) -> TurnstreamError | None:
        """Why it can no longer be followed."""
        return self._feed.failure

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call a function with each frame, after the state has been updated; return the function that ends this.

        It is called with None when the connection is lost or there is a `failure`.
        """
        return self._feed.subscribe(listener)


async def transmit(socket: ClientConnection, frame: bytes) -> None:
    """Send a frame; on a socket that was lost meanwhile it is sent again after resuming."""
    with contextlib.suppress(ConnectionClosed):
        await socket.send(frame, text=True)


def check_status(error: Exception) -> None:
    """Raise `FeedClosedError` if the server refused the socket itself, for a reason that will not pass."""
    if isinstance(error, InvalidStatus) and error.response.status_code in range(400, 429):
        raise FeedClosedError(error.response.status_code, error.response.reason_phrase) from error
