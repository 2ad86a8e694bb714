"""Presence over the wire, through several processes, one of which is killed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.documents import ASYNCAPI, STRICT_FRAMES
from tests.api.test_event_stream import stream
from tests.e2e.client import ApiClient, Feed, Json, connect_to
from tests.e2e.processes import ApiProcess, run_processes
from tests.e2e.seated_rooms import SeatedRoom, seat_players
from tests.store_server import StoreServer

ONLINE, TWICE, AWAY = {"online": True, "devices": 1}, {"online": True, "devices": 2}, {"online": False, "devices": 0}


@pytest.fixture
def second(rooms_store: StoreServer, logs: Path) -> Iterator[ApiProcess]:
    """Run one more API process over the same store, which may be killed."""
    api = ApiProcess(rooms_store.url, logs)
    with run_processes(api):
        yield api


@pytest.fixture
def seated(client: ApiClient) -> SeatedRoom:
    """Return two players of Turncoat."""
    return seat_players(client, "turncoat", 2)


def becomes(feed: Feed, player: str, presence: Json) -> Json:
    """Return the frame in which a player has this presence."""
    return feed.presence(lambda frame: frame["players"][player] == presence)


def test_both_processes_know_who_is_present(seated: SeatedRoom, second: ApiProcess) -> None:
    """Frames, snapshot and view show it, over sockets and streams."""
    red, yellow = seated.red.id, seated.yellow.id
    with seated.red.subscribe(seated.room) as feed, connect_to(second.url) as other:
        becomes(feed, red, ONLINE)
        with seated.yellow.via(other).subscribe(seated.room), stream(seated.yellow.via(other), seated.room) as lines:
            next(lines)
            frame = feed.presence(lambda frame: frame["players"] == {red: ONLINE, yellow: TWICE})
            message = ASYNCAPI["components"]["messages"]["PresenceFrame"]["payload"]
            STRICT_FRAMES.validate(frame, message)
            for look in (seated.red.read_room(seated.room), seated.red.via(other).read_room(seated.room)):
                assert [player["presence"] for player in look.body["players"]] == [ONLINE, TWICE]
                assert look.body["watchers"] == 0
            past = seated.red.read_room(seated.room, at=1).body
            assert [player["presence"] for player in past["players"]] == []
            assert past["watchers"] is None
        becomes(feed, yellow, {"online": True, "devices": 0})
        becomes(feed, yellow, AWAY)


@pytest.mark.soak
def test_a_killed_process_takes_its_players_along(seated: SeatedRoom, second: ApiProcess) -> None:
    """When its lease has surely expired; who reconnects to another process is online at once.

    `tests/rooms/test_presence.py` tests it with a short lease.
    """
    red, yellow = seated.red.id, seated.yellow.id
    with seated.red.subscribe(seated.room) as feed, connect_to(second.url) as other:
        with seated.yellow.via(other).subscribe(seated.room), seated.red.via(other).subscribe(seated.room):
            feed.presence(lambda frame: frame["players"] == {red: TWICE, yellow: ONLINE})
            second.kill()
        gone = feed.presence(lambda frame: frame["players"][yellow] == AWAY, patience=60)
        assert gone["players"][red] == ONLINE
        with seated.yellow.subscribe(seated.room):
            becomes(feed, yellow, ONLINE)


def test_only_members_are_named(seated: SeatedRoom, client: ApiClient) -> None:
    """Other connections are only counted."""
    guest = client.guest("Guest")
    with (
        seated.red.subscribe(seated.room) as feed,
        guest.subscribe(seated.room),
        client.anonymous().subscribe(seated.room),
    ):
        frame = feed.presence(lambda frame: frame["watchers"] == 2)
        assert set(frame["players"]) == {seated.red.id, seated.yellow.id}
        assert guest.id not in str(seated.red.read_room(seated.room).body)


def test_a_player_who_is_gone_deserts_their_seat_and_returns_to_it(seated: SeatedRoom, second: ApiProcess) -> None:
    """The room gets both events, the first after the grace time. A reload of the page causes none."""
    with seated.red.subscribe(seated.room) as feed, connect_to(second.url) as other:
        feed.until(lambda frame: frame["type"] == "caught_up")
        for _ in range(2):
            with seated.yellow.via(other).subscribe(seated.room) as own:
                own.presence(lambda frame: frame["players"][seated.yellow.id] == ONLINE)
        assert feed.update()["events"][0]["type"] == "seat_deserted"
        with seated.yellow.via(other).subscribe(seated.room):
            assert feed.update()["events"][0]["type"] == "seat_returned"
