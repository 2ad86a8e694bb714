"""The verbs of the command line, with everything that they import."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from service import serving, wiring
from service.api.app import documents
from service.arena import program as arena_program
from service.balance import program as balance_program
from service.command_line import Verb, run
from service.demo import program as demo_program
from service.ops import verbs
from service.ops.arguments import OPERATING, Add
from service.ops.verbs import operate
from service.replay import checking, watching
from service.settings import Settings
from service.standalone.program import UP


def main(arguments: Sequence[str]) -> int:
    """Run one verb and return its exit code."""
    return run(VERBS, arguments, serving.WITH_LOGS)


def demo(_chosen: Settings, arguments: argparse.Namespace) -> int:
    """Play through the public API and verify the results."""
    return demo_program.main(arguments)


def openapi(_chosen: Settings, arguments: argparse.Namespace) -> int:
    """Print a document, or write all of them."""
    if not arguments.write:
        sys.stdout.write(documents()[arguments.document].decode())
        return 0
    for name, document in documents().items():
        path = Path("openapi") / f"{name}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(document)
    return 0


def add_documents(verb: argparse.ArgumentParser) -> None:
    """Add the arguments of `openapi`."""
    verb.add_argument(
        "document", nargs="?", choices=("openapi", "asyncapi", "admin"), default="openapi", help="openapi by default"
    )
    verb.add_argument("--write", action="store_true", help="write all documents to the folder openapi/")


def replay(_chosen: Settings, arguments: argparse.Namespace) -> int:
    """Show a match in the terminal."""
    return watching.main(arguments)


def verify(chosen: Settings, arguments: argparse.Namespace) -> int:
    """Check a match against its seed and its rules, or rooms in the store."""
    if arguments.match is None:
        return operate(wiring.site(chosen), verbs.verify, arguments)
    return checking.main(arguments)


def balance(_chosen: Settings, arguments: argparse.Namespace) -> int:
    """Search for Ternio's most balanced start."""
    return balance_program.main(arguments)


def operator(chosen: Settings, arguments: argparse.Namespace) -> int:
    """Run an operator's verb."""
    return operate(wiring.site(chosen), arguments.work, arguments)


def add_operating(run: verbs.Run | None, add: Add) -> Add:
    """Return a function that adds a verb's arguments and sets what runs it."""

    def added(verb: argparse.ArgumentParser) -> None:
        add(verb)
        if run is not None:
            verb.set_defaults(work=run)

    return added


def arena(_chosen: Settings, arguments: argparse.Namespace) -> int:
    """Let bots play against each other."""
    return arena_program.main(arguments)


VERBS: dict[str, Verb] = {
    **UP,
    "api": serving.VERBS["api"],
    "demo": Verb(
        demo, "Play a match of every game through the public API and verify its replay.", demo_program.add_arguments
    ),
    "openapi": Verb(openapi, "Print an OpenAPI or AsyncAPI document.", add_documents),
    "worker": serving.VERBS["worker"],
    "webhooks": serving.VERBS["webhooks"],
    "replay": Verb(replay, "Replay a match from its text, its export or its URL.", watching.add_arguments),
    "arena": Verb(arena, "Let bots play many matches and print their scores.", arena_program.add_arguments),
    "balance": Verb(
        balance,
        "Let bots play Ternio from every layout to find the most balanced start.",
        balance_program.add_arguments,
    ),
    "verify": Verb(verify, "Check a match against its seed and rules, or rooms in the store.", checking.add_arguments),
    **{name: Verb(operator, about, add_operating(work, add)) for name, (work, about, add) in OPERATING.items()},
}
