"""Rated rooms over the API: what they are, what they reject, and the forfeit by a worker."""

from tests.e2e.client import Json, Player, has_event
from tests.waiting import wait_for

CLOCK = {"type": "per_move", "ms": 86_400_000}


def start_match(ada: Player, bob: Player, **settings: object) -> tuple[str, Json]:
    """Open a rated room whose match starts when both have joined, and return its name and view."""
    chosen = {"rated": True, "clock": CLOCK, "start": "full", "hints": "on", **settings}
    room = ada.open_room("morris", settings=chosen).body["room"]
    return room, bob.command(room, "join").body["view"]


def test_everybody_sees_that_it_is_rated(ada: Player, bob: Player, anonymous: Player) -> None:
    """In the settings, in the match, in its start, and in an invitation."""
    room, view = start_match(ada, bob)
    assert (view["settings"]["rated"], view["match"]["rated"]) == (True, True)
    code = ada.command(room, "invite").body["invitation"]["code"]
    assert anonymous.get(f"/v1/invitations/{code}").body["settings"]["rated"]
    history = anonymous.get(f"/v1/rooms/{room}/events", limit=1000).body["events"]
    assert [event["rated"] for event in history if event["type"] == "match_started"] == [True]
    plain = ada.open_room("morris").body["view"]
    assert plain["settings"]["rated"] is False


def test_what_it_excludes_is_rejected_with_one_code(ada: Player, bob: Player, cyd: Player) -> None:
    """By command, and for the route of hints."""
    room, _ = start_match(ada, bob)
    ada.play(room, {"type": "place", "at": "a1"})
    refused = [
        ada.command(room, "request_takeback"),
        ada.command(room, "request_restart"),
        ada.command(room, "request_new"),
        ada.command(room, "configure", settings={"best_of": 3}),
        ada.command(room, "kick", player=bob.id),
        ada.command(room, "close"),
        bob.get(f"/v1/rooms/{room}/hint"),
    ]
    bob.command(room, "leave_seat")
    refused += [
        ada.command(room, "add_bot", level="easy"),
        cyd.command(room, "join"),
    ]
    assert [(answer.status, answer.code) for answer in refused] == [(409, "rated_match")] * len(refused)
    assert not ada.read_room(room).body["match"]["can_take_back"]


def test_private_rooms_are_never_rated(ada: Player) -> None:
    """Nor are those without a clock; the answer names the setting."""
    private = {"rated": True, "clock": CLOCK, "visibility": "private", "password": "open sesame"}
    for settings, pointer in ((private, "/settings/visibility"), ({"rated": True}, "/settings/clock")):
        refused = ada.open_room("morris", settings=settings)
        assert (refused.status, refused.body["pointer"]) == (422, pointer)


def test_who_leaves_the_room_forfeits_at_once(ada: Player, bob: Player, anonymous: Player) -> None:
    """Which ends a match of two; the lists have the player's name, and both are notified."""
    room, view = start_match(ada, bob)
    left = bob.command(room, "leave")
    assert (left.status, [event["type"] for event in left.body["events"]][-1]) == (200, "match_ended")
    [ended] = anonymous.get(f"/v1/rooms/{room}/matches").body["matches"]
    assert (ended["result"]["reason"], ended["result"]["winners"]) == ("forfeited", [0])
    named = [("Ada", ada.id), ("Bob", bob.id)]
    assert [(seat["nickname"], seat["player"]) for seat in ended["players"]] == named
    wait_for(lambda: finished(ada) == finished(bob) == [view["match"]["id"]])


def finished(player: Player) -> list[str]:
    """Return the ids of the matches of whose end a player was notified."""
    received = player.get("/v1/players/me/events", limit=100).body["events"]
    return [event["match_id"] for event in received if event["type"] == "match_finished"]


def test_who_leaves_the_seat_forfeits_by_a_worker(ada: Player, bob: Player) -> None:
    """As soon as the grace time is over."""
    room, _ = start_match(ada, bob, grace_ms=200)
    with ada.subscribe(room) as feed:
        feed.until(lambda frame: frame["type"] == "caught_up")
        assert bob.command(room, "leave_seat").status == 200
        update = feed.until(has_event("match_ended"))[-1]
    [ended] = [event for event in update["events"] if event["type"] == "match_ended"]
    assert (ended["result"]["reason"], ended["result"]["winners"]) == ("forfeited", [0])
    assert "by" not in ended
