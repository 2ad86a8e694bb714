"""The client of a seat: it follows the room over a socket, and sends commands over the socket and by POST in turn."""

import asyncio
import contextlib
import json
import secrets
from collections.abc import Callable, Sequence
from itertools import count
from random import Random

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from service.programs.demo.api import BUSY, Api, Json, Problem, room_path

PATIENCE = 30.0  # seconds without an update of a running match
ATTEMPTS = 20
PAUSE_BEFORE_RESUMING = 0.25  # seconds
RESUME_BELOW = 4100
"""With close codes from this one on, resuming is pointless: another token is needed, or the room is gone."""


class SocketLost(Exception):  # noqa: N818 - expected
    """The socket closed before the reply arrived, so the outcome of the command is unknown."""


class FeedEnded(Exception):  # noqa: N818 - a decision of the server
    """The feed cannot be resumed; the message says why."""


class Client:
    """Follows one room as a player, or as a spectator, and records what it receives."""

    def __init__(self, api: Api, room: str) -> None:
        """Follow `room` as the player of `api`."""
        self.api = api
        self.room = room
        self.view: Json = {}
        self.events: list[Json] = []
        """The events received over the socket, in order."""
        self.resumed = 0
        """How often a lost socket was resumed."""
        self.version = 0
        """The version of the last event received over the socket."""
        self._mark = ""
        self._socket: ClientConnection | None = None
        self._changed = asyncio.Condition()
        self._replies: dict[int, asyncio.Future[Json]] = {}
        self._ids = count(1)

    # Following

    async def follow(self) -> None:
        """Follow the room until cancelled; a lost socket is reopened and resumed after the last version."""
        for _ in range(ATTEMPTS):
            try:
                await self._follow_once()
            except (OSError, InvalidStatus):
                pass  # the server is not running, or a proxy answers while it starts
            except Problem as problem:
                if problem.status not in BUSY:
                    raise
            self.resumed += 1
            await asyncio.sleep(PAUSE_BEFORE_RESUMING)
        raise FeedEnded(f"the socket was lost {ATTEMPTS} times")

    async def _follow_once(self) -> None:
        address = "ws" + self.api.url.removeprefix("http") + room_path(self.room, "/feed")
        async with connect(address, proxy=None) as socket:
            await socket.send(json.dumps(self._subscription()))
            self._socket = socket
            try:
                with contextlib.suppress(ConnectionClosed):
                    async for text in socket:
                        await self._take(json.loads(text))
            finally:
                self._lose_socket()
            if (socket.close_code or 0) >= RESUME_BELOW:
                raise FeedEnded(f"the server closed the socket for good: {socket.close_code} {socket.close_reason}")

    def _subscription(self) -> Json:
        """Return the first frame, with the token for the socket, and the position from which to resume."""
        frame: Json = {"type": "subscribe", "room": self.room, "since": self.version}
        frame |= {"mark": self._mark} if self._mark else {}
        return frame | ({"token": self.api.token} if self.api.token else {})

    async def _take(self, frame: Json) -> None:
        match frame["type"]:
            case "update" | "snapshot":
                self.version, self._mark = frame["version"], frame["mark"]
                self.events += frame.get("events", [])
                if "view" in frame:
                    async with self._changed:
                        self.view = frame["view"]
                        self._changed.notify_all()
            case "reply":
                self._replies.pop(frame["id"]).set_result(frame)
            case "error":
                raise Problem(frame["problem"])

    def _lose_socket(self) -> None:
        self._socket = None
        for reply in self._replies.values():
            if not reply.done():  # the caller may have been cancelled
                reply.set_exception(SocketLost())
        self._replies.clear()

    async def drop_socket(self) -> None:
        """Drop the socket, as a phone in a tunnel does."""
        if self._socket is not None:
            await self._socket.close()

    async def reach(self, condition: Callable[[Json], bool]) -> Json:
        """Wait for a view that satisfies the condition, and return it. Raises `TimeoutError`."""
        async with asyncio.timeout(PATIENCE), self._changed:
            await self._changed.wait_for(lambda: bool(self.view) and condition(self.view))
        return self.view

    # Commanding

    async def command(self, body: Json, *, by_socket: bool = False) -> Json:
        """Send a command, which takes effect exactly once even if connections fail, and return its result.

        Raises `Problem`.
        """
        key = secrets.token_hex(8)
        if by_socket and self._socket is not None:
            try:
                return await self._by_socket(self._socket, body, key)
            except SocketLost:
                pass  # with the same key the POST gets the command's result, whether it was executed or not
            except Problem as problem:
                if problem.status not in BUSY:  # a POST is repeated
                    raise
        result: Json = await self.api.post(room_path(self.room, "/commands"), body, key)
        return result

    async def _by_socket(self, socket: ClientConnection, body: Json, key: str) -> Json:
        number = next(self._ids)
        reply = self._replies[number] = asyncio.get_running_loop().create_future()
        frame = {"type": "command", "id": number, "room": self.room, "command": body, "key": key}
        try:
            await socket.send(json.dumps(frame))
        except ConnectionClosed:
            self._replies.pop(number, None)
            raise SocketLost from None
        answer = await reply
        if "problem" in answer:
            raise Problem(answer["problem"])
        result: Json = answer["result"]
        return result


class Player:
    """Plays one seat with random legal moves."""

    def __init__(self, client: Client, player_id: str, chance: Random) -> None:
        """Play for `player_id`, whose token the client holds."""
        self.client = client
        self._id = player_id
        self._chance = chance
        self._after = 0  # the version that a view must have for the next move
        self._made = 0

    async def play(self, drops_socket_after: int | None = None) -> None:
        """Move whenever it is this seat's turn, until the match is over."""
        while moves := await self._moves():
            await self.make(self.pick(moves))
            if self._made == drops_socket_after:
                await self.client.drop_socket()

    async def _moves(self) -> list[Json]:
        """Wait for this seat's turn and return its legal moves; none once the match is over."""
        view = await self.client.reach(lambda view: is_over(view) or self._is_to_move(view))
        moves: list[Json] = [] if is_over(view) else view["match"]["legal_moves"]
        return moves

    def _is_to_move(self, view: Json) -> bool:
        own = [seat["seat"] for seat in view["seats"] if seat["player"] == self._id]
        match = view["match"]
        return match is not None and view["version"] >= self._after and own[0] in match["to_move"]

    def pick(self, moves: Sequence[Json]) -> Json:
        """Return a random move: first a random type, then a random move of that type, so that rare types occur."""
        kind = self._chance.choice(sorted({move["type"] for move in moves}))
        return self._chance.choice([move for move in moves if move["type"] == kind])

    async def make(self, move: Json) -> None:
        """Make a move, over the socket and by POST in turn; if the view was stale, try a move that is legal now."""
        by_socket = self._made % 2 == 0
        for _ in range(ATTEMPTS):
            try:
                result = await self.client.command({"type": "play", "move": move}, by_socket=by_socket)
            except Problem as problem:
                if problem.status != 409:
                    raise
                self._after = problem.version
                if not problem.legal_moves:
                    return
                move = self.pick(problem.legal_moves)
            else:
                self._after = result["version"]
                self._made += 1
                return
        raise RuntimeError(f"none of {ATTEMPTS} legal moves was accepted")


def is_over(view: Json) -> bool:
    """Return whether the room's match is over."""
    return bool(view["match"] and view["match"]["status"] == "finished")
