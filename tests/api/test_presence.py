"""Presence over the wire, through several processes, one of which is killed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.documents import ASYNCAPI, closed, fits
from tests.api.test_event_stream import stream
from tests.e2e.client import Door, Feed, Json, door_to
from tests.e2e.processes import ApiProcess, started
from tests.e2e.tables import Table, seated
from tests.store_server import StoreServer

ONLINE, TWICE, AWAY = {"online": True, "devices": 1}, {"online": True, "devices": 2}, {"online": False, "devices": 0}


@pytest.fixture
def second(rooms_store: StoreServer, logs: Path) -> Iterator[ApiProcess]:
    """Run one more API process over the same store, which may be killed."""
    api = ApiProcess(rooms_store.url, logs)
    with started(api):
        yield api


@pytest.fixture
def table(door: Door) -> Table:
    """Return two players of Turncoat."""
    return seated(door, "turncoat", 2)


def becomes(feed: Feed, player: str, presence: Json) -> Json:
    """Return the frame that tells a player's presence to be this."""
    return feed.presence(lambda frame: frame["players"][player] == presence)


def test_both_processes_know_who_is_there(table: Table, second: ApiProcess) -> None:
    """In frames, in the snapshot and in the view, by socket and by stream."""
    red, yellow = table.red.id, table.yellow.id
    with table.red.follows(table.room) as feed, door_to(second.url) as other:
        becomes(feed, red, ONLINE)
        with table.yellow.at(other).follows(table.room), stream(table.yellow.at(other), table.room) as lines:
            next(lines)
            frame = feed.presence(lambda frame: frame["players"] == {red: ONLINE, yellow: TWICE})
            message = ASYNCAPI["components"]["messages"]["PresenceFrame"]["payload"]
            fits(frame, message, closed(ASYNCAPI["components"]["schemas"]))
            for look in (table.red.sees(table.room), table.red.at(other).sees(table.room)):
                assert [player["presence"] for player in look.body["players"]] == [ONLINE, TWICE]
                assert look.body["watchers"] == 0
            past = table.red.sees(table.room, at=1).body
            assert [player["presence"] for player in past["players"]] == []
            assert past["watchers"] is None
        becomes(feed, yellow, {"online": True, "devices": 0})
        becomes(feed, yellow, AWAY)


def test_a_killed_process_takes_its_players_along(table: Table, second: ApiProcess) -> None:
    """When its lease has ended beyond doubt; whoever reconnects elsewhere is online at once."""
    red, yellow = table.red.id, table.yellow.id
    with table.red.follows(table.room) as feed, door_to(second.url) as other:
        with table.yellow.at(other).follows(table.room), table.red.at(other).follows(table.room):
            feed.presence(lambda frame: frame["players"] == {red: TWICE, yellow: ONLINE})
            second.kill()
        gone = feed.presence(lambda frame: frame["players"][yellow] == AWAY, patience=60)
        assert gone["players"][red] == ONLINE
        with table.yellow.follows(table.room):
            becomes(feed, yellow, ONLINE)


def test_only_members_are_named(table: Table, door: Door) -> None:
    """Others count."""
    guest = door.guest("Guest")
    with table.red.follows(table.room) as feed, guest.follows(table.room), door.stranger().follows(table.room):
        frame = feed.presence(lambda frame: frame["watchers"] == 2)
        assert set(frame["players"]) == {table.red.id, table.yellow.id}
        assert guest.id not in str(table.red.sees(table.room).body)


def test_a_player_who_is_gone_deserts_their_seat_and_returns_to_it(table: Table, second: ApiProcess) -> None:
    """As events of the room, when the grace of their connection is over; a reload is none of it."""
    with table.red.follows(table.room) as feed, door_to(second.url) as other:
        feed.until(lambda frame: frame["type"] == "caught_up")
        for _ in range(2):
            with table.yellow.at(other).follows(table.room) as own:
                own.presence(lambda frame: frame["players"][table.yellow.id] == ONLINE)
        assert feed.update()["events"][0]["type"] == "seat_deserted"
        with table.yellow.at(other).follows(table.room):
            assert feed.update()["events"][0]["type"] == "seat_returned"
