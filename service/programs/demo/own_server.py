"""The demo's own server: `turnstream up` on a free port, with a temporary data folder."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from service.programs.demo.api import Api, Problem

READY_WITHIN = 60.0  # seconds
EXITS_WITHIN = 30.0  # seconds


class NoServer(Exception):  # noqa: N818 - a finding
    """The server did not start; the message is for people."""


@contextlib.asynccontextmanager
async def own_server() -> AsyncIterator[str]:
    """Run a server while the context lasts, and yield its address."""
    with tempfile.TemporaryDirectory(prefix="turnstream-demo-") as folder:
        port, log = free_port(), Path(folder, "log")
        process = started(folder, port, log)
        try:
            url = f"http://127.0.0.1:{port}"
            await until_ready(url, process, log)
            yield url
        finally:
            stop(process)


def started(folder: str, port: int, log: Path) -> "subprocess.Popen[bytes]":
    """Start a server on this folder and port, whose output goes to this log."""
    place = {"TURNSTREAM_DATA": f"{folder}/data", "TURNSTREAM_HOST": "127.0.0.1", "TURNSTREAM_PORT": str(port)}
    with log.open("wb") as output:
        return subprocess.Popen(
            (sys.executable, "-P", "-m", "service", "up"),
            env={**os.environ, **place},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,  # Ctrl-C is for the demo, which then stops the server in order
        )


def free_port() -> int:
    """Return a port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def until_ready(url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Wait until the server is ready. Raises `NoServer`."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(READY_WITHIN):
            while process.poll() is None:
                with contextlib.suppress(OSError, Problem):
                    await Api(url).get("/health/ready")
                    return
                await asyncio.sleep(0.1)
    raise NoServer(f"the server did not start:\n{output_of(log)}")


def output_of(log: Path) -> str:
    """Return the end of the server's output."""
    return log.read_text(errors="replace")


def stop(process: "subprocess.Popen[bytes]") -> None:
    """Ask the server to exit, and kill it if it does not."""
    process.terminate()
    try:
        process.wait(EXITS_WITHIN)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
