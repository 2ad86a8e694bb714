"""Parsing the command line and running its verbs."""

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from service import settings
from service.settings import BadSettings, Settings

EPILOG = "Settings are read from environment variables TURNSTREAM_*; unknown ones are rejected."


def no_arguments(_verb: argparse.ArgumentParser) -> None:
    """Add no arguments."""


class Verb(NamedTuple):
    """A verb: its function, its description and its arguments."""

    run: Callable[[Settings, argparse.Namespace], int]
    about: str
    add_arguments: Callable[[argparse.ArgumentParser], None] = no_arguments


class Preparation(NamedTuple):
    """The set-up before a verb runs, and the exceptions that are answers to the operator."""

    set_up: Callable[[Settings], None]
    refusals: tuple[type[Exception], ...]


NOTHING = Preparation(lambda _settings: None, ())


def run(verbs: Mapping[str, Verb], arguments: Sequence[str], preparation: Preparation = NOTHING) -> int:
    """Run one of these verbs and return its exit code: 0 success, 1 failure, 2 invalid arguments, settings or store."""
    parser = argparse.ArgumentParser(prog="turnstream", description="Board games as event streams.", epilog=EPILOG)
    choices = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, verb in verbs.items():
        choice = choices.add_parser(name, help=verb.about, description=verb.about)
        verb.add_arguments(choice)
        choice.set_defaults(run=verb.run)
    parsed = parser.parse_args(arguments)
    try:
        chosen = settings.read(os.environ)
        preparation.set_up(chosen)
        code: int = parsed.run(chosen, parsed)
    except (BadSettings, OSError) as failure:
        return refuse(failure)
    except preparation.refusals as failure:
        return refuse(failure)
    return code


def refuse(failure: Exception) -> int:
    """Print why the verb was not run, and return the exit code."""
    sys.stderr.write(f"turnstream: {failure}\n")
    return 2
