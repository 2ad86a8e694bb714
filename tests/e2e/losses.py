"""How the processes and an operator handle a store that has lost its last entries."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import httpx

from tests.e2e.installation import Installation
from tests.e2e.load import Load
from tests.e2e.processes import ROOT, SECRET
from tests.waiting import PATIENCE

MOVES = 50
"""Acknowledged moves after which writing will not stop: the loss counts as that of the last moments."""


async def accept_loss(installation: Installation, load: Load, witness: Path) -> bool:
    """Return whether the processes stop writing because of a loss; then accept it as an operator does.

    They keep writing where only the last moments are missing.
    """
    acknowledged = load.acknowledged
    async with asyncio.timeout(PATIENCE), httpx.AsyncClient(timeout=PATIENCE, trust_env=False) as http:
        while load.acknowledged < acknowledged + MOVES:
            for api in installation.apis:
                ready = await http.get(f"{api.url}/health/ready")
                if "store_lost_data" in ready.text:
                    await asyncio.to_thread(run_verb, installation.store.url, witness)
                    return True
            await load.play_for(0.1)
    return False


def run_verb(store: str, witness: Path) -> None:
    """Run `turnstream accept-loss`."""
    settings = {"redis_url": store, "secret": SECRET, "witness": str(witness)}
    environment = {**os.environ, **{f"TURNSTREAM_{name.upper()}": value for name, value in settings.items()}}
    command = (sys.executable, "-m", "service", "accept-loss", "--yes", "--reason", "a study")
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
