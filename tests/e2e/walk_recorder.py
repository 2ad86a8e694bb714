"""An API process that records which of the service's functions run: `python walk_recorder.py FILE`.

SIGUSR1 starts the recording; the next one ends it and writes the calls to FILE in their order, one `path:line name`
per line. The process is the real one; only the profile function of its main thread is added.
"""

import os
import signal
import sys
from pathlib import Path
from types import CodeType, FrameType

from service.__main__ import main

ROOT = f"{Path(__file__).parents[2]}{os.sep}"
SERVICE = f"{ROOT}service{os.sep}"


class Recorder:
    """Records the calls of functions in `service/`."""

    def __init__(self, file: Path) -> None:
        """Write to a file when the recording ends."""
        self._file = file
        self._calls: list[CodeType] = []
        self._is_on = False

    def switch(self, _number: int, _frame: FrameType | None) -> None:
        """Start, or end and write what was recorded."""
        self._is_on = not self._is_on
        sys.setprofile(self._record if self._is_on else None)
        if self._is_on:
            self._calls.clear()
            self._file.with_suffix(".started").touch()
        else:
            self._write()

    def _record(self, frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(SERVICE):
            self._calls.append(frame.f_code)

    def _write(self) -> None:
        lines = [
            f"{code.co_filename.removeprefix(ROOT)}:{code.co_firstlineno} {code.co_qualname}" for code in self._calls
        ]
        partial = self._file.with_suffix(".partial")
        partial.write_text("\n".join(lines))
        partial.rename(self._file)


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, Recorder(Path(sys.argv[1])).switch)
    sys.exit(main(["api"]))
