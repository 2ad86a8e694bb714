"""A guest's rooms full of bots do not delay another guest's bot."""

from pathlib import Path

from tests.e2e.bot_rooms import history, run_service, timestamp
from tests.e2e.client import ApiClient, Json, Player, fresh_name
from tests.store_server import StoreServer
from tests.waiting import wait_for

ROOMS = 40
"""All of them wait for their bots at the same time: in the order of their claims, 40 moves would be computed first."""

FEW = 8


def test_a_bot_is_not_delayed_by_another_guests_bots(own_server: StoreServer, tmp_path: Path) -> None:
    """Ada has 40 rooms of three bots each that use all their time; Bob's easy bot moves after a few of their moves."""
    with run_service(own_server, tmp_path, workers=1) as (client, _):
        ada_rooms = open_many_rooms(client.guest("Ada"))
        wait_until_all_move(client, ada_rooms)
        bob, room = client.guest("Bob"), fresh_name()
        seats = ["me", {"bot": "easy"}]
        bob.open_room("morris", name=room, seats=seats, settings={"bot_pause": 0})
        played = bob.play(room, {"type": "place", "at": "a1"}).body["version"]
        history_after = wait_for_reply(bob, room, played)
        events = [event for name in ada_rooms for event in history(client, name)]
    asked_at = timestamp(history_after[played - 1])
    between = [
        event
        for event in events
        if event["type"] == "placed" and asked_at < timestamp(event) < timestamp(history_after[played])
    ]
    assert len(between) < FEW


def open_many_rooms(ada: Player) -> list[str]:
    """Open the rooms and return their names."""
    names = [fresh_name() for _ in range(ROOMS)]
    for name in names:
        ada.open_room("ternio", name=name, seats=[{"bot": "expert"}] * 3, settings={"bot_pause": 0})
    return names


def wait_until_all_move(client: ApiClient, rooms: list[str]) -> None:
    """Wait until bots have moved in each room."""
    wait_for(lambda: all(any(event["type"] == "placed" for event in history(client, name)) for name in rooms))


def wait_for_reply(player: Player, room: str, played: int) -> list[Json]:
    """Return the room's history once the bot has replied to a move."""
    wait_for(lambda: len(player.get(f"/v1/rooms/{room}/events").body["events"]) > played)
    return [dict(event) for event in player.get(f"/v1/rooms/{room}/events").body["events"]]
