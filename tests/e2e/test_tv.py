"""TV on a service of its own: what it shows to everybody, what it never shows, and that it outlasts processes."""

from typing import Any

import pytest

from tests.e2e.client import Feed, Json, Player, open_shared_socket
from tests.e2e.conftest import StartApi, StartWorker
from tests.waiting import wait_for

PRIVATE = {"visibility": "private", "password": "secret password"}
HIDDEN = (PRIVATE, {"visibility": "unlisted"}, {"spectators": False})
"""Settings of rooms whose matches are never on TV."""


def begin(first: Player, second: Player, game: str = "turncoat", **settings: Any) -> str:
    """Begin a match and return its room."""
    room: str = first.open_room(game, settings={"start": "full", "restart": None, **settings}).body["room"]
    password = {"password": settings["password"]} if "password" in settings else {}
    assert second.command(room, "join", **password).status == 200
    return room


def on_tv(reader: Player) -> dict[str, Json | None]:
    """Return what is on TV by channel."""
    return {channel["tv"]: channel["match"] for channel in reader.get("/v1/tv").body["channels"]}


def wait_for_match(reader: Player, channel: str, room: str) -> Json:
    """Return the match of a channel as soon as it is that of a room."""

    def found() -> Json | None:
        match = on_tv(reader)[channel]
        return match if match and match["room"] == room else None

    return wait_for(found, lambda: on_tv(reader)) or {}


def next_room(feed: Feed) -> str | None:
    """Return the room in the next frame of TV."""
    match = feed.next("tv")["match"]
    return match and str(match["room"])


def test_tv_shows_only_what_everybody_may_watch(start_api: StartApi) -> None:
    """Neither members nor the operator see another match; the frame names the room, the players and their ratings."""
    _, client = start_api(admin_token="t" * 32)
    ada, bob, cyd = (client.guest(name) for name in ("Ada", "Bob", "Cyd"))
    hidden = [begin(ada, bob, **settings) for settings in HIDDEN]
    assert set(on_tv(ada).values()) == {None}
    shown = begin(ada, cyd)
    match = wait_for_match(ada, "best", shown)
    assert [(seat["nickname"], seat["rating"]) for seat in match["seats"]] == [("Ada", None), ("Cyd", None)]
    for reader in (ada, bob, client.anonymous(), Player(client, "t" * 32)):
        assert all(room not in str(on_tv(reader)) for room in hidden)
    for channel in ("best", "turncoat"):
        with open_shared_socket(client.url) as feed:
            feed.send(type="subscribe", tv=channel, token=ada.token)
            assert next_room(feed) == shown
            assert ada.command(shown, "close").status == 200
            assert next_room(feed) is None
        shown = begin(ada, cyd)
        wait_for_match(ada, "best", shown)


def test_tv_moves_on_when_the_process_of_a_match_has_died(start_api: StartApi) -> None:
    """The other process shows the match until it ends, and then the next one; a rated match is the better one."""
    (here, first), (_, other) = start_api(), start_api()
    ada, bob = first.guest("Ada"), first.guest("Bob")
    one = begin(ada, bob, "morris")
    with open_shared_socket(other.url) as feed:
        feed.send(type="subscribe", tv="morris")
        assert next_room(feed) == one
        begin(ada, bob, "morris")
        two = begin(ada, bob, "morris", rated=True, clock={"type": "per_move", "ms": 60_000})
        here.kill()
        assert ada.via(other).command(one, "close").status == 200
        assert next_room(feed) == two
        assert bob.via(other).command(two, "resign").status == 200
        assert wait_for_match(ada.via(other), "best", two)["room"] == two


@pytest.mark.soak
def test_tv_moves_on_when_the_worker_of_a_match_has_died(start_api: StartApi, start_worker: StartWorker) -> None:
    """Another worker ends the match on time; its end is shown for eight seconds, then the next one is."""
    _, client = start_api()
    worker = start_worker()
    ada, bob = client.guest("Ada"), client.guest("Bob")
    one = begin(ada, bob, "morris", rated=True, clock={"type": "per_move", "ms": 3000})
    two = begin(ada, bob, "morris", rated=True, clock={"type": "per_move", "ms": 60_000})
    with open_shared_socket(client.url) as feed:
        feed.send(type="subscribe", tv="morris")
        assert next_room(feed) == one
        worker.kill()
        start_worker()
        assert next_room(feed) == two
    match_id = ada.get(f"/v1/rooms/{one}/matches").body["matches"][0]["id"]
    assert ada.get(f"/v1/matches/{match_id}").body["result"]["reason"] == "timed_out"
