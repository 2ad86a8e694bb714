"""Quick play over HTTP: two strangers look for a match and find each other."""

import pytest

from tests.e2e.client import ApiClient, Json, Player, open_shared_socket

MORRIS = {"game": "morris", "clock": {"type": "per_move", "ms": 77_000}}
"""A wish that no other test has."""


def wait_for(player: Player, kind: str) -> Json:
    """Return the first event of this type in a player's own feed."""
    with open_shared_socket(player.client.url) as feed:
        feed.send(type="subscribe", me=True, token=player.token, since=0)
        frames = feed.until(lambda frame: any(event["type"] == kind for event in frame.get("events", ())))
    return next(event for event in frames[-1]["events"] if event["type"] == kind)


def test_two_strangers_find_each_other_and_play(ada: Player, bob: Player) -> None:
    """Each seeks, learns of the room from the own feed, is ready there, and the match begins."""
    first = ada.post("/v1/seeks", MORRIS)
    assert (first.status, first.body["paired"]) == (201, False)
    assert ada.get("/v1/players/me/seeks").body["seeks"] == [first.body]
    assert bob.post("/v1/seeks", {"game": "morris", "clock": MORRIS["clock"], "seat": 0}).body["paired"]
    matched = [wait_for(player, "seek_matched") for player in (ada, bob)]
    [room] = {event["room"] for event in matched}
    assert [event["seat"] for event in matched] == [1, 0]
    assert ada.get("/v1/players/me/seeks").body["pairing"]["room"] == room
    ada.command(room, "ready")
    ready = bob.command(room, "ready")
    assert ready.body["view"]["status"] == "playing"
    assert ready.body["view"]["settings"]["clock"] == MORRIS["clock"]


def test_open_seeks_are_listed_without_ids(ada: Player, anonymous: Player) -> None:
    """Everybody sees what others are looking for; only the player can withdraw it."""
    made = ada.post("/v1/seeks", {"game": "triboard", "rated": True, "clock": {"type": "days", "days": 3}}).body
    listed = anonymous.get("/v1/seeks", game="triboard").body
    assert listed["total"] == 1
    [entry] = listed["seeks"]
    assert set(entry) == {
        *("nickname", "game", "options", "clock", "seat", "rated", "rating", "rating_range", "made"),
    }
    assert (entry["nickname"], entry["rated"], entry["rating"]) == ("Ada", True, 1500)
    assert ada.send("DELETE", f"/v1/seeks/{made['id']}").status == 204
    assert anonymous.get("/v1/seeks", game="triboard").body == {"seeks": [], "total": 0}
    assert ada.send("DELETE", f"/v1/seeks/{made['id']}").code == "no_such_seek"


@pytest.mark.parametrize(
    ("fields", "code", "pointer"),
    [
        ({"game": "chess"}, "unfit", "/game"),
        ({}, "unfit", ""),
        ({"game": "morris", "seat": 2}, "no_such_seat", None),
        ({"game": "morris", "rated": True}, "unfit", "/clock"),
        ({"game": "morris", "options": {"flying": 1}}, "unfit", "/options/flying"),
        ({"game": "morris", "colour": "white"}, "unfit", ""),
    ],
)
def test_a_seek_that_makes_no_sense_is_refused(ada: Player, fields: Json, code: str, pointer: str | None) -> None:
    """With the place of the fault."""
    answer = ada.post("/v1/seeks", fields)
    assert (answer.code, answer.body.get("pointer")) == (code, pointer)


def test_a_player_has_at_most_three_seeks(client: ApiClient) -> None:
    """The answer says so; the first ones continue."""
    player = client.guest("Dora")
    wishes = [{"game": game, "clock": {"type": "per_move", "ms": 91_000}} for game in ("morris", "ternio", "turncoat")]
    made = [player.post("/v1/seeks", wish).body for wish in wishes]
    answer = player.post("/v1/seeks", {"game": "rainbow"})
    assert (answer.status, answer.code) == (429, "too_many_seeks")
    assert [seek["id"] for seek in player.get("/v1/players/me/seeks").body["seeks"]] == [seek["id"] for seek in made]
    again = player.post("/v1/seeks", wishes[0]).body
    assert (again["id"], again["made"]) == (made[0]["id"], made[0]["made"])
    assert again["expires"] > made[0]["expires"]


def test_a_seek_over_a_socket_ends_with_it(ada: Player, anonymous: Player) -> None:
    """The reply has the seek, whose end comes closer when the socket closes."""
    wish = {"game": "rainbow", "clock": {"type": "per_move", "ms": 93_000}}
    with open_shared_socket(ada.client.url) as feed:
        feed.send(type="subscribe", me=True, token=ada.token, id="me")
        feed.send(type="seek", id=1, seek=wish)
        made = feed.until(lambda frame: frame.get("id") == 1)[-1]["seek"]
        assert made["clock"] == wish["clock"]
        feed.send(type="seek", id=2, seek={"game": "chess"})
        refusal = feed.until(lambda frame: frame.get("id") == 2)[-1]["problem"]
        assert (refusal["code"], refusal["pointer"]) == ("unfit", "/seek/game")
        feed.send(type="seek", id=3, seek={"game": "rainbow"})
        other = feed.until(lambda frame: frame.get("id") == 3)[-1]["seek"]
        feed.send(type="withdraw_seek", id=4, seek=other["id"])
        assert "problem" not in feed.until(lambda frame: frame.get("id") == 4)[-1]
        feed.send(type="withdraw_seek", id=5, seek=other["id"])
        assert feed.until(lambda frame: frame.get("id") == 5)[-1]["problem"]["code"] == "no_such_seek"
        assert [seek["id"] for seek in ada.get("/v1/players/me/seeks").body["seeks"]] == [made["id"]]
    dropped = wait_for(ada, "seek_dropped")
    assert (dropped["seek"], dropped["reason"]) == (made["id"], "expired")
    assert dropped["time"] < made["expires"]
    assert anonymous.get("/v1/seeks", game="rainbow").body["total"] == 0


def test_a_socket_without_a_token_seeks_nothing(client: ApiClient) -> None:
    """The refusal has the id of the request."""
    with open_shared_socket(client.url) as feed:
        wanted: list[Json] = [{"type": "seek", "seek": MORRIS}, {"type": "withdraw_seek", "seek": "none"}]
        for number, frame in enumerate(wanted):
            feed.send(id=number, **frame)
            assert feed.until(lambda frame: frame["type"] == "reply")[-1]["problem"]["code"] == "unauthenticated"
