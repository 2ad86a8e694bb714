"""Clients that play and follow rooms through every fault, and record what they sent and received.

A player sends each command with a key of its own and repeats it until the outcome is known. A subscriber resumes each
lost feed at the version where it ended. Both use the next API process when one does not answer.
"""

import asyncio
import itertools
import random
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tests.e2e.client import WITHOUT_TLS, Json
from tests.e2e.history import Attempt, Command, Delivery, Recording, Subscriber

CONNECTION_ERRORS = (WebSocketException, OSError, EOFError, TimeoutError)
"""What a client raises when a process or the network path to it is lost."""

PATIENCE = 10.0
"""Seconds without a reply after which a client closes a connection."""

PAUSE = 0.05
"""Seconds before a client retries."""

IDLE = 1.0
"""Seconds without a frame after which a player may move again on the latest view."""


class Guest(NamedTuple):
    """A player's id and token."""

    id: str
    token: str

    @property
    def headers(self) -> dict[str, str]:
        """The HTTP headers that authenticate the player."""
        return {"authorization": f"Bearer {self.token}"}


class PlayedRoom(NamedTuple):
    """A room whose match is running, and the players by seat."""

    room: str
    game: str
    players: tuple[Guest, ...]


class SubscriberClient:
    """Follows one room, as a player or a spectator, over as many connections as necessary."""

    def __init__(self, urls: Sequence[str], room: str, guest: Guest | None, *, state: bool) -> None:
        """Start at the first version; `state` requests views."""
        self.recorded = Subscriber(room, guest and guest.id)
        self.view: Json = {}
        self.keeps_all = True
        """Whether every delivery is recorded; those of an hour need gigabytes."""
        self._urls = itertools.cycle(urls)
        self._guest = guest
        self._position: Json = {"since": 0}
        self._state = state

    @property
    def version(self) -> int:
        """The version of the last frame."""
        return int(self._position["since"])

    async def follow(self) -> None:
        """Follow until cancelled."""
        while True:
            try:
                address = f"{next(self._urls).replace('http', 'ws', 1)}/v1/rooms/{self.recorded.room}/feed"
                async with connect(address, compression=None, proxy=None, open_timeout=PATIENCE) as socket:
                    await self._run(socket)
            except CONNECTION_ERRORS:
                await asyncio.sleep(PAUSE)

    async def _run(self, socket: ClientConnection) -> None:
        self.recorded.connections += 1
        request = {"type": "subscribe", "room": self.recorded.room, "state": self._state, **self._position}
        await socket.send(encode(request | ({"token": self._guest.token} if self._guest else {})))
        async for text in socket:
            frame: Json = msgspec.json.decode(text)
            if frame["type"] == "error":  # 503 while the store is unavailable: subscribe again
                await asyncio.sleep(PAUSE)
                return
            self.receive(frame)

    def receive(self, frame: Json) -> None:
        """Record what a frame delivers."""
        if frame["type"] not in {"update", "snapshot"}:
            return
        self._position = {"since": frame["version"], "mark": frame["mark"]}
        self.view = frame.get("view", self.view)
        if not self.keeps_all:
            return
        events, reason = tuple(frame.get("events", ())), frame.get("reason", "")
        self.recorded.deliveries.append(Delivery(frame["version"], events, reason, frame.get("view")))


