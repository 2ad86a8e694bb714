"""`turnstream up` over a data folder that has lost its rooms prints what to do, and continues when it is done."""

import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from service.programs.embedded_store import server_binary
from service.store.witness import WitnessFile
from tests.e2e.up_process import run_up
from tests.waiting import wait_for


def wait_for_witness(data: Path) -> None:
    """Wait until the witness has counted events."""
    wait_for(lambda: (known := WitnessFile(data / "witness").read()) and sum(known.appended.values()))


def printed_command(log: Path) -> str:
    """Wait until the program prints how to see what is missing, and return that line."""
    found = wait_for(
        lambda: [line for line in log.read_text().splitlines() if line.endswith(" accept-loss")], log.read_text
    )
    return found[0].strip()


def run(command: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run a printed line in a shell."""
    return subprocess.run(command, shell=True, cwd=folder, text=True, capture_output=True, check=False)  # noqa: S602 - as a person would


@pytest.mark.skipif(server_binary() is None, reason="no store server on this machine")
def test_the_printed_lines_show_what_is_missing_and_accept_it(tmp_path: Path) -> None:
    """The program waits until the loss is accepted, and needs no restart then."""
    data, log = tmp_path / "data", tmp_path / "up.log"
    with run_up(tmp_path, data) as (client, _):
        assert client.guest("Ada").open_room("morris").status == 201
        wait_for_witness(data)
    shutil.rmtree(data / "appendonlydir")
    log.unlink()

    def up_again() -> int:
        with run_up(tmp_path, data) as (client, _):  # it waits for the commands below
            return client.guest("Ben").open_room("morris").status

    log.touch()
    with ThreadPoolExecutor(1) as pool:
        opened = pool.submit(up_again)
        command = printed_command(log)
        result = run(command, tmp_path)
        assert (result.returncode, "events are missing" in result.stdout) == (1, True), result
        assert "Turnstream is up." not in log.read_text()
        accepted = run(f"{command} --yes", tmp_path)
        assert accepted.returncode == 0, accepted
        assert opened.result() == 201
