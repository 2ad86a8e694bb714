"""One socket for many rooms and the lobby."""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.api.limit_coverage import CODES_RECEIVED, reaches
from tests.api.test_limits import limited
from tests.e2e.client import ApiClient, Feed, Json, connect_to, fresh_name, open_room_socket, open_shared_socket
from tests.e2e.processes import ApiProcess, run_processes
from tests.e2e.seated_rooms import SeatedRoom, seat_players
from tests.store_server import StoreServer

ROOMS = 20


@pytest.fixture
def feed(client: ApiClient) -> Iterator[Feed]:
    """Return a socket for all rooms."""
    with open_shared_socket(client.url) as feed:
        yield feed


@pytest.fixture(scope="module")
def second(rooms_store: StoreServer, logs: Path) -> Iterator[ApiClient]:
    """Run one more API process over the same store."""
    api = ApiProcess(rooms_store.url, logs)
    with run_processes(api), connect_to(api.url) as client:
        yield client


def caught_up(feed: Feed, room: str) -> list[Json]:
    """Read up to where a room's feed is live; what comes of the lobby meanwhile is left out."""
    frames = feed.until(lambda frame: frame["type"] == "caught_up" and frame["room"] == room)
    return [frame for frame in frames if frame["type"] != "lobby"]


def about(feed: Feed, kind: str, room: str) -> Json:
    """Return the next lobby frame of this kind that names the room, with nothing but that room left in the list."""
    found = feed.until(lambda frame: any(each["room"] == room for each in frame.get(kind, [])))[-1]
    return next(each for each in found[kind] if each["room"] == room)


def test_a_socket_with_twenty_rooms_and_the_lobby_resumes_each_where_it_was(client: ApiClient, feed: Feed) -> None:
    """Each subscription has its own `since` and `mark`, and gets each event of its room once."""
    ada = client.guest("Ada")
    rooms = [
        ada.open_room("turncoat", seats=["me", "me"], settings={"hot_seat": True}).body["room"] for _ in range(ROOMS)
    ]
    feed.send(type="subscribe", lobby=True, token=ada.token)
    assert feed.next("lobby")["snapshot"] is True
    places: dict[str, tuple[int, str]] = {}
    for room in rooms:
        feed.send(type="subscribe", room=room, state=False)
        subscribed, _ = caught_up(feed, room)
        places[room] = (subscribed["version"], subscribed["mark"])
    moved: dict[str, int] = {room: ada.command(room, "resign", seat=0).body["version"] for room in rooms[::2]}
    for _ in moved:
        feed.until(lambda frame: frame["type"] == "update")
    with open_shared_socket(client.url) as again:
        again.send(type="subscribe", lobby=True, token=ada.token)
        again.next("lobby")
        for room, (since, mark) in places.items():
            again.send(type="subscribe", room=room, since=since, mark=mark, state=False)
            subscribed, *missed, end = caught_up(again, room)
            assert (subscribed["room"], subscribed["recovered"]) == (room, True)
            versions = [event["version"] for frame in missed for event in frame["events"]]
            assert versions == list(range(since + 1, moved.get(room, since) + 1))
            assert end["version"] == moved.get(room, since)


def test_commands_for_any_room_go_over_the_socket_of_all(client: ApiClient, feed: Feed) -> None:
    """Subscribed or not; a feed has only the frames of its own room."""
    one, other = seat_players(client, "turncoat", 2), seat_players(client, "turncoat", 2)
    feed.send(type="subscribe", room=one.room, token=one.red.token)
    caught_up(feed, one.room)
    assert feed.command(one.room, {"type": "resign"})["result"]["events"][0]["type"] == "dropped"
    assert feed.command(other.room, {"type": "resign"})["problem"]["code"] == "not_a_member"
    other.red.command(other.room, "resign")
    feed.send(type="unsubscribe", room=one.room)
    feed.send(type="ping")
    feed.until(lambda frame: frame["type"] == "pong")
    one.red.command(one.room, "unready")
    assert feed.is_silent()


