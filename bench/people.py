"""What it costs when many seek, and when many follow their own feeds."""

import asyncio
import http.client
import time
from contextlib import ExitStack
from functools import partial
from statistics import median

import msgspec
import uvloop

from bench import own_feeds
from bench.load.tables import post_json
from bench.machine import allow_sockets, cores, cpu_seconds, on_core
from bench.own_feeds import GAME, SECRET, Say, exactly
from bench.processes import Server, StoreServer, service, store, worker
from bench.ratios import Spread, spread
from service.domain.game import Event, Seat
from service.domain.ids import Millis, PlayerId
from service.domain.room.model.clock import PerMove
from service.domain.seeks.kind import SEEKS
from service.domain.seeks.model import Seek, SeekMade
from service.people.matchmaking.seeks import KEY
from service.programs.store_setup import signer_of
from service.runtime.settings import Settings
from service.store.redis.store import RedisStore
from service.streams.processor import StreamProcessor
from service.streams.repository import StreamRepository

AT_ONCE = 500
"""How many seeks are appended in one step before anything is measured."""

HOUR = 3_600_000


class Plan(msgspec.Struct, frozen=True):
    """How much is measured."""

    seeks: tuple[int, ...] = (10, 1_000, 10_000)
    tries: int = 40
    """How many seeks are made, and how many matched, at each number of open ones."""
    feeds: own_feeds.Plan = own_feeds.Plan()


QUICK = Plan(seeks=(2, 20), tries=3, feeds=own_feeds.QUICK)


class Seeking(msgspec.Struct, frozen=True):
    """What seeks take at a number of open ones: milliseconds of a request, and of the API's CPU."""

    open: int
    make: float
    match: float
    cpu: float
    make_ratio: Spread
    """By the time at the smallest number, in each round."""
    match_ratio: Spread


class Found(msgspec.Struct, frozen=True):
    """What was measured."""

    seeking: list[Seeking]
    feeds: own_feeds.Feeds


def run(plan: Plan, say: Say) -> Found:
    """Measure seeks, then own feeds."""
    allow_sockets()
    with on_core(cores()[1]):
        found = uvloop.run(seeking(plan, say))
        with store() as kept, service(kept.url, secret=SECRET) as served, worker(kept.url, SECRET):
            return Found(found, uvloop.run(own_feeds.measure(plan.feeds, served, kept, say)))


# Seeks


class SeekSite:
    """An API process over a store with so many open seeks."""

    def __init__(self, size: int, served: Server) -> None:
        """Connect to the process."""
        self.size = size
        self.served = served
        self.make: list[float] = []
        self.match: list[float] = []
        self.cpu = 0.0
        self._line = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)

    def guest(self) -> str:
        """Return the token of a new guest."""
        return str(post_json(self._line, "/v1/players", {"nickname": "Player"})["token"])

    def seek(self, token: str, seat: int, clock: int) -> tuple[float, bool]:
        """Make a seek; return the seconds, and whether it was paired."""
        body = {"game": GAME, "seat": seat, "clock": {"type": "per_move", "ms": clock}}
        began = time.perf_counter()
        made = post_json(self._line, "/v1/seeks", body, token)
        return time.perf_counter() - began, bool(made["paired"])

    def round(self, number: int) -> None:
        """Make a seek that agrees with none, and one that agrees with it only."""
        tokens, clock = (self.guest(), self.guest()), 31_000 + number
        used = cpu_seconds(self.served.pid)
        seconds, _ = self.seek(tokens[0], 0, clock)
        self.make.append(seconds)
        self.cpu += cpu_seconds(self.served.pid) - used
        seconds, is_paired = self.seek(tokens[1], 1, clock)
        if not is_paired:
            raise RuntimeError("the seeks agree, and were not paired")
        self.match.append(seconds)

    def close(self) -> None:
        """Close the connection."""
        self._line.close()


async def seeking(plan: Plan, say: Say) -> list[Seeking]:
    """Measure each number of open seeks in turns, each with a service and a store of its own."""
    with ExitStack() as stack:
        sites = []
        for size in plan.seeks:
            kept = stack.enter_context(store())
            await open_seeks(kept, size)
            sites.append(SeekSite(size, stack.enter_context(service(kept.url, secret=SECRET))))
            stack.callback(sites[-1].close)
        for number in range(-1, plan.tries):
            for site in sites:
                await asyncio.to_thread(site.round, number)
                if number < 0:  # the first round reads the seeks
                    site.make.clear()
                    site.match.clear()
                    site.cpu = 0.0
        return [shown(site, sites[0], say) for site in sites]


async def open_seeks(kept: StoreServer, count: int) -> None:
    """Fill a store with seeks that agree with none of those that are measured, and not with each other."""
    opened = RedisStore(kept.url, signer=signer_of(Settings(secret=SECRET)))
    now = await opened.time()
    processor = StreamProcessor(StreamRepository(opened, SEEKS, size=1), lambda: now)
    clock = PerMove(Millis(30_000))
    made: list[Event] = [
        SeekMade(
            Seek(f"s{n}", PlayerId(f"p-{n}"), f"Player {n}", GAME, now, Millis(now + HOUR), clock=clock, seat=Seat(0))
        )
        for n in range(count)
    ]
    for begin in range(0, count, AT_ONCE):
        some = made[begin : begin + AT_ONCE]
        await processor.decide(KEY, partial(exactly, some))
    await processor.close()
    await opened.close()


def shown(site: SeekSite, first: SeekSite, say: Say) -> Seeking:
    """Return what was found at a number of open seeks, and show it."""
    make_ratio, match_ratio = (
        spread([here / there for here, there in zip(ours, theirs, strict=True)])
        for ours, theirs in ((site.make, first.make), (site.match, first.match))
    )
    found = Seeking(
        site.size,
        median(site.make) * 1e3,
        median(site.match) * 1e3,
        site.cpu / len(site.make) * 1e3,
        make_ratio,
        match_ratio,
    )
    say(f"{found.open:>7,} open seeks: {found.make:.1f} ms to make one, {found.match:.1f} ms to match one")
    return found
