"""A room from its opening to its closing: three players join, play, take back, agree on a draw, and play again.

Real processes, sockets and HTTP, without sleeps: a test waits for a frame. Dan watches as a spectator from the start.
"""

import contextlib
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.e2e.client import ApiClient, Feed, Json, Player, Response, events_of, has_event, open_shared_socket
from tests.e2e.conftest import StartApi, StartWorker

RESTART_MS = 200
"""Milliseconds between a match and the next one."""

ROOM = "friday-night"


class Players(NamedTuple):
    """The players, and a client of the service."""

    client: ApiClient
    ada: Player
    bob: Player
    cyd: Player

    @property
    def to_move(self) -> Player:
        """The player whose turn it is."""
        match = self.ada.read_room(ROOM).body["match"]
        return (self.ada, self.bob, self.cyd)[match["to_move"][0]]

    def play_move(self, choice: int = 0) -> Json:
        """Let the player to move make one of the legal moves, and return the result."""
        player = self.to_move
        moved = player.play(ROOM, player.get(f"/v1/rooms/{ROOM}/legal-moves").body["legal_moves"][choice])
        assert moved.status == 200, moved.body
        response: Json = moved.body
        return response


@pytest.fixture
def players(start_api: StartApi, start_worker: StartWorker) -> Players:
    """Run a service with a worker, and create three guests."""
    _, client = start_api()
    start_worker()
    return Players(client, client.guest("Ada"), client.guest("Bob"), client.guest("Cyd"))


@contextlib.contextmanager
def subscribe_to_lobby(client: ApiClient) -> Iterator[Feed]:
    """Subscribe to the lobby without a token."""
    with open_shared_socket(client.url) as lobby:
        lobby.send(type="subscribe", lobby=True)
        assert lobby.next("lobby")["upsert"] == []
        yield lobby


def wait_for_lobby_entry(lobby: Feed, **expected: object) -> Json:
    """Return the room's lobby entry as soon as it has these values."""

    def matches(frame: Json) -> bool:
        return any(expected.items() <= entry.items() for entry in frame.get("upsert", []))

    (entry,) = lobby.until(matches)[-1]["upsert"]
    assert entry["room"] == ROOM
    return dict(entry)


def event_types(response: Response) -> list[str]:
    """Return the types of the events that a command led to."""
    assert response.status == 200, response.body
    return [event["type"] for event in response.body["events"]]


def send_chat(player: Player, text: str) -> None:
    """Send a chat line to the room."""
    assert player.post(f"/v1/rooms/{ROOM}/chat", {"text": text}).status == 201


def accept_offer(offer: int, *players: Player) -> Response:
    """Let players accept an offer, and return the last response."""
    return [player.command(ROOM, "answer", offer=offer, accept=True) for player in players][-1]


def test_a_room_from_opening_to_closing(players: Players) -> None:
    """From an empty lobby to an empty lobby; a spectator receives every event once and in order."""
    ada, bob, cyd = players.ada, players.bob, players.cyd
    with subscribe_to_lobby(players.client) as lobby:
        opened = ada.open_room("ternio", name="Friday Night", settings={"restart": RESTART_MS})
        assert (opened.status, opened.headers["location"]) == (201, f"/v1/rooms/{ROOM}")
        with players.client.anonymous().subscribe(ROOM, since=0) as dan:
            seen = dan.until(lambda frame: frame["type"] == "caught_up")
            join_room(players, lobby)
            get_ready(players)
            take_back_moves(players)
            resume_after_a_lost_connection(players)
            agree_on_a_draw(players)
            seen += wait_for_next_match(dan)
            veto_the_next_match(players)
            close_the_room(players, lobby)
            seen += dan.until(has_event("room_closed"))
    live_events = events_of(seen)
    assert [event["version"] for event in live_events] == list(range(1, len(live_events) + 1))
    lines = [frame["line"]["text"] for frame in seen if frame["type"] == "chat"]
    assert lines == ["/ready", "hello", "/ready", "/ready", "good game"]
    match = next(event["id"] for event in live_events if event["type"] == "match_started")
    match_view = players.client.anonymous().get(f"/v1/matches/{match}").body
    assert (match_view["result"]["reason"], match_view["result"]["winners"]) == ("agreed", [0, 1, 2])
    assert [seat["nickname"] for seat in match_view["players"]] == ["Ada", "Bob", "Cyd"]
    assert bob.read_room(ROOM).code == cyd.read_room(ROOM).code == "no_such_room"


def join_room(players: Players, lobby: Feed) -> None:
    """Bob enters the room's name with other capitals; Cyd finds the room in the lobby."""
    wait_for_lobby_entry(lobby, seats=3, seats_taken=1)
    assert event_types(players.bob.command("Friday%20NIGHT", "join")) == ["player_joined", "seat_taken"]
    free = wait_for_lobby_entry(lobby, seats_taken=2, status="open")
    assert (free["title"], free["game"]) == ("Friday Night", "ternio")
    assert event_types(players.cyd.command(free["room"], "join")) == ["player_joined", "seat_taken"]
    wait_for_lobby_entry(lobby, seats_taken=3)


