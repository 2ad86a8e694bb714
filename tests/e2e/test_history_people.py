"""Tokens, own feeds and webhooks while a process cannot read the store and others are killed; then all is compared."""

import asyncio
import contextlib
import itertools
import random
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.api.test_tokens import make, revoke
from tests.e2e.client import ApiClient, Json, Player
from tests.e2e.conftest import StartApi, StartWorker
from tests.e2e.endpoint import Message, run_endpoint
from tests.e2e.history import TokenUse, subscriber_faults, token_faults, webhook_faults
from tests.e2e.kills import kills
from tests.e2e.processes import ServiceProcess, run_processes
from tests.e2e.recording_clients import PAUSE
from tests.e2e.seated_rooms import seat_players
from tests.e2e.shared_feed_clients import OwnFeedClient
from tests.e2e.test_cut_lines import run_behind_proxy
from tests.e2e.test_webhooks_crash import LOCAL
from tests.store_server import StoreServer
from tests.waiting import PATIENCE, wait_for


async def use_tokens(url: str, tokens: list[str], uses: list[TokenUse]) -> None:
    """Send requests with some tokens in turn until cancelled, and record them."""
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE, trust_env=False) as http:
        for number in itertools.count():
            token = tokens[number % len(tokens)]
            sent = time.monotonic()
            response = await http.get("/v1/players/me", headers={"authorization": f"Bearer {token}"})
            uses.append(TokenUse(token, sent, response.status_code))
            await asyncio.sleep(0.01)


def offer_draws(room: str, players: tuple[Player, ...], count: int) -> None:
    """Let the first player offer draws and withdraw them, of which the other one is notified."""
    for _ in range(count):
        offered = players[0].command(room, "offer_draw")
        assert offered.status == 200, offered.body
        number = offered.body["events"][-1]["offer"]
        assert players[0].command(room, "withdraw", offer=number).status == 200


def own_events(player: Player) -> list[Json]:
    """Return all events of a player's own feed."""
    events: list[Json] = player.get("/v1/players/me/events", since=0, limit=1000).body["events"]
    return events


@pytest.mark.parametrize("cuts", [3, pytest.param(60, marks=pytest.mark.soak)])
async def test_tokens_and_own_feeds_are_right_through_cut_lines(
    own_server: StoreServer, start_api: StartApi, start_worker: StartWorker, tmp_path: Path, cuts: int
) -> None:
    """In the process whose line is cut: no revoked token is accepted, and no event is missed or repeated."""
    _, here = start_api()
    start_worker()
    dice = random.Random(cuts)  # noqa: S311 - how long, and how many
    async with run_behind_proxy(own_server, tmp_path) as there:
        room, players = await asyncio.to_thread(seat_players, here, "morris", 2, settings={"restart": None})
        owners = [here.guest(f"Owner {number}") for number in range(cuts)]
        tokens, revoked, uses = [make(owner) for owner in owners], dict[str, float](), list[TokenUse]()
        kept = make(here.guest("Keeper"))
        feeds = [OwnFeedClient([there.client.url], player) for player in players]
        working = [asyncio.create_task(feed.follow()) for feed in feeds]
        names = [str(token.token) for token in (*tokens, kept)]
        working.append(asyncio.create_task(use_tokens(there.client.url, names, uses)))
        for owner, token in zip(owners, tokens, strict=True):
            await until(lambda: {use.token for use in uses if use.status == 200} >= set(names) - set(revoked))
            with there.proxy.cut_commands():
                assert await asyncio.to_thread(revoke, owner, token) == 204
                revoked[str(token.token)] = time.monotonic()
                await asyncio.to_thread(offer_draws, room, players, dice.randint(1, 5))
                await asyncio.sleep(dice.uniform(0.5, 3.5))
            await until(lambda: [use.status for use in uses[-len(names) :]].count(200) == len(names) - len(revoked))
        histories = [
            await asyncio.to_thread(settled_events, player, feed) for player, feed in zip(players, feeds, strict=True)
        ]
        for task in working:
            task.cancel()
        await asyncio.gather(*working, return_exceptions=True)
    faults = token_faults(uses, revoked)
    for feed, history in zip(feeds, histories, strict=True):
        faults += subscriber_faults(feed.recorded, history)
    assert not faults, faults[:20]


async def until(condition: Callable[[], bool]) -> None:
    """Wait until a condition is true, while clients go on."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - no event is set for it
            await asyncio.sleep(PAUSE)


def settled_events(player: Player, feed: OwnFeedClient) -> list[Json]:
    """Return all own events of a player as soon as the feed has them."""
    wait_for(lambda: feed.version == len(own_events(player)), lambda: f"{feed.version} of {len(own_events(player))}")
    return own_events(player)


@pytest.mark.parametrize("count", [3, pytest.param(25, marks=pytest.mark.soak)])
def test_webhooks_get_everything_in_order_while_senders_and_workers_are_killed(
    own_server: StoreServer,
    start_api: StartApi,
    start_worker: StartWorker,
    tmp_path: Path,
    stack: contextlib.ExitStack,
    count: int,
) -> None:
    """What is repeated has the same id."""
    _, client = start_api(webhook_http="true")
    sender = ServiceProcess("service webhooks", own_server.url, tmp_path / "sender", **LOCAL)
    stack.enter_context(run_processes(sender))
    endpoint, victims = stack.enter_context(run_endpoint()), [start_worker(), sender]
    room, players = seat_players(client, "morris", 2, settings={"restart": None})
    before = len(wait_for(lambda: own_events(players[1])))
    assert players[1].post("/v1/players/me/webhooks", {"url": endpoint.url, "events": ["offer_received"]}).status == 201
    wait_for(lambda: players[1].get("/v1/players/me/webhooks").body["webhooks"][0]["status"] == "active")
    for _ in kills(victims, count):
        offer_draws(room, players, 1)
    offer_draws(room, players, 1)
    offered = sum(event["type"] == "offer_made" for event in all_events(client, room))
    wait_for(lambda: len(wanted(players[1])) == offered)
    received = list[Message]()
    while len({message.id for message in received}) <= offered:  # the challenge is one of them
        received.append(endpoint.next())
    messages = [(message.id, message.json) for message in received if message.json["type"] == "offer_received"]
    assert before
    faults = webhook_faults(messages, wanted(players[1]))
    assert not faults, faults


def wanted(player: Player) -> list[Json]:
    """Return the own events of a player that the webhook wants."""
    return [event for event in own_events(player) if event["type"] == "offer_received"]


def all_events(client: ApiClient, room: str) -> list[Json]:
    """Return all events of a room."""
    events: list[Json] = []
    while page := client.anonymous().get(f"/v1/rooms/{room}/events", since=len(events), limit=1000).body["events"]:
        events += page
    return events
