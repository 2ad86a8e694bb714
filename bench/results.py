"""What was measured, round by round, and its medians."""

from collections.abc import Callable, Iterable
from math import nan
from statistics import median

import msgspec

from bench.load import Sample


class Row(msgspec.Struct, frozen=True):
    """One thing that was measured: its letter in the goals, what it was done on, and in words who did it."""

    letter: str
    setting: str
    words: str


class Figures(msgspec.Struct, frozen=True):
    """The medians over the rounds, and between which speeds the rounds lay."""

    per_second: float
    lowest: float
    highest: float
    micros: float
    busy: float
    other_core: float


class Ratio(msgspec.Struct, frozen=True):
    """How two rows compare: the medians of what each round gave."""

    speed: float
    micros: float


class Results:
    """Samples by row, in the order in which the rows came."""

    def __init__(self, say: Callable[[str], None]) -> None:
        """Tell each sample to `say` as it comes."""
        self._say = say
        self._samples: dict[Row, list[Sample]] = {}

    def note(self, number: int, rounds: int, row: Row, sample: Sample) -> None:
        """Keep a sample of a round, counted from 0, and show it."""
        self._samples.setdefault(row, []).append(sample)
        figures = f"{sample.per_second:>9,.0f} /s {sample.micros:>7.1f} µs, busy {sample.busy:.0%}"
        what = f"{row.setting:<14} {f'({row.letter})':<5} {row.words:<42}"
        self._say(f"round {number + 1}/{rounds}  {what} {figures}, other core {sample.other_core:.0%}")

    def rows(self) -> Iterable[tuple[Row, Figures]]:
        """Return what was measured."""
        return ((row, figures_of(samples)) for row, samples in self._samples.items())

    def compared(self, letter: str, other: str, setting: str) -> Ratio:
        """Return how the first row of a letter compares to the first one of another, in the same setting."""
        pairs = list(zip(self._of(letter, setting), self._of(other, setting), strict=True))
        return Ratio(
            median(quotient(ours.per_second, theirs.per_second) for ours, theirs in pairs),
            median(quotient(ours.micros, theirs.micros) for ours, theirs in pairs),
        )

    def _of(self, letter: str, setting: str) -> list[Sample]:
        fitting = (samples for row, samples in self._samples.items() if (row.letter, row.setting) == (letter, setting))
        return next(fitting)


def quotient(ours: float, theirs: float) -> float:
    """Return a ratio; a window may be too short for the clock of the processor's time, and then there is none."""
    return ours / theirs if theirs else nan


def figures_of(samples: list[Sample]) -> Figures:
    """Return the medians of some samples."""
    speeds = [sample.per_second for sample in samples]
    return Figures(
        per_second=median(speeds),
        lowest=min(speeds),
        highest=max(speeds),
        micros=median(sample.micros for sample in samples),
        busy=median(sample.busy for sample in samples),
        other_core=median(sample.other_core for sample in samples),
    )
