"""Progress of long work on standard error: one updated line on a terminal, occasional lines elsewhere."""

import sys
import time


class Progress:
    """Reports how many items are done."""

    def __init__(self, what: str) -> None:
        """Count items, which `what` names in the plural."""
        self.done = 0
        self._what = what
        self._shown = time.monotonic()
        self._terminal = sys.stderr.isatty()

    def add(self, number: int = 1) -> None:
        """Count items, and report from time to time."""
        self.done += number
        now = time.monotonic()
        if now - self._shown > (0.2 if self._terminal else 5.0):
            self._shown = now
            self._show("\r" if self._terminal else "", "" if self._terminal else "\n")

    def end(self) -> None:
        """Report the final count."""
        self._show("\r" if self._terminal else "", "\n")

    def _show(self, before: str, after: str) -> None:
        sys.stderr.write(f"{before}{self.done} {self._what}{after}")
        sys.stderr.flush()
