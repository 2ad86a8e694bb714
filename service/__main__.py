"""The command line: `turnstream up` runs everything on this machine; the other verbs are its parts and tools."""

import argparse
import asyncio
import gc
import os
import secrets
import shlex
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import uvicorn
from msgspec import structs

from service import settings, wiring
from service.api.app import documents
from service.api.server.http_protocol import HttpProtocol
from service.api.server.server import Server
from service.api.server.socket_protocol import SocketProtocol
from service.arena import program as arena_program
from service.balance import program as balance_program
from service.demo import program
from service.ops import verbs
from service.ops.arguments import OPERATING, Add
from service.ops.verbs import operate
from service.replay import checking, watching
from service.settings import BadSettings, Settings
from service.standalone.supervisor import UpPlan, leave_with_parent, run_up
from service.store.contract import StoreUnavailable
from service.store.redis.server_checks import UnfitStore
from service.telemetry import logs, metrics_server

FRAME_BYTES = 64 * 1024
"""The largest frame that a socket may send; a larger one closes it with 1009."""

PONG_SECONDS = 10
"""How long a client may take to answer a ping; one is sent every 20 seconds."""

FINISH_SECONDS = 5
"""How long running requests may take to finish at shutdown."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb and return its exit code: 0 success, 1 failure, 2 invalid arguments, settings or store."""
    parser = argparse.ArgumentParser(prog="turnstream", description="Board games as event streams.", epilog=EPILOG)
    choices = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, (run, about, add) in VERBS.items():
        verb = choices.add_parser(name, help=about, description=about)
        add(verb)
        verb.set_defaults(run=run)
    asked = parser.parse_args(arguments)
    try:
        chosen = settings.read(os.environ)
        logs.set_up(chosen)
        code: int = asked.run(chosen, asked)
    except (BadSettings, UnfitStore, StoreUnavailable, OSError) as failure:
        sys.stderr.write(f"turnstream: {failure}\n")
        return 2
    return code


def up(chosen: Settings, _asked: argparse.Namespace) -> int:
    """Run the store, the API and a worker on this machine until Ctrl-C."""
    myself = (sys.executable, "-P", "-m", "service")  # -P: never the code of the current directory
    plan = UpPlan(
        data=chosen.data,
        host=chosen.host,
        port=chosen.port,
        children=(("api", (*myself, "api")), ("worker", (*myself, "worker", *worker_metrics_port(chosen)))),
        environment={
            "TURNSTREAM_SECRET_FILE": str(signing_key(chosen.data)),
            "TURNSTREAM_WITNESS": str((chosen.witness or chosen.data / "witness").resolve()),
            "TURNSTREAM_STORE_FOLDER": str(chosen.data.resolve()),
            "TURNSTREAM_DRAIN": os.environ.get("TURNSTREAM_DRAIN", "0"),
            "TURNSTREAM_LOG_FORMAT": "console",
            "TURNSTREAM_LOG_LEVEL": os.environ.get("TURNSTREAM_LOG_LEVEL", "warning"),
        },
        program=" ".join(map(shlex.quote, myself)),
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
    """Return the file with this installation's signing key, made at the first start and readable by its owner only.

    An empty file, as a full disk leaves it behind, is no key yet.
    """
    path = (folder / "secret.key").resolve()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not (path.exists() and path.stat().st_size):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "a") as file:
            file.write(secrets.token_urlsafe(48) + "\n")
    return path


def api(chosen: Settings, _asked: argparse.Namespace) -> int:
    """Serve the API. Raises `UnfitStore`, or `StoreUnavailable` if the store cannot be reached."""
    leave_with_parent()
    application, store = wiring.api(chosen)
    if chosen.metrics_port:
        metrics_server.serve(chosen.host, chosen.metrics_port)
    collect_garbage_rarely()
    config = uvicorn.Config(
        application,
        host=chosen.host,
        port=chosen.port,
        loop="uvloop",
        http=HttpProtocol,
        ws=SocketProtocol,
        ws_max_size=FRAME_BYTES,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=FINISH_SECONDS,
        ws_ping_timeout=PONG_SECONDS,
        access_log=False,
        log_config=None,
        log_level="warning",
        server_header=False,
        headers=[("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer")],
        proxy_headers=False,
    )
    fit = partial(wiring.fit_store, store, chosen)
    Server(config, application.context.shutdown, chosen.drain, fit).run()
    return 0


