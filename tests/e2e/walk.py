"""The walk of a play: the functions of the service that run, in order, when a move arrives over a socket."""

import ast
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from tests.e2e.processes import ROOT, SignalledApi

RECORDINGS = 7
"""How many moves are recorded."""

TIMER = {"Pipeline._check_oldest", "Pipeline._check_in"}
"""What runs while a call waits long for the store, as in most recordings of a busy machine: no part of a play."""


class Call(NamedTuple):
    """A function that was called."""

    file: str
    line: int
    name: str


class Walk(NamedTuple):
    """The calls of a play."""

    calls: list[Call]

    @property
    def functions(self) -> set[Call]:
        """Each function once."""
        return set(self.calls)

    @property
    def files(self) -> list[str]:
        """Each file once, in the order of the first call."""
        return list(dict.fromkeys(call.file for call in self.calls))

    @property
    def packages(self) -> list[str]:
        """Each package once, in the order of the first call."""
        return packages_of(self.files)

    @property
    def changes(self) -> int:
        """How often the next call is in another file."""
        return len([file for file, _ in groupby(call.file for call in self.calls)]) - 1


def packages_of(files: Iterable[str]) -> list[str]:
    """Return each package once, in the order of its first file."""
    return list(dict.fromkeys(str(Path(file).parent) for file in files))


class RecordedApi(SignalledApi):
    """An API process whose calls can be recorded."""

    def __init__(self, store: str, folder: Path, **settings: str) -> None:
        """Prepare the process; it writes recordings to a folder."""
        super().__init__(store, folder, "tests.e2e.walk_recorder", **settings)

    def record(self, action: Callable[[], object]) -> list[Call]:
        """Return the calls during an action, without those of the timer."""
        calls = (call_of(line) for line in self.record_lines(action))
        return [call for call in calls if call.name not in TIMER]


def call_of(line: str) -> Call:
    """Return a call from the recorder's line."""
    location, _, name = line.partition(" ")
    file, _, number = location.rpartition(":")
    return Call(file, int(number), name)


def shortest_walk(recordings: Iterable[list[Call]]) -> Walk:
    """Return the shortest recording that has every usual call, without the unusual calls.

    A call is usual if most recordings have it; a process sometimes does something else in between.
    """
    all_calls = list(recordings)
    counts = Counter(call for calls in all_calls for call in set(calls))
    usual = {call for call, number in counts.items() if number > len(all_calls) / 2}
    complete = [[call for call in calls if call in usual] for calls in all_calls if usual <= set(calls)]
    return Walk(min(complete, key=len))


def function_lengths(calls: Iterable[Call]) -> Iterator[int]:
    """Return how many lines each function has, without its docstring and decorators."""
    for file, wanted in groupby(sorted(set(calls)), key=lambda call: call.file):
        tree = ast.parse((ROOT / file).read_text())
        functions = {
            min([node.lineno, *(each.lineno for each in node.decorator_list)]): node
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        }
        yield from (function_length(functions[call.line]) for call in wanted if call.line in functions)


def function_length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return how many lines a function has without its docstring and decorators."""
    assert function.end_lineno is not None
    docstring = function.body[0]
    has_one = isinstance(docstring, ast.Expr) and isinstance(docstring.value, ast.Constant)
    assert docstring.end_lineno is not None
    return function.end_lineno - function.lineno + 1 - (docstring.end_lineno - docstring.lineno + 1 if has_one else 0)


def median_length(walk: Walk) -> float:
    """Return the median of the functions' lengths."""
    return statistics.median(function_lengths(walk.functions))


def summary(walk: Walk) -> str:
    """Return the figures of a walk in one line."""
    return (
        f"{len(walk.functions)} functions in {len(walk.files)} files, {walk.changes} changes of file, "
        f"{median_length(walk):.0f} lines at the median, {max(function_lengths(walk.functions))} at most"
    )
