"""The service compared with its peers: the ten rows of figures with goals, in interleaved rounds."""

import asyncio
import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial

import msgspec
import uvloop

from bench.frame_sizes import FrameSizes, frame_sizes
from bench.load.fan_out import Broadcaster, Player
from bench.load.play import Line, random_line
from bench.load.senders import Follows, Poster, Sample, Sender, Talker, Window, measured
from bench.load.tables import Command, Table, endless, open_tables, peer_tables, scripts
from bench.load.wire import SocketLine, socket_line
from bench.machine import allow_sockets, cores, cpu_seconds, on_core
from bench.peers.clients import BoardgameTable, ColyseusTable
from bench.peers.node import missing, node_peer
from bench.processes import Server, StoreServer, peer, service, store
from service.domain.catalog import GAMES

Say = Callable[[str], None]

GAME = "morris"
SECRET = "a secret of benchmarks, of thirty-two characters"  # noqa: S105 - nothing is protected by it
LONG = 150
"""Moves of the shortest match that is played, so that beginnings do not count."""


class Plan(msgspec.Struct, frozen=True):
    """How much is measured."""

    rounds: int = 7
    window: Window = Window(1.5, 0.4)
    tables: int = 64
    matches: int = 40
    """How many different matches of at least 150 moves are played, again and again."""
    subscribers: tuple[int, ...] = (100, 1000)
    opened: int = 32
    """Tables that are set up in each round."""


QUICK = Plan(rounds=1, window=Window(0.3, 0.1), tables=4, matches=2, subscribers=(10,), opened=2)


class Servers(msgspec.Struct, frozen=True):
    """Who takes part; the peers on node only where node is."""

    store: StoreServer
    service: Server
    subscribed: Server
    xadd: Server
    websockets: Server
    picows: Server
    boardgame: Server | None
    colyseus: Server | None


class Found(msgspec.Struct):
    """What was measured, by name, once a round."""

    samples: dict[str, list[Sample]] = {}
    following: list[float] = []
    """CPU time of an event in a process that follows, by that of executing it."""
    set_up: dict[str, list[float]] = {}
    """CPU microseconds of the server for a table with two players' sockets."""
    sizes: tuple[FrameSizes, ...] = ()
    without: str = ""
    """Why the peers on node did not run."""
    store: str = ""


def run(plan: Plan, say: Say) -> Found:
    """Measure all rows but that of the start."""
    allow_sockets()
    found = Found(without=missing(install=plan is not QUICK))
    if found.without:
        say(f"The peers on node do not run: {found.without}.")
    with on_core(cores()[1]), servers(node=not found.without) as taking_part:
        found.store = taking_part.store.words
        taking_part.store.keep("always")
        uvloop.run(everything(plan, taking_part, found, say))
    return found


@contextmanager
def servers(*, node: bool) -> Iterator[Servers]:
    """Run everyone from the beginning to the end."""
    with ExitStack() as stack:
        enter = stack.enter_context
        kept = enter(store())
        yield Servers(
            kept,
            enter(service(kept.url, secret=SECRET)),
            enter(service(kept.url, secret=SECRET)),
            enter(peer("xadd", kept.url)),
            enter(peer("broadcast")),
            enter(peer("picows_broadcast")),
            enter(node_peer("boardgame.cjs")) if node else None,
            enter(node_peer("colyseus.mjs")) if node else None,
        )


async def everything(plan: Plan, taking_part: Servers, found: Found, say: Say) -> None:
    """Measure commands, then feeds, then sizes."""
    matches = long_matches(plan)
    await measure_commands(plan, taking_part, matches, found, say)
    await measure_feeds(plan, taking_part, matches, found, say)
    say("the size of updates, in a match of each game")
    found.sizes = tuple([await frame_sizes(taking_part.service.port, game) for game in GAMES])


def long_matches(plan: Plan) -> list[list[Command]]:
    """Return random matches that last long enough."""
    lines: list[Line] = []
    seed = 0
    while len(lines) < plan.matches:
        line = random_line(GAMES[GAME], seed)
        seed += 1
        if len(line.turns) >= LONG:
            lines.append(line)
    return scripts(lines)


class Case(msgspec.Struct, frozen=True):
    """Who is measured, and by whom."""

    name: str
    pid: int
    senders: Sequence[Sender]


async def measure_commands(
    plan: Plan, taking_part: Servers, matches: list[list[Command]], found: Found, say: Say
) -> None:
    """Let each case have its window in every round."""
    cases = await asyncio.to_thread(command_cases, plan, taking_part, matches)
    following = await Following.begin(plan, taking_part, matches)
    gc.freeze()
    for number in range(plan.rounds):
        for case in cases:
            sample = await measured(case.senders, case.pid, taking_part.store.pid, plan.window)
            found.samples.setdefault(case.name, []).append(sample)
            figures = f"{sample.per_second:>9,.0f} /s {sample.micros:>7.1f} µs, busy {sample.busy:.0%}"
            say(f"round {number + 1}/{plan.rounds}  {case.name:<24} {figures}, other core {sample.other_core:.0%}")
        found.following.append(await following.measure(plan))
        say(f"round {number + 1}/{plan.rounds}  {'following':<24} {found.following[-1]:.2f} of executing")
        for name, micros in (await set_ups(plan, taking_part, matches)).items():
            found.set_up.setdefault(name, []).append(micros)
            say(f"round {number + 1}/{plan.rounds}  {f'set-up, {name}':<24} {micros:,.0f} µs a table")
    for case in cases:
        for sender in case.senders:
            sender.close()
    following.close()


