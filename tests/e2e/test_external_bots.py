"""The documented bots: short, and able to play whole matches through the public API."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.domain.catalog import GAMES
from tests.e2e.bot_rooms import check, history
from tests.e2e.client import PATIENCE, Door, fresh_name
from tests.e2e.conftest import StartApi, StartWorker

DOCS = Path(__file__).parents[2] / "docs/bots"
NODE = shutil.which("node")


def runs_modules() -> bool:
    """Tell whether there is a Node that the example is written for."""
    if NODE is None:
        return False
    version = subprocess.run([NODE, "--version"], capture_output=True, text=True, check=True).stdout
    return int(version[1:].split(".")[0]) >= 20


PYTHON = (sys.executable, str(DOCS / "bot.py"))
JAVASCRIPT = (NODE or "node", str(DOCS / "bot.mjs"))
BOTS = [
    pytest.param(PYTHON, id="python"),
    pytest.param(
        JAVASCRIPT, id="javascript", marks=pytest.mark.skipif(not runs_modules(), reason="there is no Node 20 here")
    ),
]

Running = list["subprocess.Popen[bytes]"]


@pytest.fixture
def programs() -> Iterator[Running]:
    """Return a list of programs that are ended after the test."""
    running: Running = []
    yield running
    for program in running:
        program.kill()
        program.wait()


def starts(command: tuple[str, ...], door: Door, room: str, nickname: str) -> "subprocess.Popen[bytes]":
    """Run a bot."""
    environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    return subprocess.Popen([*command, door.url, room, nickname], env=environment, stdout=subprocess.PIPE)


@pytest.mark.parametrize("file", ["bot.py", "bot.mjs"])
def test_a_bot_takes_less_than_sixty_lines(file: str) -> None:
    """Comments and empty lines among them."""
    assert len((DOCS / file).read_text().splitlines()) < 60


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("game", ["rainbow", "turncoat", "ternio"])
def test_a_bot_plays_to_the_end_and_leaves_when_the_room_closes(
    start_api: StartApi, start_worker: StartWorker, programs: Running, bot: tuple[str, ...], game: str
) -> None:
    """Against the house's bots; nothing that it sends is refused."""
    _, door = start_api()
    start_worker()
    ada, room, seats = door.guest("Ada"), fresh_name(), len(GAMES[game].seats(GAMES[game].options()))
    options = {"round_limit": 2} if game == "turncoat" else {}
    wished = [None, *[{"bot": "easy"}] * (seats - 1)]
    assert ada.opens(game, name=room, options=options, seats=wished, settings={"bot_pause": 0}).status == 201
    programs.append(starts(bot, door, room, "Deep Thought"))
    deadline = time.monotonic() + 4 * PATIENCE
    while not any(event["type"] == "match_ended" for event in history(door, room)):
        assert time.monotonic() < deadline, history(door, room)[-1]
        time.sleep(0.2)
    external = [player["nickname"] for player in ada.sees(room).body["players"] if player["bot"] == "external"]
    assert external == ["Deep Thought"]
    ada.asks(room, "close")
    printed, _ = programs[0].communicate(timeout=PATIENCE)
    assert (programs[0].returncode, printed) == (0, b"")


@pytest.mark.skipif(not runs_modules(), reason="there is no Node 20 here")
def test_the_lines_of_the_page_work_as_printed(start_api: StartApi, programs: Running) -> None:
    """Two programs meet and play, one in each language."""
    lines = re.findall(r"^    (curl .*|python .*|node .*)$", (DOCS / "README.md").read_text(), re.MULTILINE)
    assert len(lines) == 3
    _, door = start_api()
    here = "\n".join(lines).replace("http://127.0.0.1:8000", door.url).replace("python ", f"{sys.executable} ")
    environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    root, nothing = DOCS.parents[1], subprocess.DEVNULL
    shell = ["/bin/sh", "-c", f"{here} & wait"]
    programs.append(subprocess.Popen(shell, env=environment, cwd=root, stdout=nothing, start_new_session=True))
    deadline = time.monotonic() + 4 * PATIENCE
    try:
        while True:
            answer = door.stranger().gets("/v1/rooms/bots")
            if answer.status == 200 and (answer.body["match"] or {}).get("result"):
                break
            assert time.monotonic() < deadline, answer.body
            time.sleep(0.2)
    finally:
        os.killpg(programs[0].pid, 9)
    check(history(door, "bots"))
