"""The feed of a room: its frames, their order, and how a client resumes it."""

import pytest

from tests.e2e.client import ApiClient, Feed, Json, Player, events_of, has_event, open_room_socket
from tests.e2e.seated_rooms import SeatedRoom, seat_players


@pytest.fixture
def seated(client: ApiClient) -> SeatedRoom:
    """Return two players of Turncoat."""
    return seat_players(client, "turncoat", 2, settings={"restart": None})


def first_frames(feed: Feed) -> list[Json]:
    """Return what a subscription is answered with."""
    return feed.until(lambda frame: frame["type"] in {"caught_up", "error"})


def kinds(frames: list[Json]) -> list[str]:
    """Return the types of frames."""
    return [frame["type"] for frame in frames]


def move_of(seated: SeatedRoom, number: int) -> Json:
    """Return one of the moves that red may make."""
    moves: list[Json] = seated.red.get(f"/v1/rooms/{seated.room}/legal-moves").body["legal_moves"]
    return moves[number]


def test_a_subscriber_gets_the_view_and_then_updates(seated: SeatedRoom) -> None:
    """`subscribed`, `snapshot`, `caught_up`, and an `update` a command."""
    with seated.red.subscribe(seated.room) as feed:
        subscribed, snapshot, caught_up = first_frames(feed)
        seen = seated.red.read_room(seated.room).body
        assert set(subscribed) == {"type", "room", "version", "epoch", "mark", "recovered"}
        assert (subscribed["version"], subscribed["epoch"]) == (seen["version"], seen["epoch"])
        assert subscribed["recovered"] is False
        assert set(snapshot) == {"type", "room", "version", "epoch", "mark", "reason", "view"}
        assert (snapshot["reason"], snapshot["mark"]) == ("subscribed", subscribed["mark"])
        assert {**snapshot["view"], "server_time": ""} == {**seen, "server_time": ""}
        assert caught_up == {"type": "caught_up", "room": seated.room, "version": seen["version"]}
        answer = seated.red.play(seated.room, move_of(seated, 0)).body
        update = feed.update()
        assert set(update) == {"type", "room", "version", "mark", "events", "view"}
        assert (update["version"], update["events"]) == (answer["version"], answer["events"])
        assert update["view"]["match"] == answer["view"]["match"]
        assert update["mark"] != snapshot["mark"]


def test_the_events_of_a_command_come_in_one_frame(ada: Player, bob: Player, anonymous: Player) -> None:
    """Its version is that of the last of them, and versions go on without a gap."""
    room = ada.open_room("morris", settings={"start": "full"}).body["room"]
    with anonymous.subscribe(room) as feed:
        version = first_frames(feed)[0]["version"]
        bob.command(room, "join")
        update = feed.update()
    types = [event["type"] for event in update["events"]]
    assert types[:3] == ["player_joined", "seat_taken", "match_started"]
    assert [event["version"] for event in update["events"]] == list(range(version + 1, update["version"] + 1))


def test_a_subscriber_without_state_gets_events_only(seated: SeatedRoom) -> None:
    """The frames have no snapshot and no view."""
    with seated.yellow.subscribe(seated.room, state=False) as feed:
        assert kinds(first_frames(feed)) == ["subscribed", "caught_up"]
        seated.red.play(seated.room, move_of(seated, 0))
        assert "view" not in feed.update()


def test_a_subscriber_who_resumes_gets_the_missed_events(seated: SeatedRoom) -> None:
    """With `since` and a valid `mark` each command is one frame; only the latest has the view."""
    with seated.yellow.subscribe(seated.room) as feed:
        place = first_frames(feed)[0]
    for number in range(5):
        seated.red.play(seated.room, move_of(seated, number))
    with seated.yellow.subscribe(seated.room, since=place["version"], mark=place["mark"]) as feed:
        frames = first_frames(feed)
    assert kinds(frames) == ["subscribed", *["update"] * 5, "caught_up"]
    assert frames[0]["recovered"] is True
    assert ["view" in frame for frame in frames[1:-1]] == [False] * 4 + [True]
    missed = seated.yellow.get(f"/v1/rooms/{seated.room}/events", since=place["version"]).body["events"]
    assert events_of(frames) == missed
    assert frames[-1]["version"] == frames[-2]["version"]
    with seated.yellow.subscribe(seated.room, since=frames[-1]["version"], mark=frames[-2]["mark"]) as feed:
        assert kinds(first_frames(feed)) == ["subscribed", "caught_up"]


def test_a_subscription_from_version_0_gets_the_whole_history(seated: SeatedRoom) -> None:
    """A subscription with `since: 0` needs no mark."""
    with seated.red.subscribe(seated.room, since=0) as feed:
        frames = first_frames(feed)
    assert frames[0]["recovered"]
    assert events_of(frames) == seated.red.get(f"/v1/rooms/{seated.room}/events").body["events"]