def command_cases(plan: Plan, taking_part: Servers, matches: list[list[Command]]) -> list[Case]:
    """Return who commands whom."""
    port, pid, xadd = taking_part.service.port, taking_part.service.pid, taking_part.xadd

    def rooms() -> list[Table]:
        return open_tables(port, GAME, plan.tables, matches)

    def talking(follows: Follows) -> list[Talker]:
        return [Talker(table, port, follows) for table in rooms()]

    cases = [
        Case("xadd", xadd.pid, [Poster(table, xadd.port) for table in peer_tables(plan.tables, matches)]),
        Case("post", pid, [Poster(table, port) for table in rooms()]),
        Case("sockets", pid, talking("events")),
        Case("sockets, patch", pid, talking("patch")),
        Case("sockets, view", pid, talking("view")),
    ]
    if taking_part.boardgame is not None:
        server = taking_part.boardgame
        cases.append(Case("boardgame.io", server.pid, node_tables(BoardgameTable, plan.tables, server, matches)))
    if taking_part.colyseus is not None:
        server = taking_part.colyseus
        cases.append(Case("Colyseus", server.pid, node_tables(ColyseusTable, plan.tables, server, matches)))
    return cases


def node_tables(
    kind: type[BoardgameTable | ColyseusTable], count: int, server: Server, matches: list[list[Command]]
) -> list[Sender]:
    """Return tables of a peer on node."""
    return [kind(endless(matches, number, started=True), server.port) for number in range(count)]


class Following:
    """Rooms that are played in one process and followed in another, by one subscriber each."""

    def __init__(self, taking_part: Servers, senders: Sequence[Talker], lines: Sequence[SocketLine]) -> None:
        """Measure these two processes."""
        self._taking_part = taking_part
        self._senders = senders
        self._lines = lines

    @classmethod
    async def begin(cls, plan: Plan, taking_part: Servers, matches: list[list[Command]]) -> "Following":
        """Open the rooms and follow them."""
        rooms = await asyncio.to_thread(open_tables, taking_part.service.port, GAME, plan.tables, matches)
        senders = [Talker(table, taking_part.service.port, "nothing") for table in rooms]
        lines: list[SocketLine] = []
        for table in rooms:
            line = await socket_line(taking_part.subscribed.port, f"/v1/rooms/{table.room}/feed", lambda _frame: None)
            line.say(b'{"type":"subscribe","room":"%b","state":false}' % table.room.encode())
            lines.append(line)
        return cls(taking_part, senders, lines)

    async def measure(self, plan: Plan) -> float:
        """Play for a window; return the CPU time of the process that follows by that of the one that executes."""
        processes = self._taking_part.service.pid, self._taking_part.subscribed.pid
        before = [cpu_seconds(pid) for pid in processes]
        await measured(self._senders, processes[0], self._taking_part.store.pid, plan.window)
        executing, following = (cpu_seconds(pid) - used for pid, used in zip(processes, before, strict=True))
        return following / executing

    def close(self) -> None:
        """Hang up."""
        for sender in self._senders:
            sender.close()
        for line in self._lines:
            line.close()


async def set_ups(plan: Plan, taking_part: Servers, matches: list[list[Command]]) -> dict[str, float]:
    """Set up tables with two players' sockets; return the CPU microseconds of each server for one."""
    ours = taking_part.service

    def rooms() -> list[Sender]:
        return [Talker(table, ours.port, "patch") for table in open_tables(ours.port, GAME, plan.opened, matches)]

    found = {"Turnstream": await set_up(ours.pid, plan.opened, rooms)}
    for name, kind, server in (
        ("boardgame.io", BoardgameTable, taking_part.boardgame),
        ("Colyseus", ColyseusTable, taking_part.colyseus),
    ):
        if server is not None:
            tables = partial(node_tables, kind, plan.opened, server, matches)
            found[name] = await set_up(server.pid, plan.opened, tables)
    return found


async def set_up(pid: int, count: int, tables: Callable[[], list[Sender]]) -> float:
    """Return the CPU microseconds of a process for one of so many tables."""
    used = cpu_seconds(pid)
    senders = await asyncio.to_thread(tables)
    for sender in senders:
        await sender.ready()
    took = cpu_seconds(pid) - used
    for sender in senders:
        sender.close()
    return took / count * 1e6


async def measure_feeds(plan: Plan, taking_part: Servers, matches: list[list[Command]], found: Found, say: Say) -> None:
    """Let the service and two bare servers broadcast by turns, in frames of the same size."""
    ours, kept = taking_part.service, taking_part.store.pid
    rooms = await asyncio.to_thread(open_tables, ours.port, GAME, len(plan.subscribers), matches)
    for count, room in zip(plan.subscribers, rooms, strict=True):
        player = Player(room, ours.port, count)
        bare = [
            ("websockets", taking_part.websockets, Broadcaster(taking_part.websockets.port, count)),
            ("picows", taking_part.picows, Broadcaster(taking_part.picows.port, count)),
        ]
        for number in range(plan.rounds):
            sample = await measured([player], ours.pid, kept, plan.window)
            samples = [("Turnstream", sample)]
            for name, server, broadcaster in bare:
                broadcaster.size = player.mean_size
                samples.append((name, await measured([broadcaster], server.pid, kept, plan.window)))
            for name, sample in samples:
                found.samples.setdefault(f"{name} to {count:,}", []).append(sample)
                what = f"{sample.per_second:>9,.0f} deliveries /s {sample.micros:>6.1f} µs"
                say(f"round {number + 1}/{plan.rounds}  {f'{name} to {count:,}':<24} {what}")
        player.close()
        for _, _, broadcaster in bare:
            broadcaster.close()
