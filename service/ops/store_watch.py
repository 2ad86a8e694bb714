"""The watch over a store: whether it has lost data, and whether its settings are suitable."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import structlog

from service.store.contract import Store, StoreLost, StoreUnavailable
from service.store.witness.witness import Loss, MemoryWitness, Observation, RecentObservations, WitnessKeeper
from service.store.witness.witness_file import WitnessFile
from service.store.write_guard import WriteGuard
from service.telemetry import metrics

log = structlog.get_logger()

INTERVAL = 1.0
RETRY_INTERVAL = 0.1
SETTINGS_INTERVAL = 5.0
"""Seconds between checks: normally, while the store does not answer, and of settings that are not suitable."""

WHAT_TO_DO = (
    "Nothing is written until you decide. To restore a backup into an empty store: `turnstream restore FILE`. To "
    "continue with the data that is left: `turnstream accept-loss` shows the loss, and with --yes accepts it."
)
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


class StoreWatch:
    """Compares a store with its witnesses: after each new connection, and about once a second."""

    def __init__(
        self, store: Store, guard: WriteGuard, folder: Path | None, settings_problem: SettingsCheck = accept_settings
    ) -> None:
        """Report to `guard`. A witness is kept in `folder`; without a folder it ends with this process."""
        self._store = store
        self._guard = guard
        self._keepers = keepers(folder)
        self._settings_problem = settings_problem
        self._recent = RecentObservations()
        self._fault = ""
        self._settings_at = 0.0
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
        """Return what is missing by any of the witnesses. A witness that cannot be written is reported once."""
        settled, fault = self._recent.settled(time.monotonic()), ""
        found: list[Loss | None] = []
        for keeper in self._keepers:
            try:
                if isinstance(keeper, MemoryWitness):
                    found.append(keeper.compare(seen, settled))
                else:  # a file, which may take its time
                    found.append(await asyncio.to_thread(keeper.compare, seen, settled))
            except OSError as failure:
                fault = f"the witness of the store cannot be written: {failure}"
        if fault and fault != self._fault:
            log.error("witness_not_kept", error=fault)
        self._fault = fault
        return next((lost for lost in found if lost is not None), None)

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
            async with asyncio.timeout(INTERVAL):
                await self._guard.woken.wait()
        except TimeoutError:
            return
