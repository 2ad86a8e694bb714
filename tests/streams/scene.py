"""A scene for laws: two processes write to a stream, and a third one follows it, while calls to the store fail."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any

from service.domain.ids import Millis, Version
from service.programs.ops.exports.streams import KINDS
from service.store.codec import decode
from service.store.contract import OutcomeUnknown, StoreUnavailable
from service.streams.errors import ServiceError
from service.streams.heartbeat import BEAT, Heartbeat
from service.streams.loaded import LoadedStream
from service.streams.processor import StreamProcessor
from service.streams.repository import StreamRepository
from tests.memory_store.store import MemoryStore
from tests.rooms.processes import Clock
from tests.streams.examples import change, key_of
from tests.streams.faults import REPLY_PATIENCE, FaultyStore
from tests.streams.test_retention import appending

DAY = 24 * 3600 * 1000

PROMISED = REPLY_PATIENCE + 2 * BEAT
"""Seconds after the last fault until everything is known everywhere: the last call has failed and was repeated."""

TICK = 0.05
"""Seconds between observations."""

COMMANDS = 12
"""How many commands each of two processes sends."""


class Scene:
    """Three processes over one store: two that write to a stream, and one that follows it."""

    def __init__(self, kind: str, seed: int, leap: int = DAY) -> None:
        """Begin without faults. With a `leap` in milliseconds, so much time passes now and then."""
        self._leap = leap
        self.dice, self.clock = random.Random(f"{kind} {seed}"), Clock()  # noqa: S311 - faults
        self.kind, self.key = kind, key_of(kind)
        self.here = FaultyStore(self.clock, self.dice)
        self.there, self.third = (FaultyStore(self.clock, self.dice, self.here) for _ in range(2))
        self.writers = [self.processor(store) for store in (self.here, self.there)]
        self.heartbeat = Heartbeat(self.third)
        self.outcomes: dict[int, str] = {}
        """What became of each command."""
        self.appended = [(0.0, Version(0))]
        """When the stream had which version."""

    def processor(self, store: FaultyStore) -> StreamProcessor[Any]:
        """Return the write path of a process."""
        return StreamProcessor(StreamRepository(store, KINDS[self.kind], 10), self.clock.now)

    def set_faulty(self, faulty: bool) -> None:  # noqa: FBT001 - reads well
        """Let calls fail, or stop doing so."""
        for store in (self.here, self.there, self.third):
            store.faulty = faulty

    async def write(self, processor: StreamProcessor[Any], numbers: Sequence[int]) -> None:
        """Append numbered events, and record what became of each."""
        for number in numbers:
            try:
                await processor.execute(self.key, appending(change(self.kind, number)))
                self.outcomes[number] = "done"
            except OutcomeUnknown:
                self.outcomes[number] = "unknown"
            except (StoreUnavailable, ServiceError):
                self.outcomes[number] = "refused"
            await asyncio.sleep(self.dice.uniform(0, 1))
            self.clock.time = Millis(self.clock.time + self.dice.choice([0, 0, 0, self._leap, 10 * self._leap]))

    async def write_everything(self, meanwhile: Callable[[], object] = lambda: None) -> None:
        """Let both processes write while calls fail; then let all faults end, and wait as long as is promised."""
        self.set_faulty(True)
        numbers = range(1, COMMANDS + 1), range(COMMANDS + 1, 2 * COMMANDS + 1)
        writing = asyncio.gather(*map(self.write, self.writers, numbers))
        while not writing.done():
            await asyncio.wait([writing], timeout=self.dice.uniform(0, 2))
            meanwhile()
        await writing
        self.set_faulty(False)
        await asyncio.sleep(PROMISED)
        for processor in self.writers:
            await processor.close()

    @asynccontextmanager
    async def running(self, *others: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
        """Let the heart of the following process beat, record the versions of the stream, and run other tasks."""
        tasks = [asyncio.create_task(work) for work in (self.heartbeat.run(), self._watch(), *others)]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            for outcome in await asyncio.gather(*tasks, return_exceptions=True):
                assert isinstance(outcome, asyncio.CancelledError), outcome

    async def _watch(self) -> None:
        while True:
            if (version := self.stored_version()) != self.appended[-1][1]:
                self.appended.append((asyncio.get_running_loop().time(), version))
            await asyncio.sleep(TICK)

    def stored_version(self) -> Version:
        """Return the version of the stream in the store."""
        stream = self.here._streams.get(self.key)
        return Version(0) if stream is None else stream.head.version

    def version_at(self, moment: float) -> Version:
        """Return the version that the stream had in the store."""
        return [version for time, version in self.appended if time <= moment or not version][-1]

    async def loaded_anew(self) -> LoadedStream[Any]:
        """Return the stream as a process loads it that has just started."""
        fresh = FaultyStore(self.clock, self.dice, self.here)
        return await StreamRepository(fresh, KINDS[self.kind], 10).current(self.key)

    async def check_outcomes(self, fresh: LoadedStream[Any]) -> None:
        """Check that what was done is stored once, what was refused is not, and the rest at most once."""
        by_event = {repr(change(self.kind, number).event): number for number in self.outcomes}
        entries = await MemoryStore.read(self.here, self.key, Version(fresh.first - 1))
        stored = Counter(by_event.get(repr(decode(fresh.kind, "", entry).recorded.event), 0) for entry in entries)
        for number, outcome in self.outcomes.items():
            assert stored[number] <= 1
            assert stored[number] == 0 or outcome != "refused"
            assert stored[number] == 1 or outcome != "done" or fresh.first > 1  # it was trimmed
