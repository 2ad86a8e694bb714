"""The store is killed during many moves; clients repeat theirs with the same key until they are acknowledged."""

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import pytest

from tests.e2e.client import Json, Player, Response
from tests.e2e.conftest import StartApi
from tests.e2e.results import record_result
from tests.e2e.seated_rooms import SeatedRoom, seat_players
from tests.store_server import StoreServer
from tests.waiting import wait_for

ROOMS = 4


class Acknowledged(NamedTuple):
    """An acknowledged move: its version and its square."""

    version: int
    at: str


class Mover:
    """One player who makes selections and repeats each until it is acknowledged."""

    def __init__(self, player: Player, room: str, moves: int) -> None:
        """Make so many moves in a room."""
        self.acknowledged: list[Acknowledged] = []
        self.responses: Counter[str] = Counter()
        self._player, self._room, self._moves = player, room, moves
        selections = player.read_room(room).body["match"]["legal_moves"]
        self._squares = [move["at"] for move in selections if move["type"] == "select"]

    def run(self) -> None:
        """Make all moves."""
        for number in range(self._moves):
            at = self._squares[number * 7 % len(self._squares)]
            response = self._repeat_until_acknowledged(f"{self._player.id} {number}", {"type": "select", "at": at})
            self.acknowledged.append(Acknowledged(response.body["version"], at))

    def _repeat_until_acknowledged(self, key: str, move: Json) -> Response:
        while (response := self._player.play(self._room, move, key=key)).status != 200:
            assert response.status == 503, response
            assert response.headers["retry-after"] == "1"
            self.responses[response.code] += 1
            time.sleep(0.02)
        self.responses["replayed" if "idempotency-replayed" in response.headers else "accepted"] += 1
        return response


class Movers:
    """Two movers in each of several rooms."""

    def __init__(self, rooms: list[SeatedRoom], moves: int) -> None:
        """Distribute a number of moves over them."""
        share = moves // (2 * len(rooms))
        self.moves = share * 2 * len(rooms)
        self._movers = {seated: [Mover(player, seated.room, share) for player in seated.players] for seated in rooms}

    @property
    def everyone(self) -> list[Mover]:
        """All movers."""
        return [mover for both in self._movers.values() for mover in both]

    def acknowledged_moves(self) -> int:
        """Return how many moves have been acknowledged."""
        return sum(len(mover.acknowledged) for mover in self.everyone)

    def run(self, meanwhile: Callable[[], None]) -> Counter[str]:
        """Make all moves during another action; return the responses by kind."""
        with ThreadPoolExecutor(len(self.everyone)) as pool:
            running = [pool.submit(mover.run) for mover in self.everyone]
            meanwhile()
            for each in running:
                each.result()
        return sum((mover.responses for mover in self.everyone), Counter())

    def check(self) -> None:
        """Compare each room's history with what its movers received."""
        for seated, both in self._movers.items():
            for player, mover in zip(seated.players, both, strict=True):
                events = player.get(f"/v1/rooms/{seated.room}/events", limit=1000).body["events"]
                assert [event["version"] for event in events] == list(range(1, len(events) + 1))
                own = [event for event in events if event["type"] == "selected" and event["by"] == player.id]
                assert [Acknowledged(event["version"], event["at"]) for event in own] == mover.acknowledged
        assert self.acknowledged_moves() == self.moves


def crash_during_moves(start_api: StartApi, store: StoreServer, moves: int, crashes: int) -> Counter[str]:
    """Kill the store so many times, evenly distributed over the moves, and return the responses by kind."""
    _, client = start_api()
    movers = Movers([seat_players(client, "turncoat", 2) for _ in range(ROOMS)], moves)

    def crash() -> None:
        for number in range(1, crashes + 1):
            wait_for(lambda number=number: movers.acknowledged_moves() >= moves * number // (crashes + 1))  # type: ignore[misc]  # a default
            store.kill()
            time.sleep(0.1)
            store.start()

    responses = movers.run(meanwhile=crash)
    movers.check()
    return responses


def test_an_acknowledged_move_survives_a_crash_and_is_stored_once(start_api: StartApi, own_server: StoreServer) -> None:
    """No version is missing, and repeating a move until it is acknowledged makes it once."""
    responses = crash_during_moves(start_api, own_server, moves=200, crashes=1)
    assert responses["accepted"] + responses["replayed"] == 200
    assert responses["store_unavailable"] + responses["outcome_unknown"] > 0


@pytest.mark.soak
def test_two_thousand_moves_survive_five_crashes(start_api: StartApi, own_server: StoreServer) -> None:
    """The same at full length; the figures are written to RESULTS.md."""
    responses = crash_during_moves(start_api, own_server, moves=2000, crashes=5)
    assert responses["accepted"] + responses["replayed"] == 2000
    refused = responses["store_unavailable"] + responses["outcome_unknown"]
    record_result(
        "2,000 moves in 4 rooms, the store killed (kill -9) 5 times, `appendfsync always`",
        f"{responses['accepted'] + responses['replayed']} acknowledged, every one at its version and once; "
        f"{responses['replayed']} of them had been stored although their first response was lost; {refused} times 503",
    )
