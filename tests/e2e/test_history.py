"""Matches and followers go through crashes of every process; then the store is held against what clients recorded."""

from pathlib import Path

import pytest

from tests.e2e.outcomes import note, unanswered
from tests.e2e.site import (
    Fault,
    all_killed,
    drained,
    first_api,
    first_worker,
    killed,
    on_the_line,
    paused,
    running,
    store_killed,
    store_paused,
    survive,
)
from tests.e2e.study import LARGE, SMALL, scaled
from tests.store_server import StoreServer

EACH_ONCE: list[Fault] = [
    killed(first_api),
    killed(first_worker),
    store_killed,
    on_the_line("reset", 0.5),
    store_paused(0.5),
]


async def test_nothing_is_lost_or_doubled_when_each_process_dies_once(own_server: StoreServer, tmp_path: Path) -> None:
    """Each acknowledged command is stored once at its version, each follower gets each event once and in order."""
    async with running(own_server, tmp_path, apis=2, workers=1) as site:
        load = await survive(site, EACH_ONCE, SMALL)
    assert unanswered(load.recording) > 0  # otherwise the faults hit nobody


LONG: dict[str, list[Fault]] = {
    "each process killed": [killed(first_api), killed(first_worker), store_killed] * scaled(50),
    "all killed at once": [all_killed] * scaled(10, 2),
    "gentle restarts": [drained] * scaled(10, 2),
    "pauses of 5 to 40 s": [
        fault
        for seconds in (5, 15, 40)
        for fault in (paused(first_worker, seconds), paused(first_api, seconds), store_paused(seconds))
    ],
    "a disturbed line to the store": [
        on_the_line(kind, 5) for _ in range(scaled(3)) for kind in ("delay", "halve", "reset", "drop")
    ],
}


@pytest.mark.soak
@pytest.mark.parametrize("study", LONG)
async def test_nothing_is_lost_or_doubled_through_a_hostile_day(
    own_server: StoreServer, tmp_path: Path, study: str
) -> None:
    """The same with 50 matches and 200 spectators; the figures go into RESULTS.md."""
    async with running(own_server, tmp_path, apis=2, workers=2) as site:
        load = await survive(site, LONG[study], LARGE)
    note(study, len(LONG[study]), load)
