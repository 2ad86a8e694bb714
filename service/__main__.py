"""The command line: `turnstream up` runs everything on this machine; the other verbs are its parts and tools.

A verb's code is imported when it runs, and its arguments when they are parsed: so `up` stays small and help is quick.
"""

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from service.programs.command_line import Verb, import_and_call, import_later, no_preparation, run
from service.programs.ops.arguments import DOCTOR, OPERATING
from service.runtime.settings import Settings


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb and return its exit code: 0 success, 1 failure, 2 invalid arguments, settings or store."""
    given = sys.argv[1:] if arguments is None else arguments
    if given and given[0] in CLONE_TOOLS:
        return run_in_clone(given[0], given[1:])
    set_up_logs = import_later("service.programs.store_setup.set_up_logs")
    return run(VERBS, given, no_preparation if given[:1] == ["up"] else set_up_logs)


CLONE = Path(__file__).parents[1]

CLONE_TOOLS = ("arena", "balance", "puzzles")
"""Verbs that let bots play or search for long; they are part of the repository, and not of the installed package."""


def run_in_clone(tool: str, arguments: Sequence[str]) -> int:
    """Run a tool from the benchmarks, which are importable only in a clone."""
    if not (CLONE / "bench" / tool).is_dir():
        sys.stderr.write(f"turnstream: {tool} is not in this package; run it in a clone of the repository\n")
        return 2
    sys.path.insert(0, str(CLONE))
    sys.argv[1:] = arguments  # the table repeats them
    code: int = import_and_call(f"bench.{tool}.program.main")
    return code


def openapi(_chosen: Settings, arguments: argparse.Namespace) -> int:
    """Print a document."""
    from service.api.http.responses import document

    sys.stdout.write(document(arguments.document).decode())
    return 0


def add_documents(verb: argparse.ArgumentParser) -> None:
    """Add the arguments of `openapi`."""
    verb.add_argument(
        "document", nargs="?", choices=("openapi", "asyncapi", "admin"), default="openapi", help="openapi by default"
    )


def add_worker(verb: argparse.ArgumentParser) -> None:
    """Add the arguments of `worker`."""
    verb.add_argument("--metrics-port", type=int, help="overrides TURNSTREAM_METRICS_PORT")
    verb.add_argument("--webhooks", action="store_true", help="also send to webhooks, as `turnstream webhooks` does")


def verify(chosen: Settings, arguments: argparse.Namespace) -> int:
    """Check a match against its seed and its rules, or rooms in the store."""
    from service.programs.ops import verification
    from service.programs.replay import checking

    if arguments.match is not None:
        return checking.main(arguments)
    arguments.work = verification.verify
    return operator(chosen, arguments)


def operator(chosen: Settings, arguments: argparse.Namespace) -> int:
    """Run an operator's verb on the store of the settings, or of a running `up`."""
    from service import wiring
    from service.programs.data_folder import with_store
    from service.programs.ops.verbs import operate

    return operate(wiring.site(with_store(chosen)), arguments.work, arguments)


def run_tool(name: str, _chosen: Settings, arguments: argparse.Namespace) -> int:
    """Run a function, given by its name, that needs no settings."""
    code: int = import_and_call(name, arguments)
    return code


VERBS: dict[str, Verb] = {
    "up": Verb(
        import_later("service.programs.standalone_program.up"),
        "Run the embedded store, the API and a worker on this machine until Ctrl-C.",
    ),
    "api": Verb(import_later("service.serving.api"), "Serve the API over the store in TURNSTREAM_REDIS_URL."),
    "demo": Verb(
        partial(run_tool, "service.programs.demo.program.main"),
        "Play a match of every game through the public API and verify its replay.",
        import_later("service.programs.demo.arguments.add_arguments"),
    ),
    "openapi": Verb(openapi, "Print an OpenAPI or AsyncAPI document.", add_documents),
    "worker": Verb(
        import_later("service.serving.worker"), "Run a worker on that store: clocks, bots, next matches.", add_worker
    ),
    "webhooks": Verb(
        import_later("service.serving.webhooks"),
        "Send events to webhooks; needs access to the internet, which a worker does not.",
    ),
    "replay": Verb(
        partial(run_tool, "service.programs.replay.watching.main"),
        "Replay a match from its text, its export or its URL.",
        import_later("service.programs.replay.arguments.watching"),
    ),
    "verify": Verb(
        verify,
        "Check a match against its seed and rules, or rooms in the store.",
        import_later("service.programs.replay.arguments.checking"),
    ),
    "doctor": Verb(import_later("service.programs.ops.doctor.main"), *DOCTOR),
    **{name: Verb(operator, about, add) for name, (about, add) in OPERATING.items()},
}

if __name__ == "__main__":
    sys.exit(main())