@pytest.mark.parametrize(
    "place", [{"since": 3, "mark": "AAAAAAAAAAAAAAAA"}, {"since": 3, "mark": ""}, {"since": 10**6}]
)
@pytest.mark.parametrize("state", [True, False])
def test_a_place_in_another_history_gets_one_snapshot(seated: SeatedRoom, place: Json, state: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """With `history_changed`, never a partial catch-up; that holds for a version that is ahead, too."""
    with seated.red.subscribe(seated.room, state=state, **place) as feed:
        frames = first_frames(feed)
        assert kinds(frames) == ["subscribed", "snapshot", "caught_up"]
        assert frames[0]["recovered"] is False
        assert frames[1]["reason"] == "history_changed"
        assert feed.is_silent()


def test_two_sockets_of_one_player_receive_the_same(seated: SeatedRoom) -> None:
    """Apart from times, the bytes are equal."""
    with seated.red.subscribe(seated.room) as one, seated.red.subscribe(seated.room) as other:
        first_frames(one), first_frames(other)
        for number in range(3):
            seated.red.play(seated.room, move_of(seated, number))
        assert [one.text() for _ in range(3)] == [other.text() for _ in range(3)]


def test_each_subscriber_receives_the_view_of_their_seat(seated: SeatedRoom, anonymous: Player) -> None:
    """The own selection, and of others that there is one."""
    with (
        seated.red.subscribe(seated.room) as own,
        seated.yellow.subscribe(seated.room) as other,
        anonymous.subscribe(seated.room) as public,
    ):
        for feed in (own, other, public):
            first_frames(feed)
        move = move_of(seated, 7)
        seated.red.play(seated.room, move)
        sent_own, sent_other, sent_public = own.update(), other.update(), public.update()
    assert sent_own["events"][0]["at"] == move["at"]
    assert sent_own["view"]["match"]["state"]["own_selection"] == move["at"]
    for update in (sent_other, sent_public):
        assert "at" not in update["events"][0]
        assert update["view"]["match"]["state"]["own_selection"] is None
        assert update["view"]["match"]["state"]["selected"] == {"red": True, "yellow": False}


def test_a_holder_of_several_seats_says_whose_knowledge_to_see(ada: Player) -> None:
    """And gets the public's without; another's seat is refused."""
    room = ada.open_room("turncoat", seats=["me", "me"], settings={"hot_seat": True}).body["room"]
    with ada.subscribe(room, seat=1) as seat, ada.subscribe(room) as public, ada.subscribe(room, seat=2) as none:
        assert first_frames(seat)[1]["view"]["match"]["legal_moves"] != []
        assert first_frames(public)[1]["view"]["match"]["legal_moves"] == []
        [refused] = first_frames(none)
        assert (refused["type"], refused["problem"]["code"]) == ("error", "not_your_seat")


def test_a_player_who_takes_a_seat_gets_the_view_of_that_seat(ada: Player, bob: Player) -> None:
    """On the socket that was open before."""
    room = ada.open_room("turncoat", settings={"start": "full"}).body["room"]
    with bob.subscribe(room) as feed:
        assert first_frames(feed)[1]["view"]["match"] is None
        bob.command(room, "join")
        assert feed.until(has_event("match_started"))[-1]["view"]["match"]["legal_moves"] != []
        bob.command(room, "leave_seat")
        assert feed.until(has_event("seat_left"))[-1]["view"]["match"]["legal_moves"] == []


def test_an_unsubscribed_client_receives_nothing_more(seated: SeatedRoom) -> None:
    """When they subscribe again, they continue where they left off."""
    with seated.yellow.subscribe(seated.room) as feed:
        place = first_frames(feed)[0]
        feed.send(type="unsubscribe", room=seated.room)
        feed.send(type="ping")
        feed.next("pong")
        seated.red.play(seated.room, move_of(seated, 0))
        assert feed.is_silent()
        feed.send(type="subscribe", room=seated.room, since=place["version"], mark=place["mark"])
        assert kinds(first_frames(feed)) == ["subscribed", "update", "caught_up"]


def test_subscribing_twice_sends_everything_once(seated: SeatedRoom) -> None:
    """The second subscription replaces the first."""
    with seated.yellow.subscribe(seated.room) as feed:
        first_frames(feed)
        feed.send(type="subscribe", room=seated.room, state=False)
        first_frames(feed)
        seated.red.play(seated.room, move_of(seated, 0))
        assert "view" not in feed.update()
        assert feed.is_silent()


def test_a_closed_room_says_so_to_who_follows_it(ada: Player, anonymous: Player) -> None:
    """And the next room of its name is another one."""
    room = ada.open_room("morris").body["room"]
    with anonymous.subscribe(room) as feed:
        epoch = first_frames(feed)[0]["epoch"]
        ada.command(room, "close")
        assert feed.update()["view"]["status"] == "closed"
        ada.open_room("morris", name=room)
        assert feed.is_silent()
        feed.send(type="subscribe", room=room)
        assert first_frames(feed)[0]["epoch"] != epoch


def test_nothing_is_sent_before_the_first_frame(client: ApiClient, seated: SeatedRoom) -> None:
    """A socket without a subscription receives nothing."""
    with open_room_socket(client.url, seated.room) as feed:
        seated.red.play(seated.room, move_of(seated, 0))
        assert feed.is_silent()
