"""The restart policy for processes that ended, and its messages."""

import signal
import sys
import time
from contextlib import suppress

YOUNG = 5.0  # seconds: a process that ends sooner after its start has died young
YOUNG_DEATHS = 4  # after this many in a row, no restart is attempted
LONGEST_PAUSE = 30.0  # seconds between two starts


class UpFailed(Exception):  # noqa: N818 - a result of the program
    """The service cannot be started or kept running; the message is for people."""


class RestartPolicy:
    """Counts how often in a row a process died young, and decides when or whether it is started again."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._young = 0
        self._born = time.monotonic()

    def end(self, how: str) -> float:
        """Record an end, and return the seconds until the next start. Raises `UpFailed` after too many young deaths."""
        self._young = self._young + 1 if time.monotonic() - self._born < YOUNG else 0
        if self._young == YOUNG_DEATHS:
            raise UpFailed(f"{self.name} {how} soon after its start, {YOUNG_DEATHS} times in a row. Giving up.")
        delay = pause_after(self._young)
        self._born = time.monotonic() + delay
        say(f"{self.name} {how}; starting it again in {delay:g} s.")
        return delay


def pause_after(deaths: int) -> float:
    """Return the seconds until the next start after so many young deaths in a row."""
    return min(LONGEST_PAUSE, 0.25 * 2.0 ** min(deaths, 10))


def exit_text(code: int) -> str:
    """Return how a process ended, by its return code, as the rest of a sentence."""
    return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"exited with code {code}"


def say(line: str) -> None:
    """Print a line for a person, unless the output is closed."""
    with suppress(OSError):  # a closed terminal must not prevent an orderly stop
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
