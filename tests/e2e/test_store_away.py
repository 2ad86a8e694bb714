"""The store is away for a while: the service says so, then goes on by itself, and nobody loses on time by it."""

import time
from pathlib import Path

import pytest

from service.domain.room.model.clock import SILENCE
from tests.e2e.bot_rooms import check, history, moment, open_rooms, service
from tests.e2e.client import PATIENCE, Player, door_to
from tests.e2e.processes import ApiProcess, started
from tests.e2e.results import note
from tests.e2e.tables import seated
from tests.store_server import StoreServer

CLOCK = 4000
"""Milliseconds for a move: less than the store is away."""


def store_away(store: StoreServer, folder: Path, seconds: float) -> tuple[int, float]:
    """Take the store away; return how often 503 was answered meanwhile, and after how long the last room went on."""
    with service(store, folder, workers=2) as (door, _):
        names = open_rooms(door, 10, bot_pause=200, restart=500)
        table = seated(door, "morris", 2, {"clock": {"type": "per_move", "ms": CLOCK}, "restart": None})
        store.kill()
        gone = time.time()
        refusals = refused_until(table.red, table.room, time.monotonic() + seconds)
        store.start()
        back = time.time()
        the_clock_goes_on_as_if_nothing_had_been(table.red, table.room, gone, back)
        told = {name: wait_for_news(door.stranger(), name, back) for name in names}
        for name in names:
            check(history(door, name))
    return refusals, max(told.values()) - back


def refused_until(player: Player, room: str, deadline: float) -> int:
    """Ask again and again; each answer is 503 and says when to come again."""
    refusals = 0
    while time.monotonic() < deadline:
        answer = player.sees(room)
        assert answer.status == 503, answer.body
        assert int(answer.headers["retry-after"]) >= 1
        refusals += 1
        time.sleep(0.1)
    return refusals


def the_clock_goes_on_as_if_nothing_had_been(player: Player, room: str, gone: float, back: float) -> None:
    """Check that red's time runs out later by as much as the store was away, and then does run out."""
    wait_for(player, room, "match_ended")
    events = player.gets(f"/v1/rooms/{room}/events", limit=1000).body["events"]
    told = {event["type"]: event for event in events}
    given_back = sum(event["by_seat"][0] for event in events if event["type"] == "clocks_extended")
    assert given_back >= (back - gone) * 1000 - SILENCE
    used = moment(told["time_ran_out"]) - moment(told["match_started"]) - (back - gone)
    assert CLOCK / 1000 - 1 < used < CLOCK / 1000 + 5
    assert told["match_ended"]["result"]["reason"] == "timed_out"


def wait_for(player: Player, room: str, kind: str) -> None:
    """Wait until an event of this type has happened."""
    deadline = time.monotonic() + 2 * PATIENCE
    while True:
        answer = player.gets(f"/v1/rooms/{room}/events", limit=1000)
        if answer.status == 200 and any(event["type"] == kind for event in answer.body["events"]):
            return
        assert time.monotonic() < deadline, answer.body
        time.sleep(0.1)


def wait_for_news(player: Player, room: str, since: float) -> float:
    """Wait until something has happened in a room since a moment, and return when."""
    deadline = time.monotonic() + PATIENCE
    while True:
        answer = player.gets(f"/v1/rooms/{room}/events", limit=1000)
        told = answer.body["events"] if answer.status == 200 else []
        news = [moment(event) for event in told if moment(event) > since]
        if news:
            return news[0]
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.timeout(180)
def test_while_the_store_is_away_the_service_says_so_and_then_goes_on(own_server: StoreServer, tmp_path: Path) -> None:
    """Eight seconds, with a clock of four."""
    refusals, longest = store_away(own_server, tmp_path, 8.0)
    assert refusals > 5
    assert longest < 5.0


def test_a_frozen_store_is_answered_for_within_seconds_and_then_at_once(
    own_server: StoreServer, tmp_path: Path
) -> None:
    """A read and a command both say what is known; each of the two has a second at best, and five here."""
    api = ApiProcess(own_server.url, tmp_path / "log")
    with started(api), door_to(api.url) as door:
        ada = door.guest("Ada")
        room = ada.opens("morris").body["room"]
        assert ada.asks(room, "ready", key="j").status == 200
        own_server.pause()
        began = time.monotonic()
        command = ada.asks(room, "unready", key="k")
        # Where this process was late, the service's own questions have found the store silent before the command came.
        assert (command.status, command.code) in {(503, "outcome_unknown"), (503, "store_unavailable")}
        first = time.monotonic() - began
        answers = [ada.sees(room) for _ in range(50)]
        every = time.monotonic() - began
        own_server.resume()
        assert {(answer.status, answer.code) for answer in answers} == {(503, "store_unavailable")}
        assert {answer.headers["retry-after"] for answer in answers} == {"1"}
        assert every < 5, (first, every)
        deadline = time.monotonic() + PATIENCE
        while (again := ada.asks(room, "unready", key="k")).status != 200:
            assert time.monotonic() < deadline, again
            time.sleep(0.05)
        assert ada.sees(room).body["version"] == again.body["version"]


@pytest.mark.soak
def test_half_a_minute_without_a_store(own_server: StoreServer, tmp_path: Path) -> None:
    """The same at full length; the figures go into RESULTS.md."""
    refusals, longest = store_away(own_server, tmp_path, 30.0)
    note(
        "the store away for 30 s, 10 rooms of bots and a clock of 4 s a move",
        f"{refusals} times 503 with Retry-After; all rooms went on within {longest:.1f} s by themselves; the clock got "
        "its time back",
    )
