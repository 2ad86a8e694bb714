"""A client of the public API, as small as a reader's patience: players, rooms, answers and feeds.

A `Door` leads to one API process; through it a `Player` opens a room, asks it something and follows its `Feed`.
"""

import contextlib
import itertools
import secrets
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import httpx
import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

Json = dict[str, Any]

PATIENCE = 15.0
"""Seconds that anything may take on a busy machine."""

NUMBERS = itertools.count(1)
RUN = secrets.token_hex(3)


def fresh_name() -> str:
    """Return a room's name that no other test uses."""
    return f"table-{RUN}-{next(NUMBERS)}"


class Answer(NamedTuple):
    """What came back over HTTP."""

    status: int
    body: Any
    """The JSON, or None where the answer is none."""
    headers: Mapping[str, str]
    content: bytes

    @property
    def code(self) -> str:
        """The problem's code, `""` where there is no problem."""
        return str(self.body["code"]) if self.headers.get("content-type") == "application/problem+json" else ""

    @property
    def etag(self) -> str:
        """The tag of the room's state."""
        return self.headers["etag"]


def answer_of(response: httpx.Response) -> Answer:
    """Return a response with its JSON read."""
    is_json = response.headers.get("content-type", "").endswith(("/json", "+json")) and response.content
    body = response.json() if is_json else None
    return Answer(response.status_code, body, response.headers, response.content)


BESIDE = frozenset({"heartbeat", "presence"})
"""Frames that come at their own time, whatever happens in the room."""


class Feed:
    """One socket, read frame by frame; heartbeats and presence are left out unless asked for."""

    def __init__(self, connection: ClientConnection) -> None:
        """Read from an open socket."""
        self.connection = connection

    def sends(self, **frame: object) -> None:
        """Send a frame as JSON."""
        self.connection.send(msgspec.json.encode(frame).decode())

    def commands(self, room: str, command: Json, **more: object) -> Json:
        """Send a command and return its reply; what the feed tells before it is thrown away."""
        number = next(NUMBERS)
        self.sends(type="command", id=number, room=room, command=command, **more)
        return self.until(lambda frame: frame["type"] == "reply" and frame["id"] == number)[-1]

    def frame(self, patience: float = PATIENCE) -> Json:
        """Return the next frame, heartbeats included. Raises `TimeoutError`, `ConnectionClosed`."""
        read: Json = msgspec.json.decode(self.connection.recv(patience))
        return read

    def next(self, kind: str | None = None) -> Json:
        """Return the next frame that is none of `BESIDE`; it must be of this type if one is named."""
        frame = self.frame()
        while frame["type"] in BESIDE:
            frame = self.frame()
        assert kind in {None, frame["type"]}, frame
        return frame

    def text(self) -> str:
        """Return the next frame that is none of `BESIDE` as it was sent."""
        text = str(self.connection.recv(PATIENCE))
        return self.text() if msgspec.json.decode(text)["type"] in BESIDE else text

    def update(self) -> Json:
        """Return the next frame, which must be an update."""
        return self.next("update")

    def until(self, wanted: Callable[[Json], bool]) -> list[Json]:
        """Return the frames up to and including the first that is wanted."""
        frames = [self.next()]
        while not wanted(frames[-1]):
            frames.append(self.next())
        return frames

    def presence(self, wanted: Callable[[Json], bool], patience: float = PATIENCE) -> Json:
        """Return the next presence that is wanted; what comes before it is thrown away."""
        frame = self.frame(patience)
        while frame["type"] != "presence" or not wanted(frame):
            frame = self.frame(patience)
        return frame

    def up_to(self, version: int) -> list[Json]:
        """Return the frames up to the one that brings the reader to a version."""
        return self.until(lambda frame: frame["type"] in {"update", "snapshot"} and frame["version"] >= version)

    def silent(self, seconds: float = 0.2) -> bool:
        """Tell whether nothing but `BESIDE` comes for a moment."""
        try:
            while (frame := self.frame(seconds))["type"] in BESIDE:
                pass
        except TimeoutError:
            return True
        raise AssertionError(frame)

    def close_code(self) -> int | None:
        """Return the code with which the server closes; what it still says before is thrown away."""
        try:
            while True:
                self.frame()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None


def told(kind: str) -> Callable[[Json], bool]:
    """Return a test for an update with an event of this type."""
    return lambda frame: frame["type"] == "update" and any(event["type"] == kind for event in frame["events"])


def without_moment(view: Json) -> Json:
    """Return a view without what belongs to the moment at which it was given: the time, and who was connected."""
    players = [{**player, "presence": None} for player in view["players"]]
    return {**view, "server_time": "", "watchers": None, "players": players}


