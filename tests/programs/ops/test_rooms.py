"""`turnstream rooms list`, `inspect` and `close`, and `turnstream check-config`."""

import json

import pytest

from tests.e2e.conftest import StartApi
from tests.e2e.seated_rooms import seat_players
from tests.programs.ops.conftest import Verb
from tests.store_server import StoreServer


def test_rooms_are_listed_one_per_line(full_store: StoreServer, verb: Verb) -> None:
    """The open ones or all, including those that are not in the lobby; as JSON for other programs."""
    lines = verb(full_store, "rooms", "list").lines
    names = [(line.split(":")[0], *line.split("\t")[1:4]) for line in lines]
    assert names == [
        ("again", "rainbow", "open", "1/2"),
        ("finished", "morris", "finished", "2/2"),
        ("hidden-room", "ternio", "open", "1/3"),
        ("running", "turncoat", "playing", "2/2"),
    ]
    assert len(verb(full_store, "rooms", "list", "--all").lines) == 5
    listed = [json.loads(line) for line in verb(full_store, "rooms", "list", "--json").lines]
    assert [[str(value) for value in room.values()] for room in listed] == [line.split("\t") for line in lines]
    assert list(listed[0]) == ["room", "game", "status", "seats", "version", "changed"]


def test_inspecting_a_room_reveals_no_secret(full_store: StoreServer, verb: Verb) -> None:
    """Neither a selection nor a seed, but the holders of the seats."""
    text = "\n".join(verb(full_store, "rooms", "inspect", "running").lines)
    expected = json.loads(text)
    assert expected["status"] == "playing"
    assert expected["seats"] == ["p-anna", "p-ben"]
    assert '"c3"' not in text  # with quotes, as an epoch can contain these letters
    assert "seed" not in text


def test_a_room_is_closed_while_it_is_played_in(own_server: StoreServer, start_api: StartApi, verb: Verb) -> None:
    """Its match does not count, its sockets receive the event, and its name is free."""
    _, client = start_api()
    room, (red, _) = seat_players(client, "morris", 2)
    with red.subscribe(room) as feed:
        feed.until(lambda frame: frame["type"] == "caught_up")
        assert verb(own_server, "rooms", "close", room, "--reason", "spam").code == 0
        events = feed.update()["events"]
    assert [event["type"] for event in events] == ["match_ended", "room_closed"]
    assert events[1]["reason"] == "by_operator"
    assert "by" not in events[1]
    assert red.open_room("morris", name=room).status == 201
    assert verb(own_server, "rooms", "close", "nowhere").code == 2


@pytest.mark.parametrize(
    ("setting", "value", "code", "expected"),
    [
        ("appendfsync", "everysec", 0, "appendfsync always"),
        ("maxmemory-policy", "allkeys-lru", 2, "noeviction"),
        ("stream-node-max-bytes", "1024", 0, "suitable"),
    ],
)
def test_the_settings_are_checked_without_starting_anything(
    own_server: StoreServer, verb: Verb, setting: str, value: str, code: int, expected: str
) -> None:
    """Exit code 0 with or without warnings, 2 if nothing could be started."""
    own_server.execute("CONFIG", "SET", setting, value)
    said = verb(own_server, "check-config")
    assert said.code == code
    assert expected in "\n".join([*said.lines, said.error])


def test_settings_that_production_rejects_are_rejected(
    own_server: StoreServer, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store that may lose acknowledged commands, or an operator token that can be guessed: 2, as at a start."""
    own_server.execute("CONFIG", "SET", "requirepass", "sesame")
    own_server.url = own_server.url.replace("://", "://:sesame@")
    settings = {"MODE": "production", "ORIGINS": "https://play.example", "HOSTS": "play.example"}
    for name, value in settings.items():
        monkeypatch.setenv(f"TURNSTREAM_{name}", value)
    assert verb(own_server, "check-config").code == 0
    monkeypatch.setenv("TURNSTREAM_ADMIN_TOKEN", "short")
    assert "TURNSTREAM_ADMIN_TOKEN" in verb(own_server, "check-config").error
    monkeypatch.delenv("TURNSTREAM_ADMIN_TOKEN")
    own_server.execute("CONFIG", "SET", "appendfsync", "everysec")
    said = verb(own_server, "check-config")
    assert said.code == 2
    assert "appendfsync always" in said.error


@pytest.mark.parametrize(
    "url", ["sesame", "http://store", "redis://:ses/ame@store", "redis://[::1", "redis://store?sesame=1"]
)
def test_an_invalid_address_is_refused_without_printing_it(
    url: str, own_server: StoreServer, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one line; a part of it may be a part of a password."""
    monkeypatch.setattr(own_server, "url", url)
    said = verb(own_server, "check-config")
    assert (said.code, said.lines, len(said.error.splitlines())) == (2, [], 1)
    assert "TURNSTREAM_REDIS_URL" in said.error
    assert "ses" not in said.error


def test_a_store_that_does_not_answer_is_exit_code_2(own_server: StoreServer, verb: Verb) -> None:
    """In one line."""
    own_server.kill()
    said = verb(own_server, "verify", "--all")
    assert said.code == 2
    assert len(said.error.splitlines()) == 1
