"""A store that has lost its last entries, as the processes that serve it and an operator meet it."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import httpx

from tests.e2e.load import Load
from tests.e2e.processes import ROOT, SECRET
from tests.e2e.site import Site
from tests.e2e.study import WITHIN

ENOUGH = 50
"""Answered moves after which nobody will refuse to write: the loss was taken for that of the last moments."""


async def accept_loss(site: Site, load: Load, witness: Path) -> bool:
    """Return whether the processes refuse to write because of a loss, which is then accepted as an operator does.

    They do not where only the last moments are missing.
    """
    answered = load.answered
    async with asyncio.timeout(WITHIN), httpx.AsyncClient(timeout=WITHIN, trust_env=False) as http:
        while load.answered < answered + ENOUGH:
            for api in site.apis:
                ready = await http.get(f"{api.url}/health/ready")
                if "store_lost_data" in ready.text:
                    await asyncio.to_thread(run_verb, site.store.url, witness)
                    return True
            await load.go_on(0.1)
    return False


def run_verb(store: str, witness: Path) -> None:
    """Run `turnstream accept-loss`."""
    settings = {"redis_url": store, "secret": SECRET, "witness": str(witness)}
    environment = {**os.environ, **{f"TURNSTREAM_{name.upper()}": value for name, value in settings.items()}}
    command = (sys.executable, "-m", "service", "accept-loss", "--yes", "--reason", "a study")
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
