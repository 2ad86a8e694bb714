"""The watch over a store: whether it has lost data, and whether its settings are suitable."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import structlog

from service.runtime import metrics
from service.runtime.os_errors import reason_of
from service.runtime.timers import until_next
from service.store.contract import Store, StoreLost, StoreUnavailable
from service.store.witness import Loss, MemoryWitness, Observation, RecentObservations, WitnessFile, WitnessKeeper
from service.store.write_guard import WriteGuard

log = structlog.get_logger()

INTERVAL = 1.0
RETRY_INTERVAL = 0.1
SETTINGS_INTERVAL = 5.0
"""Seconds between checks: normally, while the store does not answer, and of settings that are not suitable."""

FILE_INTERVAL = 10.0
"""Seconds after which a store in which nothing has changed is compared with the witness file again."""

WHAT_TO_DO = (
    "Nothing is written until you decide. To restore a backup into an empty store: `turnstream restore FILE`. To "
    "continue with the data that is left: `turnstream accept-loss` shows the loss, and with --yes accepts it."
)
RECOUNT = "No entry is missing. `turnstream recount` corrects the counter; until then its partition is read-only."
NO_WITNESS = (
    "TURNSTREAM_WITNESS is not set: a loss of data while this process does not run would not be noticed. "
    "Set it to a folder that is not on the store's disk."
)

SettingsCheck = Callable[[], Awaitable[str]]
"""Returns why the store's settings are not suitable, "" if they are. Raises `StoreUnavailable`."""


async def accept_settings() -> str:
    """Return that a store's settings are suitable."""
    return ""


def keepers(folder: Path | None) -> tuple[WitnessKeeper, ...]:
    """Return the witnesses' keepers: memory, and a folder if one is given."""
    return (MemoryWitness(),) if folder is None else (MemoryWitness(), WitnessFile(folder))


async def miscounted(store: Store, lost: Loss) -> int | None:
    """Return the partition with a damaged counter, if the store has as many entries as the witness counts.

    One flipped bit damages one counter. Where several are lower, entries are missing.
    """
    if lost.is_other_store or len(missing := lost.missing()) != 1:
        return None
    [number] = missing
    return number if await store.identity.count(number) >= lost.expected.appended[number] else None


