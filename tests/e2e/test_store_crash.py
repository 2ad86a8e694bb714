"""The store dies in the middle of many moves; clients repeat theirs with the same key until they are answered."""

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import pytest

from tests.e2e.client import PATIENCE, Answer, Json, Player
from tests.e2e.conftest import StartApi
from tests.e2e.results import note
from tests.e2e.tables import Table, seated
from tests.store_server import StoreServer

TABLES = 4


class Kept(NamedTuple):
    """A move that was answered with 200: where it was said to stand, and what was selected."""

    version: int
    at: str


class Mover:
    """One player who selects again and again, and repeats whatever wasn't answered."""

    def __init__(self, player: Player, room: str, moves: int) -> None:
        """Make so many moves in a room."""
        self.kept: list[Kept] = []
        self.answers: Counter[str] = Counter()
        self._player, self._room, self._moves = player, room, moves
        selections = player.sees(room).body["match"]["legal_moves"]
        self._squares = [move["at"] for move in selections if move["type"] == "select"]

    def run(self) -> None:
        """Make all moves."""
        for number in range(self._moves):
            at = self._squares[number * 7 % len(self._squares)]
            answer = self._insist(f"{self._player.id} {number}", {"type": "select", "at": at})
            self.kept.append(Kept(answer.body["version"], at))

    def _insist(self, key: str, move: Json) -> Answer:
        while (answer := self._player.plays(self._room, move, key=key)).status != 200:
            assert answer.status == 503, answer
            assert answer.headers["retry-after"] == "1"
            self.answers[answer.code] += 1
            time.sleep(0.02)
        self.answers["replayed" if "idempotency-replayed" in answer.headers else "accepted"] += 1
        return answer


class Crowd:
    """Two movers at each of several tables."""

    def __init__(self, tables: list[Table], moves: int) -> None:
        """Let them make so many moves between them."""
        share = moves // (2 * len(tables))
        self.moves = share * 2 * len(tables)
        self._movers = {table: [Mover(player, table.room, share) for player in table.players] for table in tables}

    @property
    def everyone(self) -> list[Mover]:
        """All movers."""
        return [mover for pair in self._movers.values() for mover in pair]

    def moved(self) -> int:
        """Return how many moves have been answered so far."""
        return sum(len(mover.kept) for mover in self.everyone)

    def run(self, beside: Callable[[], None]) -> Counter[str]:
        """Make all moves while something else happens; return how the requests were answered."""
        with ThreadPoolExecutor(len(self.everyone)) as pool:
            running = [pool.submit(mover.run) for mover in self.everyone]
            beside()
            for each in running:
                each.result()
        return sum((mover.answers for mover in self.everyone), Counter())

    def check(self) -> None:
        """Compare each room's history with what its movers were answered."""
        for table, pair in self._movers.items():
            for player, mover in zip(table.players, pair, strict=True):
                told = player.gets(f"/v1/rooms/{table.room}/events", limit=1000).body["events"]
                assert [event["version"] for event in told] == list(range(1, len(told) + 1))
                own = [event for event in told if event["type"] == "selected" and event["by"] == player.id]
                assert [Kept(event["version"], event["at"]) for event in own] == mover.kept
        assert self.moved() == self.moves


def crash_in_the_middle(start_api: StartApi, store: StoreServer, moves: int, crashes: int) -> Counter[str]:
    """Kill the store so many times, evenly spread over the moves, and return how the requests were answered."""
    _, door = start_api()
    crowd = Crowd([seated(door, "turncoat", 2) for _ in range(TABLES)], moves)

    def crash() -> None:
        for number in range(1, crashes + 1):
            deadline = time.monotonic() + PATIENCE
            while crowd.moved() < moves * number // (crashes + 1) and time.monotonic() < deadline:
                time.sleep(0.005)
            store.kill()
            time.sleep(0.1)
            store.start()

    answers = crowd.run(beside=crash)
    crowd.check()
    return answers


def test_a_move_that_was_answered_survives_the_store_and_counts_once(
    start_api: StartApi, own_server: StoreServer
) -> None:
    """No version is missing, and repeating a move until it is answered makes it once."""
    answers = crash_in_the_middle(start_api, own_server, moves=200, crashes=1)
    assert answers["accepted"] + answers["replayed"] == 200
    assert answers["store_unavailable"] + answers["outcome_unknown"] > 0


@pytest.mark.soak
def test_two_thousand_moves_survive_five_crashes(start_api: StartApi, own_server: StoreServer) -> None:
    """The same at full length; the figures go into RESULTS.md."""
    answers = crash_in_the_middle(start_api, own_server, moves=2000, crashes=5)
    assert answers["accepted"] + answers["replayed"] == 2000
    refused = answers["store_unavailable"] + answers["outcome_unknown"]
    note(
        "2,000 moves in 4 rooms, the store killed (kill -9) 5 times, `appendfsync always`",
        f"{answers['accepted'] + answers['replayed']} answered, every one in its place and once; "
        f"{answers['replayed']} of them had been written before their first answer was lost; {refused} times 503",
    )
