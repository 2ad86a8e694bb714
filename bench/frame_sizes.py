"""The mean size of an update to a subscriber, in a random match of a game; and whether patches lead to the view."""

import asyncio
from collections.abc import Callable
from itertools import islice
from typing import Any

import jsonpatch
import msgspec

from bench.load.play import random_line
from bench.load.senders import PATIENCE, STATE, Follows, MeasurementFailed, Talker
from bench.load.tables import open_tables, scripts
from bench.load.wire import socket_line
from service.domain.catalog import GAMES

UPDATE = b'{"type":"update"'
MODES: tuple[Follows, ...] = ("view", "patch", "events")
SEED = 3


class FrameSizes(msgspec.Struct, frozen=True):
    """The mean bytes of an update, with the view, with what changes in it, and without."""

    game: str
    view: float
    patch: float
    events: float


class PatchedSubscriber:
    """Keeps the updates that one subscriber gets, and the view that patches lead to."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.sizes: list[int] = []
        self.views: dict[int, Any] = {}
        """As it was after each update, by version."""
        self._view: Any = None

    def receive(self, payload: bytes) -> None:
        """Take a frame."""
        frame = msgspec.json.decode(payload)
        if "patch" in frame:
            self._view = jsonpatch.apply_patch(self._view, frame["patch"])
        elif "view" in frame:
            self._view = frame["view"]
        if payload.startswith(UPDATE):
            self.sizes.append(len(payload))
            if self._view is not None:
                self.views[frame["version"]] = self._view


async def frame_sizes(port: int, game: str) -> FrameSizes:
    """Play a match before three subscribers. Raises `MeasurementFailed` where a patched view is not the view."""
    line = random_line(GAMES[game], SEED)
    count = len(line.turns) + 1
    (table,) = await asyncio.to_thread(open_tables, port, game, 1, scripts([line]))
    subscribers = {mode: PatchedSubscriber() for mode in MODES}
    lines = []
    for mode, subscriber in subscribers.items():
        lines.append(await socket_line(port, f"/v1/rooms/{table.room}/feed", subscriber.receive))
        lines[-1].say(msgspec.json.encode({"type": "subscribe", "room": table.room, "state": STATE[mode]}))
    player = OneMatch(msgspec.structs.replace(table, commands=islice(table.commands, count)), port, "nothing")
    await player.ready()
    player.go()
    await until(
        lambda: min(len(subscriber.sizes) for subscriber in subscribers.values()) >= count or player.failure is not None
    )
    for connection in lines:
        connection.close()
    player.close()
    if subscribers["patch"].views != subscribers["view"].views:
        raise MeasurementFailed(f"a patched view of {game} is not the view")
    view, patch, events = (sum(it.sizes) / max(1, len(it.sizes)) for it in subscribers.values())
    return FrameSizes(GAMES[game].title, view, patch, events)


async def until(holds: Callable[[], bool]) -> None:
    """Wait for frames on several connections."""
    async with asyncio.timeout(PATIENCE):
        while not holds():  # noqa: ASYNC110 - no event for all of them
            await asyncio.sleep(0.02)


class OneMatch(Talker):
    """A player who stops at the end of the match."""

    def send_next(self) -> None:
        """Send the next command, if there is one."""
        try:
            super().send_next()
        except StopIteration:
            self._idle.set()
