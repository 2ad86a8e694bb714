"""Fair chance through the API: hashes before salts, seeds afterwards, and a salt for every match."""

import hashlib

import pytest

from service.__main__ import main
from service.programs.replay.source import fetch
from tests.e2e.client import Json, Player

LOOKED_UP = "service.programs.replay.checking.fetch"
TRIBOARD = ["me", {"bot": "easy"}, {"bot": "easy"}]


def history(player: Player, room: str) -> list[Json]:
    """Return all events of a room as the player may know them."""
    events: list[Json] = player.get(f"/v1/rooms/{room}/events").body["events"]
    return events


def of_type(events: list[Json], *kinds: str) -> list[Json]:
    """Return the events of these types."""
    return [event for event in events if event["type"] in kinds]


def test_a_room_with_bots_takes_its_creator_s_salt_when_it_is_opened(ada: Player) -> None:
    """The match that begins at once has it, after the hash of its seed."""
    room = ada.open_room("triboard", seats=TRIBOARD, salt="pepper").body["room"]
    opened, joined, *_ = events = history(ada, room)
    (started,) = of_type(events, "match_started")
    assert joined["salt"] == "pepper"
    assert started["salts"] == ["pepper", "", ""]
    assert started["seed_hash"] == opened["next_seed_hash"]
    assert not any({"seed", "next_seed"} & event.keys() for event in events)


def test_the_creator_s_salt_waits_for_the_first_match(ada: Player, bob: Player) -> None:
    """Whether or not the creator sends another one; who looks on has none to send."""
    kept, replaced = (ada.open_room("morris", salt="pepper").body["room"] for _ in range(2))
    for room in (kept, replaced):
        bob.command(room, "join")
        bob.command(room, "ready")
    assert ada.command(kept, "ready").status == ada.command(replaced, "ready", salt="salt").status == 200
    salts = [of_type(history(ada, room), "match_started")[0]["salts"] for room in (kept, replaced)]
    assert salts == [["pepper", ""], ["salt", ""]]
    misfit = ada.open_room("morris", seats=[{"bot": "easy"}, {"bot": "easy"}], salt="pepper")
    assert (misfit.status, misfit.body["pointer"]) == (422, "/salt")


def test_every_match_is_committed_to_before_its_salts(ada: Player, bob: Player) -> None:
    """The view has the hash between matches; readiness that carries over gets a salt for the next match."""
    room = ada.open_room("morris", settings={"restart": 3_600_000}).body["room"]
    bob.command(room, "join")
    first = ada.read_room(room).body["next_seed_hash"]
    ada.command(room, "ready", salt="one")
    playing = bob.command(room, "ready").body["view"]
    assert (playing["status"], playing["next_seed_hash"]) == ("playing", None)
    assert ada.command(room, "ready", salt="early").code == "salt_too_early"
    second = bob.command(room, "resign").body["view"]["next_seed_hash"]
    assert ada.command(room, "ready").code == "already_ready"
    assert ada.command(room, "ready", salt="two").status == bob.command(room, "ready", salt="three").status == 200
    offer = ada.command(room, "request_new").body["view"]["offers"][0]["id"]
    assert bob.command(room, "answer", offer=offer, accept=True).status == 200
    started = of_type(history(ada, room), "match_started")
    assert [match["salts"] for match in started] == [["one", ""], ["two", "three"]]
    assert [match["seed_hash"] for match in started] == [first, second]
    (ended,) = of_type(history(ada, room), "match_ended")
    assert hashlib.sha256(bytes.fromhex(ended["seed"])).hexdigest() == first
    assert ended["next_seed_hash"] == second


def test_verify_looks_up_what_was_published_before_a_match(
    ada: Player, bob: Player, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the event that opened the room, and in the one that ended the match before; of a closed room's, if it can."""
    room = ada.open_room("triboard", seats=["me", "me", "me"], settings={"hot_seat": True}).body["room"]
    for _ in range(2):
        assert ada.command(room, "request_new").status == 200
    assert bob.spectate(room).status == 200
    opened, *_, first, second = of_type(history(ada, room), "room_opened", "match_ended")
    *_, third = of_type(history(ada, room), "match_started")
    assert ada.command(room, "close").status == 200
    for number, line in (
        (1, "?      hash   what was published before the match cannot be read"),
        (2, f"ok     hash   published by match_ended at version {first['version']}, before any salt"),
        (3, f"ok     hash   published by match_ended at version {second['version']}, before any salt"),
    ):
        place = f"{ada.client.url}/v1/matches/{third['id'].rpartition('.')[0]}.{number}"
        assert main(["verify", place]) == 0
        assert line in capsys.readouterr().out
    assert opened["version"] == 1


def test_verify_finds_a_hash_that_was_not_the_published_one(
    ada: Player, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another hash before the match than in it is detected; an older release publishes none before it."""
    room = ada.open_room("triboard", seats=["me", "me", "me"], settings={"hot_seat": True}).body["room"]
    assert ada.command(room, "request_new").status == 200
    (ended,) = of_type(history(ada, room), "match_ended")
    place = f"{ada.client.url}/v1/matches/{of_type(history(ada, room), 'match_started')[0]['id']}"
    assert main(["verify", place]) == 0
    assert "ok     hash   published by room_opened at version 1" in capsys.readouterr().out
    published = history(ada, room)[0]["next_seed_hash"].encode()
    monkeypatch.setattr(LOOKED_UP, lambda address: fetch(address).replace(published, b"00" * 32))
    assert main(["verify", place]) == 1
    assert "WRONG  hash   another one was published by room_opened" in capsys.readouterr().out
    monkeypatch.setattr(LOOKED_UP, lambda address: fetch(address).replace(b'"next_seed_hash"', b'"x"'))
    assert main(["verify", place]) == 0
    assert "?      hash   an earlier release published none" in capsys.readouterr().out
    assert ended["seed"]


def test_a_salt_is_text(ada: Player) -> None:
    """At most 128 characters that UTF-8 can write."""
    headers = {"content-type": "application/json"}
    for salt in (b'"\\ud800"', b'"' + b"x" * 129 + b'"', b"7"):
        refused = ada.send("POST", "/v1/rooms", headers, content=b'{"game": "morris", "salt": %s}' % salt)
        assert refused.status in {400, 422}
    assert ada.open_room("morris", salt="\U0001f98a" * 128).status == 201


def test_the_clock_has_the_allowance_for_late_moves(ada: Player) -> None:
    """The allowance is small, and the same for everyone."""
    clock = {"type": "per_move", "ms": 60_000}
    view = ada.open_room("triboard", seats=TRIBOARD, settings={"clock": clock}).body["view"]
    assert view["match"]["clock"]["allowance_ms"] == 150