def get_ready(players: Players) -> None:
    """Players get ready by a chat line; the match starts with the last of them."""
    send_chat(players.ada, "/ready")
    send_chat(players.bob, "hello")
    send_chat(players.bob, "/ready")
    assert players.ada.read_room(ROOM).body["status"] == "open"
    send_chat(players.cyd, "/ready")
    begun = players.ada.read_room(ROOM).body
    assert (begun["status"], begun["match"]["number"]) == ("playing", 1)


def take_back_moves(players: Players) -> None:
    """Bob's move and Cyd's reply are taken back once both others have accepted; then Bob makes another move."""
    players.play_move()
    before = players.ada.read_room(ROOM).body
    players.play_move()
    players.play_move()
    assert event_types(players.bob.command(ROOM, "request_takeback")) == ["offer_made"]
    (offer,) = players.ada.read_room(ROOM).body["offers"]
    assert (offer["type"], offer["awaits"]) == ("takeback", [players.ada.id, players.cyd.id])
    back = accept_offer(offer["id"], players.cyd, players.ada)
    assert event_types(back) == ["offer_accepted", "offer_closed", "taken_back"]
    assert back.body["view"]["match"]["state"] == before["match"]["state"]
    assert players.to_move == players.bob
    players.play_move(-1)


def resume_after_a_lost_connection(players: Players) -> None:
    """Cyd's connection is lost; after resuming he receives the missed events, an offer and its lapse among them.

    The offer lapses with his next move, although Ada has accepted it.
    """
    with players.cyd.subscribe(ROOM) as feed:
        subscribed = feed.until(lambda frame: frame["type"] == "caught_up")[0]
        position = {"since": subscribed["version"], "mark": subscribed["mark"]}
    players.cyd.command(ROOM, "offer_draw")
    (offer,) = players.cyd.read_room(ROOM).body["offers"]
    assert event_types(players.ada.command(ROOM, "answer", offer=offer["id"], accept=True)) == ["offer_accepted"]
    moved = players.play_move()
    closed = next(event for event in moved["events"] if event["type"] == "offer_closed")
    assert (closed["offer"], closed["reason"], moved["view"]["offers"]) == (offer["id"], "lapsed", [])
    assert players.bob.command(ROOM, "answer", offer=offer["id"], accept=True).code == "no_such_offer"
    with players.cyd.subscribe(ROOM, **position) as feed:
        assert feed.next("subscribed")["recovered"] is True
        missed = events_of(feed.until(lambda frame: frame["type"] == "caught_up"))
        assert [event["type"] for event in missed] == ["offer_made", "offer_accepted", "placed", "offer_closed"]
        reply = feed.command(ROOM, {"type": "unready"})
        assert reply["result"]["events"][0]["type"] == "player_unreadied"
        assert feed.command(ROOM, {"type": "ready"}, view=True)["result"]["view"]["status"] == "playing"


def agree_on_a_draw(players: Players) -> None:
    """Bob declines Ada's offer; when he offers a draw himself, the others accept."""
    players.ada.command(ROOM, "offer_draw")
    (offer,) = players.ada.read_room(ROOM).body["offers"]
    declined = players.bob.command(ROOM, "answer", offer=offer["id"], accept=False)
    assert declined.body["events"][0]["reason"] == "declined"
    assert declined.body["view"]["match"]["status"] == "playing"
    players.play_move()
    players.bob.command(ROOM, "offer_draw")
    (offer,) = players.bob.read_room(ROOM).body["offers"]
    over = accept_offer(offer["id"], players.ada, players.cyd)
    assert event_types(over) == ["offer_accepted", "offer_closed", "match_ended"]
    assert (over.body["view"]["status"], bool(over.body["view"]["restart_at"])) == ("finished", True)


def wait_for_next_match(dan: Feed) -> list[Json]:
    """Wait until the next match has started by itself, with the same players; return Dan's frames until then."""
    *frames, begun = dan.until(lambda frame: any(event.get("match") == 2 for event in frame.get("events", [])))
    assert begun["events"][0]["type"] == "match_started"
    assert all("by" not in event for event in begun["events"])
    assert (begun["view"]["match"]["number"], begun["view"]["status"]) == (2, "playing")
    return [*frames, begun]


def veto_the_next_match(players: Players) -> None:
    """Cyd vetoes the next match, so none starts until he is ready again or has left."""
    players.play_move()
    assert event_types(players.cyd.command(ROOM, "veto_next")) == ["next_vetoed"]
    players.ada.command(ROOM, "resign")
    over = players.bob.command(ROOM, "resign").body["view"]
    assert (over["status"], over["restart_at"], over["match"]["result"]["winners"]) == ("finished", None, [2])


def close_the_room(players: Players, lobby: Feed) -> None:
    """Ada leaves first, so Bob becomes the creator and closes the room; then the lobby is empty."""
    send_chat(players.ada, "good game")
    assert event_types(players.ada.command(ROOM, "leave")) == ["seat_left", "player_left", "creator_changed"]
    assert players.bob.read_room(ROOM).body["creator"] == players.bob.id
    wait_for_lobby_entry(lobby, status="open", seats_taken=2)
    assert event_types(players.bob.command(ROOM, "close")) == ["room_closed"]
    removed = lobby.until(lambda frame: bool(frame.get("remove")))[-1]["remove"]
    assert [entry["room"] for entry in removed] == [ROOM]
