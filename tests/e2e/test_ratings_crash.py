"""Matches are rated, and listed for their players, while workers are killed: each exactly once."""

from collections import Counter

import pytest

from tests.e2e.client import ApiClient, Player
from tests.e2e.conftest import StartApi, StartWorker
from tests.e2e.kills import kills
from tests.waiting import wait_for

"""Seconds in which everything has to be done after the last kill."""

RATED = {"rated": True, "clock": {"type": "per_move", "ms": 10_000}, "start": "full", "restart": None}


class RatedPair:
    """Two players with a rated match that one of them has yet to resign."""

    def __init__(self, client: ApiClient, number: int) -> None:
        """Begin the match, and let both move."""
        self.winner, self.loser = client.guest(f"Winner {number}"), client.guest(f"Loser {number}")
        self.room = self.winner.open_room("morris", settings=RATED).body["room"]
        view = self.loser.command(self.room, "join").body["view"]
        first, second = (self.winner, self.loser) if view["match"]["to_move"] == [0] else (self.loser, self.winner)
        first.play(self.room, {"type": "place", "at": "a1"})
        second.play(self.room, {"type": "place", "at": "d1"})

    def resign(self) -> None:
        """End the match."""
        assert self.loser.command(self.room, "resign").status == 200


def changes(player: Player) -> list[float]:
    """Return the ratings in a player's own feed."""
    events = player.get("/v1/players/me/events", limit=1000).body["events"]
    return [event["rating"] for event in events if event["type"] == "rating_changed"]


@pytest.mark.parametrize(("pairs", "count"), [(6, 4), pytest.param(60, 60, marks=pytest.mark.soak)])
def test_kills_rate_no_match_twice_and_lose_none(
    start_api: StartApi, start_worker: StartWorker, pairs: int, count: int
) -> None:
    """Of two workers, while matches end; the entries of the list, the players' feeds and the ratings agree."""
    _, client = start_api()
    workers = [start_worker(), start_worker()]
    left = [RatedPair(client, number) for number in range(pairs)]
    everybody = [player for pair in left for player in (pair.winner, pair.loser)]
    for _ in kills(workers, count):
        if left:
            left.pop().resign()
    for pair in left:
        pair.resign()
    wait_for(lambda: all(changes(player) for player in everybody), lambda: [changes(player) for player in everybody])
    entries = client.anonymous().get("/v1/ratings/morris/blitz/entries", limit=1000).body["entries"]
    assert set(Counter(entry["match_id"] for entry in entries).values()) == {1}
    assert len(entries) == pairs
    for player in everybody:
        path = f"/v1/players/{player.id}/matches"
        matches = wait_for(lambda path=path: client.anonymous().get(path).body["matches"])  # type: ignore[misc]  # a default
        assert len(matches) == 1
        path = f"/v1/players/{player.id}/ratings"  # the board is written after the list
        ratings = wait_for(lambda path=path: client.anonymous().get(path).body["ratings"])  # type: ignore[misc]  # a default
        assert [(standing["rating"], standing["matches"]) for standing in ratings] == [(changes(player)[0], 1)]
        assert len(changes(player)) == 1
