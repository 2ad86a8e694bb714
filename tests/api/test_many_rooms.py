"""One socket for many rooms and the lobby."""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.limits_reached import ANSWERED, reaches
from tests.api.test_limits import limited
from tests.e2e.client import Door, Feed, Json, door_to, fresh_name, socket_to, socket_to_all
from tests.e2e.processes import ApiProcess, started
from tests.e2e.tables import Table, seated
from tests.store_server import StoreServer

ROOMS = 20


@pytest.fixture
def feed(door: Door) -> Iterator[Feed]:
    """Return a socket for all rooms."""
    with socket_to_all(door.url) as feed:
        yield feed


@pytest.fixture(scope="module")
def second(rooms_store: StoreServer, logs: Path) -> Iterator[Door]:
    """Run one more API process over the same store."""
    api = ApiProcess(rooms_store.url, logs)
    with started(api), door_to(api.url) as door:
        yield door


def caught_up(feed: Feed, room: str) -> list[Json]:
    """Read up to where a room's feed is live; what comes of the lobby meanwhile is left out."""
    frames = feed.until(lambda frame: frame["type"] == "caught_up" and frame["room"] == room)
    return [frame for frame in frames if frame["type"] != "lobby"]


def about(feed: Feed, kind: str, room: str) -> Json:
    """Return the next lobby frame of this kind that names the room, with nothing but that room left in the list."""
    found = feed.until(lambda frame: any(each["room"] == room for each in frame.get(kind, [])))[-1]
    return next(each for each in found[kind] if each["room"] == room)


def test_a_socket_with_twenty_rooms_and_the_lobby_resumes_each_where_it_was(door: Door, feed: Feed) -> None:
    """By `since` and `mark` of each room; every event once, and none of the rooms' events in another one's place."""
    ada = door.guest("Ada")
    rooms = [ada.opens("turncoat", seats=["me", "me"], settings={"hot_seat": True}).body["room"] for _ in range(ROOMS)]
    feed.sends(type="subscribe", lobby=True, token=ada.token)
    assert feed.next("lobby")["snapshot"] is True
    places: dict[str, tuple[int, str]] = {}
    for room in rooms:
        feed.sends(type="subscribe", room=room, state=False)
        subscribed, _ = caught_up(feed, room)
        places[room] = (subscribed["version"], subscribed["mark"])
    moved: dict[str, int] = {room: ada.asks(room, "resign", seat=0).body["version"] for room in rooms[::2]}
    for _ in moved:
        feed.until(lambda frame: frame["type"] == "update")
    with socket_to_all(door.url) as again:
        again.sends(type="subscribe", lobby=True, token=ada.token)
        again.next("lobby")
        for room, (since, mark) in places.items():
            again.sends(type="subscribe", room=room, since=since, mark=mark, state=False)
            subscribed, *missed, end = caught_up(again, room)
            assert (subscribed["room"], subscribed["recovered"]) == (room, True)
            versions = [event["version"] for frame in missed for event in frame["events"]]
            assert versions == list(range(since + 1, moved.get(room, since) + 1))
            assert end["version"] == moved.get(room, since)


def test_commands_for_any_room_go_over_the_socket_of_all(door: Door, feed: Feed) -> None:
    """Followed or not; what the feed of one room tells is not told for another."""
    one, other = seated(door, "turncoat", 2), seated(door, "turncoat", 2)
    feed.sends(type="subscribe", room=one.room, token=one.red.token)
    caught_up(feed, one.room)
    assert feed.commands(one.room, {"type": "resign"})["result"]["events"][0]["type"] == "dropped"
    assert feed.commands(other.room, {"type": "resign"})["problem"]["code"] == "not_a_member"
    other.red.asks(other.room, "resign")
    feed.sends(type="unsubscribe", room=one.room)
    feed.sends(type="ping")
    feed.until(lambda frame: frame["type"] == "pong")
    one.red.asks(one.room, "unready")
    assert feed.silent()


def test_a_later_subscription_of_a_room_replaces_the_earlier_one(door: Door, feed: Feed) -> None:
    """Under whatever spelling of its name."""
    table = seated(door, "turncoat", 2)
    feed.sends(type="subscribe", room=table.room)
    caught_up(feed, table.room)
    feed.sends(type="subscribe", room=table.room.upper(), state=False)
    caught_up(feed, table.room)
    table.red.asks(table.room, "resign")
    assert "view" not in feed.update()
    assert feed.silent()


def told_of(feed: Feed, room: str, seconds: float) -> list[Json]:
    """Return the lobby frames about a room that come within a moment."""
    frames, ends = [], time.monotonic() + seconds
    with contextlib.suppress(TimeoutError):
        while True:
            frames.append(feed.frame(max(0.0, ends - time.monotonic())))
    return [frame for frame in frames if room in str(frame)]


@pytest.mark.parametrize(
    "frame",
    [
        {"type": "subscribe", "lobby": True, "room": "friday-night"},
        {"type": "subscribe", "lobby": False},
        {"type": "unsubscribe"},
        {"type": "subscribe", "lobby": True, "game": "chess"},
    ],
)
def test_a_frame_is_about_a_room_or_about_the_lobby(feed: Feed, frame: Json) -> None:
    """Not about both, neither, or a game that isn't played here; the socket goes on."""
    feed.sends(**frame)
    assert feed.next("error")["problem"]["code"] == "unfit"
    feed.sends(type="ping")
    feed.next("pong")