def test_a_later_subscription_of_a_room_replaces_the_earlier_one(client: ApiClient, feed: Feed) -> None:
    """The name may be spelled in another way."""
    seated = seat_players(client, "turncoat", 2)
    feed.send(type="subscribe", room=seated.room)
    caught_up(feed, seated.room)
    feed.send(type="subscribe", room=seated.room.upper(), state=False)
    caught_up(feed, seated.room)
    seated.red.command(seated.room, "resign")
    assert "view" not in feed.update()
    assert feed.is_silent()


def lobby_frames(feed: Feed, room: str, seconds: float) -> list[Json]:
    """Return the lobby frames about a room that arrive within a moment."""
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
    """Both, neither, or an unknown game; the socket stays open."""
    feed.send(**frame)
    assert feed.next("error")["problem"]["code"] == "unfit"
    feed.send(type="ping")
    feed.next("pong")


def test_a_rooms_socket_has_no_lobby(seated: SeatedRoom, client: ApiClient) -> None:
    """The error names the address that has it."""
    with open_room_socket(client.url, seated.room) as feed:
        feed.send(type="subscribe", lobby=True)
        assert "/v1/feed" in feed.next("error")["problem"]["detail"]


@pytest.fixture
def seated(client: ApiClient) -> SeatedRoom:
    """Return two players of Turncoat."""
    return seat_players(client, "turncoat", 2)


def test_the_lobby_notifies_of_rooms_that_open_change_and_close(
    client: ApiClient, second: ApiClient, feed: Feed
) -> None:
    """Each process sends the entries that GET /v1/rooms lists, and name and epoch of a closed room."""
    ada, ben, name = client.guest("Ada").via(second), client.guest("Ben"), fresh_name()
    feed.send(type="subscribe", lobby=True)
    shown = feed.next("lobby")
    assert {"type", "upsert", "snapshot"} <= set(shown) <= {"type", "upsert", "snapshot", "next"}
    listed = second.anonymous().get("/v1/rooms", limit=200).body["rooms"]
    assert [card["room"] for card in shown["upsert"]] == [card["room"] for card in listed]
    epoch = ada.open_room("morris", name=name).body["view"]["epoch"]
    card = about(feed, "upsert", name)
    assert (card["seats_taken"], card["status"], card["epoch"]) == (1, "open", epoch)
    ben.command(name, "join")
    card = about(feed, "upsert", name)
    assert card["seats_taken"] == 2
    assert card in client.anonymous().get("/v1/rooms").body["rooms"]
    ada.command(name, "close")
    assert about(feed, "remove", name) == {"room": name, "epoch": epoch}
    feed.send(type="unsubscribe", lobby=True)
    feed.send(type="ping")
    feed.until(lambda frame: frame["type"] == "pong")
    ada.open_room("morris", name=name)
    assert feed.is_silent(0.3)


def test_the_lobby_of_a_game_has_no_other_rooms(client: ApiClient, feed: Feed) -> None:
    """Neither the first list nor later changes have any."""
    ada = client.guest("Ada")
    ada.open_room("morris")
    feed.send(type="subscribe", lobby=True, game="ternio")
    assert {card["game"] for card in feed.next("lobby")["upsert"]} <= {"ternio"}
    ada.open_room("morris")
    room = ada.open_room("ternio").body["room"]
    frames = feed.until(lambda frame: room in str(frame))
    assert {card["game"] for frame in frames for card in frame.get("upsert", [])} == {"ternio"}


@pytest.mark.parametrize("settings", [{"visibility": "unlisted"}, {"visibility": "private", "password": "sesame"}])
def test_the_lobby_knows_nothing_of_rooms_that_are_not_public(client: ApiClient, feed: Feed, settings: Json) -> None:
    """Not when they open, not when people come, not when they close."""
    ada, ben = client.guest("Ada"), client.guest("Ben")
    feed.send(type="subscribe", lobby=True)
    feed.next("lobby")
    room = ada.open_room("morris", settings=settings).body["room"]
    ben.post(f"/v1/rooms/{room}/commands", {"type": "join", "password": settings.get("password")})
    assert len(ada.read_room(room).body["players"]) == 2
    ada.command(room, "close")
    assert lobby_frames(feed, room, 0.5) == []


