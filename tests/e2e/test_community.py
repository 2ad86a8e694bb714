"""A community plays while processes are killed; then every figure that is shown is counted again from its matches."""

import asyncio
import contextlib
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.client import Json, Player
from tests.e2e.community import Community, Person
from tests.e2e.community_figures import Recount, own_events, read_matches
from tests.e2e.conftest import StartApi, StartWorker
from tests.e2e.endpoint import Endpoint, run_endpoint
from tests.e2e.history import webhook_faults
from tests.e2e.kills import Victim, kills
from tests.e2e.processes import OPERATORS, ServiceProcess, run_processes
from tests.e2e.recording_clients import PAUSE
from tests.e2e.results import record_result
from tests.e2e.study import scaled
from tests.e2e.test_webhooks_crash import LOCAL
from tests.store_server import StoreServer
from tests.waiting import PATIENCE, wait_for


class Size(NamedTuple):
    """How many people act, for how many seconds, how often, and how many kills and players with webhooks there are."""

    people: int
    seconds: int
    pause: float
    kills: int
    webhooks: int


SMALL, LARGE = Size(9, 4, 0.05, 3, 2), Size(60, scaled(600), 1.0, scaled(40), 10)


@pytest.mark.parametrize("size", [SMALL, pytest.param(LARGE, marks=pytest.mark.soak)])
async def test_every_figure_follows_from_the_matches(
    own_server: StoreServer,
    start_api: StartApi,
    start_worker: StartWorker,
    tmp_path: Path,
    stack: contextlib.ExitStack,
    size: Size,
) -> None:
    """Histories, profiles, head to head, ratings, leaderboards, standings, and who was notified: each once."""
    settings = {"webhook_http": "true", "admin_token": OPERATORS}
    (api, client), (other, _) = start_api(**settings), start_api(**settings)
    sender = ServiceProcess("service webhooks", own_server.url, tmp_path / "sender", **LOCAL)
    stack.enter_context(run_processes(sender))
    victims: list[Victim] = [start_worker(), start_worker(), api, other, sender]
    names = [f"Person {number}" for number in range(size.people)]
    players = await asyncio.to_thread(lambda: [client.guest(name) for name in names])
    endpoints = [stack.enter_context(run_endpoint()) for _ in range(size.webhooks)]
    await asyncio.to_thread(lambda: [*map(listen, players, endpoints)])
    community = Community(players, names, [api.url, other.url], size.pause)
    await hold_tournaments(community, size)
    began, acting = time.monotonic(), [asyncio.create_task(community.live(person)) for person in community.people]
    await asyncio.to_thread(kill_some, victims, size, community)
    await asyncio.sleep(size.seconds - (time.monotonic() - began))
    async with asyncio.timeout(PATIENCE + size.seconds):
        await community.wind_up(asyncio.gather(*acting))
    await community.http.aclose()
    recount, faults = await asyncio.to_thread(settled, community, players, endpoints)
    assert not faults, "\n".join(faults[:20])
    assert recount.matches
    if size is LARGE:
        record_study(size, community, recount)


def listen(player: Player, endpoint: Endpoint) -> None:
    """Let an endpoint get the ends of a player's matches."""
    asked = {"url": endpoint.url, "events": ["match_finished"]}
    assert player.post("/v1/players/me/webhooks", asked).status == 201
    wait_for(lambda: player.get("/v1/players/me/webhooks").body["webhooks"][0]["status"] == "active")


async def hold_tournaments(community: Community, size: Size) -> None:
    """Begin a Swiss system, and in the long form a round robin and one for three seats as well."""
    people, clock = community.people, {"type": "per_move", "ms": 4_000}
    await community.hold(people[0], people[:5], clock=clock, rounds=1)
    if size is LARGE:
        await community.hold(people[1], people[10:26], clock=clock, rounds=5)
        await community.hold(people[2], people[26:33], clock=clock, format="round_robin")
        await community.hold(people[3], people[33:45], clock=clock, game="ternio", rounds=4)


def kill_some(victims: Sequence[Victim], size: Size, community: Community) -> None:
    """Kill processes, evenly spread over the time."""
    for number, _ in enumerate(kills(victims, size.kills), start=1):
        time.sleep(0.8 * size.seconds / size.kills)
        rooms = len({room for person in community.people for room in person.rooms})
        sys.stdout.write(f"  kill {number} of {size.kills}: {rooms} rooms\n")


def settled(
    community: Community, players: Sequence[Player], endpoints: Sequence[Endpoint]
) -> tuple[Recount, list[str]]:
    """Return the recount when everything has been delivered, or what is still wrong after a long time."""
    client = players[0].client
    matches = read_matches(rooms_of(community.people), client.anonymous(), Player(client, OPERATORS))
    received: list[list[tuple[str, Json]]] = [[] for _ in endpoints]
    deadline = time.monotonic() + PATIENCE
    while True:
        recount = Recount(players, matches, community.tournaments)
        faults = recount.faults()
        for player, endpoint, messages in zip(players, endpoints, received, strict=False):
            while not endpoint.messages.empty():
                message = endpoint.messages.get()
                if message.json["type"] == "match_finished":
                    messages.append((message.id, message.json))
            wanted = [event for event in own_events(player) if event["type"] == "match_finished"]
            faults += webhook_faults(messages, wanted)
        if not faults or time.monotonic() > deadline:
            return recount, faults
        time.sleep(PAUSE)


def rooms_of(people: Sequence[Person]) -> set[tuple[str, str]]:
    """Return all rooms in which people have been, or of which they were notified."""
    events = [event for person in people for event in own_events(person.player) if "epoch" in event]
    return {(event["room"], event["epoch"]) for event in events}.union(*(person.rooms for person in people))


def record_study(size: Size, community: Community, recount: Recount) -> None:
    """Write the figures to RESULTS.md."""
    answers = sum((person.answers for person in community.people), Counter[str]())
    figures = [
        f"{size.people} people for {size.seconds} s, {size.kills} kills",
        f"{len(recount.matches)} matches in {len({match.id.rsplit('.', 1)[0] for match in recount.matches})} rooms",
        f"{sum(each is not None for each in recount.rated.values())} rated, {len(community.tournaments)} tournaments",
        f"{sum(len(rows) for rows in recount.of.values())} rows of histories",
        "each figure as it is counted from the matches",
        f"answers: {', '.join(f'{name} {count}' for name, count in answers.most_common(12))}",
    ]
    record_result("a community", "; ".join(figures))
