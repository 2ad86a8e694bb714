"""Node, and how programs there find the JavaScript library."""

import shutil
import subprocess
from pathlib import Path

import pytest

LIBRARY = Path(__file__).parents[2] / "clients/javascript"
NODE = shutil.which("node") or ""


def node_version() -> int:
    """Return the major version of Node, 0 without one."""
    if not NODE:
        return 0
    printed = subprocess.run([NODE, "--version"], capture_output=True, text=True, check=True).stdout
    return int(printed[1:].split(".")[0])


VERSION = node_version()
FLAGS = [] if VERSION >= 22 else ["--experimental-websocket", "--no-warnings"]
"""Node 20 has a WebSocket only with this flag."""
needs_node = pytest.mark.skipif(VERSION < 20, reason="Node 20 or later is not installed")


def install_library(folder: Path) -> None:
    """Let the programs in a folder import `turnstream-client`."""
    shutil.copytree(LIBRARY, folder / "node_modules/turnstream-client")
