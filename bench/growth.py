"""What grows with what: costs at sizes from small to large, which should stay the same."""

import asyncio
import http.client
import itertools
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing

import msgspec
import uvloop
from redis.asyncio import Redis

from bench.load.fan_out import Player
from bench.load.play import random_line
from bench.load.senders import Poster, Sender, Window, measured
from bench.load.tables import Command, Table, endless, open_tables, post_json, scripts
from bench.load.wire import SocketLine, socket_line
from bench.machine import allow_sockets, cores, cpu_seconds, on_core
from bench.processes import Server, StoreServer, service, store
from service.domain.catalog import GAMES
from service.domain.ids import Millis
from service.store.redis.keys import Keys
from service.store.redis.store import RedisStore

Say = Callable[[str], None]

GAME = "morris"
SECRET = "a secret of benchmarks, of thirty-two characters"  # noqa: S105 - nothing is protected by it
CONNECTIONS = 64
LATER = 10**15
"""A moment long after everything."""

FLAT = 1.5
"""By which factor a cost may differ between the smallest and the largest size."""


class Plan(msgspec.Struct, frozen=True):
    """The sizes."""

    events: tuple[int, ...] = (100, 1_000, 10_000, 100_000)
    subscribers: tuple[int, ...] = (1, 10, 100, 1_000, 5_000)
    rooms: tuple[int, ...] = (10, 100, 1_000, 10_000, 20_000)
    lobby: tuple[int, ...] = (1, 10, 100, 1_000)
    due: tuple[int, ...] = (100, 1_000, 10_000, 100_000)
    window: Window = Window(2.0, 0.3)
    openings: int = 60
    """Rooms that are opened in front of the lobby's subscribers."""
    claims: int = 200


QUICK = Plan(
    events=(20, 40), subscribers=(1, 3), rooms=(2, 4), lobby=(1, 3), due=(10, 20), window=Window(0.2, 0.1), openings=3,
    claims=3,
)  # fmt: skip


class Series(msgspec.Struct, frozen=True):
    """A cost at growing sizes; most of the first few sizes are noise where the cost is divided by the size."""

    of: str
    cost: str
    points: tuple[tuple[int, float], ...]

    @property
    def factor(self) -> float:
        """By how much the largest size costs more than the smallest."""
        return self.points[-1][1] / max(self.points[0][1], 1e-9)

    @property
    def is_flat(self) -> bool:
        """Whether it does not grow."""
        return self.factor <= FLAT


def run(plan: Plan, say: Say) -> list[Series]:
    """Measure every series."""
    allow_sockets()
    with on_core(cores()[1]), store() as kept, service(kept.url, secret=SECRET) as served:
        found = uvloop.run(with_service(plan, served, kept, say))
    with on_core(cores()[1]), store() as kept:
        return [*found, *uvloop.run(due_rooms(plan, kept, say))]


async def with_service(plan: Plan, served: Server, kept: StoreServer, say: Say) -> list[Series]:
    """Measure what grows in an API process."""
    return [
        *await events_of_a_room(plan, served, kept, say),
        await subscribers_of_a_room(plan, served, kept, say),
        await subscribers_of_the_lobby(plan, served, say),
        await many_rooms(plan, served, kept, say),
    ]


def matches() -> list[list[Command]]:
    """Return random matches."""
    return scripts([random_line(GAMES[GAME], seed) for seed in range(40)])


def shown(say: Say, of: str, cost: str, points: Sequence[tuple[int, float]]) -> Series:
    """Return a series, and show it."""
    say(f"{of:<28} {cost:<52} " + "  ".join(f"{size:,}: {figure:,.1f}" for size, figure in points))
    return Series(of, cost, tuple(points))


async def events_of_a_room(plan: Plan, served: Server, kept: StoreServer, say: Say) -> list[Series]:
    """Play in a room of each size until it has so many events; then measure a command, and loading it elsewhere."""
    tables = await asyncio.to_thread(open_tables, served.port, GAME, len(plan.events), matches())
    commands, loads = [], []
    with service(kept.url, secret=SECRET) as other:
        for size, table in zip(plan.events, tables, strict=True):
            poster = Poster(table, served.port)
            await grow(poster, size)
            say(f"a room with {poster.done:,} moves")
            sample = await measured([poster], served.pid, kept.pid, plan.window)
            commands.append((size, sample.micros))
            poster.close()
            used = cpu_seconds(other.pid)
            await asyncio.to_thread(read, other.port, f"/v1/rooms/{table.room}")
            loads.append((size, (cpu_seconds(other.pid) - used) * 1e3))
    return [
        shown(say, "events of a room", "CPU of a play by POST, µs", commands),
        shown(say, "events of a room", "CPU of loading it in another process, ms", loads),
    ]


async def grow(sender: Sender, size: int) -> None:
    """Let a sender send until so much is done."""
    await sender.ready()
    sender.go()
    while sender.done < size and sender.failure is None:  # noqa: ASYNC110 - it counts, no more
        await asyncio.sleep(0.01)
    await sender.halt()


