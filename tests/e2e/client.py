"""A small client of the public API: players, rooms, responses and feeds.

An `ApiClient` connects to one API process; through it a `Player` opens a room, sends it commands and reads its `Feed`.
"""

import contextlib
import itertools
import secrets
import ssl
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import httpx
import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

Json = dict[str, Any]

PATIENCE = 15.0
"""Seconds to wait for anything on a busy machine."""

WITHOUT_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Never used; the default context would be created for each client and cost most of its time."""

NUMBERS = itertools.count(1)
RUN = secrets.token_hex(3)


def fresh_name() -> str:
    """Return a room name that no other test uses, and that is not of the form of a generated one."""
    return f"table-{next(NUMBERS)}-{RUN}"


class Response(NamedTuple):
    """An HTTP response."""

    status: int
    body: Any
    """The JSON, or None where the response is none."""
    headers: Mapping[str, str]
    content: bytes

    @property
    def code(self) -> str:
        """The problem's code, `""` where the response is no problem."""
        return str(self.body["code"]) if self.headers.get("content-type") == "application/problem+json" else ""

    @property
    def etag(self) -> str:
        """The ETag of the room's state."""
        return self.headers["etag"]


class Fields(dict[str, Any]):
    """A JSON object that says what it has when a field is missing."""

    def __missing__(self, field: str) -> Any:
        """Raise `KeyError` with the whole object."""
        raise KeyError(field, dict(self))


def parse_response(response: httpx.Response) -> Response:
    """Return a response with its JSON parsed."""
    is_json = response.headers.get("content-type", "").endswith(("/json", "+json")) and response.content
    body = response.json() if is_json else None
    shown = Fields(body) if isinstance(body, dict) else body
    return Response(response.status_code, shown, response.headers, response.content)


BACKGROUND = frozenset({"heartbeat", "presence"})
"""Types of frames that are sent independently of the room's events."""


class Feed:
    """A socket that is read frame by frame; most methods skip heartbeats and presence (`BACKGROUND`)."""

    def __init__(self, connection: ClientConnection) -> None:
        """Read from an open connection."""
        self.connection = connection

    def send(self, **frame: object) -> None:
        """Send a frame as JSON."""
        self.connection.send(msgspec.json.encode(frame).decode())

    def command(self, room: str, command: Json, **more: object) -> Json:
        """Send a command and return its reply; frames before it are dropped."""
        number = next(NUMBERS)
        self.send(type="command", id=number, room=room, command=command, **more)
        return self.until(lambda frame: frame["type"] == "reply" and frame["id"] == number)[-1]

    def frame(self, patience: float = PATIENCE) -> Json:
        """Return the next frame, including heartbeats. Raises `TimeoutError`, `ConnectionClosed`."""
        read: Json = msgspec.json.decode(self.connection.recv(patience))
        return read

    def next(self, kind: str | None = None) -> Json:
        """Return the next frame that is not in the background; it must be of this type if one is given."""
        frame = self.frame()
        while frame["type"] in BACKGROUND:
            frame = self.frame()
        assert kind in {None, frame["type"]}, frame
        return frame

    def text(self) -> str:
        """Return the next frame that is not in the background as it was sent."""
        text = str(self.connection.recv(PATIENCE))
        return self.text() if msgspec.json.decode(text)["type"] in BACKGROUND else text

    def update(self) -> Json:
        """Return the next frame, which must be an update."""
        return self.next("update")

    def until(self, wanted: Callable[[Json], bool]) -> list[Json]:
        """Return the frames up to and including the first that `wanted` accepts."""
        frames = [self.next()]
        while not wanted(frames[-1]):
            frames.append(self.next())
        return frames

    def presence(self, wanted: Callable[[Json], bool], patience: float = PATIENCE) -> Json:
        """Return the next presence frame that `wanted` accepts; the frames before it are dropped."""
        frame = self.frame(patience)
        while frame["type"] != "presence" or not wanted(frame):
            frame = self.frame(patience)
        return frame

    def up_to(self, version: int) -> list[Json]:
        """Return the frames up to the one that reaches a version."""
        return self.until(lambda frame: frame["type"] in {"update", "snapshot"} and frame["version"] >= version)

    def is_silent(self, seconds: float = 0.2) -> bool:
        """Return whether only background frames arrive within a short time. Raises `AssertionError` if not."""
        try:
            while (frame := self.frame(seconds))["type"] in BACKGROUND:
                pass
        except TimeoutError:
            return True
        raise AssertionError(frame)

    def close_code(self) -> int | None:
        """Return the code with which the server closes; the frames before it are dropped."""
        try:
            while True:
                self.frame()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None


def has_event(kind: str) -> Callable[[Json], bool]:
    """Return a predicate: the frame is an update with an event of this type."""
    return lambda frame: frame["type"] == "update" and any(event["type"] == kind for event in frame["events"])


