"""Rooms full of bots stay live: what is due is done in time."""

import statistics
import time
from pathlib import Path

import pytest

from tests.e2e.bot_rooms import check, history, in_milliseconds, lateness, open_rooms, service
from tests.e2e.results import note
from tests.store_server import StoreServer

PAUSE = 1000


def measured(store: StoreServer, folder: Path, rooms: int, seconds: float) -> list[float]:
    """Let bots play for so long and return how late each of their moves was."""
    with service(store, folder, workers=1) as (door, _):
        names = open_rooms(door, rooms, bot_pause=PAUSE)
        time.sleep(seconds)
        told = [history(door, name) for name in names]
    for events in told:
        check(events)
    return [late for events in told for late in lateness(events, PAUSE / 1000)]


def test_twenty_rooms_of_bots_are_served_in_time(own_server: StoreServer, tmp_path: Path) -> None:
    """Half of the moves come less than a second late, even on a busy machine, and none comes early."""
    late = measured(own_server, tmp_path, rooms=20, seconds=8)
    assert len(late) > 40
    assert statistics.median(late) < 1.0
    assert min(late) > -0.01


@pytest.mark.soak
def test_two_hundred_rooms_of_bots_stay_live(own_server: StoreServer, tmp_path: Path) -> None:
    """A minute of easy bots; the figures go into RESULTS.md."""
    late = measured(own_server, tmp_path, rooms=200, seconds=60)
    assert statistics.median(late) < 1.0
    note(
        "200 rooms of easy bots of all games for a minute, 1 worker with 1 thinking process, 2 cores for everything",
        f"{len(late)} moves; late by {in_milliseconds(late, 0.5)} ms at the median, {in_milliseconds(late, 0.99)} ms "
        f"at 99 %, {in_milliseconds(late, 1.0)} ms at most",
    )