def test_lobby_subscribers_receive_only_changes_of_the_lobby(client: ApiClient, feed: Feed) -> None:
    """Not moves and readiness; and many changes at once are sent as one."""
    ada, ben = client.guest("Ada"), client.guest("Ben")
    room = ada.open_room("turncoat", settings={"start": "creator"}).body["room"]
    feed.send(type="subscribe", lobby=True)
    feed.next("lobby")
    ben.command(room, "join")  # the latest change, so nothing is on its way behind it
    feed.until(lambda frame: any((card["room"], card["seats_taken"]) == (room, 2) for card in frame.get("upsert", [])))
    for _ in range(5):
        ada.command(room, "ready")
        ada.command(room, "unready")
    assert lobby_frames(feed, room, 0.4) == []
    with ben.subscribe(room) as quick:
        for number in range(40):
            quick.send(type="command", id=number, room=room, command={"type": ("leave", "join")[number % 2]})
        quick.until(lambda frame: frame.get("id") == 39)
    ada.command(room, "close")
    frames = feed.until(lambda frame: any(gone["room"] == room for gone in frame.get("remove", [])))
    assert len([frame for frame in frames if room in str(frame)]) < 20


@reaches(limit_subscriptions="too_many_subscriptions")
def test_a_socket_follows_a_bounded_number_of_rooms(rooms_store: StoreServer, logs: Path) -> None:
    """One more is an error frame; unsubscribing makes room."""
    with limited((rooms_store.url, logs), subscriptions="2") as client, open_shared_socket(client.url) as feed:
        ada = client.guest("Ada")
        rooms = [ada.open_room("morris").body["room"] for _ in range(3)]
        for room in rooms[:2]:
            feed.send(type="subscribe", room=room)
            caught_up(feed, room)
        feed.send(type="subscribe", room=rooms[2])
        error = feed.next("error")
        assert (error["room"], error["problem"]["code"]) == (rooms[2], "too_many_subscriptions")
        assert (error["problem"]["status"], error["problem"]["params"]) == (429, {"most": 2})
        CODES_RECEIVED.add((error["problem"]["code"], ""))
        feed.send(type="subscribe", room=rooms[1])
        caught_up(feed, rooms[1])
        feed.send(type="unsubscribe", room=rooms[0])
        feed.send(type="subscribe", room=rooms[2])
        caught_up(feed, rooms[2])


def test_requests_with_an_id_are_acknowledged(client: ApiClient, feed: Feed) -> None:
    """A ping by its pong, others by a reply, which has the problem where there is one."""
    one = seat_players(client, "morris", 2)

    def acknowledged(**request: object) -> Json:
        feed.send(**request)
        return feed.until(lambda frame: "id" in frame)[-1]

    subscribe = {"type": "subscribe", "room": one.room, "token": one.red.token}
    assert acknowledged(**subscribe, id="in") == {"type": "reply", "id": "in"}
    assert acknowledged(type="subscribe", lobby=True, id=2) == {"type": "reply", "id": 2}
    assert acknowledged(type="ping", id=3) == {"type": "pong", "id": 3}
    refused = acknowledged(type="subscribe", room="no-such-room-here", id=4)
    assert (refused["type"], refused["id"], refused["problem"]["code"]) == ("reply", 4, "no_such_room")
    assert acknowledged(type="unsubscribe", room=one.room, id="out") == {"type": "reply", "id": "out"}


def test_large_frames_to_a_slow_client_stay_whole(client: ApiClient, feed: Feed) -> None:
    """Each snapshot of the lobby has more than 8 KB; the client reads when its many requests have been sent."""
    requests = 100  # their frames fit into the send queue
    for _ in range(2 * ROOMS):
        assert client.guest("Ada").open_room("morris").status == 201
    for number in range(requests):
        feed.send(type="subscribe", lobby=True, id=number)
        feed.send(type="unsubscribe", lobby=True)
    time.sleep(0.5)  # until the buffers of both ends are full
    sizes = []
    for number in range(requests):
        frames = feed.until(lambda frame: frame["type"] == "reply")
        assert frames[-1] == {"type": "reply", "id": number}
        sizes += [len(msgspec.json.encode(frame)) for frame in frames if frame["type"] == "lobby"]
    assert len(sizes) == requests
    assert max(sizes) > 8192
