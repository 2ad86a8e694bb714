"""One request opens a match against bots, and they answer."""

import json
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.e2e.bot_rooms import service
from tests.e2e.client import PATIENCE, Player
from tests.store_server import StoreServer

README = (Path(__file__).parents[2] / "README.md").read_text()


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
def test_the_readmes_line_opens_a_match_in_which_two_bots_answer(own_server: StoreServer, tmp_path: Path) -> None:
    """As printed, but for the address: blue moves, then red and green do."""
    [line] = re.findall(r"^    (curl .*/v1/rooms .*\"seats\".*)$", README, re.MULTILINE)
    environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    with service(own_server, tmp_path, workers=1) as (door, _):
        here = line.replace("http://127.0.0.1:8000", door.url)
        shell = ["/bin/sh", "-c", here]
        printed = subprocess.run(shell, env=environment, capture_output=True, check=True).stdout
        opened = json.loads(printed)
        match = opened["view"]["match"]
        assert match["status"] == "playing"
        ada = Player(door, opened["token"], opened["view"]["creator"])
        moved = move_of(ada, opened["room"])
        assert moved == ["placed"] * 3


def move_of(player: Player, room: str) -> list[str]:
    """Make a move when it is this player's turn, and return what happens until it is again."""
    deadline = time.monotonic() + 2 * PATIENCE
    view = player.sees(room).body
    while view["match"]["to_move"] != [0]:
        assert time.monotonic() < deadline
        view = player.sees(room).body
    since = player.plays(room, view["match"]["legal_moves"][0]).body["version"] - 1
    while player.sees(room).body["match"]["to_move"] != [0]:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    told = player.gets(f"/v1/rooms/{room}/events", since=since).body["events"]
    return [event["type"] for event in told if event["type"] != "passed"][:3]


def test_a_bot_answers_a_draw_offer(own_server: StoreServer, tmp_path: Path) -> None:
    """Ada gets one answer; if it was a refusal, she can offer no other draw before her next move."""
    with service(own_server, tmp_path, workers=1) as (door, _):
        ada = door.guest("Ada")
        room = ada.opens("morris", seats=["me", {"bot": "hard"}]).body["room"]
        offered = ada.asks(room, "offer_draw").body
        (offer,) = offered["view"]["offers"]
        assert offer["awaits"] == ["bot-1"]
        deadline = time.monotonic() + PATIENCE
        while (view := ada.sees(room).body)["offers"]:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        told = ada.gets(f"/v1/rooms/{room}/events", since=offered["version"]).body["events"]
        assert [event["type"] for event in told if event["type"].startswith("offer_")][-1] == "offer_closed"
        if view["match"]["status"] == "playing":
            assert ada.asks(room, "offer_draw").code == "draw_offered_here"
        else:
            assert view["match"]["result"]["reason"] == "agreed"
