"""The service under test as processes over a store, and the faults that studies cause in it."""

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
from tests.e2e.faulty_proxy import FaultyProxy
from tests.e2e.load import Load
from tests.e2e.processes import ApiProcess, ServiceProcess
from tests.e2e.stored import StoredRoom, stored_rooms
from tests.e2e.study import Size
from tests.store_server import StoreServer


@dataclass
class Installation:
    """The service under test: its processes, each of which may be killed, and the proxy between them and the store."""

    store: StoreServer
    """The store that has the rooms; a different one after a failover."""
    proxy: FaultyProxy
    apis: tuple[ApiProcess, ...]
    workers: tuple[ServiceProcess, ...]

    @property
    def processes(self) -> tuple[ServiceProcess, ...]:
        """All processes except the store's."""
        return (*self.apis, *self.workers)

    async def stored_rooms(self) -> list[StoredRoom]:
        """Return every room as the store has it, read without the proxy."""
        store = RedisStore(self.store.url)
        try:
            return await stored_rooms(store)
        finally:
            await store.close()


Fault = Callable[[Installation], Awaitable[None]]


@asynccontextmanager
async def run_installation(
    store: StoreServer, folder: Path, apis: int, workers: int, **settings: str
) -> AsyncIterator[Installation]:
    """Run a service over a store."""
    async with AsyncExitStack() as stack:
        proxy = await stack.enter_async_context(FaultyProxy(store.url).serve())
        api_processes = tuple(ApiProcess(proxy.url, folder / f"api-{n}.log", **settings) for n in range(apis))
        worker_processes = tuple(
            ServiceProcess("service worker", proxy.url, folder / f"worker-{n}.log", **settings) for n in range(workers)
        )
        installation = Installation(store, proxy, api_processes, worker_processes)
        for process in installation.processes:
            await asyncio.to_thread(process.start)
            stack.push_async_callback(asyncio.to_thread, process.stop)
        yield installation


def play(installation: Installation, size: Size, settings: Json | None = None) -> AbstractAsyncContextManager[Load]:
    """Play while the caller causes faults; compare at the end."""
    return study.play([api.url for api in installation.apis], installation.stored_rooms, size, settings)


async def play_through(installation: Installation, faults: Sequence[Fault], size: Size) -> Load:
    """Play through faults in this installation, and compare."""
    urls = [api.url for api in installation.apis]
    bound_faults = [partial(fault, installation) for fault in faults]
    return await study.play_through(urls, bound_faults, installation.stored_rooms, size)


def kill_and_restart(pick: Callable[[Installation], ServiceProcess]) -> Fault:
    """Return the fault that kills a process with SIGKILL and starts it again."""

    async def fault(installation: Installation) -> None:
        process = pick(installation)
        await asyncio.to_thread(process.kill)
        await asyncio.to_thread(process.start)

    return fault


async def kill_store(installation: Installation) -> None:
    """Kill the store and start it again."""
    await asyncio.to_thread(installation.store.restart)


async def kill_everything(installation: Installation) -> None:
    """Kill every process at once, and start them all again."""
    await asyncio.to_thread(installation.store.kill)
    for process in installation.processes:
        await asyncio.to_thread(process.kill)
    await asyncio.to_thread(installation.store.start)
    await asyncio.gather(*(asyncio.to_thread(process.start) for process in installation.processes))


async def restart_gracefully(installation: Installation) -> None:
    """Stop an API process and a worker with SIGTERM, and start them again."""
    for process in (installation.apis[-1], installation.workers[0]):
        await asyncio.to_thread(process.stop)
        assert process.exit_code == 0
        await asyncio.to_thread(process.start)


def pause(pick: Callable[[Installation], ServiceProcess], seconds: float) -> Fault:
    """Return the fault that suspends a process for some seconds, after which it continues with outdated knowledge."""

    async def fault(installation: Installation) -> None:
        process = pick(installation)
        os.kill(process.id, signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
        finally:
            os.kill(process.id, signal.SIGCONT)

    return fault


def pause_store(seconds: float) -> Fault:
    """Return the fault that suspends the store for some seconds."""

    async def fault(installation: Installation) -> None:
        installation.store.pause()
        try:
            await asyncio.sleep(seconds)
        finally:
            installation.store.resume()

    return fault


def disturb_connections(kind: str, seconds: float) -> Fault:
    """Return the fault that disturbs the connections to the store for some seconds."""

    async def fault(installation: Installation) -> None:
        installation.proxy.fault = kind  # type: ignore[assignment]  # the callers name the kinds
        try:
            await asyncio.sleep(seconds)
        finally:
            installation.proxy.fault = ""
            if kind == "drop":  # the dropped bytes are missing in the middle of a stream
                installation.proxy.reset()

    return fault


def first_api(installation: Installation) -> ServiceProcess:
    """Return the first API process."""
    return installation.apis[0]


def first_worker(installation: Installation) -> ServiceProcess:
    """Return the first worker."""
    return installation.workers[0]
