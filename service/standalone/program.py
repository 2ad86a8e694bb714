"""`turnstream up`: the processes that it runs, and their settings."""

import argparse
import os
import secrets
import shlex
import sys
from pathlib import Path

from service.command_line import Verb
from service.settings import Settings
from service.standalone.supervisor import UpPlan, run_up


def up(chosen: Settings, _arguments: argparse.Namespace) -> int:
    """Run the store, the API and a worker on this machine until Ctrl-C."""
    python = (sys.executable, "-P", "-m")  # -P: does not import code of the current directory
    plan = UpPlan(
        data=chosen.data,
        host=chosen.host,
        port=chosen.port,
        fork_server=(*python, "service.serving"),
        children=(("api", ("api",)), ("worker", ("worker", "--webhooks", *worker_metrics_port(chosen)))),
        environment={
            "TURNSTREAM_SECRET_FILE": str(signing_key(chosen.data)),
            "TURNSTREAM_WITNESS": str((chosen.witness or chosen.data / "witness").resolve()),
            "TURNSTREAM_STORE_FOLDER": str(chosen.data.resolve()),
            "TURNSTREAM_DRAIN": os.environ.get("TURNSTREAM_DRAIN", "0"),
            "TURNSTREAM_LOG_FORMAT": "console",
            "TURNSTREAM_LOG_LEVEL": os.environ.get("TURNSTREAM_LOG_LEVEL", "warning"),
        },
        program=" ".join(map(shlex.quote, (*python, "service"))),
        examples=(
            f"curl -s http://{chosen.host}:{chosen.port}/v1/rooms -H 'Content-Type: application/json' \\",
            """    -d '{"game": "morris", "name": "Friday Night", "nickname": "Ada"}'""",
        ),
    )
    return run_up(plan)


def worker_metrics_port(chosen: Settings) -> tuple[str, ...]:
    """Return the arguments that set the metrics port of the worker of `up`, the one after the API's."""
    return ("--metrics-port", str(chosen.metrics_port + 1)) if chosen.metrics_port else ()


def signing_key(folder: Path) -> Path:
    """Return the file with this installation's signing key, which is created at the first start for its owner only.

    An empty file, as a full disk leaves, does not count as a key.
    """
    path = (folder / "secret.key").resolve()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not (path.exists() and path.stat().st_size):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "a") as file:
            file.write(secrets.token_urlsafe(48) + "\n")
    return path


UP = {"up": Verb(up, "Run the embedded store, the API and a worker on this machine until Ctrl-C.")}
