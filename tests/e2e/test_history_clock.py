"""The clock of the store's machine is set during matches with clocks."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.programs.embedded_store import server_binary
from tests.e2e.client import Json
from tests.e2e.installation import play, run_installation
from tests.e2e.load import Load
from tests.e2e.outcomes import record_study
from tests.e2e.study import LARGE
from tests.store_server import ProgramServer, run_server
from tests.waiting import wait_for

LIBRARIES = (
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib64/faketime/libfaketime.so.1",
)

INITIAL = 600
"""Seconds that each seat has for a match, more than the test lasts."""

CLOCK: Json = {"clock": {"type": "fischer", "initial_ms": INITIAL * 1000, "increment_ms": 0}}

STEPS = {"an hour forward": 3600, "a day forward": 86_400, "an hour back": -3600}
"""Seconds by which the clock is set."""

UNTIL_MEASURED = 70.0
"""Seconds after which every process has measured the store's clock again."""


class SteppedStore:
    """A store whose clock can be set without setting that of the machine."""

    def __init__(self, library: str, file: Path) -> None:
        """Prepare the server, which reads the difference from `file`."""
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
        return int(self.server.execute("TIME")[0])

    def step(self, seconds: int) -> None:
        """Set the clock, and wait until the server uses it."""
        before = self.now()
        self._ahead += seconds
        self._file.write_text(f"{self._ahead:+d}")
        wait_for(lambda: abs(self.now() - before) >= abs(seconds) // 2)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SteppedStore]:
    """Run a store whose clock can be set."""
    library = next((path for path in LIBRARIES if Path(path).exists()), None)
    if library is None or server_binary() is None:
        pytest.skip("libfaketime is not installed (apt-get install libfaketime), or no server program is")
    stepped = SteppedStore(library, tmp_path / "clock")
    with run_server(stepped.server):
        yield stepped


def clock_faults(load: Load) -> list[str]:
    """Return which seats lost or gained more time than the play explains, or were declared to be out of time."""
    faults = []
    for player in load.players:
        match = player.view.get("match") or {}
        if (clock := match.get("clock")) and max(clock["remaining"]) > INITIAL * 1000:
            faults.append(f"{player.recorded.room}: {clock['remaining']} ms remain of {INITIAL} s")
        times = [event["time"] for one in player.recorded.deliveries for event in one.events]
        if times != sorted(times):
            faults.append(f"{player.recorded.room}: event times are not in order")
        found = {event["type"] for one in player.recorded.deliveries for event in one.events}
        if "time_ran_out" in found:
            faults.append(f"{player.recorded.room}: a seat ran out of time")
    return faults


@pytest.mark.soak
@pytest.mark.timeout(0)
async def test_a_step_of_the_stores_clock_gives_and_takes_no_time(store: SteppedStore, tmp_path: Path) -> None:
    """Nobody runs out of time, nobody has more than at the start, and the times of events stay in order."""
    async with (
        run_installation(store.server, tmp_path, apis=2, workers=2) as installation,
        play(installation, LARGE, CLOCK) as load,
    ):
        await load.wait_for_acknowledged(LARGE.moves)
        for name, seconds in STEPS.items():
            await asyncio.to_thread(store.step, seconds)
            await load.play_for(UNTIL_MEASURED)
            assert not clock_faults(load), (name, clock_faults(load))
            sys.stdout.write(f"  {name}: {load.acknowledged} moves acknowledged\n")
    record_study(f"the store's clock set {', '.join(STEPS)}", len(STEPS), load, "nobody out of time, none gained")
