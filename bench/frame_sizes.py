"""The mean size of an update to a subscriber, in a random match of a game; and whether patches lead to the view."""

import asyncio
import http.client
import random
from contextlib import closing
from typing import Any

import jsonpatch
import msgspec

from bench.load.senders import PATIENCE, MeasurementFailed
from bench.load.tables import Table, open_tables, post_json
from bench.load.wire import socket_line
from service.domain.catalog import GAMES

UPDATE = b'{"type":"update"'
MODES: dict[str, dict[str, Any]] = {
    "view": {"state": True},
    "patch": {"state": "patch"},
    "lean": {"state": "patch", "omit": ["legal_moves", "last"]},
    "events": {"state": False},
}
"""What a subscriber requests, by the name of the figure."""
SEED = 3
MOVES = 150
"""The most moves of a match that are played."""


class FrameSizes(msgspec.Struct, frozen=True):
    """The mean bytes of an update, with the view, with what changes in it, and without."""

    game: str
    view: float
    patch: float
    lean: float
    """The changes without those of the legal moves and of the latest events."""
    events: float


class PatchedSubscriber:
    """Keeps the updates that one subscriber gets, and the view that patches lead to."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.sizes: list[int] = []
        self.views: dict[int, Any] = {}
        """As it was after each update, by version."""
        self.is_live = asyncio.Event()
        self._view: Any = None

    def receive(self, payload: bytes) -> None:
        """Take a frame."""
        frame = msgspec.json.decode(payload)
        if "patch" in frame:
            self._view = jsonpatch.apply_patch(self._view, frame["patch"])
        elif "view" in frame:
            self._view = frame["view"]
        if frame["type"] == "caught_up":
            self.is_live.set()
        if payload.startswith(UPDATE):
            self.sizes.append(len(payload))
            if self._view is not None:
                self.views[frame["version"]] = self._view


async def frame_sizes(port: int, game: str) -> FrameSizes:
    """Play a match before one subscriber per mode. Raises `MeasurementFailed` where a patched view is not the view."""
    (table,) = await asyncio.to_thread(open_tables, port, game, 1, [[]])
    subscribers = {mode: PatchedSubscriber() for mode in MODES}
    lines = []
    for mode, subscriber in subscribers.items():
        lines.append(await socket_line(port, f"/v1/rooms/{table.room}/feed", subscriber.receive))
        lines[-1].say(msgspec.json.encode({"type": "subscribe", "room": table.room} | MODES[mode]))
    async with asyncio.timeout(PATIENCE):
        for subscriber in subscribers.values():
            await subscriber.is_live.wait()
    count = await asyncio.to_thread(play_match, port, table)
    async with asyncio.timeout(PATIENCE):
        while min(len(subscriber.sizes) for subscriber in subscribers.values()) < count:  # noqa: ASYNC110 - no one event
            await asyncio.sleep(0.02)
    for connection in lines:
        connection.close()
    if subscribers["patch"].views != subscribers["view"].views:
        raise MeasurementFailed(f"a patched view of {game} is not the view")
    means = {mode: sum(it.sizes) / len(it.sizes) for mode, it in subscribers.items()}
    return FrameSizes(GAMES[game].texts.title, **means)


def play_match(port: int, table: Table) -> int:
    """Play a match with random moves, to its end or for `MOVES` moves, and return the number of commands."""
    draw = random.Random(SEED)  # noqa: S311 - nothing depends on it
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as service:
        match = post_json(service, table.path, {"type": "start"}, table.tokens[0])["view"]["match"]
        for count in range(1, MOVES + 1):
            if match["status"] == "finished":
                return count
            seat = draw.choice(match["to_move"])
            move = random_move(draw, legal_moves(service, table, seat))
            match = post_json(service, table.path, {"type": "play", "move": move}, table.tokens[seat])["view"]["match"]
    return MOVES + 1


def legal_moves(service: http.client.HTTPConnection, table: Table, seat: int) -> list[dict[str, Any]]:
    """Return the legal moves of a seat."""
    headers = {"authorization": f"Bearer {table.tokens[seat]}"}
    service.request("GET", f"/v1/rooms/{table.room}/legal-moves", headers=headers)
    moves: list[dict[str, Any]] = msgspec.json.decode(service.getresponse().read())["legal_moves"]
    return moves


def random_move(draw: random.Random, moves: list[dict[str, Any]]) -> dict[str, Any]:
    """Draw the kind of move first, as a kind with many moves, such as selecting a square, would hide the others."""
    kind = draw.choice(sorted({move["type"] for move in moves}))
    return draw.choice([move for move in moves if move["type"] == kind])
