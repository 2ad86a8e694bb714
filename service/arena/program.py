"""`turnstream arena`: plays matches between bots in several processes, records them, and prints a table."""

import argparse
import os
import shlex
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from typing import Any

import msgspec

from service.arena import records, report
from service.arena.match_runner import Record, play
from service.arena.players import player
from service.arena.schedule import BadArena, Plan, fixture
from service.domain.catalog import GAMES

DONE, REFUSED, STOPPED = 0, 2, 130
"""The exit codes."""

BAR = 24


def add_arguments(verb: argparse.ArgumentParser) -> None:
    """Add the arguments of the arena."""
    verb.add_argument("game", choices=tuple(GAMES), help="the game's slug in the catalogue")
    verb.add_argument("--players", nargs="+", required=True, metavar="NAME", help=PLAYERS)
    verb.add_argument("--matches", type=positive, default=20, metavar="N", help="the number of matches (default: 20)")
    verb.add_argument(
        "--time", type=float, metavar="SECONDS", help="the time for each move (default: that of the player's level)"
    )
    verb.add_argument(
        "--nodes", type=positive, metavar="N", help="the number of positions for each move, instead of a time"
    )
    verb.add_argument("--clock", choices=("wall", "processor"), default="wall", help=CLOCK)
    verb.add_argument("--options", nargs="*", default=[], metavar="NAME=VALUE", help="the game's options")
    verb.add_argument(
        "--opening", type=int, metavar="PLIES", help="the number of random first plies (default: one per seat)"
    )
    verb.add_argument(
        "--turn-limit", type=positive, metavar="N", help="the number of turns after which a match is drawn"
    )
    verb.add_argument("--seed", type=int, default=1, metavar="N", help="the seed of the openings (default: 1)")
    verb.add_argument(
        "--processes", type=positive, default=1, metavar="N", help="the number of concurrent matches (default: 1)"
    )
    verb.add_argument("--out", type=Path, metavar="FILE.jsonl", help=OUT)


PLAYERS = "easy, medium, hard, random, or a player specific to the game; NAME:DETAIL passes a number, as in mcts:1000"
CLOCK = "the clock for moves: `wall`, or `processor` for CPU time, on a machine with other work (default: wall)"
OUT = "write the matches to this file and the table next to it as .md; run the same command again to continue"


def positive(text: str) -> int:
    """Parse a number of at least 1."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is less than 1")
    return number


def main(arguments: argparse.Namespace) -> int:
    """Play the missing matches and print the table; returns 0, 2 if the plan cannot be played, 130 after Ctrl-C."""
    try:
        plan = make_plan(arguments)
        played = records.read_records(arguments.out, plan) if arguments.out else []
        for record in matches(plan, played, arguments.matches, arguments.processes):
            played.append(record)
            if arguments.out:
                records.append(arguments.out, record)
        publish(plan, played, arguments.out)
    except BadArena as refusal:
        sys.stderr.write(f"turnstream arena: {refusal}\n")
        return REFUSED
    except KeyboardInterrupt:
        sys.stderr.write("\nturnstream arena: stopped\n")
        return STOPPED
    return DONE


def make_plan(arguments: argparse.Namespace) -> Plan:
    """Return the plan of these arguments. Raises `BadArena`."""
    if arguments.time is not None and arguments.nodes is not None:
        raise BadArena("--time and --nodes cannot be combined; choose one.")
    if arguments.time is not None and arguments.time <= 0:
        raise BadArena("--time must be greater than 0.")
    game = GAMES[arguments.game]
    options = read_options(arguments.options, game.options)
    seats = len(game.seats(msgspec.convert(options, game.options)))
    plan = Plan(
        game=arguments.game,
        players=tuple(arguments.players),
        options=options,
        seed=arguments.seed,
        opening=seats if arguments.opening is None else arguments.opening,
        seconds=arguments.time,
        nodes=arguments.nodes,
        turn_limit=arguments.turn_limit,
        clock=arguments.clock,
    )
    for name in plan.players:
        player(plan.game, name)
    _ = plan.seatings  # raises for too few players
    if arguments.out and arguments.out.suffix != ".jsonl":
        raise BadArena(f"--out must name a file that ends in .jsonl, not {arguments.out.name}.")
    return plan


def read_options(texts: Sequence[str], kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return options from texts `name=value`, whose values are JSON or words. Raises `BadArena`."""
    options = {name: read_value(value) for name, _, value in (text.partition("=") for text in texts)}
    try:
        msgspec.convert(options, kind)
    except msgspec.ValidationError as failure:
        raise BadArena(f"--options: {failure}") from failure
    return options


def read_value(text: str) -> object:
    """Return the JSON value of a text, or the text if it is not JSON."""
    try:
        value: object = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
    return value


def matches(plan: Plan, played: Sequence[Record], total: int, processes: int) -> Iterator[Record]:
    """Play the missing matches, several at a time, and show the progress."""
    there = {record.number for record in played}
    missing = (number for number in range(total) if number not in there)
    progress = Progress(total, played)
    with process_pool(processes) as pool:
        running = {submit(pool, plan, number) for number in islice(missing, processes)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {submit(pool, plan, number) for number in islice(missing, len(done))}
            for record in (future.result() for future in done):
                progress.add(record)
                yield record
    progress.end()


@contextmanager
def process_pool(processes: int) -> Iterator[ProcessPoolExecutor]:
    """Run a pool of processes. At the end they are terminated, whatever they compute; other child processes are not."""
    others = set(active_children())
    with ProcessPoolExecutor(processes, get_context("spawn"), initializer=leave_with_parent) as pool:
        try:
            yield pool
        finally:
            for child in set(active_children()) - others:
                child.terminate()


def submit(pool: ProcessPoolExecutor, plan: Plan, number: int) -> Future[Record]:
    """Submit a match to a process."""
    return pool.submit(play, plan, fixture(plan, number))


def leave_with_parent() -> None:
    """In a playing process: ignore Ctrl-C, and exit when the arena's process has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=exit_with_parent, daemon=True).start()


def exit_with_parent() -> None:
    """Wait for the end of the arena's process, and exit."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class Progress:
    """Shows the number of matches played and the scores: one updated line on a terminal, a line per match in a log."""

    def __init__(self, total: int, played: Sequence[Record]) -> None:
        """Start with the matches that have already been played."""
        self._total = total
        self._played = list(played)
        self._new = 0
        self._began = time.monotonic()
        self._end = "\r" if sys.stderr.isatty() else "\n"

    def add(self, record: Record) -> None:
        """Add a match and show the progress."""
        self._new += 1
        self._played.append(record)
        done = len(self._played)
        bar = ("#" * (BAR * done // self._total)).ljust(BAR, ".")
        left = (time.monotonic() - self._began) / self._new * (self._total - done)
        scores = ", ".join(f"{one.player} {one.score:.0%}" for one in report.ranking(self._played))
        sys.stderr.write(f"[{bar}] {done}/{self._total}  {scores}  {left / 60:.0f} min left  {self._end}")
        sys.stderr.flush()

    def end(self) -> None:
        """End the line."""
        if self._new and self._end == "\r":
            sys.stderr.write("\n")


def publish(plan: Plan, played: Sequence[Record], path: Path | None) -> None:
    """Print the table, and write it to a file next to the results."""
    page = report.write_page(plan, played, command())
    sys.stdout.write(page)
    if path is not None:
        path.with_suffix(".md").write_text(page)


def command() -> str:
    """Return the command line, quoted for a shell."""
    return shlex.join(["turnstream", *sys.argv[1:]])
