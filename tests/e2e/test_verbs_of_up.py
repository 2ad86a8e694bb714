"""The verbs find the store of a running `turnstream up` by its data folder, without any other setting."""

import os
import shlex
import subprocess
from pathlib import Path

import msgspec
import pytest

from service.programs.embedded_store import server_binary
from tests.e2e.up_process import PROGRAM, run_up

pytestmark = pytest.mark.skipif(server_binary() is None, reason="no store server on this machine")


def shell(line: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run a line in a shell that has no settings, in the folder in which `up` was started."""
    environment = {"PATH": f"{PROGRAM.parent}:{os.environ['PATH']}", "HOME": str(folder)}
    command = ["bash", "-o", "pipefail", "-c", line]
    return subprocess.run(command, cwd=folder, env=environment, text=True, capture_output=True, check=False)


def test_verbs_work_on_the_store_of_a_running_up(tmp_path: Path) -> None:
    """In its folder, or with its data folder from elsewhere; when it has stopped, they say so."""
    data, elsewhere = tmp_path / "data", tmp_path / "else where"
    elsewhere.mkdir()
    with run_up(tmp_path, data) as (client, _):
        ada = client.guest("Ada")
        for name in ("friday-night", *(f"room-{number}" for number in range(40))):
            assert ada.open_room("morris", name=name).status == 201
        listed = shell("turnstream rooms list", tmp_path)
        assert (listed.returncode, len(listed.stdout.splitlines()), listed.stderr) == (0, 41, "")
        first = shell("turnstream rooms list | head -1", tmp_path)
        assert (first.returncode, first.stderr) in {(0, ""), (141, "")}
        assert len(first.stdout.splitlines()) == 1
        there = shell(f"TURNSTREAM_DATA={shlex.quote(str(data))} turnstream rooms inspect friday-night", elsewhere)
        assert msgspec.json.decode(there.stdout)["title"] == "friday-night"
        assert shell("turnstream verify --all", tmp_path).stdout.endswith(" damaged: 0\n")
        assert shell("turnstream check-config", tmp_path).returncode == 0
        assert shell("turnstream backup backups", tmp_path).returncode == 0
        exported = shell("turnstream export - friday-night", tmp_path)
        lines = [msgspec.json.decode(line) for line in exported.stdout.splitlines()]
        assert lines[0]["turnstream"] == "export"
        assert lines[-1]["rooms"] == 1
        assert "-: 1 rooms, " in exported.stderr
        closed = shell("turnstream rooms close friday-night --reason over", tmp_path)
        assert (closed.returncode, closed.stdout.endswith(" is closed\n")) == (0, True)
        assert shell("turnstream restore --check backups/*.gz", tmp_path).returncode == 0
        imported = shell("turnstream export - > all.ndjson && turnstream import all.ndjson", tmp_path)
        assert "0 rooms, 0 events imported" in imported.stdout, imported
    stopped = shell("turnstream rooms list", tmp_path)
    assert stopped.returncode == 2
    assert f"`turnstream up` does not run on the folder {data}" in stopped.stderr
