"""When something that ended is started again, and how that is said."""

import signal
import sys
import time
from contextlib import suppress

YOUNG = 5.0  # seconds: what ends sooner than this after its start died young
YOUNG_DEATHS = 4  # after so many in a row, starting again is pointless
LONGEST_PAUSE = 30.0  # seconds between two starts


class UpFailed(Exception):  # noqa: N818 - the program's answer
    """The service can't be brought up or kept up; the message is for people."""


class Lives:
    """How often in a row something died young, which decides when it starts again, and whether."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._young = 0
        self._born = time.monotonic()

    def end(self, how: str) -> float:
        """Note a death and return the seconds to wait before the next start. Raises `UpFailed` when it is hopeless."""
        self._young = self._young + 1 if time.monotonic() - self._born < YOUNG else 0
        if self._young == YOUNG_DEATHS:
            raise UpFailed(f"{self.name} {how}, the {YOUNG_DEATHS}th time in a row soon after its start. Giving up.")
        delay = pause_after(self._young)
        self._born = time.monotonic() + delay
        say(f"{self.name} {how}; starting it again in {delay:g} s.")
        return delay


def pause_after(deaths: int) -> float:
    """Return the seconds to wait after so many deaths in a row."""
    return min(LONGEST_PAUSE, 0.25 * 2.0 ** min(deaths, 10))


def exit_text(code: int) -> str:
    """Say how a process ended, by its return code."""
    return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"left with exit code {code}"


def say(line: str) -> None:
    """Print a line for a person, unless the output is closed."""
    with suppress(OSError):  # a terminal that went away must not keep us from stopping in order
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
