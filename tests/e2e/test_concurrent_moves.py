"""Eight clients send a move to one room at the same time, repeatedly."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from tests.e2e.client import ApiClient, Player, Response
from tests.e2e.conftest import StartApi
from tests.e2e.results import record_result
from tests.e2e.seated_rooms import SeatedRoom, seat_players

CLIENTS = 8


class Contest:
    """A room of Ternio, and eight clients of the player to move, distributed over several API processes."""

    def __init__(self, clients: list[ApiClient]) -> None:
        """Seat three players; with days for a move, the next match starts in the same command that ends one."""
        self._clients = clients
        settings = {"restart": 0, "clock": {"type": "days", "days": 1}}
        self._seated: SeatedRoom = seat_players(clients[0], "ternio", 3, settings=settings)
        self._barrier = Barrier(CLIENTS)
        self._won: list[int] = []
        self.lost = 0

    def run(self, tries: int) -> None:
        """Let all eight clients try so often, alternately with and without `If-Match`."""
        with ThreadPoolExecutor(CLIENTS) as pool:
            for number in range(tries):
                self._try(pool, number, insisting=number % 2 == 0)
        self._read_back()

    def _try(self, pool: ThreadPoolExecutor, number: int, *, insisting: bool) -> None:
        seen = self._seated.players[0].via(self._clients[number % len(self._clients)]).read_room(self._seated.room).body
        mover: Player = self._seated.players[seen["match"]["to_move"][0]]
        moves = mover.read_room(self._seated.room).body["match"]["legal_moves"]

        def send(client: int) -> Response:
            player = mover.via(self._clients[client % len(self._clients)])
            self._barrier.wait()
            return player.play(
                self._seated.room, moves[client % len(moves)], if_match=seen["version"] if insisting else None
            )

        responses = list(pool.map(send, range(CLIENTS)))
        self._check_winners([response for response in responses if response.status == 200], seen["version"])
        self._check_losers([response for response in responses if response.status != 200], mover, insisting=insisting)

    def _check_winners(self, winners: list[Response], before: int) -> None:
        """One client moved, or several in succession where the same seat was to move again."""
        assert winners
        latest = sorted(winners, key=lambda response: int(response.body["version"]))
        for winner in latest[:-1]:
            assert any(event["type"] in {"passed", "match_started"} for event in winner.body["events"])
        for winner in latest:
            versions = [event["version"] for event in winner.body["events"]]
            assert versions == list(range(before + 1, winner.body["version"] + 1))
            before = versions[-1]
            self._won.append(versions[0])

    def _check_losers(self, losers: list[Response], mover: Player, *, insisting: bool) -> None:
        """Every other client receives the room's version and the legal moves, even while the match continues."""
        now = mover.read_room(self._seated.room).body
        for loser in losers:
            assert loser.status == (412 if insisting else 409)
            assert loser.code == "version_mismatch" or not insisting
            assert self._won[-1] <= loser.body["version"] <= now["version"]
            if loser.body["version"] == now["version"]:
                assert loser.body["legal_moves"] == now["match"]["legal_moves"]
        self.lost += len(losers)

    def _read_back(self) -> None:
        """Check that the history has the winners' moves, no other move, and no gap between versions."""
        events, since = [], 0
        while page := self._seated.players[0].get(f"/v1/rooms/{self._seated.room}/events", since=since).body["events"]:
            events += page
            since = page[-1]["version"]
        assert [event["version"] for event in events] == list(range(1, len(events) + 1))
        assert [event["version"] for event in events if event["type"] == "placed"] == self._won


@pytest.mark.parametrize("processes", [1, 2])
def test_one_move_wins_each_version_and_the_others_receive_the_state(start_api: StartApi, processes: int) -> None:
    """With one API process, and with two."""
    Contest([start_api()[1] for _ in range(processes)]).run(tries=50)


@pytest.mark.soak
@pytest.mark.parametrize("processes", [1, 2])
def test_a_thousand_races(start_api: StartApi, processes: int) -> None:
    """The same at full length; the figures are written to RESULTS.md."""
    contest = Contest([start_api()[1] for _ in range(processes)])
    contest.run(tries=1000)
    record_result(
        f"1,000 moves sent by 8 clients at once, {processes} API process{'es' * (processes > 1)}",
        f"one winner per version each time; {contest.lost} losers, each sent the version and the legal moves",
    )
