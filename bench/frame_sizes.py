"""How many bytes an update to a follower takes, in a random match of a game."""

import asyncio
from itertools import islice

import msgspec

from bench.load.play import random_line
from bench.load.senders import PATIENCE, Talker
from bench.load.tables import open_tables, scripts
from bench.load.wire import socket_line
from service.domain.catalog import GAMES

UPDATE = b'{"type":"update"'
SEED = 3


class FrameSizes(msgspec.Struct, frozen=True):
    """The mean bytes of an update, with the view and without."""

    game: str
    view: float
    events: float


async def frame_sizes(port: int, game: str) -> FrameSizes:
    """Play a match that two strangers follow, one with the view and one without."""
    line = random_line(GAMES[game], SEED)
    count = len(line.turns) + 1
    (table,) = await asyncio.to_thread(open_tables, port, game, 1, scripts([line]))
    heard: dict[str, list[int]] = {"view": [], "events": []}
    lines = []
    for state, sizes in (("true", heard["view"]), ("false", heard["events"])):

        def hear(frame: bytes, sizes: list[int] = sizes) -> None:
            if frame.startswith(UPDATE):
                sizes.append(len(frame))

        follower = await socket_line(port, f"/v1/rooms/{table.room}/feed", hear)
        follower.say(b'{"type":"subscribe","room":"%b","state":%b}' % (table.room.encode(), state.encode()))
        lines.append(follower)
    limited = msgspec.structs.replace(table, commands=islice(table.commands, count))
    player = OneMatch(limited, port, "nothing")
    await player.ready()
    player.go()
    async with asyncio.timeout(PATIENCE):
        while min(map(len, heard.values())) < count and player.failure is None:  # noqa: ASYNC110 - three connections
            await asyncio.sleep(0.02)
    for follower in lines:
        follower.close()
    player.close()
    view, events = (sum(sizes) / max(1, len(sizes)) for sizes in heard.values())
    return FrameSizes(GAMES[game].title, view, events)


class OneMatch(Talker):
    """A player who stops at the end of the match."""

    def send_next(self) -> None:
        """Send the next command, if there is one."""
        try:
            super().send_next()
        except StopIteration:
            self._idle.set()
