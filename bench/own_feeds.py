"""What it costs when many sockets follow the feeds of their players."""

import asyncio
import http.client
import itertools
import random
import re
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import closing
from functools import partial
from typing import Any, TypeVar

import msgspec

from bench.latency import Waits, waits_of
from bench.load.many_sockets import ManySockets, Subscription
from bench.load.play import random_line
from bench.load.tables import Table, open_tables, post_json, scripts
from bench.machine import cpu_seconds, resident_bytes
from bench.processes import Server, StoreServer
from service.domain.catalog import GAMES
from service.domain.ids import Epoch, Millis, PlayerId, RoomName
from service.domain.players.kind import PLAYERS
from service.domain.room.model.notices import TurnBegan
from service.domain.streams import Change
from service.people.player_service import player_key
from service.programs.store_setup import signer_of
from service.runtime.settings import Settings
from service.store.redis.store import RedisStore
from service.streams.processor import StreamProcessor
from service.streams.repository import StreamRepository

Say = Callable[[str], None]

GAME = "morris"
SECRET = "a secret of benchmarks, of thirty-two characters"  # noqa: S105 - nothing is protected by it
CAUGHT_UP = b'{"type":"player_caught_up"'
TURN = re.compile(rb'"type":"turn_began","room":"([^"]+)"')

T = TypeVar("T")


class Plan(msgspec.Struct, frozen=True):
    """How much is measured."""

    sockets: int = 10_000
    events: int = 2_000
    """Events that are appended to random feeds, and plays in rooms."""
    pause: float = 0.01
    """Seconds from one of them to the next."""
    tables: int = 50
    idle: float = 20.0
    """Seconds in which nothing happens."""
    settle: float = 3.0
    """Seconds after which what is kept in the background is kept."""


QUICK = Plan(sockets=60, events=20, tables=2, idle=0.5, settle=0.1)


class Feeds(msgspec.Struct, frozen=True):
    """What own feeds take."""

    sockets: int
    kb: float
    """KB of the API process per socket."""
    store_kb: float
    idle: float
    """The part of a core that the API process uses while nothing happens."""
    cpu: float
    """Microseconds of the API's CPU for an event of one of the feeds, besides that."""
    appended: Waits
    """From the append to the feed's stream to the frame."""
    played: Waits
    """From a play by POST to the frame of the player whose turn it is: also the worker's part."""


class Arrivals:
    """When frames of own feeds arrive, by what they are about."""

    def __init__(self) -> None:
        """Wait for nothing."""
        self.sent: dict[bytes, float] = {}
        """When what a frame is about was sent, by the room in the frame."""
        self.seconds: list[float] = []

    def receive(self, _number: int, frame: bytes) -> None:
        """Note how long a turn took to arrive."""
        for room in TURN.findall(frame):
            began = self.sent.pop(room, None)
            if began is not None:
                self.seconds.append(time.perf_counter() - began)

    def take(self) -> list[float]:
        """Return and forget how long turns took."""
        self.sent.clear()
        found, self.seconds = self.seconds, []
        return found


async def measure(plan: Plan, served: Server, kept: StoreServer, say: Say) -> Feeds:
    """Open sockets that follow the feeds of their players; then append events, then play."""
    matches = scripts([random_line(GAMES[GAME], seed) for seed in range(20)])
    tables = await asyncio.to_thread(open_tables, served.port, GAME, plan.tables, matches)
    seated = [token for table in tables for token in table.tokens]
    guests = await asyncio.to_thread(new_guests, served.port, plan.sockets - len(seated))
    arrivals = Arrivals()
    sockets = ManySockets(served.port, CAUGHT_UP, arrivals.receive)
    with closing(sockets):
        before = resident_bytes(served.pid), kept.client.info()["used_memory"]
        await sockets.open([subscription(token) for token in (*seated, *guests.values())])
        await asyncio.sleep(plan.settle)
        after = resident_bytes(served.pid), kept.client.info()["used_memory"]
        kb, store_kb = ((now - then) / plan.sockets / 1024 for now, then in zip(after, before, strict=True))
        say(f"{plan.sockets:,} sockets, each on its own feed: {kb:.1f} KB of the process each")
        idle, _ = await cpu_of(served, asyncio.sleep(plan.idle))
        idle /= plan.idle
        used, seconds = await cpu_of(served, append_events(plan, kept, list(guests), arrivals))
        cpu = (used - idle * seconds) / plan.events * 1e6
        appended = waits_of(arrivals.take())
        say(
            f"an event of one of them: {cpu:.0f} µs of CPU, there after {appended.p50:.1f} ms, 99 %: {appended.p99:.1f}"
        )
        await asyncio.to_thread(play, plan, served.port, tables, arrivals)
        await asyncio.sleep(plan.settle)
        played = waits_of(arrivals.take())
        say(f"a turn after a play, by way of a worker: {played.p50:.1f} ms, 99 %: {played.p99:.1f}")
    return Feeds(plan.sockets, kb, store_kb, idle, cpu, appended, played)


async def cpu_of(served: Server, work: Coroutine[Any, Any, None]) -> tuple[float, float]:
    """Return the CPU seconds of a process during some work, and the seconds that passed."""
    used, began = cpu_seconds(served.pid), time.perf_counter()
    await work
    return cpu_seconds(served.pid) - used, time.perf_counter() - began


def new_guests(port: int, count: int) -> dict[str, str]:
    """Return the tokens of new guests, by their ids."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as line:
        made = (post_json(line, "/v1/players", {"nickname": "Player"}) for _ in range(count))
        return {each["player"]["id"]: each["token"] for each in made}


def subscription(token: str) -> Subscription:
    """Return the subscription of a player to their own feed."""
    return Subscription("/v1/feed", msgspec.json.encode({"type": "subscribe", "me": True, "token": token}))


async def append_events(plan: Plan, kept: StoreServer, players: Sequence[str], arrivals: Arrivals) -> None:
    """Append events to the streams of random players, one after another, as a worker does; wait for the frames."""
    opened = RedisStore(kept.url, signer=signer_of(Settings(secret=SECRET)))
    now = await opened.time()
    processor = StreamProcessor(StreamRepository(opened, PLAYERS, size=len(players)), lambda: now)
    chosen = random.Random(1)  # noqa: S311 - any players will do
    for number in range(plan.events):
        room = f"bench-{number}"
        turn = Change(TurnBegan(RoomName(room), Epoch("e"), GAME, 1, ()))
        arrivals.sent[room.encode()] = time.perf_counter()
        await processor.execute(player_key(PlayerId(chosen.choice(players))), partial(exactly, [turn]))
        await asyncio.sleep(plan.pause)
    await asyncio.sleep(plan.settle)
    await processor.close()
    await opened.close()


def play(plan: Plan, port: int, tables: Sequence[Table], arrivals: Arrivals) -> None:
    """Play in the rooms by turns."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as line:
        for _, table in zip(range(plan.events), itertools.cycle(tables), strict=False):
            command = next(table.commands)
            arrivals.sent[table.room.encode()] = time.perf_counter()
            post_json(line, table.path, msgspec.json.decode(command.body), table.tokens[command.seat])
            time.sleep(plan.pause)


def exactly(appended: list[T], _state: object, _now: Millis) -> list[T]:
    """Return what is to be appended, whatever the state is."""
    return appended
