"""`turnstream demo`: plays a match of every game of a server through the public API, and proves it."""

import argparse
import asyncio
import contextlib
import signal
import sys
import time
from collections.abc import AsyncIterator, Iterator

from service.domain.notation.sheet import Unreadable
from service.programs.demo.api import Api, Problem
from service.programs.demo.arguments import TTY_PAUSE
from service.programs.demo.client import FeedEnded
from service.programs.demo.match import play_match
from service.programs.demo.own_server import NoServer, own_server
from service.programs.replay.checking import all_hold, say

PROVED, DISPROVED, NOT_PLAYED, STOPPED = 0, 1, 2, 130
"""The exit codes."""

EXPECTED = (Problem, FeedEnded, NoServer, Unreadable, OSError, TimeoutError)
"""The errors of a server that is missing or does not work; any other one is a bug of this program."""


def main(arguments: argparse.Namespace) -> int:
    """Play and prove; returns 0 if all proofs hold, 1 if one fails, 2 if it could not be played, 130 after Ctrl-C."""
    code = STOPPED
    try:
        code = asyncio.run(run(arguments))
    except* EXPECTED as failures:
        for failure in reasons(failures):
            where = "" if arguments.url is None else f" ({arguments.url})"
            sys.stderr.write(f"turnstream demo: {str(failure) or 'no update of the match for too long'}{where}\n")
        code = NOT_PLAYED
    except* (KeyboardInterrupt, asyncio.CancelledError):
        sys.stderr.write("turnstream demo: stopped\n")
    return code


def reasons(failures: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    """Yield the exceptions in nested groups."""
    for failure in failures.exceptions:
        if isinstance(failure, BaseExceptionGroup):
            yield from reasons(failure)
        else:
            yield failure


async def run(arguments: argparse.Namespace) -> int:
    """Play the requested matches, and print what was checked."""
    stop_when_asked()
    pause = (TTY_PAUSE if sys.stdout.isatty() else 0) if arguments.pause is None else arguments.pause
    began = time.monotonic()
    async with server(arguments.url) as url:
        api = Api(url)
        slugs = [arguments.game] if arguments.game else [game["slug"] for game in (await api.get("/v1/games"))["games"]]
        found = {slug: await play_match(api, slug, arguments.seed, pause / 1000) for slug in slugs}
    proved = 0
    for slug, checks in found.items():
        say(f"\n{slug}")
        proved += all_hold(checks)
    say(f"\n{proved} of {len(found)} matches played and proved in {time.monotonic() - began:.1f} s.")
    return PROVED if proved == len(found) else DISPROVED


def stop_when_asked() -> None:
    """Cancel the current task at the signals that ask a program to stop, as Ctrl-C already does."""
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    for asking in (signal.SIGTERM, signal.SIGHUP):
        if task is not None and signal.getsignal(asking) is not signal.SIG_IGN:  # nohup ignores SIGHUP
            loop.add_signal_handler(asking, task.cancel)


@contextlib.asynccontextmanager
async def server(url: str | None) -> AsyncIterator[str]:
    """Yield the address of the server to play on."""
    if url is not None:
        yield url.rstrip("/")
        return
    say("Starting a server for the demo ...")
    async with own_server() as own_url:
        yield own_url
        say("\nStopping the server ...")
