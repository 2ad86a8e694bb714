"""Chat over HTTP and feeds, in rooms and in the lobby."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.test_event_stream import stream
from tests.e2e.client import ApiClient, Feed, Json, Player, Response, connect_to, open_shared_socket
from tests.e2e.processes import ApiProcess, run_processes
from tests.e2e.seated_rooms import SeatedRoom, seat_players
from tests.store_server import StoreServer


@pytest.fixture
def seated(client: ApiClient) -> SeatedRoom:
    """Return two players of Turncoat."""
    return seat_players(client, "turncoat", 2)


@pytest.fixture(scope="module")
def second(rooms_store: StoreServer, logs: Path) -> Iterator[ApiClient]:
    """Run one more API process over the same store."""
    api = ApiProcess(rooms_store.url, logs)
    with run_processes(api), connect_to(api.url) as client:
        yield client


def says(player: Player, room: str | None, text: str) -> Response:
    """Say something in a room, or in the lobby."""
    return player.post("/v1/lobby/chat" if room is None else f"/v1/rooms/{room}/chat", {"text": text})


def chat_texts(player: Player, room: str | None, **query: str | int) -> list[str]:
    """Return the texts of a page."""
    path = "/v1/lobby/chat" if room is None else f"/v1/rooms/{room}/chat"
    return [line["text"] for line in player.get(path, **query).body["lines"]]


def caught_up(feed: Feed) -> None:
    """Read up to where the feed is live."""
    feed.until(lambda frame: frame["type"] == "caught_up")


def test_a_chat_line_is_returned_stored_and_sent_to_subscribers(
    seated: SeatedRoom, second: ApiClient, anonymous: Player
) -> None:
    """Subscribers in every process get it over socket and stream; the room's history does not have it."""
    version = seated.red.read_room(seated.room).body["version"]
    watching, listening = seated.yellow.via(second), anonymous.via(second)
    with watching.subscribe(seated.room) as feed, stream(listening, seated.room) as lines:
        caught_up(feed)
        while next(lines).frame["type"] != "caught_up":
            pass
        answer = says(seated.red, seated.room, "  <b>good</b>   luck ")
        assert answer.status == 201
        line = answer.body
        assert feed.next("chat") == {"type": "chat", "room": seated.room, "line": line}
        received = next(lines)
        assert (received.event_id, received.frame["line"]) == (None, line)
    assert (line["text"], line["audience"]) == ("<b>good</b> luck", "all")
    assert line["player"] == {"id": seated.red.id, "nickname": "Player 0"}
    assert seated.yellow.get(f"/v1/rooms/{seated.room}/chat").body == {"lines": [line], "next": None}
    assert seated.red.read_room(seated.room).body["version"] == version


def test_history_is_read_in_pages_backwards_or_forwards(seated: SeatedRoom) -> None:
    """A page begins at the id of a line."""
    ids = [says(seated.red, seated.room, f"line {number}").body["id"] for number in range(5)]
    page = seated.yellow.get(f"/v1/rooms/{seated.room}/chat", limit=2).body
    assert ([line["id"] for line in page["lines"]], page["next"]) == (ids[3:], ids[3])
    page = seated.yellow.get(f"/v1/rooms/{seated.room}/chat", limit=3, cursor=page["next"]).body
    assert ([line["id"] for line in page["lines"]], page["next"]) == (ids[:3], ids[0])
    assert chat_texts(seated.yellow, seated.room, cursor=ids[0]) == []
    assert chat_texts(seated.yellow, seated.room, since=ids[2]) == ["line 3", "line 4"]
    for query in ({"cursor": "x"}, {"since": "1-"}, {"limit": 0}, {"cursor": "9" * 30 + "-1"}, {"cursor": "0-0"}):
        assert seated.red.get(f"/v1/rooms/{seated.room}/chat", **query).status == 422


def test_only_members_speak_and_only_with_a_token(seated: SeatedRoom, client: ApiClient, anonymous: Player) -> None:
    """Spectators who joined may; in the lobby everyone with a token."""
    guest = client.guest("Guest")
    assert says(anonymous, seated.room, "hello").code == "unauthenticated"
    assert says(anonymous, None, "hello").code == "unauthenticated"
    assert says(guest, seated.room, "hello").code == "not_a_member"
    assert says(guest, "nobody-home", "hello").code == "no_such_room"
    guest.spectate(seated.room)
    assert says(guest, seated.room, "hello").status == 201
    assert says(guest, None, "hello").status == 201


@pytest.mark.parametrize(
    "body", [{}, {"text": ""}, {"text": "\u202eevil"}, {"text": "x" * 501}, {"text": 1}, {"text": "a", "b": 1}]
)
def test_an_invalid_line_is_refused(seated: SeatedRoom, body: Json) -> None:
    """With 422, and no line is sent."""
    assert seated.red.post(f"/v1/rooms/{seated.room}/chat", body).status == 422
    assert chat_texts(seated.red, seated.room) == []


