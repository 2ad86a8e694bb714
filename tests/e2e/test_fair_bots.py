"""One guest's rooms full of hard bots don't keep another guest's bot from answering."""

import time
from pathlib import Path

from tests.e2e.bot_rooms import history, moment, service
from tests.e2e.client import PATIENCE, Door, Json, Player, fresh_name
from tests.store_server import StoreServer

ROOMS = 40
"""All of them wait for their bots at the same moment: served in the order of their claims, 40 moves came first."""

FEW = 8


def test_a_bot_answers_before_the_many_of_another_guest(own_server: StoreServer, tmp_path: Path) -> None:
    """Ada has 40 rooms of three hard bots each; Bob's easy bot moves when few of theirs have."""
    with service(own_server, tmp_path, workers=1) as (door, _):
        crowd = opens_many(door.guest("Ada"))
        wait_until_all_move(door, crowd)
        bob, room = door.guest("Bob"), fresh_name()
        seats = ["me", {"bot": "easy"}]
        bob.opens("morris", name=room, seats=seats, settings={"bot_pause": 0})
        played = bob.plays(room, {"type": "place", "at": "a1"}).body["version"]
        answer = answered(bob, room, played)
        told = [event for name in crowd for event in history(door, name)]
    asked = moment(answer[played - 1])
    between = [event for event in told if event["type"] == "placed" and asked < moment(event) < moment(answer[played])]
    assert len(between) < FEW


def opens_many(ada: Player) -> list[str]:
    """Open the rooms and return their names."""
    names = [fresh_name() for _ in range(ROOMS)]
    for name in names:
        ada.opens("ternio", name=name, seats=[{"bot": "hard"}] * 3, settings={"bot_pause": 0})
    return names


def wait_until_all_move(door: Door, rooms: list[str]) -> None:
    """Wait until bots have moved in each room."""
    deadline = time.monotonic() + 6 * PATIENCE
    while not all(any(event["type"] == "placed" for event in history(door, name)) for name in rooms):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def answered(player: Player, room: str, played: int) -> list[Json]:
    """Return the room's history once the bot has answered a move."""
    deadline = time.monotonic() + 4 * PATIENCE
    while len(told := player.gets(f"/v1/rooms/{room}/events").body["events"]) <= played:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return [dict(event) for event in told]
