"""A tournament is played while workers are killed: no round is lost or begun twice, and no match is opened twice."""

import time
from collections import Counter

import pytest

from tests.api.tournaments import new_tournament, send
from tests.e2e.client import Player
from tests.e2e.conftest import StartApi, StartWorker
from tests.e2e.kills import kills

WITHIN = 120.0
"""Seconds in which everything has to be done after the last kill."""


class Field:
    """The players of a tournament; in each match one of them resigns."""

    def __init__(self, organiser: Player, tournament: str, players: list[Player]) -> None:
        """Begin the tournament."""
        self.organiser, self.tournament = organiser, tournament
        self.players = {player.id: player for player in players}
        for player in players:
            send(player, tournament, "register")
        send(organiser, tournament, "begin")

    def play(self) -> str:
        """Let the second seat of every running match resign, and return the tournament's status."""
        tables = self.organiser.get(f"/v1/tournaments/{self.tournament}/tables", limit=100).body["tables"]
        for table in tables:
            if table["room"] is not None and table["places"] is None:
                player = self.players[table["players"][1]["player"]]
                player.command(table["room"], "resign")
        status: str = self.organiser.get(f"/v1/tournaments/{self.tournament}").body["tournament"]["status"]
        return status


@pytest.mark.parametrize(("players", "rounds", "count"), [(6, 2, 4), pytest.param(64, 6, 60, marks=pytest.mark.soak)])
def test_kills_lose_no_round_and_begin_none_twice(
    start_api: StartApi, start_worker: StartWorker, players: int, rounds: int, count: int
) -> None:
    """Of two workers, in the middle of rounds; afterwards tables, rooms, matches, feeds and standings agree."""
    _, client = start_api()
    workers = [start_worker(), start_worker()]
    organiser = client.guest("Organiser")
    tournament = new_tournament(organiser, rounds=rounds)
    send(organiser, tournament, "withdraw")
    field = Field(organiser, tournament, [client.guest(f"Player {number}") for number in range(players)])
    for _ in kills(workers, count):
        field.play()
    deadline = time.monotonic() + WITHIN
    while field.play() != "finished":
        assert time.monotonic() < deadline, organiser.get(f"/v1/tournaments/{tournament}").body
    tables = organiser.get(f"/v1/tournaments/{tournament}/tables", limit=1000).body["tables"]
    assert Counter(table["round"] for table in tables) == dict.fromkeys(range(1, rounds + 1), players // 2)
    assert [table["places"] for table in tables] == [[1, 2]] * len(tables)
    rooms = [table["room"] for table in tables]
    assert len(set(rooms)) == len(rooms)
    for player in field.players.values():
        events = player.get("/v1/players/me/events", limit=1000).body["events"]
        news = [(event["round"], event["room"]) for event in events if event["type"] == "tournament_match"]
        own = [
            (table["round"], table["room"]) for table in tables if player.id in {p["player"] for p in table["players"]}
        ]
        assert sorted(news) == sorted(own)
    rows = organiser.get(f"/v1/tournaments/{tournament}/standings", limit=100).body["standings"]
    wins = Counter(table["players"][0]["player"] for table in tables)
    assert {row["player"]: row["points"] for row in rows} == {player: wins[player] for player in field.players}