class PlayerClient(SubscriberClient):
    """Follows a room and moves when it is its turn, over the same socket or by POST."""

    def __init__(
        self, urls: Sequence[str], played: PlayedRoom, seat: int, recording: Recording, *, by_post: bool
    ) -> None:
        """Play on this seat; `by_post` sends commands over HTTP instead of the socket."""
        super().__init__(urls, played.room, played.players[seat], state=True)
        self.is_playing = True
        self.pause = 0.0
        """The mean of the seconds between a view and the player's move."""
        self._commands = recording.commands
        self._random = random.Random(f"{played.room} {seat}")  # noqa: S311 - a choice of moves
        self._open: Command | None = None
        self._numbers = itertools.count()
        self._by_post = by_post
        self._http_urls = itertools.cycle(reversed(urls))
        self._answered = 0
        self._moved_at = -1

    @property
    def is_waiting(self) -> bool:
        """Whether a command was sent whose outcome is not known yet."""
        return self._open is not None

    async def _run(self, socket: ClientConnection) -> None:
        """Subscribe, repeat the open command if there is one, and keep playing."""
        self.recorded.connections += 1
        assert self._guest is not None
        request = {"type": "subscribe", "room": self.recorded.room, "token": self._guest.token, **self._position}
        await socket.send(encode(request))
        last = asyncio.get_running_loop().time()
        if self._open is not None and not self._by_post:
            await self._send(socket)
        while True:
            try:
                async with asyncio.timeout(IDLE):  # Python 3.11's wait_for may lose a cancellation
                    frame: Json = msgspec.json.decode(await socket.recv())
                last = asyncio.get_running_loop().time()
            except TimeoutError:
                if self.is_waiting and asyncio.get_running_loop().time() - last > PATIENCE:
                    raise
                frame = {"type": "idle"}
            if frame["type"] == "error":
                await asyncio.sleep(PAUSE)
                return
            self.receive(frame)
            if frame["type"] == "reply" and self._open is not None and frame["id"] == self._open.key:
                await self._receive_reply(socket, frame)
            await self._move(socket, again=frame["type"] == "idle")

    async def _move(self, socket: ClientConnection, *, again: bool) -> None:
        """Send a move if it is this player's turn and no command is open."""
        move = None if self._open or not self.is_playing else self._choose_move(again=again)
        if move is None:
            return
        await asyncio.sleep(self._random.uniform(0, 2 * self.pause))
        assert self._guest is not None
        self._moved_at = self.version
        key = f"{self._guest.id} {next(self._numbers)}"
        self._open = Command(self.recorded.room, self._guest.id, key, {"type": "play", "move": move})
        self._commands.append(self._open)
        if self._by_post:
            await self._post()
        else:
            await self._send(socket)

    def _choose_move(self, *, again: bool) -> Json | None:
        """Return a legal move or None; a view is used for one move unless `again` is set."""
        match = self.view.get("match")
        if not match or match["status"] != "playing" or not match["legal_moves"]:
            return None
        if self._moved_at == self.version and not again:
            return None
        commits = [move for move in match["legal_moves"] if move["type"] == "commit"]
        if commits and self._random.random() < 0.5:  # otherwise a round of Turncoat takes long
            return dict(commits[0])
        return dict(self._random.choice(match["legal_moves"]))

    async def _send(self, socket: ClientConnection) -> None:
        assert self._open is not None
        self._open.attempts.append(Attempt())
        frame = {"type": "command", "id": self._open.key, "key": self._open.key, "room": self._open.room}
        await socket.send(encode(frame | {"command": self._open.body}))

    async def _receive_reply(self, socket: ClientConnection, frame: Json) -> None:
        assert self._open is not None
        problem = frame.get("problem")
        if problem is None:
            attempt = Attempt(200, version=frame["result"]["version"], at=time.monotonic())
        else:
            attempt = Attempt(problem["status"], problem["code"], at=time.monotonic())
        self._open.attempts[-1] = attempt
        if self._close_if_known(attempt):
            return
        await asyncio.sleep(PAUSE)
        await self._send(socket)

    async def _post(self) -> None:
        """Send the open command over HTTP until its outcome is known."""
        assert self._open is not None
        assert self._guest is not None
        await post_until_known(self._http_urls, f"/v1/rooms/{self._open.room}/commands", self._open, self._guest)
        self._open = None

    def _close_if_known(self, attempt: Attempt) -> bool:
        """Close the open command if the attempt's outcome is known, and return whether it is."""
        if not is_known(attempt):
            return False
        self._open = None
        return True


async def post_until_known(urls: Iterator[str], path: str, command: Command, guest: Guest) -> None:
    """Send a command to one process after another until its outcome is known, and record each attempt."""
    headers = {**guest.headers, "idempotency-key": command.key}
    while True:
        command.attempts.append(Attempt())
        try:
            async with httpx.AsyncClient(verify=WITHOUT_TLS, timeout=PATIENCE, trust_env=False) as http:
                command.attempts[-1] = attempt_of(
                    await http.post(f"{next(urls)}{path}", headers=headers, json=command.body)
                )
            if is_known(command.attempts[-1]):
                return
        except httpx.TransportError:
            pass
        await asyncio.sleep(PAUSE)


def is_known(attempt: Attempt) -> bool:
    """Return whether the command need not be sent again."""
    return attempt.status is not None and attempt.status < 500 and attempt.status != 429


def attempt_of(response: httpx.Response) -> Attempt:
    """Return an HTTP response to a command as it is recorded."""
    try:
        body = msgspec.json.decode(response.content)
    except msgspec.DecodeError:
        return Attempt(response.status_code, at=time.monotonic())
    version = body.get("tournament", body).get("version") if response.is_success else None
    return Attempt(response.status_code, body.get("code", ""), version, time.monotonic())


def encode(frame: Json) -> str:
    """Return a frame as it is sent."""
    return msgspec.json.encode(frame).decode()
