"""An API process that measures the turns of its event loop: `python turn_recorder.py FILE`.

SIGUSR1 starts the measurement; the next one ends it and writes two turns to FILE, on a line each, as `<seconds of CPU>
<seconds>`: the one that took the most CPU time and the one that took longest by the clock. On a busy machine a turn
takes longer than the work in it. The process is the real one with one more task, which runs in every turn.
"""

import asyncio
import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from service.__main__ import main


class Turn(NamedTuple):
    """The CPU time and the duration of a turn of the event loop, in seconds."""

    cpu: float
    wall: float


class Recorder:
    """Measures turns."""

    def __init__(self, file: Path) -> None:
        """Write to a file when the measurement ends."""
        self._file = file
        self._longest: tuple[Turn, Turn] = (Turn(0, 0), Turn(0, 0))
        self._task: asyncio.Task[None] | None = None

    def switch(self, _number: int, _frame: FrameType | None) -> None:
        """Start the measurement, or end it and write the result."""
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._measure())
            self._file.with_suffix(".started").touch()
        else:
            self._task.cancel()
            self._task = None
            self._write()

    async def _measure(self) -> None:
        most_cpu = longest = Turn(0, 0)
        began = Turn(time.thread_time(), time.perf_counter())
        while True:
            await asyncio.sleep(0)
            ended = Turn(time.thread_time(), time.perf_counter())
            turn = Turn(ended.cpu - began.cpu, ended.wall - began.wall)
            most_cpu, longest = max(most_cpu, turn), max(longest, turn, key=lambda each: each.wall)
            self._longest = most_cpu, longest
            began = ended

    def _write(self) -> None:
        partial = self._file.with_suffix(".partial")
        partial.write_text("".join(f"{turn.cpu} {turn.wall}\n" for turn in self._longest))
        partial.rename(self._file)


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, Recorder(Path(sys.argv[1])).switch)
    sys.exit(main(["api"]))
