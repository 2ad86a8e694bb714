"""Rooms that are opened from a position of a match: `from` in POST /v1/rooms."""

import pytest

from service.domain.catalog import GAMES
from tests.api.test_analyses import analysis, finished, play_turn
from tests.e2e.client import Json, Player, Response

ALONE = {"hot_seat": True, "restart": None}


def open_from(player: Player, match: str, version: object, **more: object) -> Response:
    """Open a room from a position."""
    return player.post("/v1/rooms", {"from": {"match": match, "version": version}, **more})


def position(match: str, reader: Player, ply: int) -> Json:
    """Return a position of a match that is over."""
    found: Json = analysis(reader, match, ply=ply).body["positions"][0]
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_match_begins_at_a_position_of_another_players_match(ada: Player, bob: Player, game: str) -> None:
    """With its game and options, as everybody sees, and it can be played on, exported and analysed."""
    match = finished(ada, game)
    there = position(match, bob, 4)
    before = ada.get(f"/v1/matches/{match}", at=there["version"]).body["view"]
    seats = ["me"] * len(before["seats"])
    opened = open_from(bob, match, there["version"], seats=seats, settings=ALONE)
    assert opened.status == 201, opened.body
    room, view = opened.body["room"], opened.body["view"]
    assert (view["game"], view["options"], view["status"]) == (game, before["options"], "playing")
    assert without_last(view) == without_last(before)
    assert view["match"]["to_move"] == there["to_move"]
    events = bob.get(f"/v1/rooms/{room}/events").body["events"]
    [copied] = [event["position"] for event in events if event["type"] == "position_copied"]
    [started] = [event for event in events if event["type"] == "match_started"]
    assert started["position"] == copied
    assert (copied["match"], copied["version"], copied["options"]) == (match, there["version"], before["options"])
    play_turn(bob, room, 1)
    for seat in range(1, len(seats)):
        bob.command(room, "resign", seat=seat)
    again = str(view["match"]["id"])
    assert analysis(bob, again).body["positions"][0]["to_move"] == there["to_move"]
    exported = bob.get(f"/v1/matches/{again}/export", {"accept": "text/plain"}).content.decode()
    assert f'position: {{"match":"{match}"' in exported


def without_last(view: Json) -> Json:
    """Return the state of a view's match without the latest events."""
    return {name: value for name, value in view["match"]["state"].items() if name not in {"last", "own_selection"}}


def test_the_creator_has_the_seat_they_want_and_others_join_by_link(ada: Player, bob: Player) -> None:
    """The match begins at the position once all seats are taken; the same request with its key opens one room."""
    match = finished(ada, "morris")
    there = position(match, ada, 3)
    key = {"idempotency-key": "from-here"}
    body = {"from": {"match": match, "version": there["version"]}, "seats": [None, "me"], "settings": {"start": "full"}}
    room = ada.post("/v1/rooms", body, key).body["room"]
    assert ada.post("/v1/rooms", body, key).body["room"] == room
    view = ada.read_room(room).body
    assert (view["status"], [seat["player"] for seat in view["seats"]], view["match"]) == ("open", [None, ada.id], None)
    bob.command(room, "join")
    state = ada.read_room(room).body["match"]["state"]
    assert sum(state["on_board"].values()) == 3


def test_a_casual_match_can_be_left_for_another_room_while_it_is_played(ada: Player, bob: Player) -> None:
    """What was selected in it and not yet revealed is not copied."""
    room = ada.open_room("turncoat", seats=["me", "me"], settings=ALONE).body["room"]
    play_turn(ada, room, 0)
    ada.play(room, {"type": "select", "at": "c3"}, seat=0)
    committed = ada.play(room, {"type": "commit"}, seat=0).body
    match = committed["view"]["match"]["id"]
    opened = open_from(bob, match, committed["version"], seats=["me", "me"], settings=ALONE)
    state = opened.body["view"]["match"]["state"]
    assert (state["round"], state["selected"], state["committed"]) == (2, *[{"red": False, "yellow": False}] * 2)
    copied = bob.get(f"/v1/rooms/{opened.body['room']}/events").body["events"][1]["position"]["events"]
    assert {event["type"] for event in copied} == {"laid_out", "turned", "round_begun"}


def test_a_position_is_refused_that_does_not_exist_or_may_not_be_read(ada: Player, bob: Player) -> None:
    """As is one that is no request, or one in which the match was over."""
    match = finished(ada, "morris", turns=2)
    last = analysis(ada, match).body["positions"][-1]["version"]
    hidden = finished(ada, "morris", turns=2, visibility="private", password="open sesame")  # noqa: S106 - of a test
    for wrong, version in (("nothing", 3), ("a.b.c", 3), (match[:-1] + "7", 3), (hidden, 9)):
        refused = open_from(bob, wrong, version)
        assert (refused.status, refused.code) in {(404, "no_such_match"), (403, "members_only")}, wrong
    for version in (1, last + 1, 10**9):
        refused = open_from(bob, match, version)
        assert (refused.status, refused.code, refused.body["version"]) == (404, "no_such_version", last)
    for version in (last, last - 1):
        assert (open_from(bob, match, version).status, open_from(bob, match, version).code) == (409, "position_over")
    for wrong_version in (0, -1, "3", None):
        assert open_from(bob, match, wrong_version).status == 422
    assert bob.get("/v1/players/me").body["rooms"] == []


def test_what_contradicts_the_position_is_refused(ada: Player) -> None:
    """Another game, options, a rating, another number of seats; a request with neither a game nor a position."""
    match = finished(ada, "morris", turns=2)
    version = position(match, ada, 1)["version"]
    clock = {"type": "per_move", "ms": 60_000}
    for more, pointer in (
        ({"game": "ternio"}, "/game"),
        ({"game": "chess"}, "/game"),
        ({"options": {"flying": "off"}}, "/options"),
        ({"settings": {"rated": True, "clock": clock}}, "/settings/rated"),
        ({"seats": ["me", None, None]}, "/seats"),
        ({"seats": []}, "/seats"),
    ):
        refused = open_from(ada, match, version, **more)
        assert (refused.status, refused.body["pointer"]) == (422, pointer)
    assert open_from(ada, match, version, game="morris").status == 201
    nothing = ada.post("/v1/rooms", {})
    assert (nothing.status, nothing.body["pointer"]) == (422, "/game")


def test_a_rated_match_is_not_copied_while_it_is_played(ada: Player, bob: Player) -> None:
    """Nobody gets advice from a bot on it; afterwards it is as any other."""
    settings = {"rated": True, "clock": {"type": "per_move", "ms": 60_000}}
    room = ada.open_room("morris", settings=settings).body["room"]
    bob.command(room, "join")
    for player in (ada, bob):
        player.command(room, "ready")
    view = ada.read_room(room).body
    assert view["status"] == "playing"
    refused = open_from(bob, view["match"]["id"], view["version"])
    assert (refused.status, refused.code) == (409, "rated_match")
    ada.command(room, "resign")
    assert open_from(bob, view["match"]["id"], view["version"]).status == 201


def test_a_stranger_becomes_a_guest(ada: Player, anonymous: Player) -> None:
    """As in any room that they open."""
    match = finished(ada, "rainbow", turns=2)
    opened = open_from(anonymous, match, position(match, ada, 1)["version"], nickname="Cleo")
    assert (opened.status, "token" in opened.body) == (201, True)
