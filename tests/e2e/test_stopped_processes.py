"""Processes that are suspended for a while, as on a machine that is short of CPU: nobody is reported as absent."""

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.client import Feed, Json, Player, connect_to, open_room_socket
from tests.e2e.processes import ApiProcess, run_processes
from tests.e2e.seated_rooms import seat_players
from tests.store_server import StoreServer

LEASE = 15
"""Seconds for which a process has to be on time before it may declare others absent."""


@contextlib.contextmanager
def suspend(process: ApiProcess) -> Iterator[None]:
    """Suspend a process during a block."""
    os.kill(process.id, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process.id, signal.SIGCONT)


@contextlib.contextmanager
def subscribe(player: Player, room: str) -> Iterator[Feed]:
    """Follow a room as a client without a ping timeout."""
    with open_room_socket(player.client.url, room, ping_interval=None) as feed:
        feed.send(type="subscribe", room=room, token=player.token)
        yield feed


def frames_within(feed: Feed, seconds: float) -> list[Json]:
    """Return the frames that arrive within some seconds."""
    frames, deadline = [], time.monotonic() + seconds
    with contextlib.suppress(TimeoutError):
        while (left := deadline - time.monotonic()) > 0:
            frames.append(feed.frame(left))
    return frames


@pytest.mark.soak
@pytest.mark.parametrize("seconds", [8, 25])
def test_processes_suspended_together_report_nobody_as_absent(
    own_server: StoreServer, tmp_path: Path, seconds: int
) -> None:
    """Also where every lease has ended meanwhile, and where one process resumes a second before the other."""
    first, second = (ApiProcess(own_server.url, tmp_path / f"{name}.log") for name in ("first", "second"))
    with run_processes(first, second), connect_to(first.url) as here, connect_to(second.url) as there:
        room, (red, yellow) = seat_players(here, "turncoat", 2)
        with subscribe(red, room) as feed, subscribe(yellow.via(there), room):
            feed.presence(lambda frame: all(each["devices"] == 1 for each in frame["players"].values()))
            frames = frames_within(feed, LEASE + 3)
            with suspend(second):
                with suspend(first):
                    time.sleep(seconds - 1)
                time.sleep(1)
            frames += frames_within(feed, LEASE + 3)
            players = [each for frame in frames if frame["type"] == "presence" for each in frame["players"].values()]
            assert all(each["online"] for each in players)
            assert "seat_deserted" not in str(frames)


@pytest.mark.soak
def test_a_process_suspended_alone_keeps_its_players_for_a_lease(own_server: StoreServer, tmp_path: Path) -> None:
    """The other process, which is on time, waits for the end of the lease and a few seconds more."""
    first, second = (ApiProcess(own_server.url, tmp_path / f"{name}.log") for name in ("first", "second"))
    with run_processes(first, second), connect_to(first.url) as here, connect_to(second.url) as there:
        room, (red, yellow) = seat_players(here, "turncoat", 2)
        with subscribe(red, room) as feed, subscribe(yellow.via(there), room):
            feed.presence(lambda frame: all(each["devices"] == 1 for each in frame["players"].values()))
            frames = frames_within(feed, LEASE + 3)
            with suspend(second):
                time.sleep(10)
            frames += frames_within(feed, LEASE)
            players = [each for frame in frames if frame["type"] == "presence" for each in frame["players"].values()]
            assert all(each["online"] for each in players)
            assert "seat_deserted" not in str(frames)
