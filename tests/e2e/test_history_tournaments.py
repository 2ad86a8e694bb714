"""Tournaments while API processes, workers and the store are killed; then all that clients recorded is compared."""

import asyncio
import itertools
import random
import time
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import pytest

from service.domain.ids import Version
from service.domain.streams import Form
from service.store.codec import chain_digest
from service.store.redis.store import RedisStore
from service.store.stream_keys import TOURNAMENTS, KindKey
from tests.api.tournaments import tournament_request
from tests.e2e.client import Json, Player
from tests.e2e.conftest import StartApi, StartWorker
from tests.e2e.history import Attempt, Command, Recording, command_faults, subscriber_faults
from tests.e2e.kills import Victim, kills
from tests.e2e.outcomes import response_counts, unknown_outcomes
from tests.e2e.recording_clients import PAUSE, Guest, post_until_known
from tests.e2e.results import record_result
from tests.e2e.shared_feed_clients import OwnFeedClient, TournamentSubscriber
from tests.e2e.stored import stored_rooms
from tests.e2e.test_history_people import own_events, until
from tests.e2e.tournament_history import ShownView, tournament_faults
from tests.store_server import StoreServer
from tests.waiting import wait_for

Stay = int | None
"""After how many matches a player withdraws."""

THINKING = 0.5
"""The maximum of seconds before a command."""


class Played:
    """A tournament whose players register, resign and withdraw, with two subscribers; everything is recorded."""

    def __init__(self, urls: Sequence[str], organiser: Player, stays: Sequence[Stay], **terms: object) -> None:
        """Create the tournament, for so many players."""
        made = organiser.post("/v1/tournaments", tournament_request(**terms))
        self.id = str(made.body["tournament"]["id"])
        self.organiser, self.stays = organiser, stays
        self.players = [organiser.client.guest(f"Player {number}") for number in range(len(stays))]
        self.subscribers = [TournamentSubscriber(order, self.id) for order in (urls, urls[::-1])]
        self.own_feeds = [OwnFeedClient(urls, player) for player in self.players]
        self.commands = list[Command]()
        self._numbers = itertools.count()
        self._urls = itertools.cycle(urls)
        self._dice = random.Random(len(stays))  # noqa: S311 - how long players think

    def follow(self) -> list[asyncio.Task[None]]:
        """Start to follow the tournament and the own feeds."""
        return [asyncio.create_task(feed.follow()) for feed in (*self.subscribers, *self.own_feeds)]

    @property
    def view(self) -> Json:
        """The view that the players have."""
        return self.subscribers[0].views[-1].view

    async def play(self) -> None:
        """Play the whole tournament."""
        await asyncio.gather(*(self._enter(number) for number in range(len(self.players))))
        await self._send(self.organiser, "begin")
        await asyncio.gather(*(map(self._play, self.players, self.stays)))
        await until(lambda: self.subscribers[0].version == self.subscribers[1].version)

    async def _enter(self, number: int) -> None:
        """Register; every second player withdraws and comes back."""
        for kind in ("register", *(("withdraw", "register") if number % 2 else ())):
            await self._send(self.players[number], kind)

    async def _play(self, player: Player, stay: Stay) -> None:
        """Resign at each table on the second seat, and withdraw after some matches, until the tournament is over."""
        resigned = set[str]()
        while self.view["tournament"]["status"] != "finished":
            row = self.view["standings"].get(player.id, {})
            for table in self.view["tables"].values():
                room, is_running = table["room"], table["places"] is None
                is_next = is_running and room not in {None, *resigned} and table["players"][1]["player"] == player.id
                if is_next and (await self._send(player, "resign", room)).accepted:
                    resigned.add(room)
            if row and row["played"] == stay and row["left"] is None and row["table"] is None:
                await self._send(player, "withdraw")
                stay = None
            await asyncio.sleep(PAUSE)

    async def _send(self, by: Player, kind: str, room: str | None = None) -> Command:
        await asyncio.sleep(self._dice.uniform(0, THINKING))
        command = Command(room or self.id, by.id, f"{by.id} {next(self._numbers)}", {"type": kind})
        self.commands.append(command)
        path = f"/v1/rooms/{room}/commands" if room else f"/v1/tournaments/{self.id}/commands"
        await post_until_known(self._urls, path, command, Guest(by.id, str(by.token)))
        return command

    def shown(self) -> ShownView:
        """Return what GET returns now."""
        tournament = self.organiser.get(f"/v1/tournaments/{self.id}").body["tournament"]
        standings = self.organiser.get(f"/v1/tournaments/{self.id}/standings", limit=1000).body["standings"]
        tables = self.organiser.get(f"/v1/tournaments/{self.id}/tables", limit=1000).body["tables"]
        assert [row["rank"] for row in standings] == sorted(row["rank"] for row in standings)
        parts = {
            "standings": {row["player"]: row for row in standings},
            "tables": {one["number"]: one for one in tables},
        }
        return ShownView(tournament["version"], {"tournament": tournament, **parts})

    async def settle(self) -> None:
        """Wait until the own feeds have been sent everything."""
        shown = (await asyncio.to_thread(self.shown)).view
        seated = Counter(each["player"] for table in shown["tables"].values() for each in table["players"])
        for feed in self.own_feeds:
            row = shown["standings"].get(feed.player.id, {"left": ""})
            expected = seated[feed.player.id] + (row["left"] is None)
            await asyncio.to_thread(wait_for, lambda feed=feed, expected=expected: news(feed.player) >= expected)
            known = len(await asyncio.to_thread(own_events, feed.player))
            await until(lambda feed=feed, known=known: feed.version >= known)  # type: ignore[misc]  # defaults

    async def faults(self, store: RedisStore) -> list[str]:
        """Return everything that is wrong with the tournament and its rooms."""
        entries = await store.read(KindKey(TOURNAMENTS, self.id), Version(0))
        digest, events = b"", list[Json]()
        for entry in entries:
            digest = chain_digest(digest, entry.data)
            events.append(
                {"version": int(entry.version), **msgspec.json.decode(Form().decoder.decode(entry.data).event)}
            )
        faults = [] if digest == entries[-1].digest else ["the chain of digests is broken"]
        own = {feed.player.id: own_events(feed.player)[: feed.version] for feed in self.own_feeds}
        for feed in self.own_feeds:
            faults += subscriber_faults(feed.recorded, own[feed.player.id])
        views = [subscriber.views for subscriber in self.subscribers]
        return faults + tournament_faults(events, self.commands, views, self.shown(), own)

    @property
    def room_commands(self) -> list[Command]:
        """The commands to the rooms: those of the players, and the openings, whose outcome no client received."""
        opened = [(table["room"], number) for number, table in self.shown().view["tables"].items()]
        return [
            *(
                Command(room, f"tournament {self.id}", f"table {self.id} {number}", {}, [Attempt()])
                for room, number in opened
            ),
            *(command for command in self.commands if command.room != self.id),
        ]


