"""An evening at one table, as people have it: three meet, play, change their minds, agree, and play again.

Real processes, sockets and HTTP and nothing else; who waits, waits for a frame. Dan looks on from the first moment.
"""

import contextlib
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.e2e.client import Answer, Door, Feed, Json, Player, events_of, socket_to_all, told
from tests.e2e.conftest import StartApi, StartWorker

RESTART = 200
"""Milliseconds between a match and the next."""

ROOM = "friday-night"


class Company(NamedTuple):
    """Everybody of the evening."""

    door: Door
    ada: Player
    bob: Player
    cyd: Player

    @property
    def to_move(self) -> Player:
        """Whose turn it is."""
        match = self.ada.sees(ROOM).body["match"]
        return (self.ada, self.bob, self.cyd)[match["to_move"][0]]

    def plays(self, choice: int = 0) -> Json:
        """Let the one to move make one of their moves, and return the answer."""
        player = self.to_move
        moved = player.plays(ROOM, player.gets(f"/v1/rooms/{ROOM}/legal-moves").body["legal_moves"][choice])
        assert moved.status == 200, moved.body
        answer: Json = moved.body
        return answer


@pytest.fixture
def company(start_api: StartApi, start_worker: StartWorker) -> Company:
    """Run a service with a worker, and let three guests come."""
    _, door = start_api()
    start_worker()
    return Company(door, door.guest("Ada"), door.guest("Bob"), door.guest("Cyd"))


@contextlib.contextmanager
def lobby_of(door: Door) -> Iterator[Feed]:
    """Follow the lobby without a token."""
    with socket_to_all(door.url) as lobby:
        lobby.sends(type="subscribe", lobby=True)
        assert lobby.next("lobby")["upsert"] == []
        yield lobby


def shown(lobby: Feed, **wanted: object) -> Json:
    """Return the room's card as soon as the lobby shows it so."""

    def fits(frame: Json) -> bool:
        return any(wanted.items() <= card.items() for card in frame.get("upsert", []))

    (card,) = lobby.until(fits)[-1]["upsert"]
    assert card["room"] == ROOM
    return dict(card)


def types(answer: Answer) -> list[str]:
    """Return the types of the events that a command led to."""
    assert answer.status == 200, answer.body
    return [event["type"] for event in answer.body["events"]]


def says(player: Player, text: str) -> None:
    """Say something in the room."""
    assert player.posts(f"/v1/rooms/{ROOM}/chat", {"text": text}).status == 201


def agree(offer: int, *players: Player) -> Answer:
    """Let everybody accept an offer, and return what the last one's answer led to."""
    return [player.asks(ROOM, "answer", offer=offer, accept=True) for player in players][-1]


def test_an_evening(company: Company) -> None:
    """From an empty lobby to one that is empty again; whoever looked on has seen every event, once and in order."""
    ada, bob, cyd = company.ada, company.bob, company.cyd
    with lobby_of(company.door) as lobby:
        opened = ada.opens("ternio", name="Friday Night", settings={"restart": RESTART})
        assert (opened.status, opened.headers["location"]) == (201, f"/v1/rooms/{ROOM}")
        with company.door.stranger().follows(ROOM, since=0) as dan:
            seen = dan.until(lambda frame: frame["type"] == "caught_up")
            they_meet(company, lobby)
            they_get_ready(company)
            they_take_back(company)
            one_comes_back_after_a_break(company)
            they_agree_on_a_draw(company)
            seen += the_next_match_begins_by_itself(dan)
            one_vetoes_another(company)
            they_go_home(company, lobby)
            seen += dan.until(told("room_closed"))
    told_live = events_of(seen)
    assert [event["version"] for event in told_live] == list(range(1, len(told_live) + 1))
    lines = [frame["line"]["text"] for frame in seen if frame["type"] == "chat"]
    assert lines == ["/ready", "hello", "/ready", "/ready", "good game"]
    match = next(event["id"] for event in told_live if event["type"] == "match_started")
    kept = company.door.stranger().gets(f"/v1/matches/{match}").body
    assert (kept["result"]["reason"], kept["result"]["winners"]) == ("agreed", [0, 1, 2])
    assert [seat["nickname"] for seat in kept["players"]] == ["Ada", "Bob", "Cyd"]
    assert bob.sees(ROOM).code == cyd.sees(ROOM).code == "no_such_room"


def they_meet(company: Company, lobby: Feed) -> None:
    """Bob types the name that he was told, in his own way; Cyd finds a place in the lobby."""
    shown(lobby, seats=3, seats_taken=1)
    assert types(company.bob.asks("Friday%20NIGHT", "join")) == ["player_joined", "seat_taken"]
    free = shown(lobby, seats_taken=2, status="open")
    assert (free["title"], free["game"]) == ("Friday Night", "ternio")
    assert types(company.cyd.asks(free["room"], "join")) == ["player_joined", "seat_taken"]
    shown(lobby, seats_taken=3)


