"""`python -m bench.balance`: the search for Ternio's default layout, in several processes; it can be stopped."""

import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from itertools import islice
from pathlib import Path

import msgspec

from bench.arena.program import BAR, DONE, REFUSED, STOPPED, process_pool
from bench.arena.records import line, read_lines
from bench.arena.schedule import BadArena
from bench.balance.arguments import parsed
from bench.balance.blocks import BlockText, admissible
from bench.balance.matches import Batch, play_task
from bench.balance.report import page
from bench.balance.rounds import Plan, left, tasks


def main(given: Sequence[str] | None = None) -> int:
    """Play the missing matches and write the table; returns 0, 2 if the plan cannot be played, 130 after Ctrl-C."""
    arguments = parsed(given)
    plan = Plan(tuple(arguments.rounds), arguments.seed)
    try:
        search = Search(plan, read_batches(arguments.out, plan))
        for batch in search.run(arguments.processes):
            with arguments.out.open("ab") as file:
                file.write(line(batch))
    except BadArena as refusal:
        sys.stderr.write(f"bench.balance: {refusal}\n")
        return REFUSED
    except KeyboardInterrupt:
        sys.stderr.write("\nbench.balance: stopped; run the same command again to continue\n")
        return STOPPED
    text = page(plan, search.blocks, search.batches, shlex.join(["python", "-m", "bench.balance", *sys.argv[1:]]))
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
