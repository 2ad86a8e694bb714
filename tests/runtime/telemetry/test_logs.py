"""The log never contains a secret, even at the level `debug` and for any request."""

import json
import re

import pytest

from service.runtime.settings import release
from tests.e2e.client import Json
from tests.e2e.conftest import StartApi, StartWorker
from tests.e2e.processes import OPERATORS, SECRET
from tests.e2e.seated_rooms import seat_players

SALT = "salt-that-nobody-may-read"
KEY = "key-that-is-my-own-business"


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_secret_match_leaves_no_secret_in_the_log(start_api: StartApi, start_worker: StartWorker, form: str) -> None:
    """Played over HTTP and sockets, with refused and invalid requests, at the level `debug`."""
    api, client = start_api(log_level="debug", log_format=form)
    start_worker()
    room, (red, yellow) = seat_players(client, "turncoat", 2, settings={"start": "ready"})
    red.command(room, "ready", salt=SALT)
    yellow.command(room, "ready", key=KEY)
    moves: list[Json] = red.get(f"/v1/rooms/{room}/legal-moves").body["legal_moves"]
    chosen = next(move for move in moves if move["type"] == "select")
    assert red.play(room, chosen, key=KEY).status == 200
    assert red.play(room, chosen | {"nonsense": 1}).status == 422
    with red.subscribe(room) as feed:
        feed.until(lambda frame: frame["type"] == "caught_up")
        feed.command(room, {"type": "play", "move": {"type": "commit"}})
        feed.command(room, {"type": "play", "move": chosen})
        feed.send(type="subscribe", room=room, token=f"{yellow.token}x")
        feed.close_code()
    seed = yellow.command(room, "resign").body["events"][-1]["seed"]
    api.stop()
    log = api.log.read_text()
    assert "command_done" in log
    tokens = [part for player in (red, yellow) for part in (player.token, str(player.token).rpartition(".")[2])]
    for secret in (SALT, KEY, seed, *tokens):
        assert str(secret) not in log
    assert not re.search(rf"\b{chosen['at']}\b", log)


def test_every_line_is_a_json_object_with_its_event_level_and_time(start_api: StartApi) -> None:
    """As log collectors require."""
    api, client = start_api(log_level="debug")
    seat_players(client, "morris", 2)
    api.stop()
    lines = [json.loads(line) for line in api.log.read_text().splitlines()]
    assert lines
    assert all({"event", "level", "timestamp"} <= set(line) for line in lines)


def test_the_access_log_has_a_line_per_request_without_its_address(start_api: StartApi) -> None:
    """The route and not the path, which may have a code; neither query strings nor tokens."""
    api, client = start_api(log_level="info", access_log="true")
    ada = client.guest("Ada")
    room = ada.open_room("morris", seats=["me", {"bot": "easy"}]).body["room"]
    assert ada.play(room, {"type": "place", "at": "a1"}).status == 200
    assert ada.play(room, {"type": "nonsense"}).status == 422
    stranger = client.anonymous()
    stranger.get(f"/v1/rooms/{room}?at=secret-of-the-query")
    stranger.get("/v1/invitations/secret-code")
    stranger.get("/secret//path")
    api.stop()
    log = api.log.read_text()
    lines = [json.loads(line) for line in log.splitlines()]
    answers = [line for line in lines if line["event"] == "request_answered"]
    played, player = "/v1/rooms/{room}/commands", str(ada.id)
    assert [tuple(line.get(name) for name in ("method", "route", "player")) for line in answers] == [
        ("POST", "/v1/players", None),
        ("POST", "/v1/rooms", player),
        ("POST", played, player),
        ("POST", played, player),
        ("GET", "/v1/rooms/{room}", None),
        ("GET", "/v1/invitations/{code}", None),
        ("GET", "other", None),
    ]
    assert [line["status"] for line in answers[:4]] == [201, 201, 200, 422]
    assert answers[-1]["status"] == 404
    assert all(line["ms"] >= 0 and line["request"] for line in answers)
    assert "secret" not in "".join(json.dumps(line) for line in answers)
    assert str(ada.token) not in log


def test_without_the_setting_no_request_is_logged(start_api: StartApi) -> None:
    """Not even at the level `debug`."""
    api, client = start_api(log_level="debug")
    client.guest("Ada")
    api.stop()
    assert "request_answered" not in api.log.read_text()


def test_a_process_names_its_release_and_the_settings_that_differ(start_api: StartApi) -> None:
    """In its first line, without secrets; the health checks and the metrics name the release, too."""
    api, client = start_api(log_level="info", admin_token=OPERATORS, traces="", limit_rooms="7")
    live, ready = (client.anonymous().get(f"/health/{check}").body for check in ("live", "ready"))
    assert (live, ready) == ({"status": "live", "version": release()}, {"status": "ready", "version": release()})
    assert f'turnstream_build_info{{version="{release()}"}} 1.0' in client.anonymous().get("/metrics").content.decode()
    api.stop()
    first, *_ = api.log.read_text().splitlines()
    line = json.loads(first)
    assert (line["event"], line["service"]) == ("process_started", "turnstream-api")
    assert (line["version"], line["port"]) == (release(), api.port)
    settings = line["settings"]
    assert (settings["limit_rooms"], settings["port"]) == (7, api.port)
    assert settings.keys().isdisjoint({"host", "log_level", "traces"})
    assert {settings[name] for name in ("secret", "admin_token", "redis_url")} == {"..."}
    assert not {SECRET, OPERATORS} & set(re.split(r'"', first))


def test_forked_processes_give_requests_different_ids(start_api: StartApi) -> None:
    """Random values drawn at import would be the same in all of them."""
    (first, client), (second, other) = start_api(log_level="debug"), start_api(log_level="debug")
    assert first.is_forked
    assert second.is_forked
    for each in (client, other):
        seat_players(each, "morris", 2)
    first.stop()
    second.stop()
    lines = [json.loads(line) for line in first.log.read_text().splitlines()]
    assert len({line["request"].partition("-")[0] for line in lines if "request" in line}) == 2
