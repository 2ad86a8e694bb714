"""One request opens a match against bots, which reply to moves and offers."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.e2e.bot_rooms import run_service
from tests.e2e.client import Player
from tests.store_server import StoreServer
from tests.waiting import wait_for

README = (Path(__file__).parents[2] / "README.md").read_text()


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_readmes_command_opens_a_match_against_two_bots(own_server: StoreServer, tmp_path: Path) -> None:
    """As printed, except for the address: blue moves, then red and green."""
    [line] = re.findall(r"^(curl .*/v1/rooms .*\"seats\".*)$", README, re.MULTILINE)
    environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    with run_service(own_server, tmp_path, workers=1) as (client, _):
        command = line.replace("http://127.0.0.1:8000", client.url)
        shell = ["/bin/sh", "-c", command]
        output = subprocess.run(shell, env=environment, capture_output=True, check=True).stdout
        opened = json.loads(output)
        match = opened["view"]["match"]
        assert match["status"] == "playing"
        ada = Player(client, opened["token"], opened["view"]["creator"])
        moved = play_and_wait(ada, opened["room"])
        assert moved == ["placed"] * 3


def play_and_wait(player: Player, room: str) -> list[str]:
    """Make a move when it is this player's turn, and return the types of events until it is again."""
    wait_for(lambda: player.read_room(room).body["match"]["to_move"] == [0])
    move = player.read_room(room).body["match"]["legal_moves"][0]
    since = player.play(room, move).body["version"] - 1
    wait_for(lambda: player.read_room(room).body["match"]["to_move"] == [0])
    events = player.get(f"/v1/rooms/{room}/events", since=since).body["events"]
    return [event["type"] for event in events if event["type"] != "passed"][:3]


def test_a_bot_answers_a_draw_offer(own_server: StoreServer, tmp_path: Path) -> None:
    """If the bot declines, Ada can offer no other draw before her next move."""
    with run_service(own_server, tmp_path, workers=1) as (client, _):
        ada = client.guest("Ada")
        room = ada.open_room("morris", seats=["me", {"bot": "hard"}]).body["room"]
        offered = ada.command(room, "offer_draw").body
        (offer,) = offered["view"]["offers"]
        assert offer["awaits"] == ["bot-1"]
        wait_for(lambda: not ada.read_room(room).body["offers"])
        view = ada.read_room(room).body
        events = ada.get(f"/v1/rooms/{room}/events", since=offered["version"]).body["events"]
        assert [event["type"] for event in events if event["type"].startswith("offer_")][-1] == "offer_closed"
        if view["match"]["status"] == "playing":
            assert ada.command(room, "offer_draw").code == "draw_offered_here"
        else:
            assert view["match"]["result"]["reason"] == "agreed"
