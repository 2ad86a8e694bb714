"""Quick play over HTTP: two strangers look for a match and find each other."""

import pytest

from tests.e2e.client import ApiClient, Json, Player, open_shared_socket

MORRIS = {"game": "morris", "clock": {"type": "per_move", "ms": 77_000}}
"""A wish that no other test has."""


def first_event(player: Player, kind: str) -> Json:
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
    matched = [first_event(player, "seek_matched") for player in (ada, bob)]
    [room] = {event["room"] for event in matched}
    assert [event["seat"] for event in matched] == [1, 0]
    pairing = ada.get("/v1/players/me/seeks").body["pairing"]
    assert (pairing["room"], pairing["deadline"]) == (room, matched[0]["deadline"])
    ada.command(room, "ready")
    ready = bob.command(room, "ready")
    assert ready.body["view"]["status"] == "playing"
    assert ready.body["view"]["settings"]["clock"] == MORRIS["clock"]


def test_open_seeks_are_listed(ada: Player, anonymous: Player) -> None:
    """Everybody sees who is looking for what; only the player can withdraw it."""
    made = ada.post("/v1/seeks", {"game": "triboard", "rated": True, "clock": {"type": "days", "days": 3}}).body
    listed = anonymous.get("/v1/seeks", game="triboard").body
    assert listed["total"] == 1
    [entry] = listed["seeks"]
    assert set(entry) == {
        *("id", "player", "nickname", "game", "options", "clock", "seat", "rated", "rating", "rating_range", "made"),
        *("bot", "bots"),
    }
    assert (entry["id"], entry["player"]) == (made["id"], ada.id)
    assert (entry["nickname"], entry["rated"], entry["rating"]) == ("Ada", True, 1500)
    assert (entry["bot"], entry["bots"], made["bots"]) == (False, False, False)
    assert ada.send("DELETE", f"/v1/seeks/{made['id']}").status == 204
    assert anonymous.get("/v1/seeks", game="triboard").body == {"seeks": [], "total": 0, "next": None}
    assert ada.send("DELETE", f"/v1/seeks/{made['id']}").code == "no_such_seek"


def test_a_bot_is_paired_with_those_who_want_bots(ada: Player, bob: Player, anonymous: Player) -> None:
    """Its seek says that it is one; others are not paired with it."""
    wish = {"game": "morris", "clock": {"type": "per_move", "ms": 78_000}}
    made = anonymous.post("/v1/players", {"nickname": "Deep Mill", "bot": True}).body
    program = Player(ada.client, made["token"], made["player"]["id"])
    seeks = [player.post("/v1/seeks", wish).body for player in (program, ada)]
    assert [each["paired"] for each in seeks] == [False, False]
    listed = [
        each for each in anonymous.get("/v1/seeks", game="morris").body["seeks"] if each["clock"] == wish["clock"]
    ]
    assert [(each["nickname"], each["bot"]) for each in listed] == [("Deep Mill", True), ("Ada", False)]
    assert bob.post("/v1/seeks", {**wish, "bots": True}).body["paired"]
    assert first_event(program, "seek_matched")["room"] == first_event(bob, "seek_matched")["room"]
    assert ada.send("DELETE", f"/v1/seeks/{seeks[1]['id']}").status == 204


def test_open_seeks_are_paged(client: ApiClient, anonymous: Player) -> None:
    """The page after a seek begins there, also if the seek has ended."""
    wish = {"game": "ternio", "clock": {"type": "per_move", "ms": 81_000}}
    seekers = [client.guest(f"P{number}") for number in range(2)]
    made = [player.post("/v1/seeks", wish).body["id"] for player in seekers]
    first = anonymous.get("/v1/seeks", game="ternio", limit=1)
    assert ([seek["id"] for seek in first.body["seeks"]], first.body["total"]) == (made[:1], 2)
    assert f"cursor={first.body['next']}" in first.headers["link"]
    assert seekers[0].send("DELETE", f"/v1/seeks/{made[0]}").status == 204
    rest = anonymous.get("/v1/seeks", game="ternio", limit=1, cursor=first.body["next"]).body
    assert ([seek["id"] for seek in rest["seeks"]], rest["next"]) == (made[1:], None)
    assert seekers[1].send("DELETE", f"/v1/seeks/{made[1]}").status == 204
    for cursor in ("x", "1-", "-1-x", "1" * 40):
        refused = anonymous.get("/v1/seeks", cursor=cursor)
        assert (refused.status, refused.body["parameter"]) == (422, "cursor")


def test_a_given_seek_is_accepted(client: ApiClient, ada: Player, bob: Player) -> None:
    """Not an older one that agrees as well; nobody accepts their own, or one that has ended."""
    older, clock = client.guest("Older"), {"type": "per_move", "ms": 83_000}
    assert older.post("/v1/seeks", {"game": "morris", "clock": clock, "seat": 0}).status == 201
    made = ada.post("/v1/seeks", {"game": "morris", "clock": clock, "seat": 0}).body
    assert ada.post(f"/v1/seeks/{made['id']}/accept", {}).code == "no_such_seek"
    accepted = bob.post(f"/v1/seeks/{made['id']}/accept", {})
    assert (accepted.status, accepted.body["paired"], accepted.body["clock"]) == (201, True, clock)
    matched = [first_event(player, "seek_matched") for player in (ada, bob)]
    assert [event["seat"] for event in matched] == [0, 1]
    assert len({event["room"] for event in matched}) == 1
    assert older.post(f"/v1/seeks/{made['id']}/accept", {}).code == "no_such_seek"
    assert older.get("/v1/players/me/seeks").body["pairing"] is None


@pytest.mark.parametrize(
    ("fields", "code", "pointer"),
    [
        ({"game": "chess"}, "unfit", "/game"),
        ({}, "unfit", ""),
        ({"game": "morris", "seat": 2}, "no_such_seat", None),
        ({"game": "morris", "rated": True}, "unfit", "/clock"),
        ({"game": "morris", "options": {"flying": 1}}, "unfit", "/options/flying"),
        ({"game": "morris", "colour": "white"}, "unfit", "/colour"),
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
    dropped = first_event(ada, "seek_dropped")
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
