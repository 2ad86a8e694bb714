"""The service compared with its peers and with an earlier commit, in interleaved rounds."""

import asyncio
import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Literal

import msgspec
import uvloop

from bench import instructions
from bench.compare import checked_out, git
from bench.frame_sizes import FrameSizes, frame_sizes
from bench.instructions import VALGRIND, Counted
from bench.load.fan_out import Broadcaster, Player
from bench.load.play import Line, random_line
from bench.load.senders import Follows, Poster, Sample, Sender, Talker, Window, measured
from bench.load.tables import Command, endless, open_tables, peer_tables, scripts
from bench.load.wire import SocketLine, socket_line
from bench.machine import allow_sockets, cores, cpu_seconds, on_core
from bench.peers.clients import BoardgameTable, ColyseusTable
from bench.peers.node import missing, node_peer
from bench.processes import HERE, Code, Server, StoreServer, peer, service, store
from service.domain.catalog import GAMES

Say = Callable[[str], None]

GAME = "morris"
SECRET = "a secret of benchmarks, of thirty-two characters"  # noqa: S105 - nothing is protected by it
LONG = 150
"""Moves of the shortest match that is played, so that beginnings do not count."""

Side = Literal["before", "now"]
SIDES: tuple[Side, ...] = ("before", "now")
"""The earlier commit, and this work tree."""


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
    counted: instructions.Plan = instructions.Plan()


QUICK = Plan(
    rounds=1,
    window=Window(0.3, 0.1),
    tables=4,
    matches=2,
    subscribers=(10,),
    opened=2,
    counted=instructions.QUICK,
)


class Pair(msgspec.Struct, frozen=True):
    """Two API processes of one commit with their store; rooms are played in the first, and followed in the second."""

    store: StoreServer
    service: Server
    subscribed: Server


class Servers(msgspec.Struct, frozen=True):
    """Who takes part; the peers on node only where node is."""

    sides: Mapping[Side, Pair]
    xadd: Server
    websockets: Server
    boardgame: Server | None
    colyseus: Server | None


class Found(msgspec.Struct):
    """What was measured, by name, once a round."""

    base: str
    """The earlier commit, with its subject."""
    counted: dict[Side, dict[str, Counted]] = {}
    """Instructions of a play, by row; nothing without valgrind."""
    samples: dict[str, list[Sample]] = {}
    following: dict[Side, list[float]] = {}
    """CPU microseconds of a play in all processes, if another one follows its room."""
    set_up: dict[str, list[float]] = {}
    """CPU microseconds of the server for a table with two players' sockets."""
    sizes: tuple[FrameSizes, ...] = ()
    without: str = ""
    """Why the peers on node did not run."""
    store: str = ""


def run(base: str, plan: Plan, say: Say) -> Found:
    """Measure what is compared with peers, here and at an earlier commit."""
    allow_sockets()
    found = Found(git("log", "-1", "--format=%h %s", base), without=missing(install=plan is not QUICK))
    if found.without:
        say(f"The peers on node do not run: {found.without}.")
    with checked_out(base) as old, on_core(cores()[1]):
        trees: dict[Side, Code] = {"before": old, "now": HERE}
        if VALGRIND is not None:
            for side, code in trees.items():
                say(f"instructions, {side}")
                found.counted[side] = instructions.run(plan.counted, say, code)
        with servers(trees, node=not found.without) as taking_part:
            found.store = taking_part.sides["now"].store.words
            uvloop.run(everything(plan, taking_part, found, say))
    return found


@contextmanager
def servers(trees: Mapping[Side, Code], *, node: bool) -> Iterator[Servers]:
    """Run everyone from the beginning to the end."""
    with ExitStack() as stack:
        enter = stack.enter_context

        def pair_of(code: Code) -> Pair:
            kept = enter(store())
            kept.keep("always")
            processes = [enter(service(kept.url, code=code, secret=SECRET)) for _ in range(2)]
            return Pair(kept, *processes)

        sides = {side: pair_of(code) for side, code in trees.items()}
        yield Servers(
            sides,
            enter(peer("xadd", sides["now"].store.url)),
            enter(peer("broadcast")),
            enter(node_peer("boardgame.cjs")) if node else None,
            enter(node_peer("colyseus.mjs")) if node else None,
        )


async def everything(plan: Plan, taking_part: Servers, found: Found, say: Say) -> None:
    """Measure commands, then feeds, then sizes."""
    matches = long_matches(plan)
    await measure_commands(plan, taking_part, matches, found, say)
    await measure_feeds(plan, taking_part, matches, found, say)
    say("the size of updates, in a match of each game")
    port = taking_part.sides["now"].service.port
    found.sizes = tuple([await frame_sizes(port, game) for game in GAMES])


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
    """Who is measured, with which store, and by whom."""

    name: str
    pid: int
    store: int
    senders: Sequence[Sender]


async def measure_commands(
    plan: Plan, taking_part: Servers, matches: list[list[Command]], found: Found, say: Say
) -> None:
    """Let each case have its window in every round."""
    cases = await asyncio.to_thread(command_cases, plan, taking_part, matches)
    following = {side: await Following.begin(plan, pair, matches) for side, pair in taking_part.sides.items()}
    gc.freeze()
    for number in range(plan.rounds):
        for case in cases:
            sample = await measured(case.senders, case.pid, case.store, plan.window)
            found.samples.setdefault(case.name, []).append(sample)
            figures = f"{sample.per_second:>9,.0f} /s {sample.micros:>7.1f} µs, busy {sample.busy:.0%}"
            say(f"round {number + 1}/{plan.rounds}  {case.name:<24} {figures}, other core {sample.other_core:.0%}")
        for side, each in following.items():
            micros = await each.measure(plan)
            found.following.setdefault(side, []).append(micros)
            say(f"round {number + 1}/{plan.rounds}  {f'followed elsewhere, {side}':<24} {micros:>7.1f} µs a play")
        for name, micros in (await set_ups(plan, taking_part, matches)).items():
            found.set_up.setdefault(name, []).append(micros)
            say(f"round {number + 1}/{plan.rounds}  {f'set-up, {name}':<24} {micros:,.0f} µs a table")
    for case in cases:
        for sender in case.senders:
            sender.close()
    for each in following.values():
        each.close()


