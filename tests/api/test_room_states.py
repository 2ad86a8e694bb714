"""The states of a room: open, playing, finished, playing again, closed; and then its name is free."""

from datetime import datetime, timedelta

import pytest

from tests.api.test_series import view_of_match
from tests.e2e.client import Player, Response, fresh_name, has_event


def open_room(ada: Player, bob: Player, **settings: object) -> str:
    """Open a room of Nine Men's Morris with both seats taken."""
    room: str = ada.open_room("morris", settings=settings).body["room"]
    assert bob.command(room, "join").status == 200
    return room


def both_ready(ada: Player, bob: Player, room: str) -> Response:
    """Let both say that they are ready."""
    ada.command(room, "ready")
    return bob.command(room, "ready")


def test_a_match_starts_when_all_who_sit_are_ready(ada: Player, bob: Player) -> None:
    """The default: not when the seats are full, not when one is ready."""
    room = open_room(ada, bob)
    assert ada.read_room(room).body["status"] == "open"
    assert ada.command(room, "ready", salt="pepper").body["view"]["status"] == "open"
    started = bob.command(room, "ready")
    assert started.body["view"]["status"] == "playing"
    events = [event["type"] for event in started.body["events"]]
    assert events[:2] == ["player_readied", "match_started"]
    match = started.body["view"]["match"]
    assert (match["number"], match["status"], match["to_move"]) == (1, "playing", [0])
    assert next(event for event in started.body["events"] if event["type"] == "match_started")["salts"] == [
        "pepper",
        "",
    ]


def test_a_match_starts_when_all_seats_are_taken_if_the_room_is_set_so(ada: Player, bob: Player) -> None:
    """The last player's `join` starts it."""
    room = ada.open_room("morris", settings={"start": "full"}).body["room"]
    assert bob.command(room, "join").body["view"]["status"] == "playing"


def test_a_match_starts_when_the_creator_says_so_where_the_room_is_set_so(ada: Player, bob: Player) -> None:
    """Nobody else may, and not before every seat is taken."""
    room = ada.open_room("morris", settings={"start": "creator"}).body["room"]
    assert ada.command(room, "start").code == "seats_empty"
    bob.command(room, "join")
    assert both_ready(ada, bob, room).body["view"]["status"] == "open"
    refused = bob.command(room, "start")
    assert (refused.status, refused.code) == (403, "not_the_creator")
    assert ada.command(room, "start").body["view"]["status"] == "playing"
    assert ada.command(room, "start").code == "match_running"


def test_start_is_refused_if_the_match_starts_automatically(ada: Player, bob: Player) -> None:
    """The problem is 409 `starts_by_itself`."""
    assert ada.command(open_room(ada, bob), "start").code == "starts_by_itself"


def test_matches_follow_each_other_by_themselves(ada: Player, bob: Player) -> None:
    """Finished, then playing again after the pause; readiness carries over."""
    room = open_room(ada, bob, restart=100)
    with ada.subscribe(room) as feed:
        both_ready(ada, bob, room)
        finished = ada.command(room, "resign").body["view"]
        assert finished["status"] == finished["match"]["status"] == "finished"
        assert finished["restart_at"] > finished["match"]["ended"]
        assert finished["match"]["result"] == {
            "reason": "resigned",
            "places": [2, 1],
            "scores": None,
            "winners": [1],
        }
        feed.until(has_event("match_ended"))
        update = feed.until(has_event("match_started"))[-1]
    assert update["view"]["status"] == "playing"
    assert update["view"]["match"]["number"] == 2
    assert update["view"]["match"]["id"] != finished["match"]["id"]
    assert all("by" not in event for event in update["events"])


def test_the_next_match_waits_until_clients_have_shown_the_last_events(ada: Player, bob: Player) -> None:
    """`restart` counts from the end plus the game's `telling_ms`, which both pages of the catalogue have."""
    telling = {game["slug"]: game["telling_ms"] for game in ada.get("/v1/games").body["games"]}
    assert telling == {slug: ada.get(f"/v1/games/{slug}").body["telling_ms"] for slug in telling}
    assert telling["turncoat"] > telling["morris"] == 0
    for game in ("turncoat", "morris"):
        room = ada.open_room(game, settings={"restart": 3000}).body["room"]
        bob.command(room, "join")
        both_ready(ada, bob, room)
        over = ada.command(room, "resign").body["view"]
        ended, begins = (datetime.fromisoformat(time) for time in (over["match"]["ended"], over["restart_at"]))
        assert begins - ended == timedelta(milliseconds=3000 + telling[game])


def test_unready_vetoes_the_next_match_and_ready_lets_it_come(ada: Player, bob: Player) -> None:
    """Readiness carries over to the next match until `unready`."""
    room = open_room(ada, bob, restart=150)
    both_ready(ada, bob, room)
    ada.command(room, "resign")
    vetoed = bob.command(room, "unready")
    assert (vetoed.body["view"]["status"], vetoed.body["view"]["restart_at"]) == ("finished", None)
    with ada.subscribe(room) as feed:
        feed.until(lambda frame: frame["type"] == "caught_up")
        assert feed.is_silent(0.6)
        bob.command(room, "ready")
        feed.until(has_event("match_started"))


