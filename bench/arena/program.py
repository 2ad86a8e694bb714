"""`python -m bench.arena`: plays matches between bots in several processes, records them, and prints a table."""

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

from bench.arena import records, report
from bench.arena.arguments import parsed
from bench.arena.match_runner import Record, play
from bench.arena.players import player
from bench.arena.schedule import BadArena, Plan, fixture
from service.domain.catalog import GAMES

DONE, REFUSED, STOPPED = 0, 2, 130
"""The exit codes."""

BAR = 24


def main(given: Sequence[str] | None = None) -> int:
    """Play the missing matches and print the table; returns 0, 2 if the plan cannot be played, 130 after Ctrl-C."""
    arguments = parsed(given)
    try:
        plan = make_plan(arguments)
        played = records.read_records(arguments.out, plan) if arguments.out else []
        for record in matches(plan, played, arguments.matches, arguments.processes):
            played.append(record)
            if arguments.out:
                records.append(arguments.out, record)
        publish(plan, played, arguments.out)
    except BadArena as refusal:
        sys.stderr.write(f"bench.arena: {refusal}\n")
        return REFUSED
    except KeyboardInterrupt:
        sys.stderr.write("\nbench.arena: stopped\n")
        return STOPPED
    return DONE


def make_plan(arguments: argparse.Namespace) -> Plan:
    """Return the plan of these arguments. Raises `BadArena`."""
    if arguments.time is not None and arguments.nodes is not None:
        raise BadArena("--time and --nodes cannot be combined; choose one.")
    if arguments.time is not None and arguments.time <= 0:
        raise BadArena("--time must be greater than 0.")
    game = GAMES.get(arguments.game)
    if game is None:
        raise BadArena(f"There is no game {arguments.game}; the games are {', '.join(GAMES)}.")
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
    return shlex.join(["python", "-m", "bench.arena", *sys.argv[1:]])
