"""The demo with its own server: every game is played through the API, and every proof holds."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from websockets.asyncio.server import ServerConnection, serve

from service.domain.catalog import GAMES
from service.programs.demo.api import Api, Problem, history
from service.programs.demo.client import Client, Player
from service.programs.demo.own_server import own_server
from service.programs.embedded_store import server_binary
from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.skipif(server_binary() is None, reason="the embedded store has no server program here")


@contextmanager
def demo(short_folder: Path, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """Run the demo with its temporary files in a folder that the test can inspect."""
    command = (sys.executable, "-m", "service", "demo", *arguments)
    environment = {**os.environ, "TMPDIR": str(short_folder)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=ROOT, env=environment, text=True, **pipes) as process:  # type: ignore[call-overload]  # mypy can't spread pipes
        yield process


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """Create a folder with a short path: the path of a Unix socket has at most 107 bytes."""
    with TemporaryDirectory(prefix="demo-") as folder:
        yield Path(folder)


def test_every_game_is_played_and_proved_and_nothing_is_left_behind(short_folder: Path) -> None:
    """`turnstream demo` without server and terminal: exit code 0, nine checks per game, no files."""
    with demo(short_folder) as process:
        said, complaints = process.communicate(timeout=PATIENCE)
    assert (process.returncode, complaints) == (0, "")
    assert said.count("\nok     ") == 9 * len(GAMES)
    assert "WRONG" not in said
    assert said.count("versions 1 to") == len(re.findall("; 1 had been resumed", said)) == len(GAMES)
    assert "\x1b" not in said
    assert list(short_folder.iterdir()) == []


def test_a_stopped_demo_stops_its_server(short_folder: Path) -> None:
    """After SIGTERM while a match is shown slowly: no server, no files, and its own exit code."""
    with demo(short_folder, "--game", "morris", "--pause", "2000") as process:
        assert process.stdout is not None
        assert any("Morris" in line for line in iter(process.stdout.readline, ""))
        process.send_signal(signal.SIGTERM)
        _, complaints = process.communicate(timeout=PATIENCE)
    assert (process.returncode, complaints) == (130, "turnstream demo: stopped\n")
    assert list(short_folder.iterdir()) == []


def test_without_a_server_at_the_address_the_demo_says_so(tmp_path: Path) -> None:
    """Nothing listens on port 1."""
    with demo(tmp_path, "--url", "http://127.0.0.1:1") as process:
        _, complaints = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert "refused (http://127.0.0.1:1)" in complaints


async def test_a_client_recovers_from_stale_moves_lost_sockets_and_repeated_commands() -> None:
    """The failures that a front end has to handle, in one match of Ternio."""
    async with own_server() as url:
        players = await seat_three_guests(url, "ternio")
        tasks = [asyncio.create_task(player.client.follow()) for player in players]
        for player in players:
            await player.client.command({"type": "ready"})
        red = players[0]
        await red.client.reach(lambda view: view["match"] is not None)
        await play_after_a_refusal(red)
        await receive_missed_moves(players)
        await repeat_a_request(players[1])
        for task in tasks:
            task.cancel()


async def test_a_client_subscribes_again_while_the_server_is_busy() -> None:
    """An `error` frame with 503 is about this attempt only, and one with 404 about the room."""
    refusals = [{"status": 503, "code": "store_unavailable"}, {"status": 404, "code": "room_not_found"}]

    async def refuse(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send(json.dumps({"type": "error", "problem": refusals.pop(0)}))

    async with serve(refuse, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        client = Client(Api(f"http://127.0.0.1:{port}"), "bad-day")
        with pytest.raises(Problem, match="room_not_found"):
            await client.follow()
    assert client.resumed == 1


async def seat_three_guests(url: str, game: str) -> list[Player]:
    """Seat three guests in a new room."""
    players: list[Player] = []
    for nickname in ("Ada", "Ben", "Cleo"):
        guest = await Api(url).post("/v1/players", {"nickname": nickname})
        client = Client(Api(url, guest["token"]), "bad-day")
        if players:
            await client.command({"type": "join"})
        else:
            await client.api.post("/v1/rooms", {"game": game, "name": "bad-day", "settings": {"restart": None}})
        players.append(Player(client, guest["player"]["id"], Random(1)))  # noqa: S311 - a game, no secret
    return players


async def play_after_a_refusal(red: Player) -> None:
    """Try the occupied centre, then play one of the legal moves in the refusal."""
    await red.make({"type": "place", "at": "e5"})
    view = await red.client.reach(lambda view: view["match"]["to_move"] == [1])
    assert [event["type"] for event in view["match"]["state"]["last"]] == ["placed"]
    assert view["match"]["state"]["last"][0]["at"] != "e5"


async def receive_missed_moves(players: list[Player]) -> None:
    """Cleo's socket is lost while Ben moves; the next one first sends the missed moves."""
    ben, cleo = players[1], players[2]
    await cleo.client.drop_socket()
    await ben.make(ben.client.view["match"]["legal_moves"][0])
    view = await cleo.client.reach(lambda view: view["match"]["to_move"] == [2])
    assert cleo.client.resumed == 1
    assert [event["version"] for event in cleo.client.events] == list(range(1, view["version"] + 1))
    assert cleo.client.events == await history(cleo.client.api, cleo.client.room)


async def repeat_a_request(ben: Player) -> None:
    """Resign twice with one key, which is executed once; another command with that key is refused."""
    path, resign = "/v1/rooms/bad-day/commands", {"type": "resign"}
    first, again = [await ben.client.api.post(path, resign, "once") for _ in range(2)]
    assert (first["version"], first["events"]) == (again["version"], again["events"])
    with pytest.raises(Problem, match="key_reused") as refused:
        await ben.client.api.post(path, {"type": "leave"}, "once")
    assert refused.value.status == 422
    view = await ben.client.reach(lambda view: view["version"] >= first["version"])
    assert view["version"] == first["version"]
