"""Parsing the command line and running its verbs."""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

from service.runtime import settings
from service.runtime.os_errors import reason_of
from service.runtime.settings import BadSettings, Settings, release

ABOUT = "Board games as event streams."
EPILOG = "Settings are read from environment variables TURNSTREAM_*; unknown ones are rejected."

OUTPUT_CLOSED = 128 + signal.SIGPIPE
"""The exit code of a verb whose output is no longer read, as of a program that the signal ended."""


Refusals = tuple[type[Exception], ...]
"""The exceptions that are answers to the operator."""


def no_preparation(_chosen: Settings) -> Refusals:
    """Prepare nothing, and have no refusals."""
    return ()


def import_and_call(name: str, *arguments: Any) -> Any:
    """Import a function, given as `package.module.function`, and call it."""
    module, _, function = name.rpartition(".")
    return getattr(import_module(module), function)(*arguments)


def import_later(name: str) -> Callable[..., Any]:
    """Return a function that is imported when it is called, so that help and other verbs need not wait for it."""
    return partial(import_and_call, name)


class Verb(NamedTuple):
    """A verb: its function, its description and its arguments."""

    run: Callable[[Settings, argparse.Namespace], int]
    about: str
    add_arguments: Callable[[argparse.ArgumentParser], None] = lambda _verb: None


def run(
    verbs: Mapping[str, Verb], arguments: Sequence[str], prepare: Callable[[Settings], Refusals] = no_preparation
) -> int:
    """Run one of these verbs after `prepare`, and return its exit code.

    0 is success, 1 failure, 2 invalid arguments, settings or store, 141 an output that is no longer read.
    """
    parser = argparse.ArgumentParser("turnstream", description=ABOUT, epilog=EPILOG, allow_abbrev=False)
    version = f"turnstream {release()}" if "--version" in arguments[:1] else ""
    parser.add_argument("--version", action="version", version=version, help="print the release")
    choices = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, verb in verbs.items():
        choice = choices.add_parser(name, help=verb.about, description=verb.about)
        if name in arguments[:1]:
            verb.add_arguments(choice)
    refusals: Refusals = (BadSettings, OSError)
    try:
        with flushed_output():
            parsed = parser.parse_args(arguments)
            chosen = settings.read(os.environ)
            refusals += prepare(chosen)
            return verbs[parsed.verb].run(chosen, parsed)
    except BrokenPipeError:  # nobody reads the rest, as after `| head`
        return OUTPUT_CLOSED
    except refusals as failure:
        return refuse(failure)


@contextmanager
def flushed_output() -> Iterator[None]:
    """Write all output at the end. Raises `OSError` if that fails, and drops it, so that Python does not try again."""
    try:
        yield
    finally:
        try:
            sys.stdout.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise


def refuse(failure: Exception) -> int:
    """Print why the verb was not run, and return the exit code."""
    sys.stderr.write(f"turnstream: {reason_of(failure)}\n")
    return 2
