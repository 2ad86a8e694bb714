"""Challenges over HTTP: a player asks another one by name, who accepts or declines."""

import pytest

from tests.api.test_seeks import wait_for
from tests.e2e.client import Json, Player

CLOCK = {"type": "per_move", "ms": 60_000}


def test_a_friend_is_asked_and_a_match_begins(ada: Player, bob: Player) -> None:
    """The friend's own feed has the challenge; after the answer both learn where the room is."""
    asked = ada.post("/v1/challenges", {"game": "morris", "opponents": [bob.id], "clock": CLOCK, "seat": 0})
    assert asked.status == 201
    assert [seat["player"] for seat in asked.body["seats"]] == [ada.id, bob.id]
    assert wait_for(bob, "challenge_made")["challenge"] == asked.body
    assert bob.get("/v1/players/me/challenges").body == {"made": [], "received": [asked.body]}
    assert ada.get("/v1/players/me/challenges").body == {"made": [asked.body], "received": []}
    assert bob.post(f"/v1/challenges/{asked.body['id']}/accept", {}).status == 204
    opened = [wait_for(player, "challenge_opened") for player in (ada, bob)]
    assert [event["seats"] for event in opened] == [{ada.id: 0, bob.id: 1}] * 2
    [room] = {event["room"] for event in opened}
    ada.command(room, "ready")
    assert bob.command(room, "ready").body["view"]["status"] == "playing"


def test_a_challenge_is_declined_or_withdrawn(ada: Player, bob: Player, cyd: Player) -> None:
    """Both end it for everybody, and only those concerned can."""
    first, second = (ada.post("/v1/challenges", {"game": "turncoat", "opponents": [cyd.id]}).body for _ in range(2))
    assert bob.post(f"/v1/challenges/{first['id']}/decline", {}).code == "no_such_challenge"
    assert cyd.post(f"/v1/challenges/{first['id']}/decline", {"reason": "rude"}).code == "unfit"
    assert cyd.post(f"/v1/challenges/{first['id']}/decline", {"reason": "not_now"}).status == 204
    declined = wait_for(ada, "challenge_declined")
    assert (declined["challenge"], declined["player"], declined["reason"]) == (first["id"], cyd.id, "not_now")
    assert cyd.send("DELETE", f"/v1/challenges/{second['id']}").code == "no_such_challenge"
    assert ada.send("DELETE", f"/v1/challenges/{second['id']}").status == 204
    assert wait_for(cyd, "challenge_ended")["reason"] == "withdrawn"
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
