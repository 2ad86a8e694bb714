"""The README and the pages that it sends newcomers to: commands work as printed, and what they name exists."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from service.domain.catalog import GAMES
from service.programs.demo.api import Api, Json
from service.programs.demo.own_server import own_server
from service.programs.embedded_store import server_binary
from service.runtime import settings
from service.runtime.settings import PREFIX, Settings
from tests.waiting import PATIENCE

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
BY_HAND = (ROOT / "docs/without-a-library.md").read_text()
SETTINGS = (ROOT / "docs/settings.md").read_text()
PRINTED = "127.0.0.1:8000"
"""The address of the README's server."""


def blocks(page: str, language: str) -> list[str]:
    """Return a page's blocks in this language, in their order."""
    found: list[str] = re.findall(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    return found


def rows(page: str, head: str) -> list[list[str]]:
    """Return the cells of the table whose first column has this head."""
    table = page.split(f"\n| {head} |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in table]


def run_as_printed(folder: Path, url: str) -> list[str]:
    """Run the shell commands in one shell, with the Python example, and return their output."""
    here = url.removeprefix("http://")
    [player] = blocks(BY_HAND, "python")
    (folder / "player.py").write_text(player.replace(PRINTED, here))
    script = "\n".join([*blocks(README, "sh"), *blocks(BY_HAND, "sh")])
    script = script.replace(PRINTED, here).replace(".venv/bin/python", sys.executable)
    for who in ("ada", "ben"):  # each into its own file: in one pipe, a long line may break another
        script = script.replace(f"player.py ${who}", f"player.py ${who} >{who}.txt")
    environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    command = ["sh", "-eu", "-c", script]
    done = subprocess.run(
        command, cwd=folder, env=environment, text=True, capture_output=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    players = [(folder / f"{who}.txt").read_text() for who in ("ada", "ben")]
    return [line for printed in (done.stdout, *players) for line in printed.splitlines()]


@pytest.mark.skipif(server_binary() is None, reason="the embedded store has no server program here")
@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
async def test_the_lines_to_play_work_as_printed(tmp_path: Path) -> None:
    """Two guests meet with curl, and play a match to its end with the Python example."""
    async with own_server() as url:
        printed = await asyncio.to_thread(run_as_printed, tmp_path, url)
        room = await Api(url).get("/v1/rooms/friday-night")
    solo, *answers = [json.loads(line) for line in printed if line.startswith('{"')]
    assert solo["token"]
    assert solo["view"]["match"]["legal_moves"]
    check_the_events_of_the_curl_lines(answers)
    assert room["match"]["number"] == 1
    assert printed.count(str(room["match"]["result"])) == 2  # each of the two players prints it
    moves = [line for line in printed if re.fullmatch(r"\d+ (placed|moved|removed) [a-g1-7]*", line)]
    assert len(moves) > 2 * 18  # all men were placed, and each player received it


def check_the_events_of_the_curl_lines(answers: list[Json]) -> None:
    """Check the answers to join, ready, ready and play, and the results of the last two requests."""
    joined, _, began, played, room, history = answers
    assert [event["type"] for event in joined["events"]] == ["player_joined", "seat_taken"]
    assert [event["type"] for event in began["events"]] == ["player_readied", "match_started"]
    assert [event["at"] for event in played["events"]] == ["d2"]
    assert room["match"]["state"]["points"]["d2"] == "white"
    assert room["version"] == played["version"]
    events: list[dict[str, Any]] = history["events"]
    assert [event["type"] for event in events] == ["match_started", "placed"]
    assert events[0]["version"] == 8


def test_every_setting_is_in_the_table_with_its_default() -> None:
    """The printed defaults give the same settings as an empty environment."""
    table = {name: default for head in ("setting", "limit") for name, default, _ in rows(SETTINGS, head)}
    assert list(table) == [f"{PREFIX}{field.upper()}" for field in Settings.__struct_fields__]
    assert settings.read({name: default for name, default in table.items() if default}) == Settings()


def test_the_table_of_games_names_games_of_the_catalogue() -> None:
    """By slug and title, with the number of seats under the default options."""
    for cell, seats, _ in rows(README, "game"):
        slug, title = cell.split("` ")
        game = GAMES[slug]
        assert title == game.texts.title
        assert int(seats[0]) == len(game.seats(game.options()))


def test_links_and_folders_lead_somewhere() -> None:
    """Each target is a file or folder of the project."""
    targets = re.findall(r"\]\(([^)]+)\)", README) + re.findall(r"`((?:service|tests)[/\w]*)`", README)
    assert targets
    assert [target for target in targets if not (ROOT / target.partition("#")[0]).exists()] == []


def test_the_client_is_that_of_the_librarys_page() -> None:
    """Which `tests/clients` runs as printed."""
    [client] = blocks(README, "python")
    assert client in (ROOT / "clients/python/README.md").read_text()


def test_the_readme_fits_on_two_screens() -> None:
    """Everything else has a page of its own."""
    assert len(README.splitlines()) <= 100


def test_the_targets_of_make_exist() -> None:
    """All targets of `make` in the README."""
    asked = {name for pair in re.findall(r"`make (\w+)|^    make (\w+)", README, re.MULTILINE) for name in pair if name}
    known = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert {"up", "test", "demo"} <= asked <= known