def move_each(room: str, *players: "Player") -> None:
    """Let these players, by seat, move once in the match of a room, so that it counts."""
    waiting = set(range(len(players)))
    while waiting:
        seat = players[0].read_room(room).body["match"]["to_move"][0]
        moves = players[seat].read_room(room).body["match"]["legal_moves"]
        move = next((move for move in moves if move["type"] == "commit"), moves[0])
        assert players[seat].play(room, move).status == 200
        if move["type"] != "select":
            waiting.discard(seat)


def without_time_and_presence(view: Json) -> Json:
    """Return a view without what changes between requests: the time, and who is connected."""
    players = [{**player, "presence": None} for player in view["players"]]
    return {**view, "server_time": "", "watchers": None, "players": players}


def events_of(frames: list[Json]) -> list[Json]:
    """Return the events of all updates among the frames, in order."""
    return [event for frame in frames if frame["type"] == "update" for event in frame["events"]]


@contextlib.contextmanager
def open_room_socket(url: str, room: str, **settings: Any) -> Iterator[Feed]:
    """Open a room's socket without sending anything."""
    address = f"{url.replace('http', 'ws', 1)}/v1/rooms/{room}/feed"
    with connect(address, compression=None, close_timeout=2, max_size=None, **settings) as connection:
        yield Feed(connection)


@contextlib.contextmanager
def open_shared_socket(url: str, **settings: Any) -> Iterator[Feed]:
    """Open the socket for several rooms and the lobby, without sending anything."""
    address = f"{url.replace('http', 'ws', 1)}/v1/feed"
    with connect(address, compression=None, close_timeout=2, max_size=None, **settings) as connection:
        yield Feed(connection)


class Player:
    """A client of one API process with a player's token, or without one."""

    def __init__(self, client: "ApiClient", token: str | None = None, player_id: str = "") -> None:
        """Send requests through this client, with the token if there is one."""
        self.client = client
        self.token = token
        self.id = player_id
        self._headers = {} if token is None else {"authorization": f"Bearer {token}"}

    def via(self, client: "ApiClient") -> "Player":
        """Return the same player as a client of another process."""
        return Player(client, self.token, self.id)

    def send(self, method: str, path: str, headers: Mapping[str, str] | None = None, **more: Any) -> Response:
        """Send a request."""
        sent_headers = httpx.Headers({**self._headers, **(headers or {})}, encoding="latin-1")
        return parse_response(self.client.http.request(method, path, headers=sent_headers, **more))

    def get(self, path: str, headers: Mapping[str, str] | None = None, /, **query: str | int) -> Response:
        """Send a GET request."""
        return self.send("GET", path, headers, params=query or None)

    def post(self, path: str, body: object, headers: Mapping[str, str] | None = None, **query: str) -> Response:
        """POST a value as JSON."""
        return self.send("POST", path, headers, json=body, params=query or None)

    def open_room(self, game: str, key: str | None = None, **fields: object) -> Response:
        """Open a room of a game, with a fresh name unless `name` is given."""
        headers = {} if key is None else {"idempotency-key": key}
        return self.post("/v1/rooms", {"game": game, "name": fresh_name(), **fields}, headers)

    def read_room(self, room: str, **query: str | int) -> Response:
        """GET a room."""
        return self.get(f"/v1/rooms/{room}", **query)

    def command(
        self,
        room: str,
        kind: str,
        *,
        key: str | None = None,
        if_match: str | int | None = None,
        dry_run: bool = False,
        **fields: object,
    ) -> Response:
        """Send a command of this type."""
        given = {"idempotency-key": key, "if-match": None if if_match is None else str(if_match)}
        headers = {name: value for name, value in given.items() if value is not None}
        query = {"dry_run": "true"} if dry_run else {}
        return self.post(f"/v1/rooms/{room}/commands", {"type": kind, **fields}, headers, **query)

    def spectate(self, room: str) -> Response:
        """Join as a spectator."""
        return self.post(f"/v1/rooms/{room}/commands", {"type": "join", "as": "spectator"})

    def play(self, room: str, move: Json, **more: Any) -> Response:
        """Make a move."""
        return self.command(room, "play", move=move, **more)

    @contextlib.contextmanager
    def subscribe(self, room: str, **fields: object) -> Iterator[Feed]:
        """Open a room's socket and subscribe, with the token if there is one."""
        with open_room_socket(self.client.url, room) as feed:
            feed.send(type="subscribe", room=room, **({"token": self.token} if self.token else {}), **fields)
            yield feed


class ApiClient:
    """A client of one API process."""

    def __init__(self, url: str, http: httpx.Client) -> None:
        """Send requests to the process at this address."""
        self.url = url
        self.http = http

    def guest(self, nickname: str) -> Player:
        """Create a guest and return its player."""
        guest = self.anonymous().post("/v1/players", {"nickname": nickname}).body
        return Player(self, guest["token"], guest["player"]["id"])

    def anonymous(self) -> Player:
        """Return a client without a token."""
        return Player(self)


@contextlib.contextmanager
def connect_to(url: str) -> Iterator[ApiClient]:
    """Keep HTTP connections to a process open during a block."""
    with httpx.Client(base_url=url, verify=WITHOUT_TLS, timeout=PATIENCE, trust_env=False) as http:
        yield ApiClient(url, http)
