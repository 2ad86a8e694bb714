"""Challenges over HTTP: a player asks another one by name, who accepts or declines."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.api.test_seeks import first_event
from tests.e2e.client import Json, Player
from tests.waiting import wait_for

CLOCK = {"type": "per_move", "ms": 60_000}


def test_a_friend_is_asked_and_a_match_begins(ada: Player, bob: Player) -> None:
    """The friend's own feed has the challenge; after the answer both learn where the room is."""
    asked = ada.post("/v1/challenges", {"game": "morris", "opponents": [bob.id], "clock": CLOCK, "seat": 0})
    assert asked.status == 201
    assert [seat["player"] for seat in asked.body["seats"]] == [ada.id, bob.id]
    assert asked.body["deadline"].endswith("Z")
    assert first_event(bob, "challenge_made")["challenge"] == asked.body
    assert bob.get("/v1/players/me/challenges").body == {"made": [], "received": [asked.body]}
    assert ada.get("/v1/players/me/challenges").body == {"made": [asked.body], "received": []}
    assert bob.post(f"/v1/challenges/{asked.body['id']}/accept", {}).status == 204
    opened = [first_event(player, "challenge_opened") for player in (ada, bob)]
    assert [event["seats"] for event in opened] == [{ada.id: 0, bob.id: 1}] * 2
    [room] = {event["room"] for event in opened}
    ada.command(room, "ready")
    assert bob.command(room, "ready").body["view"]["status"] == "playing"


def test_a_challenge_is_declined_or_withdrawn(ada: Player, bob: Player, cyd: Player) -> None:
    """Both end it for everybody, and only those concerned can."""
    first = ada.post("/v1/challenges", {"game": "turncoat", "opponents": [cyd.id]}).body
    assert bob.post(f"/v1/challenges/{first['id']}/decline", {}).code == "no_such_challenge"
    assert cyd.post(f"/v1/challenges/{first['id']}/decline", {"reason": "rude"}).code == "unfit"
    assert cyd.post(f"/v1/challenges/{first['id']}/decline", {"reason": "not_now"}).status == 204
    declined = first_event(ada, "challenge_declined")
    assert (declined["challenge"], declined["player"], declined["reason"]) == (first["id"], cyd.id, "not_now")
    second = ada.post("/v1/challenges", {"game": "turncoat", "opponents": [cyd.id]}).body
    assert cyd.send("DELETE", f"/v1/challenges/{second['id']}").code == "no_such_challenge"
    assert ada.send("DELETE", f"/v1/challenges/{second['id']}").status == 204
    assert first_event(cyd, "challenge_ended")["reason"] == "withdrawn"
    assert ada.get("/v1/players/me/challenges").body == {"made": [], "received": []}


@pytest.mark.parametrize(
    ("fields", "code", "pointer"),
    [
        ({"game": "morris", "opponents": []}, "unfit", "/opponents"),
        ({"game": "morris", "opponents": ["Bob"]}, "unfit", "/opponents/0"),
        ({"game": "morris", "opponents": [{"bot": "grim"}]}, "unfit", "/opponents/0/bot"),
        ({"game": "morris", "opponents": ["p-a", "p-b"]}, "unfit", "/opponents"),
        ({"game": "morris", "opponents": ["p-a"], "seat": 2}, "no_such_seat", None),
        ({"game": "morris", "opponents": ["p-a"], "minutes": 0}, "unfit", "/minutes"),
        ({"game": "morris", "opponents": ["p-a"], "clock": {"type": "sand"}}, "unfit", "/clock/type"),
    ],
)
def test_a_challenge_that_makes_no_sense_is_refused(ada: Player, fields: Json, code: str, pointer: str | None) -> None:
    """With the place of the fault."""
    answer = ada.post("/v1/challenges", fields)
    assert (answer.code, answer.body.get("pointer")) == (code, pointer)


def test_a_player_is_asked_once_at_a_time_and_declines_all(ada: Player, bob: Player, cyd: Player) -> None:
    """With one reason for all; those who have not met have ten minutes at most."""
    for player in (ada, bob):
        asked = player.post("/v1/challenges", {"game": "morris", "opponents": [cyd.id], "minutes": 1440})
        assert (asked.status, asked.body["strangers"]) == (201, [cyd.id])
        assert datetime.fromisoformat(asked.body["deadline"]) < datetime.now(UTC) + timedelta(minutes=11)
        again = player.post("/v1/challenges", {"game": "morris", "opponents": [cyd.id]})
        assert (again.status, again.code, again.body["params"]) == (409, "already_challenged", {"player": cyd.id})
    assert cyd.post("/v1/players/me/challenges/decline", {"reason": "rude"}).code == "unfit"
    wait_for(lambda: len(cyd.get("/v1/players/me/challenges").body["received"]) == 2)
    assert cyd.post("/v1/players/me/challenges/decline", {"reason": "not_now"}).status == 204
    for player in (ada, bob):
        assert first_event(player, "challenge_declined")["reason"] == "not_now"
    assert cyd.post("/v1/players/me/challenges/decline", {}).status == 204, "there are none left"


def test_a_player_who_admits_nobody_looks_like_one_who_has_blocked(ada: Player, bob: Player, cyd: Player) -> None:
    """Byte by byte, but for the ids of the player and the request; an invalid choice changes nothing."""
    path, challenge = "/v1/players/me/challengers", {"game": "morris", "opponents": [cyd.id]}
    assert cyd.get(path).body == {"challengers": "everybody"}
    for wrong in ({}, {"challengers": "friends"}, {"challengers": "met", "since": 1}):
        assert cyd.send("PUT", path, json=wrong).code == "unfit"
    assert cyd.send("PUT", path, json={"challengers": "nobody"}).body == {"challengers": "nobody"}
    assert cyd.get(path).body == {"challengers": "nobody"}
    refused = ada.post("/v1/challenges", challenge)
    assert cyd.send("PUT", path, json={"challengers": "everybody"}).status == 200
    assert cyd.send("PUT", f"/v1/players/me/blocks/{bob.id}").status == 204
    blocked = bob.post("/v1/challenges", challenge)
    assert (refused.status, refused.body) == (blocked.status, blocked.body)
    assert refused.headers.keys() == blocked.headers.keys()
    assert ada.post("/v1/challenges", challenge).status == 201
