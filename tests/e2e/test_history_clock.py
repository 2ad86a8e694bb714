"""Somebody sets the clock of the store's machine while matches with clocks are played."""

import asyncio
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.standalone.server_binary import server_binary
from tests.e2e.client import Json
from tests.e2e.load import Load
from tests.e2e.outcomes import note
from tests.e2e.site import playing, running
from tests.e2e.study import LARGE, WITHIN
from tests.store_server import ProgramServer
from tests.store_server import running as running_store

LIBRARIES = (
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib64/faketime/libfaketime.so.1",
)

INITIAL = 600
"""Seconds that each seat has for a match; nobody thinks for so long here."""

CLOCK: Json = {"clock": {"type": "fischer", "initial_ms": INITIAL * 1000, "increment_ms": 0}}

STEPS = {"an hour forward": 3600, "a day forward": 86_400, "an hour back": -3600}
"""Seconds by which the clock is set."""

UNTIL_MEASURED = 70.0
"""Seconds after which every process has measured the store's clock again."""


class SteppedStore:
    """A store whose clock can be set without setting that of the machine."""

    def __init__(self, library: str, file: Path) -> None:
        """Prepare the server; `file` tells it the difference."""
        self._file, self._ahead = file, 0
        self._file.write_text("+0")
        self.server = ProgramServer(
            environment={
                "LD_PRELOAD": library,
                "FAKETIME_TIMESTAMP_FILE": str(file),
                "FAKETIME_CACHE_DURATION": "1",
                "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            }
        )

    def now(self) -> int:
        """Return the server's time in whole seconds."""
        return int(self.server.order("TIME")[0])

    def step(self, seconds: int) -> None:
        """Set the clock, and wait until the server has it."""
        before = self.now()
        self._ahead += seconds
        self._file.write_text(f"{self._ahead:+d}")
        deadline = time.monotonic() + WITHIN
        while abs(self.now() - before) < abs(seconds) // 2:
            assert time.monotonic() < deadline
            time.sleep(0.1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SteppedStore]:
    """Run a store whose clock can be set."""
    library = next((path for path in LIBRARIES if Path(path).exists()), None)
    if library is None or server_binary() is None:
        pytest.skip("libfaketime is not installed (apt-get install libfaketime), or no server program is")
    stepped = SteppedStore(library, tmp_path / "clock")
    with running_store(stepped.server):
        yield stepped


def clock_faults(load: Load) -> list[str]:
    """Return which seat lost or gained time by more than play explains, or was declared to be out of time."""
    faults = []
    for player in load.players:
        match = player.view.get("match") or {}
        if (clock := match.get("clock")) and max(clock["remaining"]) > INITIAL * 1000:
            faults.append(f"{player.recorded.room}: {clock['remaining_ms']} ms remain of {INITIAL} s")
        times = [event["time"] for one in player.recorded.deliveries for event in one.events]
        if times != sorted(times):
            faults.append(f"{player.recorded.room}: times go back")
        found = {event["type"] for one in player.recorded.deliveries for event in one.events}
        if "time_ran_out" in found:
            faults.append(f"{player.recorded.room}: a seat ran out of time")
    return faults


@pytest.mark.soak
@pytest.mark.timeout(0)
async def test_a_step_of_the_stores_clock_gives_and_takes_no_time(store: SteppedStore, tmp_path: Path) -> None:
    """Nobody runs out of time, nobody has more than at first, and the times of events stay in order."""
    async with running(store.server, tmp_path, apis=2, workers=2) as site, playing(site, LARGE, CLOCK) as load:
        await load.reach(LARGE.moves, WITHIN)
        for name, seconds in STEPS.items():
            await asyncio.to_thread(store.step, seconds)
            await load.go_on(UNTIL_MEASURED)
            assert not clock_faults(load), (name, clock_faults(load))
            sys.stdout.write(f"  {name}: {load.answered} moves answered\n")
    note(f"the store's clock set {', '.join(STEPS)}", len(STEPS), load, "nobody out of time, none gained")
