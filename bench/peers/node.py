"""The peers that run on node: installed from npm into .venv/peers, where node is found."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.machine import cores
from bench.processes import ROOT, Server, await_port, free_port, process

SOURCES = Path(__file__).parent / "node"
PLACE = ROOT / ".venv" / "peers"
INSTALL = ("npm", "install", "--silent", "--no-audit", "--no-fund", "--no-package-lock")


def missing(*, install: bool) -> str:
    """Return why these peers can't run, empty where they can. Installs them if that is wanted and needed."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return "node and npm are not installed"
    PLACE.mkdir(parents=True, exist_ok=True)
    wanted, found = SOURCES / "package.json", PLACE / "package.json"
    if not found.exists() or found.read_bytes() != wanted.read_bytes():
        if not install:
            return "they were not installed by an earlier run"
        shutil.copy(wanted, found)
        done = subprocess.run(INSTALL, cwd=PLACE, capture_output=True, text=True, check=False)
        if done.returncode:
            found.unlink()
            return f"npm could not install them: {done.stderr.strip()[-500:]}"
    for source in (*SOURCES.glob("*.cjs"), *SOURCES.glob("*.mjs")):
        shutil.copy(source, PLACE)
    return ""


@contextmanager
def node_peer(file: str) -> Iterator[Server]:
    """Run a peer on the server's core, in production mode as its documentation has it."""
    port = free_port()
    command = ["node", str(PLACE / file), str(port)]
    with process(command, core=cores()[0], environment={"NODE_ENV": "production"}) as pid:
        await_port(port)
        yield Server(pid, port)
