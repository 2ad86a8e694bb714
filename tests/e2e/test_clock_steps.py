"""The store's clock is set while matches are played: no seat gains or loses time, and nothing comes due too early."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.e2e.client import PATIENCE, Json, Player, door_to
from tests.e2e.processes import ApiProcess, ServiceProcess, started
from tests.store_server import ProgramServer, chosen, running

HOUR = 3_600_000
STEPS = {"+1h": HOUR, "+26h": 26 * HOUR, "-1h": -HOUR, "+0": 0}
"""As libfaketime reads them, in milliseconds; each counts from the true time."""

INITIAL = 600_000
SLACK = 1500
"""Milliseconds by which a sum of clocks may differ from what the test measures around it."""

PAUSE = 3.0
"""Seconds of down time: more than the silence that is none yet."""


class SteppedServer(ProgramServer):
    """A store whose clock a test sets."""

    def __init__(self, library: Path) -> None:
        """Preload libfaketime."""
        super().__init__()
        self._offset = self.folder / "offset"
        self._library = library
        self.sets("+0")

    def sets(self, step: str) -> None:
        """Set the clock to the true time and a step."""
        self._offset.write_text(f"{step}\n")

    @property
    def correction(self) -> int:
        """What the processes add to this store's clock, in milliseconds."""
        return int(self.order("HGET", "{p00}:clock", "correction") or 0)

    def _start(self) -> None:
        fake = {"FAKETIME_TIMESTAMP_FILE": str(self._offset), "FAKETIME_NO_CACHE": "1"}
        fake |= {"FAKETIME_DONT_FAKE_MONOTONIC": "1", "LD_PRELOAD": str(self._library)}
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command, stdout=log, stderr=log, start_new_session=True, env={**os.environ, **fake}
            )


@pytest.fixture
def store() -> Iterator[SteppedServer]:
    """Run a store whose clock can be set."""
    found = sorted(Path("/usr/lib").glob("**/faketime/libfaketime.so.1"))
    if not found:
        pytest.skip("libfaketime is not installed: apt-get install libfaketime")
    if chosen()[1] is not ProgramServer:
        pytest.skip(f"the clock of this store can't be set: {chosen()[0]}")
    with running(SteppedServer(found[0])) as server:
        yield server


class Match:
    """Ada and Bob at Nine Men's Morris, each with ten minutes for the match, over processes that a test may stop."""

    def __init__(self, store: SteppedServer, ada: Player, bob: Player, processes: tuple[ServiceProcess, ...]) -> None:
        """Begin the match."""
        self.store, self.ada, self.bob, self.processes = store, ada, bob, processes
        clock = {"type": "fischer", "initial_ms": INITIAL}
        self.room = ada.opens("morris", settings={"clock": clock, "start": "full", "restart": None}).body["room"]
        self._earliest = time.monotonic()
        assert bob.asks(self.room, "join").status == 200
        self._latest = time.monotonic()
        self._points = iter(["a1", "g7", "a7", "g1", "d1", "d7", "b2", "f6", "b6", "f2", "d2", "d6"])

    def takes_turns(self) -> None:
        """Let both make a move."""
        for player in (self.ada, self.bob):
            played = player.plays(self.room, {"type": "place", "at": next(self._points)})
            assert played.status == 200, played.body

    @property
    def given_back(self) -> int:
        """How much time was given back to both, in milliseconds."""
        events: list[Json] = self.ada.gets(f"/v1/rooms/{self.room}/events").body["events"]
        return sum(sum(event["by_seat"]) for event in events if event["type"] == "clocks_extended")

    def is_right(self) -> None:
        """Judge that all time since the beginning was taken from one of the clocks, or given back, and none twice."""
        at_least = (time.monotonic() - self._latest) * 1000
        left = self.ada.sees(self.room).body["match"]["clock"]["remaining"]
        given_back = self.given_back
        at_most = (time.monotonic() - self._earliest) * 1000
        spent = 2 * INITIAL - sum(left)
        assert at_least - SLACK <= spent + given_back
        assert spent <= at_most + SLACK
        assert given_back <= at_most + SLACK

    def pauses(self) -> None:
        """Stop every process of the service for a while; what happens meanwhile is the test's."""
        for process in self.processes:
            os.kill(process.id, signal.SIGSTOP)
        time.sleep(PAUSE)  # the down time itself, not a wait for something

    def goes_on(self) -> None:
        """Let them run again."""
        for process in self.processes:
            os.kill(process.id, signal.SIGCONT)


@pytest.fixture
def match(store: SteppedServer, tmp_path: Path) -> Iterator[Match]:
    """Run the service and begin a match."""
    api, worker = ApiProcess(store.url, tmp_path / "log"), ServiceProcess("service worker", store.url, tmp_path / "log")
    with started(api, worker), door_to(api.url) as door:
        playing = Match(store, door.guest("Ada"), door.guest("Bob"), (api, worker))
        try:
            yield playing
        finally:
            with contextlib.suppress(ProcessLookupError):
                playing.goes_on()


def until(holds: Callable[[], bool]) -> None:
    """Wait until something is so."""
    ends = time.monotonic() + PATIENCE
    for _ in count():
        if holds():
            return
        assert time.monotonic() < ends
        time.sleep(0.05)


def test_no_seat_gains_or_loses_time_by_a_step(match: Match) -> None:
    """An hour forward, a day and an hour more, two hours back, and right again."""
    for step, millis in STEPS.items():
        match.store.sets(step)
        match.takes_turns()
        until(lambda millis=millis: abs(match.store.correction + millis) < SLACK)  # type: ignore[misc]  # a default
        match.is_right()
    match.takes_turns()
    match.is_right()
    assert match.ada.sees(match.room).body["status"] == "playing"


@pytest.mark.parametrize("step", ["+0", "+1h", "-1h"])
def test_down_time_is_given_back_and_no_more(match: Match, step: str) -> None:
    """Also when the store's clock was set in the meantime; the move that waited is in time."""
    match.takes_turns()
    match.store.sets(step)
    match.pauses()
    match.goes_on()
    match.takes_turns()
    assert match.given_back >= PAUSE * 1000 - 2 * SLACK
    match.is_right()
