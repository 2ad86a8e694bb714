"""`turnstream arena`: matches between bots, played in several processes, recorded, and summarized in a table."""

import argparse
import os
import shlex
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
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
    """Say what can be asked of the arena."""
    verb.add_argument("game", choices=tuple(GAMES), help="the game's name in the catalogue")
    verb.add_argument("--players", nargs="+", required=True, metavar="NAME", help=PLAYERS)
    verb.add_argument("--matches", type=positive, default=20, metavar="N", help="how many in all (default: 20)")
    verb.add_argument("--time", type=float, metavar="SECONDS", help="for each move; without it each level has its own")
    verb.add_argument("--nodes", type=positive, metavar="N", help="positions for each move, instead of a time")
    verb.add_argument("--clock", choices=("wall", "processor"), default="wall", help=CLOCK)
    verb.add_argument("--options", nargs="*", default=[], metavar="NAME=VALUE", help="the game's options")
    verb.add_argument("--opening", type=int, metavar="PLIES", help="random first plies (default: one per seat)")
    verb.add_argument("--turn-limit", type=positive, metavar="N", help="a draw after so many turns")
    verb.add_argument("--seed", type=int, default=1, metavar="N", help="choose other openings (default: 1)")
    verb.add_argument(
        "--processes", type=positive, default=1, metavar="N", help="matches at the same time (default: 1)"
    )
    verb.add_argument("--out", type=Path, metavar="FILE.jsonl", help=OUT)


PLAYERS = "easy, medium, hard, random, or a player of this game's own; NAME:DETAIL hands it a number, as in mcts:1000"
CLOCK = "count time that passes, or the processor's time only, on a machine that does other things too (default: wall)"
OUT = "write the matches to this file and the table next to it as .md; run the same command again to continue"


def positive(text: str) -> int:
    """Read a number of at least 1."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is less than 1")
    return number


def main(asked: argparse.Namespace) -> int:
    """Play the missing matches and print the table; returns 0, 2 if it can't be played, 130 at Ctrl-C."""
    try:
        plan = planned(asked)
        played = records.opened(asked.out, plan) if asked.out else []
        for record in matches(plan, played, asked.matches, asked.processes):
            played.append(record)
            if asked.out:
                records.append(asked.out, record)
        publish(plan, played, asked.out)
    except BadArena as refusal:
        sys.stderr.write(f"turnstream arena: {refusal}\n")
        return REFUSED
    except KeyboardInterrupt:
        sys.stderr.write("\nturnstream arena: stopped\n")
        return STOPPED
    return DONE


def planned(asked: argparse.Namespace) -> Plan:
    """Return the plan that was asked for. Raises `BadArena`."""
    if asked.time is not None and asked.nodes is not None:
        raise BadArena("--time and --nodes are two ways to end a search; choose one.")
    if asked.time is not None and asked.time <= 0:
        raise BadArena("--time is more than 0 seconds.")
    game = GAMES[asked.game]
    options = read_options(asked.options, game.options)
    plan = Plan(
        game=asked.game,
        players=tuple(asked.players),
        options=options,
        seed=asked.seed,
        opening=len(game.seats(msgspec.convert(options, game.options))) if asked.opening is None else asked.opening,
        seconds=asked.time,
        nodes=asked.nodes,
        turn_limit=asked.turn_limit,
        clock=asked.clock,
    )
    for name in plan.players:
        player(plan.game, name)
    _ = plan.seatings  # refuses too few players
    if asked.out and asked.out.suffix != ".jsonl":
        raise BadArena(f"--out names a file that ends in .jsonl, not {asked.out.name}.")
    return plan


def read_options(said: Sequence[str], kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return options that were said as `name=value`, each value as JSON or as a word. Raises `BadArena`."""
    options = {name: read_value(value) for name, _, value in (text.partition("=") for text in said)}
    try:
        msgspec.convert(options, kind)
    except msgspec.ValidationError as failure:
        raise BadArena(f"--options: {failure}") from failure
    return options


def read_value(text: str) -> object:
    """Return a number, a truth value or a word."""
    try:
        value: object = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
    return value


def matches(plan: Plan, played: Sequence[Record], total: int, processes: int) -> Iterator[Record]:
    """Play the matches that are missing, several at a time, and show how far it is."""
    there = {record.number for record in played}
    missing = (number for number in range(total) if number not in there)
    progress = Progress(total, played)
    with ProcessPoolExecutor(processes, get_context("spawn"), initializer=leave_with_parent) as pool:
        try:
            running = {submitted(pool, plan, number) for number in islice(missing, processes)}
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                running |= {submitted(pool, plan, number) for number in islice(missing, len(done))}
                for record in (future.result() for future in done):
                    progress.add(record)
                    yield record
        finally:
            for child in active_children():
                child.terminate()
    progress.end()


def submitted(pool: ProcessPoolExecutor, plan: Plan, number: int) -> Future[Record]:
    """Let a process play a match."""
    return pool.submit(play, plan, fixture(plan, number))


def leave_with_parent() -> None:
    """In a process that plays: leave Ctrl-C to the arena, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=outlive_nobody, daemon=True).start()


def outlive_nobody() -> None:
    """Wait for the end of the arena's process and end this one."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class Progress:
    """The number of matches played and the scores: one updated line on a terminal, a line each in a log."""

    def __init__(self, total: int, played: Sequence[Record]) -> None:
        """Begin with what is there already."""
        self._total = total
        self._played = list(played)
        self._new = 0
        self._began = time.monotonic()
        self._end = "\r" if sys.stderr.isatty() else "\n"

    def add(self, record: Record) -> None:
        """Show one more match."""
        self._new += 1
        self._played.append(record)
        done = len(self._played)
        bar = ("#" * (BAR * done // self._total)).ljust(BAR, ".")
        left = (time.monotonic() - self._began) / self._new * (self._total - done)
        scores = ", ".join(f"{one.player} {one.score:.0%}" for one in report.ranking(self._played))
        sys.stderr.write(f"[{bar}] {done}/{self._total}  {scores}  {left / 60:.0f} min left  {self._end}")
        sys.stderr.flush()

    def end(self) -> None:
        """Leave the line."""
        if self._new and self._end == "\r":
            sys.stderr.write("\n")


def publish(plan: Plan, played: Sequence[Record], path: Path | None) -> None:
    """Print the page and write it next to the results."""
    page = report.written(plan, played, command())
    sys.stdout.write(page)
    if path is not None:
        path.with_suffix(".md").write_text(page)


def command() -> str:
    """Return what was typed, as it can be typed again."""
    return shlex.join(["turnstream", *sys.argv[1:]])
