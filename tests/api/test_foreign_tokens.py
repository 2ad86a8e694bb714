"""Players of another front end: its own tokens as bearer tokens, over HTTP, streams and sockets."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.people.issuers.foreign_players import player_id
from service.people.issuers.issuers import LEEWAY
from tests.api.test_player_feed import follow, read_stream, stream
from tests.api.test_tokens import BAD_TOKEN, is_refused
from tests.e2e.client import ApiClient, Player, connect_to
from tests.e2e.processes import OPERATORS, ApiProcess, run_processes
from tests.people.issuers.front_end import EC, ED, ISSUER, issuers_file, jwk, key_set, signed
from tests.store_server import StoreServer
from tests.waiting import wait_for


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with the keys of a front end."""
    folder = tmp_path_factory.mktemp("issuers")
    (folder / "keys.json").write_bytes(key_set(jwk(EC, "first")))
    issuers_file(folder, {"jwks_file": "keys.json"})
    return folder


@pytest.fixture(scope="module")
def trusting(rooms_store: StoreServer, folder: Path) -> Iterator[ApiClient]:
    """Return the way to a process that trusts the front end."""
    settings = {"issuers": str(folder / "issuers.json"), "admin_token": OPERATORS, "log_level": "info"}
    api = ApiProcess(rooms_store.url, folder / "log", **settings)
    with run_processes(api), connect_to(api.url) as client:
        yield client


def player_of(client: ApiClient, **claims: Any) -> Player:
    """Return the client of a player with a token of the front end."""
    subject = str(claims.setdefault("sub", "ada"))
    return Player(client, signed(EC, "ES256", "first", **claims), player_id(ISSUER, subject))


def test_a_players_own_token_of_another_front_end_is_accepted(trusting: ApiClient) -> None:
    """They play like anybody, under the same id with every token."""
    ada = player_of(trusting)
    assert ada.get("/v1/players/me").body["player"] == {"id": ada.id, "nickname": "Ada"}
    room = ada.open_room("morris").body["room"]
    with player_of(trusting, name="Ada L.").subscribe(room) as feed, follow(ada), stream(ada) as response:
        feed.until(lambda frame: frame["type"] == "caught_up")
        assert feed.command(room, {"type": "ready"})["result"]["events"] != []
        assert next(read_stream(response))[1]["type"] == "player_subscribed"
    assert ada.post(f"/v1/rooms/{room}/chat", {"text": "hello"}).body["player"]["id"] == ada.id


def test_scopes_limit_a_token(trusting: ApiClient) -> None:
    """By default it does everything but manage tokens; `bot` declares a bot."""
    ada = player_of(trusting)
    assert is_refused(ada.get("/v1/players/me/tokens"), "account")
    assert is_refused(ada.post("/v1/players/me/recovery_code", {}), "account")
    reading = player_of(trusting, scope="openid read bot")
    assert reading.get("/v1/players/me").body["player"]["bot"] is True
    assert is_refused(reading.open_room("morris"), "play")
    manager = player_of(trusting, sub="manager", scope="read play account")
    made = manager.post("/v1/players/me/tokens", {"name": "My bot", "scopes": ["read"]}).body
    assert Player(trusting, made["token"]).get("/v1/players/me").body["player"]["id"] == manager.id


def test_tokens_of_strangers_are_refused(trusting: ApiClient, client: ApiClient) -> None:
    """With 401, and a socket with 4100; without the setting, all of them are."""
    ada = player_of(trusting)
    wrong = [signed(ED, "EdDSA", "first"), signed(EC, "ES256", "first", iss="https://else.example"), "eyJ.eyJ.x"]
    for refused in [*(Player(trusting, token) for token in wrong), ada.via(client)]:
        assert refused.get("/v1/players/me").code == "unauthenticated"
        with refused.subscribe("any-room") as feed:
            assert feed.close_code() == BAD_TOKEN


def test_a_subject_that_is_too_long_is_named(trusting: ApiClient) -> None:
    """Once the signature is valid: the author of the front end has to find out."""
    assert player_of(trusting, sub="s" * 255).get("/v1/players/me").status == 200
    refused = player_of(trusting, sub="s" * 256).get("/v1/players/me")
    assert (refused.status, refused.code) == (401, "unauthenticated")
    assert refused.body["detail"] == "The claim `sub` has 256 characters; 255 are allowed."
    forged = Player(trusting, signed(ED, "EdDSA", "first", sub="s" * 256)).get("/v1/players/me")
    assert "sub" not in forged.body["detail"]


def test_sockets_and_streams_end_with_the_token(trusting: ApiClient) -> None:
    """A minute after its time, by which clocks may differ; a socket that was sent a fresh token stays open."""
    ada = player_of(trusting, sub="short", exp=int(time.time()) - LEEWAY + 3)
    room = ada.open_room("morris").body["room"]
    with ada.subscribe(room) as feed, ada.subscribe(room) as kept, stream(ada) as response:
        frames = read_stream(response)
        assert next(frames)[1]["type"] == "player_subscribed"
        kept.send(type="subscribe", room=room, token=player_of(trusting, sub="short").token)
        assert feed.close_code() == BAD_TOKEN
        assert [frame for _, frame in frames][-1]["problem"]["code"] == "unauthenticated"
        assert ada.get("/v1/players/me").code == "unauthenticated"
        assert kept.command(room, {"type": "ready"})["result"]["events"] != []


def test_a_banned_player_is_refused(trusting: ApiClient) -> None:
    """By their id, whatever token they have."""
    eve, operator = player_of(trusting, sub="eve"), Player(trusting, OPERATORS)
    assert eve.post("/v1/lobby/chat", {"text": "Buy this"}).status == 201
    assert operator.post(f"/v1/admin/players/{eve.id}/ban", {"on": True, "reason": "spam"}).status == 200
    assert player_of(trusting, sub="eve", name="Eve").get("/v1/players/me").code == "banned"


def test_no_token_is_logged(trusting: ApiClient, folder: Path) -> None:
    """Nor any part of one that could be used."""
    ada = player_of(trusting, sub="logged")
    assert ada.get("/v1/players/me").status == 200
    assert ada.token is not None
    assert ada.token.split(".")[2] not in (folder / "log").read_text()


def test_keys_change_without_a_restart(trusting: ApiClient, folder: Path) -> None:
    """The new one is accepted, and the old one no longer."""
    changed = Player(trusting, signed(ED, "EdDSA", "second"))
    assert changed.get("/v1/players/me").code == "unauthenticated"
    (folder / "keys.json").write_bytes(key_set(jwk(ED, "second")))
    wait_for(lambda: changed.get("/v1/players/me").status == 200)
    assert player_of(trusting).get("/v1/players/me").code == "unauthenticated"