def test_ready_in_the_chat_is_ready_in_the_room(ada: Player, bob: Player) -> None:
    """Both commands start the match; a refusal is the response, and its line is not sent."""
    room = ada.open_room("morris").body["room"]
    bob.command(room, "join")
    assert says(ada, room, "/ready").status == 201
    again = says(ada, room, " /READY ")
    assert (again.status, again.code) == (409, "already_ready")
    assert says(ada, room, "/unready").status == 201
    assert says(ada, room, "/ready").status == 201
    assert ada.read_room(room).body["status"] == "open"
    assert says(bob, room, "/ready").status == 201
    assert ada.read_room(room).body["status"] == "playing"
    assert chat_texts(ada, room) == ["/ready", "/unready", "/ready", "/ready"]


@pytest.mark.parametrize("line", ["/ready", " /UNREADY "])
def test_a_command_without_a_meaning_is_refused_and_not_stored(ada: Player, bob: Player, line: str) -> None:
    """In the lobby, and from a member without a seat; with the reason."""
    room = ada.open_room("morris").body["room"]
    bob.spectate(room)
    before = chat_texts(ada, None)
    in_lobby, in_room = says(ada, None, line), says(bob, room, line)
    assert (in_lobby.status, in_lobby.code) == (409, "needs_a_seat")
    assert (in_room.status, in_room.code) == (409, "needs_a_seat")
    assert chat_texts(ada, None) == before
    assert chat_texts(ada, room) == []


def test_players_and_spectators_have_separate_chats_if_the_room_is_set_so(
    client: ApiClient, second: ApiClient, anonymous: Player
) -> None:
    """The history and the feeds both separate them."""
    seated = seat_players(client, "turncoat", 2, settings={"chat": "apart"})
    guest = client.guest("Guest")
    guest.spectate(seated.room)
    with (
        seated.yellow.via(second).subscribe(seated.room) as players,
        anonymous.via(second).subscribe(seated.room) as others,
    ):
        caught_up(players)
        caught_up(others)
        assert says(guest, seated.room, "red should take a5").body["audience"] == "spectators"
        assert says(seated.red, seated.room, "hm").body["audience"] == "players"
        assert players.next("chat")["line"]["text"] == "hm"
        assert others.next("chat")["line"]["text"] == "red should take a5"
        assert others.is_silent()
    assert chat_texts(seated.yellow, seated.room) == ["hm"]
    assert chat_texts(guest, seated.room) == chat_texts(anonymous, seated.room) == ["red should take a5"]


def test_the_lobby_has_its_own_chat(ada: Player, bob: Player, second: ApiClient) -> None:
    """It is sent to every subscriber of the lobby, in every process, and to no room."""
    room = ada.open_room("morris").body["room"]
    with open_shared_socket(second.url) as lobby, bob.subscribe(room) as feed:
        caught_up(feed)
        lobby.send(type="subscribe", lobby=True)
        lobby.next("lobby")
        line = says(ada, None, "anyone for Morris?").body
        received = lobby.until(lambda frame: frame["type"] == "chat")[-1]
        assert received == {"type": "chat", "line": line}
        says(ada, room, "here")
        assert feed.next("chat")["line"]["text"] == "here"
    assert chat_texts(bob, None)[-1] == "anyone for Morris?"


def test_the_next_room_of_a_name_begins_with_an_empty_chat(ada: Player) -> None:
    """A chat belongs to one room, not to its name."""
    room = ada.open_room("morris").body["room"]
    says(ada, room, "goodbye")
    ada.command(room, "close")
    ada.open_room("morris", name=room)
    assert chat_texts(ada, room) == []


def test_a_private_room_is_silent_to_everyone_else(ada: Player, bob: Player, second: ApiClient) -> None:
    """Its chat is a 404 like the room itself; who is shown out hears no more."""
    room = ada.open_room("morris", settings={"visibility": "private", "password": "sesame"}).body["room"]
    assert bob.get(f"/v1/rooms/{room}/chat").code == says(bob, room, "hello").code == "no_such_room"
    assert bob.command(room, "join", password="sesame").status == 200  # noqa: S106 - the room's
    with bob.via(second).subscribe(room) as feed:
        caught_up(feed)
        says(ada, room, "welcome")
        assert feed.next("chat")["line"]["text"] == "welcome"
        assert feed.presence(lambda frame: frame["players"][bob.id]["online"])
        ada.command(room, "kick", player=bob.id)
        feed.until(lambda frame: frame["type"] == "error")
        says(ada, room, "now we are alone")
        assert feed.is_silent()
    assert bob.get(f"/v1/rooms/{room}/chat").code == "no_such_room"


