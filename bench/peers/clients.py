"""The load for the peers on node: each speaks the peer's own protocol, as its published client does."""

import asyncio
import http.client
import itertools
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import Any

import msgspec

from bench.load.senders import PATIENCE, Sender, counted
from bench.load.tables import START, Command
from bench.load.wire import SocketLine, socket_line

SEATS = (0, 1)
JOINED, MESSAGE, STATE, PATCH = 10, 13, 14, 15
"""What the first byte of a frame of Colyseus means."""


class NodeTable(Sender):
    """Two players with a socket each; the next move is sent when the last one has reached both."""

    def __init__(self, commands: Iterator[Command], port: int) -> None:
        """Play these commands on the server on this port."""
        super().__init__()
        self._commands = commands
        self._port = port
        self._lines: list[SocketLine] = []
        self._counts = 0
        self._missing = 0
        """How many frames about the latest command have not come: one a player."""
        self._steps = asyncio.Semaphore(0)

    async def ready(self) -> None:
        """Have both sockets open and the players at their table."""
        while len(self._lines) < len(SEATS):
            seat = len(self._lines)
            self._lines.append(await self.opened(seat))

    def send_next(self) -> None:
        """Send the next command."""
        command = next(self._commands)
        self._missing, self._counts = len(SEATS), counted(command)
        if command.body is START:
            self.begin()
        else:
            self.play(command.seat, msgspec.json.decode(command.body)["move"])

    def heard_change(self) -> None:
        """Note that the latest command has reached a player."""
        self._missing -= 1
        if self._missing == 0:
            self.arrived(self._counts)

    async def step(self) -> None:
        """Wait for the server's next part in a handshake."""
        await asyncio.wait_for(self._steps.acquire(), PATIENCE)

    def close(self) -> None:
        """Hang up."""
        for line in self._lines:
            line.close()

    @abstractmethod
    async def opened(self, seat: int) -> SocketLine:
        """Return the open socket of a player."""

    @abstractmethod
    def begin(self) -> None:
        """Begin a match."""

    @abstractmethod
    def play(self, seat: int, move: Any) -> None:
        """Send a move."""


class BoardgameTable(NodeTable):
    """A table of boardgame.io: Socket.IO over a WebSocket. Each match has an id, and begins when a player enters it."""

    numbers = itertools.count()

    def __init__(self, commands: Iterator[Command], port: int) -> None:
        """Play these commands on the server on this port."""
        super().__init__(commands, port)
        self._match = b""
        self._version = 0

    async def opened(self, seat: int) -> SocketLine:
        """Open a socket, then the namespace of the game."""
        line = await socket_line(self._port, "/socket.io/?EIO=4&transport=websocket", partial(self._heard, seat))
        await self.step()
        line.say(b"40/morris,")
        await self.step()
        return line

    def begin(self) -> None:
        """Let both players enter another match."""
        self._match, self._version = b"bench%d" % next(self.numbers), 0
        for seat in SEATS:
            self._lines[seat].say(b'42/morris,["sync","%b","%d",null,2]' % (self._match, seat))

    def play(self, seat: int, move: Any) -> None:
        """Send a move."""
        frame = b'42/morris,["update",{"type":"MAKE_MOVE","payload":%b},%d,"%b","%d"]'
        made = {"type": "play", "args": [move], "playerID": str(seat), "credentials": None}
        self._lines[seat].say(frame % (msgspec.json.encode(made), self._version, self._match, seat))
        self._version += 1

    def _heard(self, seat: int, payload: bytes) -> None:
        if payload.startswith((b'42/morris,["update"', b'42/morris,["sync"')):
            self.heard_change()
        elif payload == b"2":  # a ping
            self._lines[seat].say(b"3")
        elif payload.startswith((b"0{", b"40/morris,{")):
            self._steps.release()


class ColyseusTable(NodeTable):
    """A room of Colyseus: a seat is reserved over HTTP, then taken by a WebSocket with binary frames."""

    def __init__(self, commands: Iterator[Command], port: int) -> None:
        """Play these commands on the server on this port."""
        super().__init__(commands, port)
        self._room = ""

    async def opened(self, seat: int) -> SocketLine:  # noqa: ARG002 - a room gives the seats
        """Reserve a seat, open the socket for it, and return it when the state has arrived."""
        reserved = await asyncio.to_thread(self._reserved)
        self._room = reserved["roomId"]
        path = f"/{reserved['processId']}/{self._room}?sessionId={reserved['sessionId']}"
        line = await socket_line(self._port, path, self._heard)
        await self.step()
        line.say_binary(bytes([JOINED]))
        await self.step()
        return line

    def _reserved(self) -> dict[str, Any]:
        place = f"joinById/{self._room}" if self._room else "create/morris"
        with closing(http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)) as connection:
            connection.request("POST", f"/matchmake/{place}", "{}", {"content-type": "application/json"})
            return msgspec.json.decode(connection.getresponse().read(), type=dict[str, Any])

    def begin(self) -> None:
        """Begin another match in the same room."""
        self._lines[SEATS[0]].say_binary(bytes([MESSAGE]) + b"\xa5start")

    def play(self, seat: int, move: Any) -> None:
        """Send a move."""
        self._lines[seat].say_binary(bytes([MESSAGE]) + b"\xa4play" + msgspec.msgpack.encode(move))

    def _heard(self, payload: bytes) -> None:
        kind = payload[0]
        if kind == PATCH:
            self.heard_change()
        elif kind in {JOINED, STATE}:
            self._steps.release()
        else:
            self.failed(f"Colyseus: {payload[:80]!r}")
