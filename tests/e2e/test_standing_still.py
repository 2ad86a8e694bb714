"""Processes that stand still for a while, as on a machine that is short of CPU: nobody is reported as gone."""

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.client import Feed, Json, Player, door_to, socket_to
from tests.e2e.processes import ApiProcess, started
from tests.e2e.tables import seated
from tests.store_server import StoreServer

LEASE = 15
"""Seconds for which a process has to be on time before it judges others, and after which it may be judged."""


@contextlib.contextmanager
def stopped(process: ApiProcess) -> Iterator[None]:
    """Let a process stand still."""
    os.kill(process.id, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process.id, signal.SIGCONT)


@contextlib.contextmanager
def follows(player: Player, room: str) -> Iterator[Feed]:
    """Follow a room as a client that is patient with its server."""
    with socket_to(player.door.url, room, ping_interval=None) as feed:
        feed.sends(type="subscribe", room=room, token=player.token)
        yield feed


def frames_within(feed: Feed, seconds: float) -> list[Json]:
    """Return what comes within some seconds."""
    frames, ends = [], time.monotonic() + seconds
    with contextlib.suppress(TimeoutError):
        while (left := ends - time.monotonic()) > 0:
            frames.append(feed.frame(left))
    return frames


@pytest.mark.soak
@pytest.mark.parametrize("seconds", [8, 25])
def test_processes_that_stand_still_together_take_nobody_for_gone(
    own_server: StoreServer, tmp_path: Path, seconds: int
) -> None:
    """Also where every lease has ended meanwhile, and where one process wakes a second before the other."""
    first, second = (ApiProcess(own_server.url, tmp_path / f"{name}.log") for name in ("first", "second"))
    with started(first, second), door_to(first.url) as here, door_to(second.url) as there:
        room, (red, yellow) = seated(here, "turncoat", 2)
        with follows(red, room) as feed, follows(yellow.at(there), room):
            feed.presence(lambda frame: all(each["devices"] == 1 for each in frame["players"].values()))
            frames = frames_within(feed, LEASE + 3)
            with stopped(second):
                with stopped(first):
                    time.sleep(seconds - 1)
                time.sleep(1)
            frames += frames_within(feed, LEASE + 3)
            told = [each for frame in frames if frame["type"] == "presence" for each in frame["players"].values()]
            assert all(each["online"] for each in told)
            assert "seat_deserted" not in str(frames)


@pytest.mark.soak
def test_a_process_that_stands_still_alone_keeps_its_players_for_a_lease(
    own_server: StoreServer, tmp_path: Path
) -> None:
    """The other one, which is on time, waits for the end of the lease and some seconds of doubt."""
    first, second = (ApiProcess(own_server.url, tmp_path / f"{name}.log") for name in ("first", "second"))
    with started(first, second), door_to(first.url) as here, door_to(second.url) as there:
        room, (red, yellow) = seated(here, "turncoat", 2)
        with follows(red, room) as feed, follows(yellow.at(there), room):
            feed.presence(lambda frame: all(each["devices"] == 1 for each in frame["players"].values()))
            frames = frames_within(feed, LEASE + 3)
            with stopped(second):
                time.sleep(10)
            frames += frames_within(feed, LEASE)
            told = [each for frame in frames if frame["type"] == "presence" for each in frame["players"].values()]
            assert all(each["online"] for each in told)
            assert "seat_deserted" not in str(frames)
