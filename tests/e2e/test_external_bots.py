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
from tests.e2e.bot_rooms import check_history, history
from tests.e2e.client import PATIENCE, ApiClient, fresh_name
from tests.e2e.conftest import StartApi, StartWorker

DOCS = Path(__file__).parents[2] / "docs/bots"
NODE = shutil.which("node")


def has_node() -> bool:
    """Return whether there is a Node that can run the example."""
    if NODE is None:
        return False
    version = subprocess.run([NODE, "--version"], capture_output=True, text=True, check=True).stdout
    return int(version[1:].split(".")[0]) >= 20


PYTHON = (sys.executable, str(DOCS / "bot.py"))
JAVASCRIPT = (NODE or "node", str(DOCS / "bot.mjs"))
BOTS = [
    pytest.param(PYTHON, id="python"),
    pytest.param(
        JAVASCRIPT, id="javascript", marks=pytest.mark.skipif(not has_node(), reason="Node 20 is not installed")
    ),
]

Programs = list["subprocess.Popen[bytes]"]


@pytest.fixture
def programs() -> Iterator[Programs]:
    """Return a list of programs that are ended after the test."""
    started: Programs = []
    yield started
    for program in started:
        program.kill()
        program.wait()


def start_bot(command: tuple[str, ...], client: ApiClient, room: str, nickname: str) -> "subprocess.Popen[bytes]":
    """Run a bot."""
    environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    return subprocess.Popen([*command, client.url, room, nickname], env=environment, stdout=subprocess.PIPE)


@pytest.mark.parametrize("file", ["bot.py", "bot.mjs"])
def test_a_bot_has_fewer_than_sixty_lines(file: str) -> None:
    """Including comments and empty lines."""
    assert len((DOCS / file).read_text().splitlines()) < 60


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("game", ["rainbow", "turncoat", "ternio"])
def test_a_bot_plays_to_the_end_and_leaves_when_the_room_closes(
    start_api: StartApi, start_worker: StartWorker, programs: Programs, bot: tuple[str, ...], game: str
) -> None:
    """Against the service's bots; nothing that it sends is refused."""
    _, client = start_api()
    start_worker()
    ada, room, seats = client.guest("Ada"), fresh_name(), len(GAMES[game].seats(GAMES[game].options()))
    options = {"round_limit": 2} if game == "turncoat" else {}
    seats_wanted = [None, *[{"bot": "easy"}] * (seats - 1)]
    assert ada.open_room(game, name=room, options=options, seats=seats_wanted, settings={"bot_pause": 0}).status == 201
    programs.append(start_bot(bot, client, room, "Deep Thought"))
    deadline = time.monotonic() + 4 * PATIENCE
    while not any(event["type"] == "match_ended" for event in history(client, room)):
        assert time.monotonic() < deadline, history(client, room)[-1]
        time.sleep(0.2)
    external = [player["nickname"] for player in ada.read_room(room).body["players"] if player["bot"] == "external"]
    assert external == ["Deep Thought"]
    ada.command(room, "close")
    output, _ = programs[0].communicate(timeout=PATIENCE)
    assert (programs[0].returncode, output) == (0, b"")


@pytest.mark.skipif(not has_node(), reason="Node 20 is not installed")
def test_the_printed_commands_of_the_page_work(start_api: StartApi, programs: Programs) -> None:
    """Two programs play against each other, one in each language."""
    lines = re.findall(r"^    (curl .*|python .*|node .*)$", (DOCS / "README.md").read_text(), re.MULTILINE)
    assert len(lines) == 3
    _, client = start_api()
    script = "\n".join(lines).replace("http://127.0.0.1:8000", client.url).replace("python ", f"{sys.executable} ")
    environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    root, nothing = DOCS.parents[1], subprocess.DEVNULL
    shell = ["/bin/sh", "-c", f"{script} & wait"]
    programs.append(subprocess.Popen(shell, env=environment, cwd=root, stdout=nothing, start_new_session=True))
    deadline = time.monotonic() + 4 * PATIENCE
    try:
        while True:
            response = client.anonymous().get("/v1/rooms/bots")
            if response.status == 200 and (response.body["match"] or {}).get("result"):
                break
            assert time.monotonic() < deadline, response.body
            time.sleep(0.2)
    finally:
        os.killpg(programs[0].pid, 9)
    check_history(history(client, "bots"))
