"""How much memory a room and an idle socket take, in the API's process and in the store."""

import asyncio
import http.client
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import islice

import msgspec
import uvloop

from bench.load.many_sockets import ManySockets, Subscription
from bench.load.play import random_line
from bench.load.tables import Table, open_tables, post_json, scripts
from bench.machine import allow_sockets, cores, on_core, resident_bytes
from bench.processes import Server, StoreServer, service, store
from service.domain.catalog import GAMES

Say = Callable[[str], None]

GAME_NAMES = ("morris", "ternio")
CAUGHT_UP = b'{"type":"caught_up"'


class Plan(msgspec.Struct, frozen=True):
    """How much is measured."""

    warm: int = 50
    """Rooms that are opened before, for what a process takes once."""
    rooms: int = 500
    plies: int = 40
    sockets: int = 5000
    settle: float = 1.0
    """Seconds after which what is kept in the background is kept."""


QUICK = Plan(warm=2, rooms=5, plies=6, sockets=20, settle=0.05)


class Look(msgspec.Struct, frozen=True):
    """What is taken now, in bytes."""

    process: int
    store: int
    file: int


class Size(msgspec.Struct, frozen=True):
    """What so many more of something took, by one, in bytes."""

    words: str
    count: int
    process: float
    store: float
    file: float


class Sizes(msgspec.Struct, frozen=True):
    """What was found: one by one, and the whole process before and after."""

    rows: tuple[Size, ...]
    first: int
    last: int
    plan: Plan


class Scales:
    """Weighs the API's process and its store."""

    def __init__(self, served: Server, kept: StoreServer, settle: float, say: Say) -> None:
        """Measure these two, each time after so many seconds, and print each finding."""
        self._served = served
        self._settle = settle
        self._kept = kept
        self._say = say
        self.rows: list[Size] = []
        self.first = self.latest = self.look()

    def look(self) -> Look:
        """Return what is taken now."""
        info = self._kept.client.info()
        return Look(resident_bytes(self._served.pid), info["used_memory"], info["aof_current_size"])

    async def note(self, words: str, count: int) -> None:
        """Note what has been added since the look before, by one."""
        await asyncio.sleep(self._settle)
        before, self.latest = self.latest, self.look()
        grown = [
            (getattr(self.latest, name) - getattr(before, name)) / max(1, count) for name in Look.__struct_fields__
        ]
        self.rows.append(Size(words, count, *grown))
        self._say(f"{words:<52} {count:>6,}  " + "  ".join(f"{bytes_each:>8,.0f} B" for bytes_each in grown))


def run(plan: Plan, say: Say) -> Sizes:
    """Measure everything."""
    allow_sockets()
    with on_core(cores()[1]), store() as kept, service(kept.url) as served:
        return uvloop.run(weighed(plan, served, kept, say))


async def weighed(plan: Plan, served: Server, kept: StoreServer, say: Say) -> Sizes:
    """Open rooms, play in them, and let idle sockets follow them; weigh after each."""
    await tables(served, GAME_NAMES[0], plan.warm)
    scales = Scales(served, kept, plan.settle, say)
    await scales.note("nothing, for the scales", 0)
    scales.rows.clear()
    rooms: list[Table] = []
    for game in GAME_NAMES:
        opened = await tables(served, game, plan.rooms)
        await scales.note(f"a room of {GAMES[game].texts.title}, its seats taken", plan.rooms)
        await asyncio.to_thread(play, served.port, opened, plan.plies)
        await scales.note(f"the same, by {plan.plies} moves of a match", plan.rooms)
        rooms += opened
    with closing(ManySockets(served.port, CAUGHT_UP)) as sockets:
        await sockets.open([subscription_to(rooms[number % len(rooms)].room) for number in range(plan.sockets)])
        await scales.note("an idle socket that follows a room", plan.sockets)
    return Sizes(tuple(scales.rows), scales.first.process, scales.latest.process, plan)


async def tables(served: Server, game: str, count: int) -> list[Table]:
    """Open so many rooms of a game."""
    moves = scripts([random_line(GAMES[game], seed) for seed in range(20)])
    return await asyncio.to_thread(open_tables, served.port, game, count, moves)


def play(port: int, rooms: Sequence[Table], plies: int) -> None:
    """Start a match in each room and play so many moves of it."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as line:
        for table in rooms:
            for command in islice(table.commands, plies + 1):
                post_json(line, table.path, msgspec.json.decode(command.body), table.tokens[command.seat])


def subscription_to(room: str) -> Subscription:
    """Return the subscription of a stranger to a room."""
    return Subscription(f"/v1/rooms/{room}/feed", b'{"type":"subscribe","room":"%b"}' % room.encode())