class StoreWatch:
    """Compares a store with its witnesses: after each new connection, and about once a second."""

    def __init__(
        self, store: Store, guard: WriteGuard, folder: Path | None, settings_problem: SettingsCheck = accept_settings
    ) -> None:
        """Report to `guard`. A witness is kept in `folder`; without a folder it ends with this process."""
        self._store = store
        self._guard = guard
        self.space = guard.space
        """What learns how much memory the store has left."""
        self._keepers = keepers(folder)
        self._settings_problem = settings_problem
        self._recent = RecentObservations()
        self._miscounted: dict[int, int] = {}
        """The damaged counters by partition, -1 for one that is not a number."""
        self._fault = ""
        self._settings_at = 0.0
        self._compared: tuple[Observation, dict[int, int]] | None = None
        """What was compared with the witness file last and was complete; None if it has to be compared in any case."""
        self._file_at = 0.0
        """When the file is compared even if nothing has changed."""
        self._checking = asyncio.Lock()

    async def start(self) -> None:
        """Check for the first time. Raises `StoreUnavailable`, and `OSError` if the witness cannot be written."""
        await self.check()
        if self._fault:
            raise OSError(self._fault)

    async def require_no_loss(self) -> None:
        """Check the store. Raises `StoreLost` if it has lost data."""
        if (lost := await self.check()) is not None:
            raise StoreLost(str(lost))

    async def run(self) -> None:
        """Check the store regularly until cancelled."""
        while True:
            is_new = not self._guard.all_checked
            self._guard.woken.clear()
            try:
                await self.check()
                if is_new or self._guard.unfit:
                    await self._check_settings(is_new=is_new)
            except StoreUnavailable:
                await asyncio.sleep(RETRY_INTERVAL)
            else:
                await self._pause()

    async def check(self) -> Loss | None:
        """Compare the store once and return what it has lost. Raises `StoreUnavailable`."""
        async with self._checking:
            return await self._check()

    async def _check(self) -> Loss | None:
        seen = self._without_damaged(await self._store.identity.observe())
        tail = self._recent.add(time.monotonic(), seen)
        lost = await self._compare(seen)
        if lost is not None:
            if await self._is_miscounted(lost):
                return await self._check()
            self._note_loss(lost)
            return lost
        if tail:
            metrics.STORE_TAIL_LOST.inc(sum(tail.values()))
            log.warning("store_lost_its_last_moments", missing=tail)
        if self._guard.lost is not None:
            log.warning("store_accepted", store=seen.store)
        metrics.STORE_LOST.set(0)
        self._guard.clear({*seen.appended, *self._miscounted})
        return None

    def _without_damaged(self, seen: Observation) -> Observation:
        """Return an observation without damaged counters: those known, unless corrected, and those not a number."""
        known = {number: count for number, count in self._miscounted.items() if seen.appended.get(number) == count}
        self._note_counters({**known, **dict.fromkeys(seen.unreadable, -1)})
        return seen.without(self._miscounted)

    async def _is_miscounted(self, lost: Loss) -> bool:
        """Return whether only a counter is damaged, which then counts as known."""
        number = await miscounted(self._store, lost)
        if number is not None:
            self._note_counters({**self._miscounted, number: lost.found.appended[number]})
        return number is not None

    def _note_counters(self, miscounted: dict[int, int]) -> None:
        """Write no longer to the partitions of damaged counters, and log each once."""
        if miscounted.keys() - self._miscounted.keys():
            log.error("counter_damaged", partitions=sorted(miscounted), do=RECOUNT)
        self._miscounted = miscounted
        self._guard.miscounted = frozenset(miscounted)
        metrics.COUNTERS_DAMAGED.set(len(miscounted))

    async def _compare(self, seen: Observation) -> Loss | None:
        """Return what is missing by any of the witnesses. A witness that cannot be written is reported once."""
        now = time.monotonic()
        settled, fault = self._recent.settled(now), ""
        is_known = self._compared == (seen, settled) and now < self._file_at
        found: list[Loss | None] = []
        for keeper in self._keepers:
            try:
                if isinstance(keeper, MemoryWitness):
                    found.append(keeper.compare(seen, settled))
                elif not is_known:  # a file, which may take its time
                    found.append(await asyncio.to_thread(keeper.compare, seen, settled))
            except OSError as failure:
                fault = f"the witness of the store cannot be written: {reason_of(failure)}"
        if fault and fault != self._fault:
            log.error("witness_not_kept", error=fault)
        self._fault = fault
        lost = next((each for each in found if each is not None), None)
        if not is_known or fault or lost is not None:
            self._compared = None if fault or lost is not None else (seen, settled)
            self._file_at = now + FILE_INTERVAL
        return lost

    def _note_loss(self, lost: Loss) -> None:
        """Stop all writes, and log that once."""
        if self._guard.lost is None:
            expected, found = lost.expected.store, lost.found.store
            details = {"expected": expected, "found": found, "missing": lost.missing(), "do": WHAT_TO_DO}
            log.error("store_lost_data", reason=str(lost), **details)
        metrics.STORE_LOST.set(1)
        self._guard.lost = lost

    async def _check_settings(self, *, is_new: bool) -> None:
        """Check the store's settings after a new connection, and from time to time while they are not suitable."""
        now = time.monotonic()
        if not is_new and now < self._settings_at:
            return
        self._settings_at = now + SETTINGS_INTERVAL
        unfit = await self._settings_problem()
        if unfit and unfit != self._guard.unfit:
            log.error("store_unfit", reason=unfit)
        elif self._guard.unfit and not unfit:
            log.warning("store_fit_again")
        metrics.STORE_UNFIT.set(bool(unfit))
        self._guard.unfit = unfit

    async def _pause(self) -> None:
        try:
            async with asyncio.timeout(until_next(INTERVAL)):
                await self._guard.woken.wait()
        except TimeoutError:
            return