def command_cases(plan: Plan, taking_part: Servers, matches: list[list[Command]]) -> list[Case]:
    """Return who commands whom."""
    here, xadd = taking_part.sides["now"], taking_part.xadd

    def playing(name: str, pair: Pair, follows: Follows | None) -> Case:
        server = pair.service
        tables = open_tables(server.port, GAME, plan.tables, matches)
        senders: list[Sender] = (
            [Poster(table, server.port) for table in tables]
            if follows is None
            else [Talker(table, server.port, follows) for table in tables]
        )
        return Case(name, server.pid, pair.store.pid, senders)

    posters = [Poster(table, xadd.port) for table in peer_tables(plan.tables, matches)]
    cases = [
        Case("xadd", xadd.pid, here.store.pid, posters),
        playing("post", here, None),
        playing("sockets", here, "events"),
        playing("sockets, view", here, "view"),
        playing("sockets, patch", here, "patch"),
        playing("sockets, before", taking_part.sides["before"], "events"),
    ]
    if (server := taking_part.boardgame) is not None:
        tables = node_tables(BoardgameTable, plan.tables, server, matches)
        cases.append(Case("boardgame.io", server.pid, here.store.pid, tables))
    if (server := taking_part.colyseus) is not None:
        tables = node_tables(ColyseusTable, plan.tables, server, matches)
        cases.append(Case("Colyseus", server.pid, here.store.pid, tables))
    return cases


def node_tables(
    kind: type[BoardgameTable | ColyseusTable], count: int, server: Server, matches: list[list[Command]]
) -> list[Sender]:
    """Return tables of a peer on node."""
    return [kind(endless(matches, number, started=True), server.port) for number in range(count)]


class Following:
    """Rooms that are played in one process and followed in another, by one subscriber each."""

    def __init__(self, pair: Pair, senders: Sequence[Talker], lines: Sequence[SocketLine]) -> None:
        """Measure these two processes."""
        self._pair = pair
        self._senders = senders
        self._lines = lines

    @classmethod
    async def begin(cls, plan: Plan, pair: Pair, matches: list[list[Command]]) -> "Following":
        """Open the rooms and follow them."""
        rooms = await asyncio.to_thread(open_tables, pair.service.port, GAME, plan.tables, matches)
        senders = [Talker(table, pair.service.port, "nothing") for table in rooms]
        lines: list[SocketLine] = []
        for table in rooms:
            line = await socket_line(pair.subscribed.port, f"/v1/rooms/{table.room}/feed", lambda _frame: None)
            line.say(b'{"type":"subscribe","room":"%b","state":false}' % table.room.encode())
            lines.append(line)
        return cls(pair, senders, lines)

    async def measure(self, plan: Plan) -> float:
        """Play for a window; return the CPU microseconds of a play in both processes and the store."""
        pair, done = self._pair, sum(sender.done for sender in self._senders)
        processes = pair.service.pid, pair.subscribed.pid, pair.store.pid
        used = sum(map(cpu_seconds, processes))
        await measured(self._senders, pair.service.pid, pair.store.pid, plan.window)
        plays = sum(sender.done for sender in self._senders) - done
        return (sum(map(cpu_seconds, processes)) - used) / plays * 1e6

    def close(self) -> None:
        """Hang up."""
        for sender in self._senders:
            sender.close()
        for line in self._lines:
            line.close()


async def set_ups(plan: Plan, taking_part: Servers, matches: list[list[Command]]) -> dict[str, float]:
    """Set up tables with two players' sockets; return the CPU microseconds of each server for one."""
    ours = taking_part.sides["now"].service

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
    """Let both sides and a bare server broadcast by turns, in frames of the same size."""
    bare = taking_part.websockets
    for count in plan.subscribers:
        players: dict[str, tuple[Pair, Player]] = {}
        for side, pair in taking_part.sides.items():
            [room] = await asyncio.to_thread(open_tables, pair.service.port, GAME, 1, matches)
            name = "Turnstream" if side == "now" else "Turnstream before"
            players[name] = pair, Player(room, pair.service.port, count)
        broadcaster = Broadcaster(bare.port, count)
        for number in range(plan.rounds):
            for name, (pair, player) in players.items():
                sample = await measured([player], pair.service.pid, pair.store.pid, plan.window)
                note_deliveries(found, f"{name} to {count:,}", sample, f"round {number + 1}/{plan.rounds}", say)
                broadcaster.size = player.mean_size
            sample = await measured([broadcaster], bare.pid, taking_part.sides["now"].store.pid, plan.window)
            note_deliveries(found, f"websockets to {count:,}", sample, f"round {number + 1}/{plan.rounds}", say)
        for _, player in players.values():
            player.close()
        broadcaster.close()


def note_deliveries(found: Found, name: str, sample: Sample, when: str, say: Say) -> None:
    """Keep what was measured, and show it."""
    found.samples.setdefault(name, []).append(sample)
    say(f"{when}  {name:<28} {sample.per_second:>9,.0f} deliveries /s {sample.micros:>6.1f} µs")
