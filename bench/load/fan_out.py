"""One event to many subscribers: the next one is sent when all have received the last one."""

import asyncio

from bench.load.senders import PATIENCE, Sender
from bench.load.tables import Table
from bench.load.wire import HttpLine, SocketLine, http_line, post, socket_line

UPDATE = b'{"type":"update"'
CAUGHT_UP = b'{"type":"caught_up"'
CONNECTING_AT_ONCE = 50


class FanOut(Sender):
    """Causes an event and waits until everyone has it; what is counted is deliveries."""

    def __init__(self, port: int, count: int) -> None:
        """Send to this number of subscribers through the server on this port."""
        super().__init__()
        self._port = port
        self._count = count
        self._bytes = 0
        self._subscribers: list[SocketLine] = []
        self._missing = 0
        self._subscribed = asyncio.Semaphore(0)

    async def gather(self, path: str, hello: bytes = b"") -> None:
        """Connect the missing subscribers, a few at a time; one with a hello is subscribed after its reply."""
        while len(self._subscribers) < self._count:
            some = min(CONNECTING_AT_ONCE, self._count - len(self._subscribers))
            lines = await asyncio.gather(*(socket_line(self._port, path, self.heard) for _ in range(some)))
            self._subscribers += lines
            for line in lines if hello else ():
                line.say(hello)
                await asyncio.wait_for(self._subscribed.acquire(), PATIENCE)

    def expect(self, others: int) -> None:
        """Wait for one delivery per subscriber, and this number of other arrivals."""
        self._missing = self._count + others

    def heard(self, payload: bytes) -> None:
        """Count a frame that a subscriber received."""
        self._bytes += len(payload)
        self.count_arrival()

    def count_arrival(self) -> None:
        """Count an arrival; after the last one the round is done."""
        self._missing -= 1
        if self._missing == 0:
            self.arrived(self._count)

    @property
    def mean_size(self) -> int:
        """How many bytes a delivered frame had so far, on average."""
        return round(self._bytes / max(1, self.done))

    def close(self) -> None:
        """Close the connections."""
        for line in self._subscribers:
            line.close()


class Player(FanOut):
    """Plays by POST in a room whose spectators receive the view."""

    def __init__(self, table: Table, port: int, count: int) -> None:
        """Play at this table of the server on this port, before this number of spectators."""
        super().__init__(port, count)
        self._table = table
        self._line: HttpLine | None = None

    async def ready(self) -> None:
        """Connect again, as a server closes idle connections, and subscribe the spectators."""
        room = self._table.room
        await self.gather(f"/v1/rooms/{room}/feed", b'{"type":"subscribe","room":"%b"}' % room.encode())
        if self._line is not None:
            self._line.close()
        self._line = await http_line(self._port, self._answered)

    def heard(self, payload: bytes) -> None:
        """Count updates, but not the frames at the beginning or heartbeats."""
        if payload.startswith(UPDATE):
            super().heard(payload)
        elif payload.startswith(CAUGHT_UP):
            self._subscribed.release()

    def send_next(self) -> None:
        """Post the next command."""
        assert self._line is not None  # noqa: S101 - senders are made ready before they start
        command = next(self._table.commands)
        self.expect(others=1)
        self._line.send(post(self._table.path, self._table.tokens[command.seat], command.body))

    def _answered(self, status: int, body: bytes) -> None:
        if status == 200:
            self.count_arrival()
        else:
            self.failed(f"{status} {body.decode()}")

    def close(self) -> None:
        """Close the connections."""
        super().close()
        if self._line is not None:
            self._line.close()


class Broadcaster(FanOut):
    """Makes the bare server broadcast texts of a size."""

    def __init__(self, port: int, count: int) -> None:
        """Send to this number of subscribers through the server on this port."""
        super().__init__(port, count)
        self.size = 1
        self._line: SocketLine | None = None

    async def ready(self) -> None:
        """Connect, also the subscribers."""
        await self.gather(f"/listen/{self._count}")
        if self._line is None:
            self._line = await socket_line(self._port, f"/broadcast/{self._count}", self.heard)

    def send_next(self) -> None:
        """Request one broadcast."""
        assert self._line is not None  # noqa: S101 - senders are made ready before they start
        self.expect(others=0)
        self._line.say(b"%d" % self.size)

    def close(self) -> None:
        """Close the connections."""
        super().close()
        if self._line is not None:
            self._line.close()
