"""Rooms full of bots: moves are made in time."""

import statistics
import time
from pathlib import Path

import pytest

from tests.e2e.bot_rooms import check_history, history, lateness, open_rooms, percentile_ms, run_service
from tests.e2e.results import record_result
from tests.store_server import StoreServer

PAUSE, EASY = 1000, 0.4
"""The milliseconds of `bot_pause`, and after how many seconds an easy move is due with them."""


def measure_lateness(store: StoreServer, folder: Path, rooms: int, seconds: float) -> list[float]:
    """Let bots play for a time and return how late each of their moves was."""
    with run_service(store, folder, workers=1) as (client, _):
        names = open_rooms(client, rooms, bot_pause=PAUSE)
        time.sleep(seconds)
        histories = [history(client, name) for name in names]
    for events in histories:
        check_history(events)
    return [late for events in histories for late in lateness(events, EASY)]


def test_bots_in_twenty_rooms_move_in_time(own_server: StoreServer, tmp_path: Path) -> None:
    """Half of the moves are less than a second later than an easy one, even on a busy machine, and none is early."""
    late = measure_lateness(own_server, tmp_path, rooms=20, seconds=5)
    assert len(late) > 20
    assert statistics.median(late) < 1.0
    assert min(late) > -0.01


@pytest.mark.soak
def test_bots_in_two_hundred_rooms_move_in_time(own_server: StoreServer, tmp_path: Path) -> None:
    """A minute of easy bots; the figures are written to RESULTS.md."""
    late = measure_lateness(own_server, tmp_path, rooms=200, seconds=60)
    assert statistics.median(late) < 1.0
    record_result(
        "200 rooms of easy bots of all games for a minute, 1 worker with 1 bot process, 2 cores for everything",
        f"{len(late)} moves; late by {percentile_ms(late, 0.5)} ms at the median, {percentile_ms(late, 0.99)} ms "
        f"at 99 %, {percentile_ms(late, 1.0)} ms at most",
    )
