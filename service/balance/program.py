"""`turnstream balance`: the search for Ternio's default layout, in several processes; it can be stopped and resumed."""

import argparse
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from itertools import islice
from pathlib import Path

import msgspec

from service.arena.program import BAR, DONE, REFUSED, STOPPED, positive, process_pool
from service.arena.records import line, read_lines
from service.arena.schedule import BadArena
from service.balance.blocks import BlockText, admissible
from service.balance.matches import Batch, play_task
from service.balance.report import page
from service.balance.rounds import Plan, Round, left, tasks

ROUNDS = "192:40:20 64:100:20 20:300:30 5:2000:60 2:300:1000"


def add_arguments(verb: argparse.ArgumentParser) -> None:
    """Add the arguments of the search."""
    rounds = [*map(read_round, ROUNDS.split())]
    verb.add_argument("--rounds", nargs="+", type=read_round, default=rounds, metavar=ROUND, help=ROUNDS_HELP)
    verb.add_argument("--seed", type=int, default=1, metavar="N", help="the seed of the matches (default: 1)")
    verb.add_argument(
        "--processes", type=positive, default=1, metavar="N", help="the number of concurrent batches (default: 1)"
    )
    verb.add_argument("--out", type=Path, required=True, metavar="FILE.jsonl", help=OUT)


ROUND = "LAYOUTS:MATCHES:NODES"
ROUNDS_HELP = f"by round the number of layouts, matches per layout, and positions per move (default: {ROUNDS})"
OUT = "write the matches to this file and the table next to it as .md; run the same command again to continue"


def read_round(text: str) -> Round:
    """Parse a round."""
    try:
        layouts, matches, nodes = (positive(number) for number in text.split(":"))
    except ValueError as failure:
        raise argparse.ArgumentTypeError(f"{text} is not {ROUND}, as in 20:300:40") from failure
    return Round(layouts, matches, nodes)


def main(arguments: argparse.Namespace) -> int:
    """Play the missing matches and write the table; returns 0, 2 if the plan cannot be played, 130 after Ctrl-C."""
    plan = Plan(tuple(arguments.rounds), arguments.seed)
    try:
        search = Search(plan, read_batches(arguments.out, plan))
        for batch in search.run(arguments.processes):
            with arguments.out.open("ab") as file:
                file.write(line(batch))
    except BadArena as refusal:
        sys.stderr.write(f"turnstream balance: {refusal}\n")
        return REFUSED
    except KeyboardInterrupt:
        sys.stderr.write("\nturnstream balance: stopped; run the same command again to continue\n")
        return STOPPED
    text = page(plan, search.blocks, search.batches, shlex.join(["turnstream", *sys.argv[1:]]))
    arguments.out.with_suffix(".md").write_text(text)
    sys.stdout.write(text)
    return DONE


def read_batches(path: Path, plan: Plan) -> list[Batch]:
    """Return the batches in a file. Raises `BadArena` for a file with another search."""
    if path.suffix != ".jsonl":
        raise BadArena(f"--out must name a file that ends in .jsonl, not {path.name}.")
    found, batches = parse_search(path, read_lines(path, plan))
    if found != plan:
        raise BadArena(f"{path} contains another search; name another file with --out, or repeat its command.")
    return batches


def parse_search(path: Path, lines: Sequence[bytes]) -> tuple[Plan, list[Batch]]:
    """Return the plan and the batches in a file's lines. Raises `BadArena`."""
    first, *others = lines or [b""]
    try:
        return msgspec.json.decode(first, type=Plan), [msgspec.json.decode(text, type=Batch) for text in others]
    except (msgspec.ValidationError, msgspec.DecodeError) as failure:
        raise BadArena(f"{path} does not contain a search: {failure}") from failure


class Search:
    """The rounds of a plan, one after another."""

    def __init__(self, plan: Plan, batches: Sequence[Batch]) -> None:
        """Take the plan, and the batches that have already been played."""
        self.plan = plan
        self.blocks = admissible()
        self.batches = list(batches)
        self._began = time.monotonic()
        self._end = "\r" if sys.stderr.isatty() else "\n"

    def run(self, processes: int) -> Iterator[Batch]:
        """Play the missing batches and yield them as they finish, in any order within a round."""
        with process_pool(processes) as pool:
            for number in range(len(self.plan.rounds)):
                yield from self._round(pool, number, processes)

    def _round(self, pool: ProcessPoolExecutor, number: int, processes: int) -> Iterator[Batch]:
        planned = tasks(self.plan, number, self._left(number))
        there = {(batch.round, batch.block, batch.first) for batch in self.batches}
        missing = [task for task in planned if (task.round, task.block, task.first) not in there]
        coming, begun = iter(missing), len(planned) - len(missing)
        self._began = time.monotonic()
        running = {pool.submit(play_task, task) for task in islice(coming, 2 * processes)}
        for done in range(1, len(missing) + 1):
            ready = wait(running, return_when=FIRST_COMPLETED).done.pop()
            running.remove(ready)
            running |= {pool.submit(play_task, task) for task in islice(coming, 1)}
            self.batches.append(ready.result())
            yield ready.result()
            self._show(number, begun + done, len(planned), done)
        if missing and self._end == "\r":
            sys.stderr.write("\n")

    def _left(self, number: int) -> tuple[BlockText, ...]:
        return left(self.plan, number, self.blocks, self.batches)

    def _show(self, number: int, done: int, total: int, new: int) -> None:
        """Show the progress of the round: one line on a terminal, in a log a line whenever the bar grows."""
        if self._end == "\n" and BAR * done // total == BAR * (done - 1) // total:
            return
        bar = ("#" * (BAR * done // total)).ljust(BAR, ".")
        minutes = (time.monotonic() - self._began) / new * (total - done) / 60
        where = f"round {number + 1} of {len(self.plan.rounds)} [{bar}] {done}/{total} batches"
        sys.stderr.write(f"{where}  {minutes:.0f} min left  {self._end}")
        sys.stderr.flush()
