"""`turnstream up` as it is installed, in a folder of its own."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.client import ApiClient, connect_to
from tests.e2e.processes import UNLIMITED, UP_WITHIN
from tests.store_server import free_port

PROGRAM = Path(sys.executable).with_name("turnstream")
STOP_WITHIN = 30.0


@contextmanager
def run_up(
    folder: Path, data: Path, within: float = UP_WITHIN
) -> Iterator[tuple[ApiClient, "subprocess.Popen[bytes]"]]:
    """Run the installed program with `folder` as its current directory, and stop it afterwards.

    It has to be up within some seconds. Its output goes to `up.log` in that folder.
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
        wait_for_banner(process, log, within)
        with connect_to(f"http://127.0.0.1:{port}") as client:
            yield client, process
    finally:
        process.terminate()
        process.wait(STOP_WITHIN)


def wait_for_banner(process: "subprocess.Popen[bytes]", log: Path, within: float) -> None:
    """Wait until the program prints that it is up."""
    deadline = time.monotonic() + within
    while "Turnstream is up." not in log.read_text():
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.05)
