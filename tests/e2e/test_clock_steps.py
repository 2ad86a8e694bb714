"""The store's clock is set during a match: no seat gains or loses time, and no deadline is reached too early."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.client import Json, Player, connect_to
from tests.e2e.processes import ApiProcess, ServiceProcess, run_processes
from tests.store_server import ProgramServer, choose_server, run_server
from tests.waiting import wait_for

HOUR = 3_600_000
STEPS = {"+1h": HOUR, "+26h": 26 * HOUR, "-1h": -HOUR, "+0": 0}
"""As libfaketime reads them, and in milliseconds; each is relative to the true time."""

INITIAL = 600_000
SLACK = 1500
"""Milliseconds by which a sum of clocks may differ from the time that the test measures."""

PAUSE = 3.0
"""Seconds of down time: more than the gap in the workers' heartbeat that counts as none."""


class SteppedServer(ProgramServer):
    """A store whose clock the test sets."""

    def __init__(self, library: Path) -> None:
        """Preload libfaketime."""
        super().__init__()
        self._offset = self.folder / "offset"
        self._library = library
        self.set_clock("+0")

    def set_clock(self, step: str) -> None:
        """Set the clock to the true time plus a step."""
        self._offset.write_text(f"{step}\n")

    @property
    def correction(self) -> int:
        """The correction that processes add to this store's clock, in milliseconds."""
        return int(self.execute("HGET", "{p00}:clock", "correction") or 0)

    def _start(self) -> None:
        variables = {"FAKETIME_TIMESTAMP_FILE": str(self._offset), "FAKETIME_NO_CACHE": "1"}
        variables |= {"FAKETIME_DONT_FAKE_MONOTONIC": "1", "LD_PRELOAD": str(self._library)}
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command, stdout=log, stderr=log, start_new_session=True, env={**os.environ, **variables}
            )


@pytest.fixture
def store() -> Iterator[SteppedServer]:
    """Run a store whose clock can be set."""
    libraries = sorted(Path("/usr/lib").glob("**/faketime/libfaketime.so.1"))
    if not libraries:
        pytest.skip("libfaketime is not installed: apt-get install libfaketime")
    if choose_server()[1] is not ProgramServer:
        pytest.skip(f"the clock of this store can't be set: {choose_server()[0]}")
    with run_server(SteppedServer(libraries[0])) as server:
        yield server


class Match:
    """Nine Men's Morris between Ada and Bob, ten minutes each for the match, in processes that a test may suspend."""

    def __init__(self, store: SteppedServer, ada: Player, bob: Player, processes: tuple[ServiceProcess, ...]) -> None:
        """Start the match."""
        self.store, self.ada, self.bob, self.processes = store, ada, bob, processes
        clock = {"type": "fischer", "initial_ms": INITIAL}
        self.room = ada.open_room("morris", settings={"clock": clock, "start": "full", "restart": None}).body["room"]
        self._earliest = time.monotonic()
        assert bob.command(self.room, "join").status == 200
        self._latest = time.monotonic()
        self._points = iter(["a1", "g7", "a7", "g1", "d1", "d7", "b2", "f6", "b6", "f2", "d2", "d6"])

    def play_turns(self) -> None:
        """Let both players make a move."""
        for player in (self.ada, self.bob):
            response = player.play(self.room, {"type": "place", "at": next(self._points)})
            assert response.status == 200, response.body

    @property
    def time_given_back(self) -> int:
        """How much time was given back to both players, in milliseconds."""
        events: list[Json] = self.ada.get(f"/v1/rooms/{self.room}/events").body["events"]
        return sum(sum(event["by_seat"]) for event in events if event["type"] == "clocks_extended")

    def check_clocks(self) -> None:
        """Check that all time since the start was taken from one of the clocks or given back, and none twice."""
        at_least = (time.monotonic() - self._latest) * 1000
        left = self.ada.read_room(self.room).body["match"]["clock"]["remaining"]
        given_back = self.time_given_back
        at_most = (time.monotonic() - self._earliest) * 1000
        spent = 2 * INITIAL - sum(left)
        assert at_least - SLACK <= spent + given_back
        assert spent <= at_most + SLACK
        assert given_back <= at_most + SLACK

    def suspend_processes(self) -> None:
        """Suspend every process of the service for a while."""
        for process in self.processes:
            os.kill(process.id, signal.SIGSTOP)
        time.sleep(PAUSE)  # the down time itself, not a wait for something

    def resume_processes(self) -> None:
        """Resume the processes."""
        for process in self.processes:
            os.kill(process.id, signal.SIGCONT)


@pytest.fixture
def match(store: SteppedServer, tmp_path: Path) -> Iterator[Match]:
    """Run the service and begin a match."""
    api, worker = ApiProcess(store.url, tmp_path / "log"), ServiceProcess("service worker", store.url, tmp_path / "log")
    with run_processes(api, worker), connect_to(api.url) as client:
        playing = Match(store, client.guest("Ada"), client.guest("Bob"), (api, worker))
        try:
            yield playing
        finally:
            with contextlib.suppress(ProcessLookupError):
                playing.resume_processes()


def test_a_clock_step_gives_and_takes_no_time(match: Match) -> None:
    """One hour ahead, then 26 hours, then an hour behind, and right again."""
    for step, millis in STEPS.items():
        match.store.set_clock(step)
        match.play_turns()
        wait_for(lambda millis=millis: abs(match.store.correction + millis) < SLACK)  # type: ignore[misc]  # a default
        match.check_clocks()
    match.play_turns()
    match.check_clocks()
    assert match.ada.read_room(match.room).body["status"] == "playing"


@pytest.mark.parametrize("step", ["+0", "+1h", "-1h"])
def test_only_down_time_is_given_back(match: Match, step: str) -> None:
    """Also when the store's clock was set in the meantime; the move after the down time is in time."""
    match.play_turns()
    match.store.set_clock(step)
    match.suspend_processes()
    match.resume_processes()
    match.play_turns()
    assert match.time_given_back >= PAUSE * 1000 - 2 * SLACK
    match.check_clocks()
