"""Eight clients send a move into one room at the same moment, again and again."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from tests.e2e.client import Answer, Door, Player
from tests.e2e.conftest import StartApi
from tests.e2e.results import note
from tests.e2e.tables import Table, seated

CLIENTS = 8


class Contest:
    """One table of Ternio, and eight clients of whoever is to move, spread over some API processes."""

    def __init__(self, doors: list[Door]) -> None:
        """Seat three players; a match that ends is followed by the next one in the same command."""
        self._doors = doors
        self._table: Table = seated(doors[0], "ternio", 3, settings={"restart": 0})
        self._barrier = Barrier(CLIENTS)
        self._won: list[int] = []
        self.lost = 0

    def run(self, tries: int) -> None:
        """Let all eight try so often, by turns with and without naming the version that they have seen."""
        with ThreadPoolExecutor(CLIENTS) as pool:
            for number in range(tries):
                self._try(pool, number, insisting=number % 2 == 0)
        self._read_back()

    def _try(self, pool: ThreadPoolExecutor, number: int, *, insisting: bool) -> None:
        seen = self._table.players[0].at(self._doors[number % len(self._doors)]).sees(self._table.room).body
        mover: Player = self._table.players[seen["match"]["to_move"][0]]
        moves = mover.sees(self._table.room).body["match"]["legal_moves"]

        def send(client: int) -> Answer:
            player = mover.at(self._doors[client % len(self._doors)])
            self._barrier.wait()
            return player.plays(
                self._table.room, moves[client % len(moves)], if_match=seen["version"] if insisting else None
            )

        answers = list(pool.map(send, range(CLIENTS)))
        self._judge_winners([answer for answer in answers if answer.status == 200], seen["version"])
        self._judge_losers([answer for answer in answers if answer.status != 200], mover, insisting=insisting)

    def _judge_winners(self, winners: list[Answer], before: int) -> None:
        """One has moved, or several after each other where the same seat was to move again at once."""
        assert winners
        latest = sorted(winners, key=lambda answer: int(answer.body["version"]))
        for winner in latest[:-1]:
            assert any(event["type"] in {"passed", "match_started"} for event in winner.body["events"])
        for winner in latest:
            versions = [event["version"] for event in winner.body["events"]]
            assert versions == list(range(before + 1, winner.body["version"] + 1))
            before = versions[-1]
            self._won.append(versions[0])

    def _judge_losers(self, losers: list[Answer], mover: Player, *, insisting: bool) -> None:
        """Everyone else is told where the room stands and what they may do there, even while it goes on."""
        now = mover.sees(self._table.room).body
        for loser in losers:
            assert loser.status == (412 if insisting else 409)
            assert loser.code == "version_mismatch" or not insisting
            assert self._won[-1] <= loser.body["version"] <= now["version"]
            if loser.body["version"] == now["version"]:
                assert loser.body["legal_moves"] == now["match"]["legal_moves"]
        self.lost += len(losers)

    def _read_back(self) -> None:
        """Find in the history the winners' moves, without a gap between versions, and no other move."""
        told, since = [], 0
        while page := self._table.players[0].gets(f"/v1/rooms/{self._table.room}/events", since=since).body["events"]:
            told += page
            since = page[-1]["version"]
        assert [event["version"] for event in told] == list(range(1, len(told) + 1))
        assert [event["version"] for event in told if event["type"] == "placed"] == self._won


@pytest.mark.parametrize("processes", [1, 2])
def test_one_move_wins_a_version_and_every_loser_learns_where_the_room_stands(
    start_api: StartApi, processes: int
) -> None:
    """At one API process, and spread over two of them."""
    Contest([start_api()[1] for _ in range(processes)]).run(tries=50)


@pytest.mark.soak
@pytest.mark.parametrize("processes", [1, 2])
def test_a_thousand_races(start_api: StartApi, processes: int) -> None:
    """The same at full length; the figures go into RESULTS.md."""
    contest = Contest([start_api()[1] for _ in range(processes)])
    contest.run(tries=1000)
    note(
        f"1,000 moves sent by 8 clients at once, {processes} API process{'es' * (processes > 1)}",
        f"one winner a version each time; {contest.lost} losers, each told version and legal moves",
    )