def events_of(frames: list[Json]) -> list[Json]:
    """Return the events of all updates among the frames, in order."""
    return [event for frame in frames if frame["type"] == "update" for event in frame["events"]]


@contextlib.contextmanager
def socket_to(url: str, room: str, **settings: Any) -> Iterator[Feed]:
    """Open a room's socket and say nothing yet."""
    address = f"{url.replace('http', 'ws', 1)}/v1/rooms/{room}/feed"
    with connect(address, compression=None, close_timeout=2, max_size=None, **settings) as connection:
        yield Feed(connection)


@contextlib.contextmanager
def socket_to_all(url: str, **settings: Any) -> Iterator[Feed]:
    """Open the socket of all rooms and say nothing yet."""
    address = f"{url.replace('http', 'ws', 1)}/v1/feed"
    with connect(address, compression=None, close_timeout=2, max_size=None, **settings) as connection:
        yield Feed(connection)


class Player:
    """Somebody with a token, or a stranger without one, who talks to one API process."""

    def __init__(self, door: "Door", token: str | None = None, player_id: str = "") -> None:
        """Talk through this door as the token says."""
        self.door = door
        self.token = token
        self.id = player_id
        self._headers = {} if token is None else {"authorization": f"Bearer {token}"}

    def at(self, door: "Door") -> "Player":
        """Return the same player, talking to another process."""
        return Player(door, self.token, self.id)

    def sends(self, method: str, path: str, headers: Mapping[str, str] | None = None, **more: Any) -> Answer:
        """Send any request."""
        told = httpx.Headers({**self._headers, **(headers or {})}, encoding="latin-1")
        return answer_of(self.door.http.request(method, path, headers=told, **more))

    def gets(self, path: str, headers: Mapping[str, str] | None = None, /, **query: str | int) -> Answer:
        """GET an address."""
        return self.sends("GET", path, headers, params=query or None)

    def posts(self, path: str, body: object, headers: Mapping[str, str] | None = None, **query: str) -> Answer:
        """POST a value as JSON."""
        return self.sends("POST", path, headers, json=body, params=query or None)

    def opens(self, game: str, key: str | None = None, **asked: object) -> Answer:
        """Open a room of a game, under a fresh name unless `name` is given."""
        headers = {} if key is None else {"idempotency-key": key}
        return self.posts("/v1/rooms", {"game": game, "name": fresh_name(), **asked}, headers)

    def sees(self, room: str, **query: str | int) -> Answer:
        """GET a room."""
        return self.gets(f"/v1/rooms/{room}", **query)

    def asks(
        self,
        room: str,
        kind: str,
        *,
        key: str | None = None,
        if_match: str | int | None = None,
        dry_run: bool = False,
        **fields: object,
    ) -> Answer:
        """Send a command of this type."""
        given = {"idempotency-key": key, "if-match": None if if_match is None else str(if_match)}
        headers = {name: value for name, value in given.items() if value is not None}
        query = {"dry_run": "true"} if dry_run else {}
        return self.posts(f"/v1/rooms/{room}/commands", {"type": kind, **fields}, headers, **query)

    def watches(self, room: str) -> Answer:
        """Join as a spectator."""
        return self.posts(f"/v1/rooms/{room}/commands", {"type": "join", "as": "spectator"})

    def plays(self, room: str, move: Json, **more: Any) -> Answer:
        """Make a move."""
        return self.asks(room, "play", move=move, **more)

    @contextlib.contextmanager
    def follows(self, room: str, **asked: object) -> Iterator[Feed]:
        """Open a room's socket and subscribe, with the token if there is one."""
        with socket_to(self.door.url, room) as feed:
            feed.sends(type="subscribe", room=room, **({"token": self.token} if self.token else {}), **asked)
            yield feed


class Door:
    """One API process as its clients reach it."""

    def __init__(self, url: str, http: httpx.Client) -> None:
        """Reach the process at this address."""
        self.url = url
        self.http = http

    def guest(self, nickname: str) -> Player:
        """Let somebody become a guest."""
        guest = self.stranger().posts("/v1/players", {"nickname": nickname}).body
        return Player(self, guest["token"], guest["player"]["id"])

    def stranger(self) -> Player:
        """Return somebody without a token."""
        return Player(self)


@contextlib.contextmanager
def door_to(url: str) -> Iterator[Door]:
    """Keep connections to a process for as long as they are needed."""
    with httpx.Client(base_url=url, timeout=PATIENCE, trust_env=False) as http:
        yield Door(url, http)
