"""Matches and subscribers under crashes of every process; then the store is compared with what clients recorded."""

from pathlib import Path

import pytest

from tests.e2e.installation import (
    Fault,
    disturb_connections,
    first_api,
    first_worker,
    kill_and_restart,
    kill_everything,
    kill_store,
    pause,
    pause_store,
    play_through,
    restart_gracefully,
    run_installation,
)
from tests.e2e.outcomes import record_study, unknown_outcomes
from tests.e2e.study import LARGE, SMALL, scaled
from tests.store_server import StoreServer

EACH_ONCE: list[Fault] = [
    kill_and_restart(first_api),
    kill_and_restart(first_worker),
    kill_store,
    disturb_connections("reset", 0.5),
    pause_store(0.5),
]


async def test_nothing_is_lost_or_repeated_when_each_process_is_killed(own_server: StoreServer, tmp_path: Path) -> None:
    """Each acknowledged command is stored once, and each subscriber receives each event once and in order."""
    async with run_installation(own_server, tmp_path, apis=2, workers=1) as installation:
        load = await play_through(installation, EACH_ONCE, SMALL)
    assert unknown_outcomes(load.recording) > 0  # otherwise the faults had no effect


LONG: dict[str, list[Fault]] = {
    "each process killed": [kill_and_restart(first_api), kill_and_restart(first_worker), kill_store] * scaled(50),
    "all killed at once": [kill_everything] * scaled(10, 2),
    "gentle restarts": [restart_gracefully] * scaled(10, 2),
    "pauses of 5 to 40 s": [
        fault
        for seconds in (5, 15, 40)
        for fault in (pause(first_worker, seconds), pause(first_api, seconds), pause_store(seconds))
    ],
    "a disturbed line to the store": [
        disturb_connections(kind, 5) for _ in range(scaled(3)) for kind in ("delay", "halve", "reset", "drop")
    ],
}


@pytest.mark.soak
@pytest.mark.parametrize("study", LONG)
async def test_nothing_is_lost_or_repeated_in_long_studies(own_server: StoreServer, tmp_path: Path, study: str) -> None:
    """The same with 50 matches and 200 spectators; the figures are written to RESULTS.md."""
    async with run_installation(own_server, tmp_path, apis=2, workers=2) as installation:
        load = await play_through(installation, LONG[study], LARGE)
    record_study(study, len(LONG[study]), load)
