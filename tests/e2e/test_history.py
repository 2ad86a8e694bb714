"""Matches and followers go through crashes of every process; then the store is held against what clients recorded."""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from service.streams.redis import RedisStore
from tests.e2e import results
from tests.e2e.faults import FaultyLine
from tests.e2e.history import Recording, StoredRoom, stored_rooms
from tests.e2e.load import Load
from tests.e2e.processes import ApiProcess, ServiceProcess
from tests.e2e.study import play_through
from tests.store_server import StoreServer


class Site(NamedTuple):
    """The service under test: its parts, each of which may be killed, and the line between them and the store."""

    store: StoreServer
    line: FaultyLine
    apis: tuple[ApiProcess, ...]
    workers: tuple[ServiceProcess, ...]

    @property
    def processes(self) -> tuple[ServiceProcess, ...]:
        """All processes but the store's."""
        return (*self.apis, *self.workers)

    async def stored_rooms(self) -> list[StoredRoom]:
        """Return every room as the store has it, read past the line."""
        store = RedisStore(self.store.url)
        try:
            return await stored_rooms(store)
        finally:
            await store.close()


Fault = Callable[[Site], Awaitable[None]]


@asynccontextmanager
async def running(store: StoreServer, folder: Path, apis: int, workers: int) -> AsyncIterator[Site]:
    """Run a service over a store."""
    async with AsyncExitStack() as stack:
        line = await stack.enter_async_context(FaultyLine(store.url).listening())
        ways_in = tuple(ApiProcess(line.url, folder / f"api-{n}.log") for n in range(apis))
        at_work = tuple(ServiceProcess("service worker", line.url, folder / f"worker-{n}.log") for n in range(workers))
        site = Site(store, line, ways_in, at_work)
        for process in site.processes:
            await asyncio.to_thread(process.start)
            stack.push_async_callback(asyncio.to_thread, process.stop)
        yield site


async def survive(site: Site, faults: Sequence[Fault], *, tables: int, spectators: int, moves: int) -> Load:
    """Play through faults that hit this site, and compare."""
    urls = [api.url for api in site.apis]
    hits = [partial(fault, site) for fault in faults]
    return await play_through(urls, hits, site.stored_rooms, tables=tables, spectators=spectators, moves=moves)


def killed(pick: Callable[[Site], ServiceProcess]) -> Fault:
    """Return the fault that kills a process with SIGKILL and starts it again."""

    async def fault(site: Site) -> None:
        process = pick(site)
        await asyncio.to_thread(process.kill)
        await asyncio.to_thread(process.start)

    return fault


async def store_killed(site: Site) -> None:
    """Kill the store and start it again."""
    await asyncio.to_thread(site.store.restart)


async def all_killed(site: Site) -> None:
    """Kill every process at once, and start them all again."""
    await asyncio.to_thread(site.store.kill)
    for process in site.processes:
        await asyncio.to_thread(process.kill)
    await asyncio.to_thread(site.store.start)
    await asyncio.gather(*(asyncio.to_thread(process.start) for process in site.processes))


async def drained(site: Site) -> None:
    """Stop an API process and a worker gently, and start them again."""
    for process in (site.apis[-1], site.workers[0]):
        await asyncio.to_thread(process.stop)
        assert process.exit_code == 0
        await asyncio.to_thread(process.start)


def paused(pick: Callable[[Site], ServiceProcess], seconds: float) -> Fault:
    """Return the fault that stops a process for some seconds, so that it goes on with what it knew before."""

    async def fault(site: Site) -> None:
        process = pick(site)
        os.kill(process.id, signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
        finally:
            os.kill(process.id, signal.SIGCONT)

    return fault


def store_paused(seconds: float) -> Fault:
    """Return the fault that freezes the store for some seconds."""

    async def fault(site: Site) -> None:
        site.store.pause()
        try:
            await asyncio.sleep(seconds)
        finally:
            site.store.resume()

    return fault


def on_the_line(kind: str, seconds: float) -> Fault:
    """Return the fault that disturbs the line to the store for some seconds."""

    async def fault(site: Site) -> None:
        site.line.fault = kind  # type: ignore[assignment]  # the parameters below name the kinds
        try:
            await asyncio.sleep(seconds)
        finally:
            site.line.fault = ""
            if kind == "drop":  # what was dropped is missing in the middle of a stream
                site.line.cut()

    return fault


def first_api(site: Site) -> ServiceProcess:
    """Return the first API process."""
    return site.apis[0]


def first_worker(site: Site) -> ServiceProcess:
    """Return the first worker."""
    return site.workers[0]


SMALL: list[Fault] = [
    killed(first_api),
    killed(first_worker),
    store_killed,
    on_the_line("reset", 0.5),
    store_paused(0.5),
]


async def test_nothing_is_lost_or_doubled_when_each_process_dies_once(own_server: StoreServer, tmp_path: Path) -> None:
    """Each acknowledged command is stored once at its version, each follower gets each event once and in order."""
    async with running(own_server, tmp_path, apis=2, workers=1) as site:
        load = await survive(site, SMALL, tables=5, spectators=10, moves=40)
    assert unanswered(load.recording) > 0  # otherwise the faults hit nobody


def unanswered(recording: Recording) -> int:
    """Return how many attempts had no answer or an unknown outcome."""
    return sum(attempt.is_unknown for command in recording.commands for attempt in command.attempts)


LONG: dict[str, list[Fault]] = {
    "each process killed": [killed(first_api), killed(first_worker), store_killed] * 50,
    "all killed at once": [all_killed] * 10,
    "gentle restarts": [drained] * 10,
    "pauses of 5 to 40 s": [
        fault
        for seconds in (5, 15, 40)
        for fault in (paused(first_worker, seconds), paused(first_api, seconds), store_paused(seconds))
    ],
    "a disturbed line to the store": [
        on_the_line(kind, 5) for _ in range(3) for kind in ("delay", "halve", "reset", "drop")
    ],
}


@pytest.mark.soak
@pytest.mark.parametrize("study", LONG)
async def test_nothing_is_lost_or_doubled_through_a_hostile_day(
    own_server: StoreServer, tmp_path: Path, study: str
) -> None:
    """The same with 50 matches and 200 spectators; the figures go into RESULTS.md."""
    async with running(own_server, tmp_path, apis=2, workers=2) as site:
        load = await survive(site, LONG[study], tables=50, spectators=200, moves=200)
    commands = load.recording.commands
    outcomes = Counter(
        "no answer" if attempt.status is None else attempt.code or str(attempt.status)
        for command in commands
        for attempt in command.attempts
    )
    events = sum(len(one.events) for each in load.recording.subscribers for one in each.deliveries)
    results.note(
        f"history of 50 matches, {len(load.recording.subscribers)} subscribers: {study}",
        f"{len(LONG[study])} faults; {len(commands)} commands, {load.answered} acknowledged, none lost or doubled; "
        f"{unanswered(load.recording)} attempts with an unknown outcome; {events} events delivered, each once and in "
        f"order; answers: {', '.join(f'{name} {count}' for name, count in outcomes.most_common())}",
    )
