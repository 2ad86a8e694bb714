"""Regular measurements for the metrics: delay of the event loop, round trips to the store, the store's memory."""

import asyncio
import time
from contextlib import suppress

from service.runtime import metrics
from service.runtime.timers import until_next
from service.store.contract import Store, StoreUnavailable
from service.store.write_guard import FreeSpace

LOOP_EVERY = 1.0
STORE_EVERY = 5.0


async def watch_loop() -> None:
    """Measure the delay of the event loop until cancelled, and count its tasks whenever metrics are read."""
    loop = asyncio.get_running_loop()
    metrics.TASKS.set_function(lambda: len(asyncio.all_tasks(loop)))
    while True:
        due = time.perf_counter() + (pause := until_next(LOOP_EVERY))
        await asyncio.sleep(pause)
        metrics.LOOP_LAG.observe(max(0.0, time.perf_counter() - due))


async def watch_store(store: Store, space: FreeSpace) -> None:
    """Measure round trips to the store, and read the state of its nodes, until cancelled.

    `space` learns how much memory is left.
    """
    while True:
        with suppress(StoreUnavailable):
            began = time.perf_counter()
            await store.time()
            metrics.STORE_SECONDS.observe(time.perf_counter() - began)
            await measure_nodes(store, space)
        await asyncio.sleep(until_next(STORE_EVERY))


async def measure_nodes(store: Store, space: FreeSpace) -> None:
    """Set the metrics of the store's nodes, and pass them on."""
    nodes = await store.admin_store.nodes()
    metrics.ROOMS_REFUSED.set(space.measure(nodes))
    for number, node in enumerate(nodes):
        metrics.STORE_MEMORY.labels(str(number)).set(node.memory)
        metrics.STORE_MEMORY_LIMIT.labels(str(number)).set(node.memory_limit)
        metrics.STORE_FILE.labels(str(number)).set(node.file)
        metrics.STORE_WRITES.labels(str(number)).set(node.writes)
        metrics.STORE_REPLICAS.labels(str(number)).set(node.replicas)
