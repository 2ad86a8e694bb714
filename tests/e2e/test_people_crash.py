"""Players are paired and notified while processes are killed: each exactly once, and nobody is lost."""

import contextlib
from collections import Counter
from collections.abc import Sequence
from itertools import cycle

import httpx
import pytest

from tests.e2e.client import ApiClient, Json, Player
from tests.e2e.conftest import StartApi, StartWorker
from tests.e2e.kills import kills
from tests.e2e.processes import ServiceProcess
from tests.waiting import wait_for

"""Seconds in which everything has to be done after the last kill."""


class Stranger:
    """A player who looks for a match until one has begun, and repeats every request that fails."""

    def __init__(self, player: Player) -> None:
        """Play as this player."""
        self.player = player
        self.room = ""
        """The room in which the match has begun."""

    def act(self) -> None:
        """Look for a match, or be ready for the one that was found."""
        with contextlib.suppress(httpx.TransportError):
            if self.room:
                return
            pairing = self.player.get("/v1/players/me/seeks").body.get("pairing")
            if pairing is None:
                self.player.post("/v1/seeks", {"game": "morris"})
            elif pairing["room"]:
                self.player.command(pairing["room"], "ready")
                view = self.player.read_room(pairing["room"]).body
                if view.get("status") == "playing":
                    self.room = pairing["room"]

    def events(self) -> list[Json]:
        """Return everything in the player's own feed."""
        events: list[Json] = self.player.get("/v1/players/me/events", limit=1000).body["events"]
        return events


class Friend(Stranger):
    """A player who challenges another one, or accepts, until a match has begun."""

    def __init__(self, player: Player, asks: str | None) -> None:
        """Play as this player; `asks` is the id of the other one, None if that one asks."""
        super().__init__(player)
        self.asks = asks

    def act(self) -> None:
        """Ask, accept, or be ready in the room that was opened; a request that failed may have been served."""
        with contextlib.suppress(httpx.TransportError):
            if self.room:
                return
            opened = [event["room"] for event in self.events() if event["type"] == "challenge_opened"]
            known = self.player.get("/v1/players/me/challenges").body
            if opened:
                self.player.command(opened[0], "ready")
                if self.player.read_room(opened[0]).body.get("status") == "playing":
                    self.room = opened[0]
            elif self.asks and not known["made"]:
                self.player.post("/v1/challenges", {"game": "morris", "opponents": [self.asks]})
            elif not self.asks and known["received"]:
                self.player.post(f"/v1/challenges/{known['received'][0]['id']}/accept", {})


def rooms_of(strangers: Sequence[Stranger]) -> Counter[str]:
    """Return the rooms in which matches have begun, with the number of their players."""
    return Counter(stranger.room for stranger in strangers if stranger.room)


def play(processes: list[ServiceProcess], players: Sequence[Stranger], count: int) -> None:
    """Let all players act while processes are killed, until each has a match with one other."""
    for _, player in zip(kills(processes, count), cycle(players), strict=False):
        player.act()

    def all_play() -> bool:
        for player in players:
            player.act()
        return all(player.room for player in players)

    wait_for(all_play, lambda: [player.events() for player in players if not player.room])
    assert set(rooms_of(players).values()) == {2}


@pytest.mark.parametrize(("players", "count"), [(8, 6), pytest.param(60, 80, marks=pytest.mark.soak)])
def test_kills_lose_no_player_and_repeat_nothing(
    start_api: StartApi, start_worker: StartWorker, players: int, count: int
) -> None:
    """Of the API and of two workers, at random moments."""
    api, client = start_api()
    processes = [api, start_worker(), start_worker()]
    strangers = [Stranger(client.guest(f"Player {number}")) for number in range(players)]
    play(processes, strangers, count)
    check_feeds(client, strangers)


@pytest.mark.parametrize(("pairs", "count"), [(3, 5), pytest.param(30, 80, marks=pytest.mark.soak)])
def test_kills_open_one_room_for_each_challenge(
    start_api: StartApi, start_worker: StartWorker, pairs: int, count: int
) -> None:
    """What becomes of it is delivered to both players once; a challenge that was made twice has a room of its own."""
    api, client = start_api()
    processes = [api, start_worker(), start_worker()]
    asked = [client.guest(f"Asked {number}") for number in range(pairs)]
    friends = [Friend(client.guest("Asking"), player.id) for player in asked]
    play(processes, [*friends, *(Friend(player, None) for player in asked)], count)
    for friend, player in zip(friends, asked, strict=True):
        wait_for(lambda pair=(friend.player, player): len(set(map(tuple, map(own_challenges, pair)))) == 1)  # type: ignore[misc]  # a default
        assert set(Counter(own_challenges(player)).values()) == {1}


def own_challenges(player: Player) -> list[tuple[str, str]]:
    """Return the events of challenges in a player's own feed, each with its challenge, but not who was asked."""
    events = player.get("/v1/players/me/events", limit=1000).body["events"]
    kinds = {event["type"] for event in events if event["type"].startswith("challenge_")} - {"challenge_made"}
    return [(event["type"], challenge_of(event)) for event in events if event["type"] in kinds]


def challenge_of(event: Json) -> str:
    """Return the id of an event's challenge."""
    challenge = event["challenge"]
    return str(challenge["id"] if isinstance(challenge, dict) else challenge)


def check_feeds(client: ApiClient, strangers: list[Stranger]) -> None:
    """Check that each player was notified of each room and of the match once, and one of the two of the turn."""
    for stranger in strangers:
        wait_for(lambda stranger=stranger: has_begun(stranger.events()), stranger.events)  # type: ignore[misc]  # a default
        events = stranger.events()
        counts = Counter((event["type"], event["room"]) for event in events if "room" in event)
        assert set(counts.values()) == {1}, events
        assert counts["match_began", stranger.room] == counts["seek_matched", stranger.room] == 1
    turns = Counter(
        event["room"] for stranger in strangers for event in stranger.events() if event["type"] == "turn_began"
    )
    assert set(turns.values()) == {1}
    assert client.anonymous().get("/v1/seeks").body["total"] == 0


def has_begun(events: list[Json]) -> bool:
    """Return whether a player was notified that a match began."""
    return "match_began" in [event["type"] for event in events]
