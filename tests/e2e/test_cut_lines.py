"""One of two processes cannot read the store for a while, and hears only that there is something new.

What another process has written meanwhile is known there as soon as the store can be read again.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.api.test_tokens import make, revoke
from tests.api.tournaments import new_tournament, send
from tests.e2e.client import ApiClient, Feed, Json, connect_to, open_shared_socket
from tests.e2e.conftest import StartApi, StartWorker
from tests.e2e.faulty_proxy import FaultyProxy
from tests.e2e.processes import ApiProcess, run_processes
from tests.e2e.seated_rooms import seat_players
from tests.store_server import StoreServer
from tests.waiting import wait_for

CUT = 3.0
"""Seconds for which a line is cut."""


class CutProcess:
    """An API process whose line to the store can be cut, and a client of it."""

    def __init__(self, proxy: FaultyProxy, client: ApiClient) -> None:
        """Take the line and the client."""
        self.proxy, self.client = proxy, client


@asynccontextmanager
async def run_behind_proxy(store: StoreServer, folder: Path) -> AsyncIterator[CutProcess]:
    """Run an API process during a block."""
    async with FaultyProxy(store.url).serve() as proxy:
        api = ApiProcess(proxy.url, folder / "cut")
        with run_processes(api), connect_to(api.url) as client:
            yield CutProcess(proxy, client)


async def test_a_token_that_was_revoked_meanwhile_is_never_accepted_again(
    own_server: StoreServer, start_api: StartApi, tmp_path: Path
) -> None:
    """It is unknown whether it is valid, then it is known that it is not; neither is taken for yes."""
    _, here = start_api()
    async with run_behind_proxy(own_server, tmp_path) as there:
        ada = here.guest("Ada")
        token = make(ada)
        known = token.via(there.client)
        assert known.get("/v1/players/me").status == 200
        with there.proxy.cut_commands():
            assert revoke(ada, token) == 204
            wait_for(lambda: known.get("/v1/players/me").code == "store_unavailable")
            until = time.monotonic() + CUT
            while time.monotonic() < until:
                assert known.get("/v1/players/me").code == "store_unavailable"
        while (code := known.open_room("morris").code) != "unauthenticated":
            assert code == "store_unavailable"


async def test_a_socket_of_a_revoked_token_sends_no_command(
    own_server: StoreServer, start_api: StartApi, tmp_path: Path
) -> None:
    """Until it is closed, which happens as soon as the store can be read again."""
    _, here = start_api()
    async with run_behind_proxy(own_server, tmp_path) as there:
        ada = here.guest("Ada")
        token = make(ada)
        room = ada.open_room("morris").body["room"]
        with token.via(there.client).subscribe(room) as feed:
            feed.next("subscribed")
            with there.proxy.cut_commands():
                assert revoke(ada, token) == 204
                wait_for(lambda: is_refused(feed, room))
            assert feed.close_code() == 4100


def is_refused(feed: Feed, room: str) -> bool:
    """Return whether a command is refused because the token cannot be checked."""
    return bool(feed.command(room, {"type": "ready"})["problem"]["code"] == "store_unavailable")


@pytest.mark.parametrize("seconds", [1, pytest.param(20, marks=pytest.mark.soak)])
async def test_players_learn_of_turns_that_began_meanwhile(
    own_server: StoreServer, start_api: StartApi, start_worker: StartWorker, tmp_path: Path, seconds: float
) -> None:
    """Without any other event that would remind the process."""
    _, here = start_api()
    start_worker()
    async with run_behind_proxy(own_server, tmp_path) as there:
        room, players = seat_players(here, "morris", 2, settings={"restart": None})
        red = players[0]
        wait_for(lambda: "turn_began" in own_events(red.get("/v1/players/me/events").body))
        with open_shared_socket(there.client.url) as feed:
            feed.send(type="subscribe", me=True, token=red.token)
            feed.until(lambda frame: frame["type"] == "player_caught_up")
            with there.proxy.cut_commands():
                assert red.command(room, "resign").status == 200
                wait_for(lambda: "match_finished" in own_events(red.get("/v1/players/me/events").body))
                await asyncio.sleep(seconds)
            assert "match_finished" in own_events(feed.next("player_update"))


def own_events(body: Json) -> list[str]:
    """Return the types of a player's events in a page or a frame."""
    return [event["type"] for event in body["events"]]


async def test_a_tournament_shows_who_registered_meanwhile(
    own_server: StoreServer, start_api: StartApi, tmp_path: Path
) -> None:
    """To those who follow it in the process that could not read."""
    _, here = start_api()
    async with run_behind_proxy(own_server, tmp_path) as there:
        tournament = new_tournament(here.guest("Ada"))
        with open_shared_socket(there.client.url) as feed:
            feed.send(type="subscribe", tournament=tournament)
            feed.next("tournament_snapshot")
            with there.proxy.cut_commands():
                bob = here.guest("Bob")
                assert send(bob, tournament, "register")["own"] is not None
                await asyncio.sleep(1)
            patch = feed.next("tournament_update")["patch"]
            assert any(operation["path"] == f"/standings/{bob.id}" for operation in patch)