def they_get_ready(company: Company) -> None:
    """By saying so in the chat; with the last one the match begins."""
    says(company.ada, "/ready")
    says(company.bob, "hello")
    says(company.bob, "/ready")
    assert company.ada.sees(ROOM).body["status"] == "open"
    says(company.cyd, "/ready")
    begun = company.ada.sees(ROOM).body
    assert (begun["status"], begun["match"]["number"]) == ("playing", 1)


def they_take_back(company: Company) -> None:
    """Bob's move and Cyd's after it, when both others have agreed; and he makes another one."""
    company.plays()
    before = company.ada.sees(ROOM).body
    company.plays()
    company.plays()
    assert types(company.bob.asks(ROOM, "request_takeback")) == ["offer_made"]
    (offer,) = company.ada.sees(ROOM).body["offers"]
    assert (offer["type"], offer["awaits"]) == ("takeback", [company.ada.id, company.cyd.id])
    back = agree(offer["id"], company.cyd, company.ada)
    assert types(back) == ["offer_accepted", "offer_closed", "taken_back"]
    assert back.body["view"]["match"]["state"] == before["match"]["state"]
    assert company.to_move == company.bob
    company.plays(-1)


def one_comes_back_after_a_break(company: Company) -> None:
    """Cyd's connection breaks; what he missed, an offer and its lapse among it, he is told on his return.

    His offer falls with the move that he makes, whoever has accepted it by then.
    """
    with company.cyd.follows(ROOM) as feed:
        place = feed.until(lambda frame: frame["type"] == "caught_up")[0]
        where = {"since": place["version"], "mark": place["mark"]}
    company.cyd.asks(ROOM, "offer_draw")
    (offer,) = company.cyd.sees(ROOM).body["offers"]
    assert types(company.ada.asks(ROOM, "answer", offer=offer["id"], accept=True)) == ["offer_accepted"]
    moved = company.plays()
    closed = next(event for event in moved["events"] if event["type"] == "offer_closed")
    assert (closed["offer"], closed["reason"], moved["view"]["offers"]) == (offer["id"], "lapsed", [])
    assert company.bob.asks(ROOM, "answer", offer=offer["id"], accept=True).code == "no_such_offer"
    with company.cyd.follows(ROOM, **where) as feed:
        assert feed.next("subscribed")["recovered"] is True
        missed = events_of(feed.until(lambda frame: frame["type"] == "caught_up"))
        assert [event["type"] for event in missed] == ["offer_made", "offer_accepted", "placed", "offer_closed"]
        reply = feed.commands(ROOM, {"type": "unready"})
        assert reply["result"]["events"][0]["type"] == "player_unreadied"
        assert feed.commands(ROOM, {"type": "ready"})["result"]["view"]["status"] == "playing"


def they_agree_on_a_draw(company: Company) -> None:
    """Not at once: Bob declines, and when he asks himself, the others accept."""
    company.ada.asks(ROOM, "offer_draw")
    (offer,) = company.ada.sees(ROOM).body["offers"]
    declined = company.bob.asks(ROOM, "answer", offer=offer["id"], accept=False)
    assert declined.body["events"][0]["reason"] == "declined"
    assert declined.body["view"]["match"]["status"] == "playing"
    company.plays()
    company.bob.asks(ROOM, "offer_draw")
    (offer,) = company.bob.sees(ROOM).body["offers"]
    over = agree(offer["id"], company.ada, company.cyd)
    assert types(over) == ["offer_accepted", "offer_closed", "match_ended"]
    assert (over.body["view"]["status"], bool(over.body["view"]["restart_at"])) == ("finished", True)


def the_next_match_begins_by_itself(dan: Feed) -> list[Json]:
    """Nobody asks for it; the same three sit at it. Return all that Dan was told until then."""
    *frames, begun = dan.until(lambda frame: any(event.get("match") == 2 for event in frame.get("events", [])))
    assert begun["events"][0]["type"] == "match_started"
    assert all("by" not in event for event in begun["events"])
    assert (begun["view"]["match"]["number"], begun["view"]["status"]) == (2, "playing")
    return [*frames, begun]


def one_vetoes_another(company: Company) -> None:
    """Cyd has enough: said during the match, nothing begins after it until he is ready anew, or has gone."""
    company.plays()
    assert types(company.cyd.asks(ROOM, "veto_next")) == ["next_vetoed"]
    company.ada.asks(ROOM, "resign")
    over = company.bob.asks(ROOM, "resign").body["view"]
    assert (over["status"], over["restart_at"], over["match"]["result"]["winners"]) == ("finished", None, [2])


def they_go_home(company: Company, lobby: Feed) -> None:
    """Ada first, so the room is Bob's, who closes it; then the lobby is empty."""
    says(company.ada, "good game")
    assert types(company.ada.asks(ROOM, "leave")) == ["seat_left", "player_left", "creator_changed"]
    assert company.bob.sees(ROOM).body["creator"] == company.bob.id
    shown(lobby, status="open", seats_taken=2)
    assert types(company.bob.asks(ROOM, "close")) == ["room_closed"]
    gone = lobby.until(lambda frame: bool(frame.get("remove")))[-1]["remove"]
    assert [card["room"] for card in gone] == [ROOM]