def test_the_lobby_is_not_told_over_a_rooms_socket(table: Table, door: Door) -> None:
    """The error says where it is."""
    with socket_to(door.url, table.room) as feed:
        feed.sends(type="subscribe", lobby=True)
        assert "/v1/feed" in feed.next("error")["problem"]["detail"]


@pytest.fixture
def table(door: Door) -> Table:
    """Return two players of Turncoat."""
    return seated(door, "turncoat", 2)


def test_the_lobby_tells_what_opens_changes_and_closes(door: Door, second: Door, feed: Feed) -> None:
    """In whichever process it happens: the card that GET /v1/rooms lists, replaced, and taken out by name and epoch."""
    ada, ben, name = door.guest("Ada").at(second), door.guest("Ben"), fresh_name()
    feed.sends(type="subscribe", lobby=True)
    shown = feed.next("lobby")
    assert {"type", "upsert", "snapshot"} <= set(shown) <= {"type", "upsert", "snapshot", "next"}
    listed = second.stranger().gets("/v1/rooms", limit=200).body["rooms"]
    assert [card["room"] for card in shown["upsert"]] == [card["room"] for card in listed]
    epoch = ada.opens("morris", name=name).body["view"]["epoch"]
    card = about(feed, "upsert", name)
    assert (card["seats_taken"], card["status"], card["epoch"]) == (1, "open", epoch)
    ben.asks(name, "join")
    card = about(feed, "upsert", name)
    assert card["seats_taken"] == 2
    assert card in door.stranger().gets("/v1/rooms").body["rooms"]
    ada.asks(name, "close")
    assert about(feed, "remove", name) == {"room": name, "epoch": epoch}
    feed.sends(type="unsubscribe", lobby=True)
    feed.sends(type="ping")
    feed.until(lambda frame: frame["type"] == "pong")
    ada.opens("morris", name=name)
    assert feed.silent(0.3)


def test_the_lobby_of_a_game_has_no_other_rooms(door: Door, feed: Feed) -> None:
    """Neither at first nor later."""
    ada = door.guest("Ada")
    ada.opens("morris")
    feed.sends(type="subscribe", lobby=True, game="ternio")
    assert {card["game"] for card in feed.next("lobby")["upsert"]} <= {"ternio"}
    ada.opens("morris")
    room = ada.opens("ternio").body["room"]
    told = feed.until(lambda frame: room in str(frame))
    assert {card["game"] for frame in told for card in frame.get("upsert", [])} == {"ternio"}


@pytest.mark.parametrize("settings", [{"visibility": "unlisted"}, {"visibility": "private", "password": "sesame"}])
def test_the_lobby_knows_nothing_of_rooms_that_are_not_public(door: Door, feed: Feed, settings: Json) -> None:
    """Not when they open, not when people come, not when they close."""
    ada, ben = door.guest("Ada"), door.guest("Ben")
    feed.sends(type="subscribe", lobby=True)
    feed.next("lobby")
    room = ada.opens("morris", settings=settings).body["room"]
    ben.posts(f"/v1/rooms/{room}/commands", {"type": "join", "password": settings.get("password")})
    assert len(ada.sees(room).body["players"]) == 2
    ada.asks(room, "close")
    assert told_of(feed, room, 0.5) == []


def test_what_changes_nothing_in_the_lobby_is_not_told_there(door: Door, feed: Feed) -> None:
    """Moves and readiness; and many changes at once are told as one."""
    ada, ben = door.guest("Ada"), door.guest("Ben")
    room = ada.opens("turncoat", settings={"start": "creator"}).body["room"]
    feed.sends(type="subscribe", lobby=True)
    feed.next("lobby")
    ben.asks(room, "join")  # the latest change, so nothing is on its way behind it
    feed.until(lambda frame: any((card["room"], card["seats_taken"]) == (room, 2) for card in frame.get("upsert", [])))
    for _ in range(5):
        ada.asks(room, "ready")
        ada.asks(room, "unready")
    assert told_of(feed, room, 0.4) == []
    with ben.follows(room) as quick:
        for number in range(40):
            quick.sends(type="command", id=number, room=room, command={"type": ("leave", "join")[number % 2]})
        quick.until(lambda frame: frame.get("id") == 39)
    ada.asks(room, "close")
    told = feed.until(lambda frame: any(gone["room"] == room for gone in frame.get("remove", [])))
    assert len([frame for frame in told if room in str(frame)]) < 20


@reaches(limit_subscriptions="too_many_subscriptions")
def test_a_socket_follows_a_bounded_number_of_rooms(rooms_store: StoreServer, logs: Path) -> None:
    """One more is an error frame; unsubscribing makes room."""
    with limited((rooms_store.url, logs), subscriptions="2") as door, socket_to_all(door.url) as feed:
        ada = door.guest("Ada")
        rooms = [ada.opens("morris").body["room"] for _ in range(3)]
        for room in rooms[:2]:
            feed.sends(type="subscribe", room=room)
            caught_up(feed, room)
        feed.sends(type="subscribe", room=rooms[2])
        error = feed.next("error")
        assert (error["room"], error["problem"]["code"]) == (rooms[2], "too_many_subscriptions")
        assert (error["problem"]["status"], error["problem"]["params"]) == (429, {"most": 2})
        ANSWERED.add((error["problem"]["code"], ""))
        feed.sends(type="subscribe", room=rooms[1])
        caught_up(feed, rooms[1])
        feed.sends(type="unsubscribe", room=rooms[0])
        feed.sends(type="subscribe", room=rooms[2])
        caught_up(feed, rooms[2])
