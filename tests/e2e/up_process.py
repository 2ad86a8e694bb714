"""`turnstream up` as it is installed, in a folder of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.client import ApiClient, connect_to
from tests.e2e.processes import UNLIMITED
from tests.store_server import free_port
from tests.waiting import PATIENCE, wait_for

PROGRAM = Path(sys.executable).with_name("turnstream")


@contextmanager
def run_up(folder: Path, data: Path) -> Iterator[tuple[ApiClient, "subprocess.Popen[bytes]"]]:
    """Run the installed program with `folder` as its current directory, and stop it afterwards.

    Its output goes to `up.log` in that folder.
    """
    port, log = free_port(), folder / "up.log"
    settings = {"port": port, "data": data, **UNLIMITED}
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("TURNSTREAM_", "PYTHON"))}
    environment = {**inherited, **{f"TURNSTREAM_{name.upper()}": str(value) for name, value in settings.items()}}
    with log.open("ab") as output:
        process = subprocess.Popen(
            (PROGRAM, "up"), cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
    try:
        wait_for_banner(process, log)
        with connect_to(f"http://127.0.0.1:{port}") as client:
            yield client, process
    finally:
        process.terminate()
        process.wait(PATIENCE)


def wait_for_banner(process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Wait until the program prints that it is up."""
    wait_for(lambda: process.poll() is not None or "Turnstream is up." in log.read_text(), log.read_text)
    assert process.poll() is None, log.read_text()
