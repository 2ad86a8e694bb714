"""The documented bots: short, and able to play whole matches with the client libraries."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.domain.catalog import GAMES
from tests.clients.node import FLAGS, NODE, needs_node
from tests.e2e.bot_rooms import check_history, history
from tests.e2e.client import ApiClient, fresh_name
from tests.e2e.conftest import StartApi, StartWorker
from tests.waiting import PATIENCE, wait_for

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs/bots"
PYTHON = (sys.executable, str(DOCS / "bot.py"))
JAVASCRIPT = (NODE, *FLAGS, str(DOCS / "bot.mjs"))
BOTS = [pytest.param(PYTHON, id="python"), pytest.param(JAVASCRIPT, id="javascript", marks=needs_node)]

Programs = list["subprocess.Popen[bytes]"]


@pytest.fixture
def programs() -> Iterator[Programs]:
    """Return a list of programs that are ended after the test."""
    started: Programs = []
    yield started
    for program in started:
        program.kill()
        program.wait()


def environment() -> dict[str, str]:
    """Return the variables of a bot: it connects directly, and finds the library for Python."""
    inherited = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    return {**inherited, "PYTHONPATH": str(ROOT / "clients/python"), "PYTHONUNBUFFERED": "1"}


def start_bot(command: tuple[str, ...], client: ApiClient, room: str, nickname: str) -> "subprocess.Popen[bytes]":
    """Run a bot."""
    pipe = subprocess.PIPE
    return subprocess.Popen([*command, client.url, room, nickname], env=environment(), stdout=pipe, stderr=pipe)


@pytest.mark.parametrize("file", ["bot.py", "bot.mjs"])
def test_a_bot_has_fewer_than_fifty_lines(file: str) -> None:
    """Including comments and empty lines."""
    assert len((DOCS / file).read_text().splitlines()) < 50


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_without_arguments_shows_how_it_is_run(bot: tuple[str, ...]) -> None:
    """And ends."""
    ended = subprocess.run(bot, env=environment(), capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert 'http://127.0.0.1:8000 friday-night "Deep Thought"' in ended.stderr


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_says_that_there_is_no_such_room(start_api: StartApi, programs: Programs, bot: tuple[str, ...]) -> None:
    """And ends."""
    _, client = start_api()
    programs.append(start_bot(bot, client, "no-such-room", "Deep Thought"))
    output, errors = programs[0].communicate(timeout=PATIENCE)
    assert (programs[0].returncode, output) == (1, b"")
    assert errors.startswith(b"no_such_room: ")
    assert len(errors.splitlines()) == 1


@pytest.mark.parametrize(
    ("bot", "game"),
    [
        pytest.param(PYTHON, "rainbow", id="rainbow-python"),
        pytest.param(PYTHON, "ternio", id="ternio-python"),
        pytest.param(JAVASCRIPT, "turncoat", id="turncoat-javascript", marks=needs_node),
        pytest.param(PYTHON, "turncoat", id="turncoat-python", marks=pytest.mark.soak),
        pytest.param(JAVASCRIPT, "rainbow", id="rainbow-javascript", marks=[needs_node, pytest.mark.soak]),
        pytest.param(JAVASCRIPT, "ternio", id="ternio-javascript", marks=[needs_node, pytest.mark.soak]),
    ],
)
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
    wait_for(
        lambda: any(event["type"] == "match_ended" for event in history(client, room)),
        lambda: history(client, room)[-1],
    )
    external = [player["nickname"] for player in ada.read_room(room).body["players"] if player["bot"] == "external"]
    assert external == ["Deep Thought"]
    ada.command(room, "close")
    output, errors = programs[0].communicate(timeout=PATIENCE)
    assert (programs[0].returncode, errors) == (0, b"")
    joined, *moves, closed = output.decode().splitlines()
    assert joined.startswith("Deep Thought has joined ")
    assert moves
    assert all(line.startswith("Match ") for line in moves)
    assert closed == "The room is closed."


@needs_node
def test_the_printed_commands_of_the_page_work(start_api: StartApi, programs: Programs) -> None:
    """Two programs play against each other, one in each language."""
    lines = re.findall(r"^    (curl .*|venv/bin/python .*|node .*)$", (DOCS / "README.md").read_text(), re.MULTILINE)
    assert len(lines) == 3
    _, client = start_api()
    script = (
        "\n".join(lines).replace("http://127.0.0.1:8000", client.url).replace("venv/bin/python ", f"{sys.executable} ")
    )
    script = script.replace("node ", f"{' '.join((NODE, *FLAGS))} ")
    shell, nothing = ["/bin/sh", "-c", f"{script} & wait"], subprocess.DEVNULL
    programs.append(subprocess.Popen(shell, env=environment(), cwd=ROOT, stdout=nothing, start_new_session=True))
    try:
        wait_for(lambda: (client.anonymous().get("/v1/rooms/bots").body.get("match") or {}).get("result"))
    finally:
        os.killpg(programs[0].pid, 9)
    check_history(history(client, "bots"))