def news(player: Player) -> int:
    """Return how many events of tournaments a player's own feed has."""
    return sum(event["type"] in {"tournament_match", "tournament_over"} for event in own_events(player))


def kill_some(victims: Sequence[Victim], count: int) -> None:
    """Kill processes at random."""
    for _ in kills(victims, count):
        time.sleep(PAUSE)


class Study(NamedTuple):
    """The players and rounds of a Swiss system, the players of a round robin, and the kills in each round."""

    players: int
    rounds: int
    stays: Sequence[Stay]
    kills: int


SHORT, LONG = Study(6, 2, (1, 1, 1), 2), Study(64, 6, (None, 1, None, 3, None, 5, None, 6), 12)


@pytest.mark.parametrize("study", [SHORT, pytest.param(LONG, marks=pytest.mark.soak)])
async def test_tournaments_are_what_clients_were_sent_through_kills(
    own_server: StoreServer, start_api: StartApi, start_worker: StartWorker, study: Study
) -> None:
    """In the registration and in each round: of a Swiss system, and of a round robin that players leave."""
    api, client = start_api()
    other, _ = start_api()
    victims: list[Victim] = [start_worker(), api, start_worker(), other, own_server]
    urls, organiser = [api.url, other.url], client.guest("Organiser")
    swiss = Played(urls, organiser, [None] * study.players, rounds=study.rounds)
    both = [swiss, Played(urls, organiser, study.stays, format="round_robin")]
    following = [task for one in both for task in one.follow()]
    await until(lambda: all(subscriber.views for one in both for subscriber in one.subscribers))
    playing = [asyncio.create_task(one.play()) for one in both]
    for number in range(study.rounds + 1):
        await until(lambda number=number: swiss.subscribers[0].round >= number)  # type: ignore[misc]  # a default
        await asyncio.to_thread(kill_some, victims[number:] + victims[:number], study.kills)
    await asyncio.gather(*playing)
    for one in both:
        await one.settle()
    for task in following:
        task.cancel()
    await asyncio.gather(*following, return_exceptions=True)
    store = RedisStore(own_server.url)
    stored = await stored_rooms(store)
    faults = [fault for room in stored for fault in room.faults]
    recording = Recording([command for one in both for command in one.room_commands])
    faults += command_faults(recording, stored)
    for one in both:
        faults += await one.faults(store)
    await store.close()
    assert not faults, faults[:20]
    if study is LONG:
        record_study(study, both, len(stored))


def record_study(study: Study, both: Sequence[Played], matches: int) -> None:
    """Write the figures to RESULTS.md."""
    every = Recording([command for one in both for command in one.commands])
    figures = [
        f"{study.kills * (study.rounds + 1)} kills",
        f"a Swiss system of {study.players} and a round robin of {len(study.stays)}, {matches} matches",
        f"{len(every.commands)} commands, none lost, none doubled",
        f"{unknown_outcomes(every)} attempts with an unknown outcome",
        f"{sum(len(feed.views) for one in both for feed in one.subscribers)} views sent, each equal to a recount",
        f"answers: {response_counts(every)}",
    ]
    record_result("history: tournaments", "; ".join(figures))
