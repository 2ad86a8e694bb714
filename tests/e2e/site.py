"""The service under test as processes over a store, and the faults that hit its parts."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from service.store.redis.store import RedisStore
from tests.e2e import study
from tests.e2e.client import Json
from tests.e2e.faults import FaultyLine
from tests.e2e.load import Load
from tests.e2e.processes import ApiProcess, ServiceProcess
from tests.e2e.stored import StoredRoom, stored_rooms
from tests.e2e.study import Size
from tests.store_server import StoreServer


@dataclass
class Site:
    """The service under test: its parts, each of which may be killed, and the line between them and the store."""

    store: StoreServer
    """The one that has the rooms; after a failover another one than before."""
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
async def running(store: StoreServer, folder: Path, apis: int, workers: int, **settings: str) -> AsyncIterator[Site]:
    """Run a service over a store."""
    async with AsyncExitStack() as stack:
        line = await stack.enter_async_context(FaultyLine(store.url).listening())
        ways_in = tuple(ApiProcess(line.url, folder / f"api-{n}.log", **settings) for n in range(apis))
        at_work = tuple(
            ServiceProcess("service worker", line.url, folder / f"worker-{n}.log", **settings) for n in range(workers)
        )
        site = Site(store, line, ways_in, at_work)
        for process in site.processes:
            await asyncio.to_thread(process.start)
            stack.push_async_callback(asyncio.to_thread, process.stop)
        yield site


def playing(site: Site, size: Size, settings: Json | None = None) -> AbstractAsyncContextManager[Load]:
    """Play at a site for as long as the caller hurts it; compare at the end."""
    return study.playing([api.url for api in site.apis], site.stored_rooms, size, settings)


async def survive(site: Site, faults: Sequence[Fault], size: Size) -> Load:
    """Play through faults that hit this site, and compare."""
    urls = [api.url for api in site.apis]
    hits = [partial(fault, site) for fault in faults]
    return await study.play_through(urls, hits, site.stored_rooms, size)


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
