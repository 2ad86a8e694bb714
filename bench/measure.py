"""The service against its peers: one run, interleaved, in rounds."""

import asyncio
import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import msgspec
import uvloop

from bench.load import Follows, Poster, Sender, Talker, Window, measured
from bench.machine import allow_sockets, cores, fsync_micros, on_core
from bench.play import random_line
from bench.processes import Server, StoreServer, peer, service, store
from bench.results import Results, Row
from bench.tables import Command, Table, open_tables, peer_tables, scripts
from bench.watching import Broadcaster, Player
from service.domain.catalog import GAMES

Say = Callable[[str], None]

KEEPING = ("everysec", "always")
GAME, OTHER_GAME = "morris", "ternio"


class Plan(msgspec.Struct, frozen=True):
    """How much is measured."""

    rounds: int = 7
    window: Window = Window(1.2, 0.3)
    tables: int = 64
    matches: int = 60
    """How many different random matches are played, again and again."""
    watchers: tuple[int, ...] = (100, 1000)


QUICK = Plan(rounds=1, window=Window(0.3, 0.1), tables=4, matches=4, watchers=(10,))


class Cast(msgspec.Struct, frozen=True):
    """Who takes part: the store, the service, and the peers."""

    store: StoreServer
    service: Server
    xadd: Server
    broadcast: Server


class Case(msgspec.Struct, frozen=True):
    """A row of the table: who sends, and which process is measured."""

    letter: str
    words: str
    pid: int
    senders: Sequence[Sender]


def run(plan: Plan, say: Say) -> tuple[Results, str]:
    """Measure everything; returns the results and which store it was."""
    allow_sockets()
    with on_core(cores()[1]), everyone() as cast:
        words = f"{cast.store.words}; an fsync of 4 KB takes {fsync_micros():.0f} µs"
        return uvloop.run(everything(plan, cast, say)), words


@contextmanager
def everyone() -> Iterator[Cast]:
    """Run the store, the service and the peers."""
    with (
        store() as kept,
        service(kept.url) as served,
        peer("xadd", kept.url) as xadd,
        peer("broadcast") as broadcast,
    ):
        yield Cast(kept, served, xadd, broadcast)


async def everything(plan: Plan, cast: Cast, say: Say) -> Results:
    """Measure commands first, then feeds."""
    results = Results(say)
    await measure_commands(plan, cast, results)
    await measure_feeds(plan, cast, results)
    return results


async def measure_commands(plan: Plan, cast: Cast, results: Results) -> None:
    """Let each case have its window, in every round, under both ways of keeping."""
    cases = await asyncio.to_thread(command_cases, plan, cast)
    gc.freeze()
    for number in range(plan.rounds):
        for keeping in KEEPING:
            cast.store.keep(keeping)
            for case in cases:
                sample = await measured(case.senders, case.pid, cast.store.pid, plan.window)
                results.note(number, plan.rounds, Row(case.letter, f"AOF {keeping}", case.words), sample)
    for case in cases:
        for sender in case.senders:
            sender.close()


def command_cases(plan: Plan, cast: Cast) -> list[Case]:
    """Return who commands whom."""
    ours, pid, morris, ternio = cast.service.port, cast.service.pid, matches(GAME, plan), matches(OTHER_GAME, plan)

    def rooms(game: str, moves: list[list[Command]]) -> list[Table]:
        return open_tables(ours, game, plan.tables, moves)

    def posting(tables: list[Table], port: int) -> list[Poster]:
        return [Poster(table, port) for table in tables]

    def talking(tables: list[Table], follows: Follows) -> list[Talker]:
        return [Talker(table, ours, follows) for table in tables]

    return [
        Case(
            "a",
            "typed Litestar handler, one redis-py XADD",
            cast.xadd.pid,
            posting(peer_tables(plan.tables, morris), cast.xadd.port),
        ),
        Case("b", "play by POST", pid, posting(rooms(GAME, morris), ours)),
        Case("c", "play over sockets, both players follow", pid, talking(rooms(GAME, morris), "events")),
        Case("c*", "play over sockets, nobody follows", pid, talking(rooms(GAME, morris), "nothing")),
        Case("b", "play by POST, Ternio", pid, posting(rooms(OTHER_GAME, ternio), ours)),
        Case("c", "play over sockets, Ternio, all follow", pid, talking(rooms(OTHER_GAME, ternio), "events")),
    ]


def matches(game: str, plan: Plan) -> list[list[Command]]:
    """Return random matches of a game without chance, so that they can be played again in any room."""
    return scripts([random_line(GAMES[game], seed) for seed in range(plan.matches)])


async def measure_feeds(plan: Plan, cast: Cast, results: Results) -> None:
    """Let the service and the bare server have their windows by turns, with frames of the same size."""
    cast.store.keep(KEEPING[0])
    ours, bare, store = cast.service, cast.broadcast, cast.store.pid
    rooms = await asyncio.to_thread(open_tables, ours.port, GAME, len(plan.watchers), matches(GAME, plan))
    players = [Player(room, ours.port, count) for room, count in zip(rooms, plan.watchers, strict=True)]
    broadcasters = [Broadcaster(bare.port, count) for count in plan.watchers]
    gc.freeze()
    for number in range(plan.rounds):
        for count, player, broadcaster in zip(plan.watchers, players, broadcasters, strict=True):
            setting = f"{count:,} watchers"
            sample = await measured([player], ours.pid, store, plan.window)
            results.note(number, plan.rounds, Row("d", setting, "play by POST to watchers with the view"), sample)
            broadcaster.size = player.mean_size
            sample = await measured([broadcaster], bare.pid, store, plan.window)
            results.note(number, plan.rounds, Row("raw", setting, "websockets broadcast of the same size"), sample)
    for teller in (*players, *broadcasters):
        teller.close()
