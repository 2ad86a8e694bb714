"""The store is unavailable for a while: the service says so, then continues by itself, and nobody loses on time."""

import time
from pathlib import Path

import pytest

from service.domain.ids import SILENCE
from tests.e2e.bot_rooms import check_history, history, open_rooms, run_service, timestamp, watched
from tests.e2e.client import Json, Player, connect_to
from tests.e2e.processes import ApiProcess, run_processes
from tests.e2e.results import record_result
from tests.e2e.seated_rooms import seat_players
from tests.store_server import StoreServer
from tests.waiting import wait_for

CLOCK = 4000
"""Milliseconds for a move: less than the outage."""


def run_outage(store: StoreServer, folder: Path, seconds: float) -> tuple[int, float]:
    """Stop the store; return the number of 503 responses, and after how many seconds the last room continued."""
    with run_service(store, folder, workers=2) as (client, _):
        names = open_rooms(client, 10, bot_pause=200, restart=500)
        seated = seat_players(client, "morris", 2, {"clock": {"type": "per_move", "ms": CLOCK}, "restart": None})
        with watched(client, names):
            store.kill()
            stopped_at = time.time()
            refusals = check_refusals_until(seated.red, seated.room, time.monotonic() + seconds)
            store.start()
            restarted_at = time.time()
            check_outage_is_given_back(seated.red, seated.room, stopped_at, restarted_at)
            continued_at = {name: wait_for_new_event(client.anonymous(), name, restarted_at) for name in names}
        for name in names:
            check_history(history(client, name))
    return refusals, max(continued_at.values()) - restarted_at


def check_refusals_until(player: Player, room: str, deadline: float) -> int:
    """Read the room repeatedly; each response is a 503 with Retry-After."""
    refusals = 0
    while time.monotonic() < deadline:
        response = player.read_room(room)
        assert response.status == 503, response.body
        assert int(response.headers["retry-after"]) >= 1
        refusals += 1
        time.sleep(0.1)
    return refusals


def check_outage_is_given_back(player: Player, room: str, stopped_at: float, restarted_at: float) -> None:
    """Check that red's time runs out as much later as the outage lasted, and then does run out."""
    wait_for_event(player, room, "match_ended")
    events = player.get(f"/v1/rooms/{room}/events", limit=1000).body["events"]
    by_type = {event["type"]: event for event in events}
    extended = sum(event["by_seat"][0] for event in events if event["type"] == "clocks_extended")
    assert extended >= (restarted_at - stopped_at) * 1000 - SILENCE
    used = timestamp(by_type["time_ran_out"]) - timestamp(by_type["match_started"]) - (restarted_at - stopped_at)
    assert CLOCK / 1000 - 1 < used < CLOCK / 1000 + 5
    assert by_type["match_ended"]["result"]["reason"] == "timed_out"


def wait_for_event(player: Player, room: str, kind: str) -> None:
    """Wait until an event of this type has occurred."""
    wait_for(lambda: any(event["type"] == kind for event in events_of(player, room)))


def wait_for_new_event(player: Player, room: str, since: float) -> float:
    """Wait until a room has an event after this time, and return its time."""
    return wait_for(lambda: [at for at in map(timestamp, events_of(player, room)) if at > since])[0]


def events_of(player: Player, room: str) -> list[Json]:
    """Return the events of a room, none while they can't be read."""
    events: list[Json] = player.get(f"/v1/rooms/{room}/events", limit=1000).body.get("events", [])
    return events


def test_the_service_reports_an_outage_and_then_continues(own_server: StoreServer, tmp_path: Path) -> None:
    """Six seconds, with a clock of four."""
    refusals, longest = run_outage(own_server, tmp_path, 6.0)
    assert refusals > 5
    assert longest < 5.0


def test_requests_fail_quickly_while_the_store_hangs(own_server: StoreServer, tmp_path: Path) -> None:
    """The first command within its time limit, later reads at once; five seconds are allowed here for all of them."""
    api = ApiProcess(own_server.url, tmp_path / "log")
    with run_processes(api), connect_to(api.url) as client:
        ada = client.guest("Ada")
        room = ada.open_room("morris").body["room"]
        assert ada.command(room, "ready", key="j").status == 200
        own_server.pause()
        began = time.monotonic()
        command = ada.command(room, "unready", key="k")
        # Where this process was slow, the service's own requests have timed out before the command arrived.
        assert (command.status, command.code) in {(503, "outcome_unknown"), (503, "store_unavailable")}
        first = time.monotonic() - began
        responses = [ada.read_room(room) for _ in range(50)]
        total = time.monotonic() - began
        own_server.resume()
        assert {(response.status, response.code) for response in responses} == {(503, "store_unavailable")}
        assert {response.headers["retry-after"] for response in responses} == {"1"}
        assert total < 5, (first, total)
        wait_for(lambda: ada.command(room, "unready", key="k").status == 200)
        retried = ada.command(room, "unready", key="k")
        assert ada.read_room(room).body["version"] == retried.body["version"]


@pytest.mark.soak
def test_an_outage_of_half_a_minute(own_server: StoreServer, tmp_path: Path) -> None:
    """The same at full length; the figures are written to RESULTS.md."""
    refusals, longest = run_outage(own_server, tmp_path, 30.0)
    record_result(
        "an outage of the store of 30 s, 10 rooms of bots and a clock of 4 s per move",
        f"{refusals} times 503 with Retry-After; all rooms continued within {longest:.1f} s by themselves; the "
        "clock got its time back",
    )