def test_a_muted_member_cannot_write_in_that_room(ada: Player, bob: Player) -> None:
    """They can still read, and can write again when they are unmuted."""
    room = ada.open_room("morris").body["room"]
    bob.command(room, "join")
    ada.command(room, "mute", player=bob.id, on=True)
    refused = says(bob, room, "spam")
    assert (refused.status, refused.code) == (403, "muted")
    assert says(ada, room, "calm down").status == 201
    assert chat_texts(bob, room) == ["calm down"]
    ada.command(room, "mute", player=bob.id, on=False)
    assert says(bob, room, "sorry").status == 201


def view_texts(player: Player, **query: str | int) -> list[str]:
    """Return the texts of a page of a view."""
    return [line["text"] for line in player.get("/v1/chat", **query).body["lines"]]


def test_lobby_and_rooms_are_views_of_one_chat(ada: Player, bob: Player, anonymous: Player) -> None:
    """In one order, in pages backward and forward; a line of a room says where it was written."""
    room = ada.open_room("morris", name="Some Room").body
    other = bob.open_room("morris").body["room"]
    own = room["room"]
    lines = [says(ada, where, f"line {number}").body for number, where in enumerate((own, None, own, None))]
    says(bob, other, "elsewhere")
    assert view_texts(ada)[-4:] == view_texts(ada, view="all", limit=4) == [f"line {number}" for number in range(4)]
    page = ada.get("/v1/chat", view="all", limit=2).body
    assert (page["lines"], page["next"]) == (lines[2:], lines[2]["id"])
    assert view_texts(ada, limit=2, cursor=page["next"]) == ["line 0", "line 1"]
    assert view_texts(ada, since=lines[1]["id"]) == ["line 2", "line 3"]
    assert (lines[0]["room"], lines[0]["title"]) == (own, room["view"]["title"])
    assert "room" not in lines[1]
    assert view_texts(ada, view="lobby")[-2:] == view_texts(anonymous, limit=2) == ["line 1", "line 3"]
    assert view_texts(anonymous, view=own) == view_texts(bob, view="  SOME room ") == ["line 0", "line 2"]


def test_rooms_that_may_not_be_read_look_like_unknown_ones(client: ApiClient, ada: Player, bob: Player) -> None:
    """Whether they are private, or have no spectators; over HTTP and over sockets."""
    secret = ada.open_room("morris", settings={"visibility": "private", "password": "sesame"}).body["room"]
    closed = ada.open_room("morris", settings={"spectators": False}).body["room"]
    refusals = [bob.get("/v1/chat", view=view) for view in (secret, closed, "nobody-home", "-")]
    assert {(refused.status, refused.code, refused.body["detail"]) for refused in refusals} == {
        (404, "no_such_room", refusals[2].body["detail"])
    }
    assert view_texts(ada, view=secret) == []
    with open_shared_socket(client.url) as feed:
        for number, view in enumerate((secret, closed, "nobody-home", "-")):
            feed.send(type="subscribe", chat=view, token=bob.token, id=number)
            assert feed.next("reply")["problem"]["code"] == "no_such_room"


def test_one_subscription_has_the_lobby_and_all_rooms(ada: Player, bob: Player, second: ApiClient) -> None:
    """The latest lines, then each new one once, although the socket also follows the room; until it ends."""
    room = ada.open_room("morris").body["room"]
    first = says(ada, room, "first").body
    with open_shared_socket(second.url) as feed:
        feed.send(type="subscribe", room=room, token=ada.token)
        caught_up(feed)
        feed.send(type="subscribe", chat="all")
        snapshot = feed.next("chat_snapshot")
        assert (snapshot["view"], snapshot["lines"][-1]) == ("all", first)
        lines = [says(ada, where, f"new {number}").body for number, where in enumerate((room, None, room))]
        received = [feed.next("chat") for _ in lines]
        assert [frame["line"] for frame in received] == lines
        assert [frame.get("room") for frame in received] == [room, None, room]
        entered = bob.open_room("morris").body["room"]
        says(bob, entered, "before Ada")
        ada.via(second).command(entered, "join")
        assert feed.next("chat_snapshot")["lines"][-1]["text"] == "before Ada"
        feed.send(type="subscribe", chat="lobby")
        assert feed.next("chat_snapshot")["lines"][-1] == lines[1]
        says(bob, entered, "not in the lobby")
        feed.send(type="unsubscribe", chat="lobby", id=2)
        feed.until(lambda frame: frame["type"] == "reply" and frame["id"] == 2)
        says(bob, None, "later")
        assert feed.is_silent()


def test_a_socket_of_one_room_has_no_view_of_the_chat(ada: Player) -> None:
    """And a subscription names exactly one feed."""
    room = ada.open_room("morris").body["room"]
    with ada.subscribe(room) as feed:
        caught_up(feed)
        feed.send(type="subscribe", chat="all", id=1)
        assert feed.until(lambda frame: frame["type"] == "reply")[-1]["problem"]["code"] == "no_such_room"
        feed.send(type="subscribe", chat="all", lobby=True, id=2)
        assert feed.until(lambda frame: frame["type"] == "reply")[-1]["problem"]["code"] == "unfit"
