"""One room that is followed."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from datetime import datetime
from urllib.parse import quote

from turnstream_client.errors import RefusedError, TurnstreamError
from turnstream_client.feed import BUSY, Feed, Followed, Readers
from turnstream_client.frames import Chat, Frame, OtherEvent, Result
from turnstream_client.retries import Retries
from turnstream_client.schema import AnyCommand, AnyEvent, AnyMove, ChatLine, PlayCommand, ReadyCommand, RoomView
from turnstream_client.state import MatchView, RoomState


class Room(Followed):
    """A room that is followed: `async with client.follow("friday-night") as room`.

    The block begins when the view has arrived. After a lost connection the room reconnects and resumes after the last
    event: no event is missing and none arrives twice. If the room can no longer be followed, every method raises why.
    """

    def __init__(
        self, url: str, name: str, *, token: str | None, player: str | None, retries: Retries, seat: int | None = None
    ) -> None:
        """Prepare to follow; `Client.follow` does this."""
        self.name = name
        self.player = player
        """The id of the player who follows, None for a spectator."""
        self._retries = retries
        self._seat = seat
        self._state = RoomState()
        self._events: Readers[AnyEvent | OtherEvent] = Readers()
        self._lines: Readers[ChatLine] = Readers()
        self._feed = Feed(url, f"/v1/rooms/{quote(name, safe='')}/feed", token, retries, {"room": name}, self)

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
        """Return the server's time, on which clocks and deadlines are based."""
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
                await self._feed.next_change()
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
        return self._events.read(self.failure)

    def lines(self) -> AsyncIterator[ChatLine]:
        """Yield each line that is sent to the room's chat after this call, until the room is closed.

        Lines sent while there was no connection are not included; `Client.chat` has them.
        """
        return self._lines.read(self.failure)

    # Commands

    async def play(self, move: AnyMove, *, seat: int | None = None) -> int:
        """Make a move, such as one of `legal_moves`; `seat` is required if several seats of the player are to move."""
        return await self.send(PlayCommand(move, seat))

    async def ready(self) -> None:
        """Send `ready`, unless the player is already ready."""
        try:
            await self.send(ReadyCommand())
        except RefusedError as refused:
            if refused.code != "already_ready":
                raise

    async def send(self, command: AnyCommand) -> int:
        """Execute a command once, even if the connection is lost meanwhile; return its version when `view` contains it.

        Waits without a time limit; use `asyncio.timeout` for one. Raises `RefusedError`.
        """
        frame: dict[str, object] = {"room": self.name, "command": command, "key": secrets.token_hex(12)}
        for pause in self._retries.pauses():
            reply = await self._feed.reply(frame)
            if reply.result is not None:
                await self._reach(reply.result)
                return reply.result.version
            if reply.problem is not None and reply.problem.status not in BUSY:
                raise RefusedError(reply.problem)
            await asyncio.sleep(max(pause, (reply.problem and reply.problem.retry_after) or 0))
        raise AssertionError("pauses have no end")

    async def _reach(self, result: Result) -> None:
        """Wait until the view has a version, or a snapshot has replaced the history that had it."""
        generation = self._state.generation
        while self.view.version < result.version and self._state.generation == generation:
            await self._feed.next_change()

    async def view_as(self, seat: int | None) -> None:
        """Receive the view of another seat of this player, or with None the public view. It arrives next."""
        self._seat = seat
        await self._feed.resubscribe()

    # Frames

    def cursor(self) -> dict[str, object]:
        """Return whose view to send as patches, and where to resume."""
        seat = {} if self._seat is None else {"seat": self._seat}
        mark = self._state.mark
        since = {} if mark is None else {"since": self._state.version, "mark": mark}
        return {"state": "patch", **seat, **since}

    def receive(self, frame: Frame) -> None:
        """Use a frame, and pass new events on. Raises `GapError`, `RoomReplacedError`, `UnreadableError`."""
        if isinstance(frame, Chat):
            self._lines.put(frame.line)
        for news in self._state.apply(frame):
            self._events.put(news)
            if not isinstance(news, TurnstreamError) and news.type == "room_closed":
                self._end(None)
        self._is_loaded = self._state.view is not None

    def _end(self, failure: TurnstreamError | None) -> None:
        self._events.put(failure)
        self._lines.put(failure)