def test_without_a_restart_the_next_match_waits_for_everyone_to_be_ready(ada: Player, bob: Player) -> None:
    """`restart: null` disables the automatic start."""
    room = open_room(ada, bob, restart=None)
    both_ready(ada, bob, room)
    finished = ada.command(room, "resign").body["view"]
    assert (finished["status"], finished["restart_at"]) == ("finished", None)
    assert both_ready(ada, bob, room).body["view"]["match"]["number"] == 2


def test_the_seats_rotate_where_the_room_is_set_so(ada: Player, bob: Player) -> None:
    """Each player moves one seat on from match to match."""
    room = open_room(ada, bob, restart=0, seats_next="rotate")
    both_ready(ada, bob, room)
    ada.command(room, "resign")
    after = view_of_match(2, room, ada, bob)
    assert [seat["player"] for seat in after["seats"]] == [bob.id, ada.id]


def test_a_seat_left_empty_after_a_match_opens_the_room_again(ada: Player, bob: Player, cyd: Player) -> None:
    """The player who takes it plays the next match."""
    room = open_room(ada, bob)
    both_ready(ada, bob, room)
    ada.command(room, "resign")
    assert bob.command(room, "leave_seat").body["view"]["status"] == "open"
    cyd.command(room, "join")
    ada.read_room(room)
    assert cyd.command(room, "ready").body["view"]["status"] == "playing"


def test_a_closed_room_frees_its_name_and_stays_readable_under_its_match_ids(ada: Player, bob: Player) -> None:
    """The next room of that name has another epoch, and knows nothing of the first."""
    name = fresh_name()
    first = ada.open_room("morris", name=name, settings={"start": "full"}).body["view"]
    match = bob.command(name, "join").body["view"]["match"]["id"]
    assert bob.command(name, "close").code == "not_the_creator"
    closed = ada.command(name, "close")
    assert closed.body["view"]["status"] == "closed"
    assert [event["type"] for event in closed.body["events"]] == ["match_ended", "room_closed"]
    assert closed.body["view"]["match"]["result"]["reason"] == "closed"
    assert ada.read_room(name).code == "no_such_room"
    assert bob.command(name, "ready").code == "no_such_room"
    second = bob.open_room("ternio", name=name).body["view"]
    assert second["epoch"] != first["epoch"]
    assert second["match"] is None
    kept = ada.get(f"/v1/matches/{match}")
    assert (kept.status, kept.body["epoch"], kept.body["view"]["epoch"]) == (200, first["epoch"], first["epoch"])
    assert kept.body["result"]["reason"] == "closed"
    assert ada.get(f"/v1/matches/{match}/export").status == 200


def test_an_etag_of_the_closed_room_does_not_fit_the_next_one(ada: Player) -> None:
    """The epoch distinguishes them even at the same version."""
    name = fresh_name()
    old = ada.open_room("morris", name=name)
    ada.command(name, "close")
    new = ada.open_room("morris", name=name)
    assert old.body["version"] == new.body["version"]
    assert ada.command(name, "ready", if_match=old.etag).status == 412
    assert ada.command(name, "ready", if_match=new.etag).status == 200


def test_the_last_one_to_leave_closes_the_room(ada: Player, bob: Player) -> None:
    """The creator's rights pass on before that."""
    room = open_room(ada, bob)
    left = ada.command(room, "leave")
    assert [event["type"] for event in left.body["events"]] == ["seat_left", "player_left", "creator_changed"]
    assert bob.read_room(room).body["creator"] == bob.id
    assert bob.command(room, "leave").body["view"]["status"] == "closed"
    assert bob.read_room(room).code == "no_such_room"


@pytest.mark.parametrize("kind", ["ready", "unready", "leave", "leave_seat", "start", "resign", "close"])
def test_only_members_can_send_commands(ada: Player, bob: Player, kind: str) -> None:
    """The problem is 403 `not_a_member`."""
    room = ada.open_room("morris").body["room"]
    refused = bob.command(room, kind)
    assert (refused.status, refused.code) == (403, "not_a_member")


def test_a_match_that_the_next_one_follows_at_once_keeps_its_end(ada: Player, bob: Player) -> None:
    """With `request_new`, one command ends a match and begins the next; both are in the list."""
    room = open_room(ada, bob)
    both_ready(ada, bob, room)
    offer = ada.command(room, "request_new").body["view"]["offers"][0]["id"]
    bob.command(room, "answer", offer=offer, accept=True)
    matches = ada.get(f"/v1/rooms/{room}/matches").body["matches"]
    assert [(match["number"], match["status"]) for match in matches] == [(2, "playing"), (1, "finished")]
    assert matches[1]["result"]["reason"] == "replaced"
