"""One room, followed over a socket."""

import asyncio
import contextlib
import itertools
import logging
import secrets
from collections.abc import AsyncIterator
from datetime import datetime
from types import TracebackType
from typing import Self, TypeAlias
from urllib.parse import quote

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from turnstream_client.errors import FeedClosedError, RefusedError, TurnstreamError, UnreachableError
from turnstream_client.frames import Error, OtherEvent, Reply, Result, Subscribed, decode_frame
from turnstream_client.retries import Retries
from turnstream_client.schema import AnyCommand, AnyEvent, AnyMove, PlayCommand, ReadyCommand, RoomView
from turnstream_client.state import GapError, MatchView, News, RoomState

log = logging.getLogger("turnstream_client")

BUSY = frozenset({429, 503})
"""Statuses after which a command or a subscription is sent again."""
BROKEN_FRAME = frozenset({1002, 1007, 1009})
RESUME_BELOW = 4100
"""Close codes from here on say that resuming is of no use."""
PING_SECONDS = 20.0
"""How often the socket is probed, and how long the answer may take before it counts as lost."""
CLOSE_SECONDS = 1.0

Readers: TypeAlias = set[asyncio.Queue[News | None]]


class Room:
    """A room that is followed: `async with client.follow("friday-night") as room`.

    The block begins when the view has arrived. After a lost connection the room reconnects and resumes after the last
    event: no event is missing and none arrives twice. If the room can no longer be followed, every method raises why.
    """

    def __init__(self, url: str, name: str, *, token: str | None, player: str | None, retries: Retries) -> None:
        """Prepare to follow; `Client.follow` does this."""
        self.name = name
        self.player = player
        """The id of the player who follows, None for a spectator."""
        self._url = f"ws{url.removeprefix('http')}/v1/rooms/{quote(name, safe='')}/feed"
        self._token = token
        self._retries = retries
        self._state = RoomState()
        self._socket: ClientConnection | None = None
        self._ids = itertools.count(1)
        self._pending: dict[int, tuple[bytes, asyncio.Future[Reply]]] = {}
        self._readers: Readers = set()
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._failure: TurnstreamError | None = None

    async def __aenter__(self) -> Self:
        """Wait for the first view. Raises `RefusedError`, `FeedClosedError`, `UnreachableError`."""
        self._task = asyncio.create_task(self._run(), name=f"follow {self.name}")
        try:
            async with asyncio.timeout(self._retries.patience):
                while self._state.view is None:
                    await self._change()
        except TimeoutError:
            await self._stop()
            raise UnreachableError(f"{self._url} sent no view") from None
        except BaseException:
            await self._stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop following the room."""
        await self._stop()

    # What there is

    @property
    def view(self) -> RoomView:
        """The latest view of the room."""
        if self._state.view is None:
            raise RuntimeError("the room is not followed yet: use `async with`")
        return self._state.view

    @property
    def match(self) -> MatchView | None:
        """The running match or the last one, None before the first."""
        return self.view.match

    @property
    def is_to_move(self) -> bool:
        """Whether one of the player's seats is to move."""
        to_move = self.match.to_move if self.match is not None else []
        return any(seat.player == self.player and seat.seat in to_move for seat in self.view.seats)

    @property
    def version(self) -> int:
        """The version of the latest event."""
        return self._state.version

    def now(self) -> datetime:
        """Return the server's time, by which clocks and deadlines run."""
        return self._state.now()

    def remaining_ms(self) -> list[int] | None:
        """Return the milliseconds that each seat has left now, None where time is not limited."""
        return self._state.remaining_ms()

    # What happens

    async def views(self) -> AsyncIterator[RoomView]:
        """Yield the view, then the latest one whenever it has changed, until the room is closed."""
        shown: RoomView | None = None
        while shown is None or shown.status != "closed":
            while self.view is shown:
                await self._change()
            shown = self.view
            yield shown

    async def turns(self) -> AsyncIterator[MatchView]:
        """Yield the match whenever the player is to move, at most once per version, until the room is closed."""
        version = 0
        async for view in self.views():
            if view.version != version and view.match is not None and self.is_to_move:
                version = view.version
                yield view.match

    def events(self) -> AsyncIterator[AnyEvent | OtherEvent]:
        """Yield each event after this call, in order and once, until the room is closed. Raises `EventsMissedError`."""
        queue: asyncio.Queue[News | None] = asyncio.Queue()
        self._readers.add(queue)
        if self._failure is not None:
            queue.put_nowait(self._failure)
        return self._read(queue)

    async def _read(self, queue: asyncio.Queue[News | None]) -> AsyncIterator[AnyEvent | OtherEvent]:
        try:
            while (news := await queue.get()) is not None:
                if isinstance(news, TurnstreamError):
                    raise news
                yield news
                if news.type == "room_closed":
                    return
        finally:
            self._readers.discard(queue)

    # Commands

    async def play(self, move: AnyMove, *, seat: int | None = None) -> int:
        """Make a move, such as one of `legal_moves`; `seat` is required if several seats of the player are to move."""
        return await self.send(PlayCommand(move, seat))

    async def ready(self) -> None:
        """Send `ready`, unless the player is ready already."""
        try:
            await self.send(ReadyCommand())
        except RefusedError as refused:
            if refused.code != "already_ready":
                raise

    async def send(self, command: AnyCommand) -> int:
        """Execute a command once, also if the connection is lost meanwhile; return its version when `view` contains it.

        Waits without a time limit; use `asyncio.timeout` for one. Raises `RefusedError`.
        """
        key = secrets.token_hex(12)
        for pause in self._retries.pauses():
            reply = await self._reply_to(command, key)
            if reply.result is not None:
                await self._reach(reply.result)
                return reply.result.version
            if reply.problem is not None and reply.problem.status not in BUSY:
                raise RefusedError(reply.problem)
            await asyncio.sleep(max(pause, (reply.problem and reply.problem.retry_after) or 0))
        raise AssertionError("pauses have no end")

    async def _reply_to(self, command: AnyCommand, key: str) -> Reply:
        """Return the reply to a command. The command is sent again after each reconnection until the reply arrives."""
        self._check()
        number = next(self._ids)
        frame = {"type": "command", "id": number, "room": self.name, "command": command, "key": key}
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._pending[number] = (msgspec.json.encode(frame), future)
        try:
            if self._socket is not None:
                await transmit(self._socket, self._pending[number][0])
            return await future
        finally:
            del self._pending[number]

    async def _reach(self, result: Result) -> None:
        """Wait until the view has a version, or a snapshot has replaced the history that had it."""
        generation = self._state.generation
        while self.view.version < result.version and self._state.generation == generation:
            await self._change()

    # The socket

    async def _run(self) -> None:
        """Follow the room until that is no longer possible."""
        try:
            await self._follow()
        except TurnstreamError as failure:
            self._fail(failure)

    async def _follow(self) -> None:
        """Open one socket after the other. Raises why the room can no longer be followed."""
        pauses = self._retries.pauses()
        while True:
            try:
                await self._follow_once()
            except (OSError, GapError, InvalidHandshake, ConnectionClosed) as error:
                log.info("%s: %s; resuming after version %s", self.name, error, self._state.version)
                check_status(error)
            finally:
                was_subscribed, self._socket = self._socket is not None, None
            if was_subscribed:
                pauses = self._retries.pauses()
            await asyncio.sleep(next(pauses))

    async def _follow_once(self) -> None:
        """Follow the room on one socket until the connection is lost."""
        opening = connect(
            self._url,
            max_size=None,
            ping_interval=PING_SECONDS,
            ping_timeout=PING_SECONDS,
            close_timeout=CLOSE_SECONDS,
        )
        async with opening as socket:
            await transmit(socket, self._subscription())
            try:
                while True:
                    await self._receive(socket, await socket.recv())
            except ConnectionClosed as closed:
                code, reason = (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (1006, "")
                if code >= RESUME_BELOW or code in BROKEN_FRAME:
                    raise FeedClosedError(code, reason) from None
                raise

    def _subscription(self) -> bytes:
        """Return the first frame: the token for the whole socket, and from where to resume."""
        frame: dict[str, object] = {"type": "subscribe", "room": self.name, "state": "patch"}
        if self._token is not None:
            frame["token"] = self._token
        if self._state.mark is not None:
            frame |= {"since": self._state.version, "mark": self._state.mark}
        return msgspec.json.encode(frame)

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
                self._publish(self._state.apply(frame))
        if isinstance(frame, Subscribed):
            self._socket = socket
            for waiting, _ in list(self._pending.values()):
                await transmit(socket, waiting)

    def _answer(self, reply: Reply) -> None:
        _, future = self._pending.get(reply.id, (b"", None))
        if future is not None and not future.done():
            future.set_result(reply)

    def _on_error(self, error: Error) -> None:
        """Raise the server's refusal to follow the room, and log any other error."""
        if error.room is None:
            log.warning("%s: %s", self.name, error.problem.detail)
        elif error.problem.status in BUSY:
            raise OSError(error.problem.detail)
        else:
            raise RefusedError(error.problem)

    # Waiting

    def _publish(self, news: list[News]) -> None:
        """Hand out events, and wake everything that waits for a change."""
        for reader, each in itertools.product(self._readers, news):
            reader.put_nowait(each)
        changed, self._news = self._news, asyncio.Event()
        changed.set()

    async def _change(self) -> None:
        """Wait for the next frame. Raises why the room can no longer be followed."""
        self._check()
        await self._news.wait()
        self._check()

    def _check(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _fail(self, failure: TurnstreamError) -> None:
        """Raise an error from everything that waits, and from now on."""
        self._failure = failure
        for _, future in self._pending.values():
            if not future.done():
                future.set_exception(failure)
        self._publish([failure])

    async def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        if self._failure is None:
            self._fail(TurnstreamError("the block that followed the room has ended"))


async def transmit(socket: ClientConnection, frame: bytes) -> None:
    """Send a frame; on a socket that was lost meanwhile it is sent again after resuming."""
    with contextlib.suppress(ConnectionClosed):
        await socket.send(frame, text=True)


def check_status(error: Exception) -> None:
    """Raise `FeedClosedError` if the server refused the socket itself, for a reason that will not pass."""
    if isinstance(error, InvalidStatus) and error.response.status_code in range(400, 429):
        raise FeedClosedError(error.response.status_code, error.response.reason_phrase) from error