def read(port: int, path: str, times: int = 1) -> None:
    """Read something that has to be there."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        for _ in range(times):
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            if answer.status != http.HTTPStatus.OK:
                raise RuntimeError(f"GET {path}: {answer.status}")


async def subscribers_of_a_room(plan: Plan, served: Server, kept: StoreServer, say: Say) -> Series:
    """Play before so many subscribers with the view; measure a delivery."""
    tables = await asyncio.to_thread(open_tables, served.port, GAME, len(plan.subscribers), matches())
    points = []
    for size, table in zip(plan.subscribers, tables, strict=True):
        player = Player(table, served.port, size)
        sample = await measured([player], served.pid, kept.pid, plan.window)
        points.append((size, sample.micros))
        player.close()
    return shown(say, "subscribers of a room", "CPU of a delivery with its share of the play, µs", points)


async def subscribers_of_the_lobby(plan: Plan, served: Server, say: Say) -> Series:
    """Open rooms before so many subscribers of the lobby, who get an update for each."""
    points = []
    for size in plan.lobby:
        async with lobby_subscribers(served.port, size):
            points.append((size, await opening(plan, served) / plan.openings * 1e6))
    return shown(say, "subscribers of the lobby", "CPU of opening a room, µs", points)


async def opening(plan: Plan, served: Server) -> float:
    """Open rooms, a few at a time; return the CPU seconds of the API until all is delivered."""
    used = cpu_seconds(served.pid)
    for _ in range(plan.openings):
        await asyncio.to_thread(open_hot_seat, served.port, 1, [])
        await asyncio.sleep(0.02)
    await asyncio.sleep(1.0)
    return cpu_seconds(served.pid) - used


@asynccontextmanager
async def lobby_subscribers(port: int, count: int) -> AsyncIterator[None]:
    """Let so many sockets follow the lobby."""
    lines: list[SocketLine] = []
    try:
        for _ in range(count):
            line = await socket_line(port, "/v1/feed", lambda _frame: None)
            line.say(b'{"type":"subscribe","lobby":true}')
            lines.append(line)
        await asyncio.sleep(0.5)
        yield
    finally:
        for line in lines:
            line.close()


def open_hot_seat(port: int, count: int, played: Sequence[Sequence[Command]]) -> list[Table]:
    """Open rooms in which one player holds all seats, which takes one request: the first match begins at once."""
    settings = {"start": "creator", "restart": None, "hot_seat": True}
    tables = []
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        for number in range(count):
            body = {"game": GAME, "nickname": "Player", "seats": ["me", "me"], "settings": settings}
            opened = post_json(connection, "/v1/rooms", body)
            first: Sequence[Command] = played[number % len(played)] if played else ()
            commands = itertools.chain(first, endless(played, number + 1, started=True))
            tables.append(Table(str(opened["room"]), (str(opened["token"]),) * 2, commands))
    return tables


class Wanderer(Poster):
    """Plays one command in each of its rooms by turns."""

    def __init__(self, tables: Sequence[Table], port: int) -> None:
        """Play in these rooms."""
        super().__init__(tables[0], port)
        self._tables = itertools.cycle(tables)

    def send_next(self) -> None:
        """Post the next command of the next room."""
        self._table = next(self._tables)
        super().send_next()


async def many_rooms(plan: Plan, served: Server, kept: StoreServer, say: Say) -> Series:
    """Play in so many rooms by turns, over some connections; measure a command."""
    tables: list[Table] = []
    points, lines = [], [match for match in matches() if len(match) > 60]
    for size in plan.rooms:
        tables += await asyncio.to_thread(open_hot_seat, served.port, size - len(tables), lines)
        say(f"{len(tables):,} rooms are open")
        senders = [Wanderer(tables[number::CONNECTIONS], served.port) for number in range(min(CONNECTIONS, size))]
        sample = await measured(senders, served.pid, kept.pid, plan.window)
        points.append((size, sample.micros))
        for sender in senders:
            sender.close()
    what = "rooms of a process, which keeps 10,000 in memory"
    return shown(say, what, "CPU of a play by POST in any of them, µs", points)


async def due_rooms(plan: Plan, kept: StoreServer, say: Say) -> list[Series]:
    """Fill the due sets with rooms that are due later; measure a look for due rooms, then claims of due ones."""
    looks, claims = [], []
    keys, filled = Keys(16), 0
    opened = RedisStore(kept.url)
    async with Redis.from_url(kept.url) as client:
        for size in plan.due:
            while filled < size:
                some = min(1000, size - filled)
                for number, partition in enumerate(keys.all):
                    if rooms := range(filled + number, filled + some, len(keys.all)):
                        await client.zadd(partition.due, {f"due-{room}:1": LATER for room in rooms})
                filled += some
            looks.append((size, await claim_cost(opened, kept, plan.claims, Millis(1))))
            claims.append((size, await claim_cost(opened, kept, plan.claims, Millis(LATER + 1)) / 64))
    await opened.close()
    return [
        shown(say, "due rooms", "CPU of a look that finds nothing, worker and store, µs", looks),
        shown(say, "due rooms", "CPU of a claim while all are due, worker and store, µs", claims),
    ]


async def claim_cost(opened: RedisStore, kept: StoreServer, times: int, now: Millis) -> float:
    """Return the CPU microseconds of this process and of the store for one look."""
    used = time.process_time() + cpu_seconds(kept.pid)
    for _ in range(times):
        await opened.claim_due(now, Millis(0), 64)
    return (time.process_time() + cpu_seconds(kept.pid) - used) / times * 1e6
