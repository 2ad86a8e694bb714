"""One event to many watchers: the next one is sent when the last one has reached everybody."""

import asyncio

from bench.load.senders import PATIENCE, Sender
from bench.load.tables import Table
from bench.load.wire import HttpLine, SocketLine, http_line, post, socket_line

UPDATE = b'{"type":"update"'
CAUGHT_UP = b'{"type":"caught_up"'
CONNECTING_AT_ONCE = 50


class Teller(Sender):
    """Causes an event and waits until everyone has it; what is counted is deliveries."""

    def __init__(self, port: int, count: int) -> None:
        """Tell so many listeners through the server on this port."""
        super().__init__()
        self._port = port
        self._count = count
        self._bytes = 0
        self._listeners: list[SocketLine] = []
        self._missing = 0
        self._listening = asyncio.Semaphore(0)

    async def gather(self, path: str, hello: bytes = b"") -> None:
        """Bring the listeners that are missing, a few at a time; one with a hello listens when that is answered."""
        while len(self._listeners) < self._count:
            some = min(CONNECTING_AT_ONCE, self._count - len(self._listeners))
            lines = await asyncio.gather(*(socket_line(self._port, path, self.heard) for _ in range(some)))
            self._listeners += lines
            for line in lines if hello else ():
                line.say(hello)
                await asyncio.wait_for(self._listening.acquire(), PATIENCE)

    def expect(self, besides: int) -> None:
        """Wait for one delivery a listener, and so many other arrivals."""
        self._missing = self._count + besides

    def heard(self, payload: bytes) -> None:
        """Take a frame that a listener got."""
        self._bytes += len(payload)
        self.one_less()

    def one_less(self) -> None:
        """Note an arrival; the last one counts them all."""
        self._missing -= 1
        if self._missing == 0:
            self.arrived(self._count)

    @property
    def mean_size(self) -> int:
        """How many bytes a delivered frame had so far, on average."""
        return round(self._bytes / max(1, self.done))

    def close(self) -> None:
        """Hang up."""
        for line in self._listeners:
            line.close()


class Player(Teller):
    """Plays by POST in a room that spectators watch, view and all."""

    def __init__(self, table: Table, port: int, count: int) -> None:
        """Play at this table of the server on this port, before so many spectators."""
        super().__init__(port, count)
        self._table = table
        self._line: HttpLine | None = None

    async def ready(self) -> None:
        """Be connected, and watched; anew, for a server hangs up on a connection that was idle for long."""
        room = self._table.room
        await self.gather(f"/v1/rooms/{room}/feed", b'{"type":"subscribe","room":"%b"}' % room.encode())
        if self._line is not None:
            self._line.close()
        self._line = await http_line(self._port, self._answered)

    def heard(self, payload: bytes) -> None:
        """Count updates; what comes at the beginning, and heartbeats, are none."""
        if payload.startswith(UPDATE):
            super().heard(payload)
        elif payload.startswith(CAUGHT_UP):
            self._listening.release()

    def send_next(self) -> None:
        """Post the next command."""
        assert self._line is not None  # noqa: S101 - senders are made ready before they go
        command = next(self._table.commands)
        self.expect(besides=1)
        self._line.send(post(self._table.path, self._table.tokens[command.seat], command.body))

    def _answered(self, status: int, body: bytes) -> None:
        if status == 200:
            self.one_less()
        else:
            self.failed(f"{status} {body.decode()}")

    def close(self) -> None:
        """Hang up."""
        super().close()
        if self._line is not None:
            self._line.close()


class Broadcaster(Teller):
    """Asks the bare server to broadcast texts of a size."""

    def __init__(self, port: int, count: int) -> None:
        """Tell so many listeners through the server on this port."""
        super().__init__(port, count)
        self.size = 1
        self._line: SocketLine | None = None

    async def ready(self) -> None:
        """Be connected, and listened to."""
        await self.gather(f"/listen/{self._count}")
        if self._line is None:
            self._line = await socket_line(self._port, f"/tell/{self._count}", self.heard)

    def send_next(self) -> None:
        """Ask for one broadcast."""
        assert self._line is not None  # noqa: S101 - senders are made ready before they go
        self.expect(besides=0)
        self._line.say(b"%d" % self.size)

    def close(self) -> None:
        """Hang up."""
        super().close()
        if self._line is not None:
            self._line.close()