def collect_garbage_rarely() -> None:
    """Collect cyclic garbage rarely: moves create no cycles, and collecting took a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


def worker(chosen: Settings, asked: argparse.Namespace) -> int:
    """Run a worker."""
    leave_with_parent()
    if asked.metrics_port is not None:
        chosen = structs.replace(chosen, metrics_port=asked.metrics_port)
    asyncio.run(work_until_signalled(chosen))
    return 0


async def work_until_signalled(chosen: Settings) -> None:
    """Work until SIGINT or SIGTERM."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for asking in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(asking, stop.set)
    await wiring.work(chosen, stop)


def demo(_chosen: Settings, asked: argparse.Namespace) -> int:
    """Play through the public API and verify the results."""
    return program.main(asked)


def openapi(_chosen: Settings, asked: argparse.Namespace) -> int:
    """Print a document, or write both."""
    if not asked.write:
        sys.stdout.write(documents()[asked.document].decode())
        return 0
    for name, document in documents().items():
        path = Path("openapi") / f"{name}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(document)
    return 0


def add_documents(verb: argparse.ArgumentParser) -> None:
    """Add the arguments of `openapi`."""
    verb.add_argument(
        "document", nargs="?", choices=("openapi", "asyncapi"), default="openapi", help="openapi by default"
    )
    verb.add_argument("--write", action="store_true", help="write both documents to the folder openapi/")


def replay(_chosen: Settings, asked: argparse.Namespace) -> int:
    """Show a match in the terminal."""
    return watching.main(asked)


def verify(chosen: Settings, asked: argparse.Namespace) -> int:
    """Check a match against its seed and its rules, or rooms in the store."""
    if asked.match is None:
        return operate(wiring.site(chosen), verbs.verify, asked)
    return checking.main(asked)


def balance(_chosen: Settings, asked: argparse.Namespace) -> int:
    """Search for Ternio's most balanced start."""
    return balance_program.main(asked)


def operator(chosen: Settings, asked: argparse.Namespace) -> int:
    """Run an operator's verb."""
    return operate(wiring.site(chosen), asked.work, asked)


def add_operating(run: verbs.Run | None, add: Add) -> Add:
    """Return a function that adds a verb's arguments and sets what runs it."""

    def added(verb: argparse.ArgumentParser) -> None:
        add(verb)
        if run is not None:
            verb.set_defaults(work=run)

    return added


def arena(_chosen: Settings, asked: argparse.Namespace) -> int:
    """Let bots play against each other."""
    return arena_program.main(asked)


def add_worker(verb: argparse.ArgumentParser) -> None:
    """Add the arguments of `worker`."""
    verb.add_argument("--metrics-port", type=int, help="overrides TURNSTREAM_METRICS_PORT")


def add_nothing(_verb: argparse.ArgumentParser) -> None:
    """Add no arguments."""


Verb = tuple[Callable[[Settings, argparse.Namespace], int], str, Callable[[argparse.ArgumentParser], None]]

VERBS: dict[str, Verb] = {
    "up": (up, "Run the embedded store, the API and a worker on this machine until Ctrl-C.", add_nothing),
    "api": (api, "Serve the API over the store in TURNSTREAM_REDIS_URL.", add_nothing),
    "demo": (demo, "Play a match of every game through the public API and verify its replay.", program.add_arguments),
    "openapi": (openapi, "Print the OpenAPI or AsyncAPI document.", add_documents),
    "worker": (worker, "Run a worker on that store: clocks, bots, next matches.", add_worker),
    "replay": (replay, "Replay a match from its text, its export or its URL.", watching.add_arguments),
    "arena": (arena, "Let bots play many matches and print their scores.", arena_program.add_arguments),
    "balance": (
        balance,
        "Let bots play Ternio from every layout to find the most balanced start.",
        balance_program.add_arguments,
    ),
    "verify": (verify, "Check a match against its seed and rules, or rooms in the store.", checking.add_arguments),
    **{name: (operator, about, add_operating(run, add)) for name, (run, about, add) in OPERATING.items()},
}

EPILOG = "Settings are read from environment variables TURNSTREAM_*; unknown ones are rejected."

if __name__ == "__main__":
    sys.exit(main())
