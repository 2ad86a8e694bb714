"""The watch over a store: whether it still has what it had, and whether its settings will do."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import structlog

from service.store.contract import Store, StoreLost, StoreUnavailable
from service.store.witness import Loss, MemoryWitness, Observation, RecentObservations, WitnessKeeper
from service.store.witness_file import WitnessFile
from service.store.write_guard import WriteGuard
from service.telemetry import metrics

log = structlog.get_logger()

EVERY = 1.0
SOON = 0.1
SETTINGS_EVERY = 5.0
"""Seconds between looks: where all is well, while the store does not answer, and at settings that will not do."""

WHAT_TO_DO = (
    "Nothing is written until you decide. To bring back a backup: `turnstream restore FILE` into the emptied store. "
    "To go on with what the store has: `turnstream accept-loss` shows what is missing, with --yes it accepts that."
)
NO_WITNESS = (
    "TURNSTREAM_WITNESS is not set: a store that loses data while this process does not run would not be noticed. "
    "Name a folder that is not on the store's disk."
)

Unfitness = Callable[[], Awaitable[str]]
"""Returns why the store's settings will not do, empty where they do. Raises `StoreUnavailable`."""


async def always_fit() -> str:
    """Find nothing wrong with a store's settings."""
    return ""


def keepers(folder: Path | None) -> tuple[WitnessKeeper, ...]:
    """Return where witnesses are kept: in memory, and in a folder where there is one."""
    return (MemoryWitness(),) if folder is None else (MemoryWitness(), WitnessFile(folder))


class StoreWatch:
    """Compares a store with what is remembered of it: when a connection is new, and about once a second."""

    def __init__(self, store: Store, guard: WriteGuard, folder: Path | None, unfitness: Unfitness = always_fit) -> None:
        """Report findings to `guard`. The witness is kept in `folder`, None forgets it with this process."""
        self._store = store
        self._guard = guard
        self._keepers = keepers(folder)
        self._unfitness = unfitness
        self._recent = RecentObservations()
        self._fault = ""
        self._settings_at = 0.0
        self._looking = asyncio.Lock()

    async def start(self) -> None:
        """Look for the first time. Raises `StoreUnavailable`, and `OSError` where the witness can't be kept."""
        await self.look()
        if self._fault:
            raise OSError(self._fault)

    async def refuse_lost(self) -> None:
        """Look, and raise `StoreLost` where the store has lost data."""
        if (lost := await self.look()) is not None:
            raise StoreLost(str(lost))

    async def run(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            is_new = not self._guard.all_checked
            self._guard.woken.clear()
            try:
                await self.look()
                if is_new or self._guard.unfit:
                    await self._look_at_settings(is_new=is_new)
            except StoreUnavailable:
                await asyncio.sleep(SOON)
            else:
                await self._pause()

    async def look(self) -> Loss | None:
        """Compare the store once and return what it has lost. Raises `StoreUnavailable`."""
        async with self._looking:
            return await self._look()

    async def _look(self) -> Loss | None:
        seen = await self._store.identity.observe()
        tail = self._recent.add(time.monotonic(), seen)
        lost = await self._compare(seen)
        if lost is not None:
            self._note_loss(lost)
            return lost
        if tail:
            metrics.STORE_TAIL_LOST.inc(sum(tail.values()))
            log.warning("store_lost_its_last_moments", missing=tail)
        if self._guard.lost is not None:
            log.warning("store_accepted", store=seen.store)
        metrics.STORE_LOST.set(0)
        self._guard.clear(seen.appended)
        return None

    async def _compare(self, seen: Observation) -> Loss | None:
        """Return what any witness misses. A witness that can't be kept is reported once."""
        settled, fault = self._recent.settled(time.monotonic()), ""
        found: list[Loss | None] = []
        for keeper in self._keepers:
            try:
                found.append(await asyncio.to_thread(keeper.compare, seen, settled))
            except OSError as failure:
                fault = f"the witness of the store can't be kept: {failure}"
        if fault and fault != self._fault:
            log.error("witness_not_kept", error=fault)
        self._fault = fault
        return next((lost for lost in found if lost is not None), None)

    def _note_loss(self, lost: Loss) -> None:
        """Let nothing be written, and say so once."""
        if self._guard.lost is None:
            expected, found = lost.expected.store, lost.found.store
            details = {"expected": expected, "found": found, "missing": lost.missing(), "do": WHAT_TO_DO}
            log.error("store_lost_data", reason=str(lost), **details)
        metrics.STORE_LOST.set(1)
        self._guard.lost = lost

    async def _look_at_settings(self, *, is_new: bool) -> None:
        """Look at the store's settings where the connection is new, and now and then while they will not do."""
        now = time.monotonic()
        if not is_new and now < self._settings_at:
            return
        self._settings_at = now + SETTINGS_EVERY
        unfit = await self._unfitness()
        if unfit and unfit != self._guard.unfit:
            log.error("store_unfit", reason=unfit)
        elif self._guard.unfit and not unfit:
            log.warning("store_fit_again")
        metrics.STORE_UNFIT.set(bool(unfit))
        self._guard.unfit = unfit

    async def _pause(self) -> None:
        try:
            async with asyncio.timeout(EVERY):
                await self._guard.woken.wait()
        except TimeoutError:
            return
