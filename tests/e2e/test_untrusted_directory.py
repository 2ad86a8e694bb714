"""The program never runs code of the directory in which it is started."""

import os
import subprocess
from pathlib import Path

import pytest

from service.programs.demo.own_server import own_server as demo_server
from service.programs.embedded_store import server_binary
from tests.e2e.test_bot_replies import play_and_wait
from tests.e2e.up_process import PROGRAM, run_up

pytestmark = [
    pytest.mark.skipif(server_binary() is None, reason="the embedded store has no server program here"),
    pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not installed next to this Python"),
]

TRACE_MODULE = """
from pathlib import Path
Path(__file__).with_name("imported").touch()
raise SystemExit("the code of the current directory was run")
"""


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Return a folder with a package `service` that must never be imported."""
    package = tmp_path / "hostile" / "service"
    package.mkdir(parents=True)
    for module in ("__init__", "__main__"):
        (package / f"{module}.py").write_text(TRACE_MODULE)
    return package.parent


def was_imported(hostile: Path) -> bool:
    """Return whether code of the folder was run."""
    return (hostile / "service" / "imported").exists()


def test_up_runs_its_own_code(hostile: Path, tmp_path: Path) -> None:
    """The API, the worker and the bot processes: a bot replies to a move."""
    with run_up(hostile, tmp_path / "data") as (client, _):
        ada = client.guest("Ada")
        seats = ["me", {"bot": "easy"}, {"bot": "easy"}]
        opened = ada.open_room("triboard", seats=seats)
        assert play_and_wait(ada, opened.body["room"]) == ["placed"] * 3
    assert not was_imported(hostile)
    assert "bot_failed" not in (hostile / "up.log").read_text()


def test_a_verb_runs_its_own_code(hostile: Path) -> None:
    """The installed script does not search the current directory either."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    result = subprocess.run((PROGRAM, "openapi"), cwd=hostile, env=environment, capture_output=True, check=True)
    assert result.stdout.startswith(b"{")
    assert not was_imported(hostile)


async def test_the_demos_server_runs_its_own_code(hostile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is `turnstream up`, started by another program."""
    monkeypatch.chdir(hostile)
    async with demo_server():
        pass
    assert not was_imported(hostile)
