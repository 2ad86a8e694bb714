"""Positions at which a bot goes wrong: fine where they were made, and a trap in any other process."""

import os
import signal
import time
from pathlib import Path
from typing import Any


class Misfit:
    """A position that fails in some way when another process reads it.

    With `once`, a file that doesn't exist yet, only the first process that looks goes wrong, and makes that file.
    """

    def __init__(self, position: Any, how: str, home: int | None = None, once: Path | None = None) -> None:
        """Stand for this position in the process that makes it."""
        self.__dict__.update(position=position, how=how, home=home or os.getpid(), once=once)

    def __reduce__(self) -> tuple[Any, ...]:
        own = self.__dict__
        if own["once"] and own["once"].exists() and os.getpid() == own["home"]:
            return identity, (own["position"],)
        return Misfit, (own["position"], own["how"], own["home"], own["once"])

    def __getattr__(self, name: str) -> Any:
        """Return what the position says, or go wrong."""
        once = self.__dict__["once"]
        if os.getpid() != self.__dict__["home"] and not (once and once.exists()):
            if once:
                once.touch()
            GOES_WRONG[self.__dict__["how"]]()
        return getattr(self.__dict__["position"], name)


def identity(position: Any) -> Any:
    """Return a position as it is."""
    return position


def loop() -> None:
    """Think for ever."""
    while True:
        pass


def sleep() -> None:
    """Take longer than anybody waits."""
    time.sleep(60)


def die() -> None:
    """End the process."""
    os._exit(1)


def fail() -> None:
    """Have a fault."""
    raise ZeroDivisionError("a bug")


def stop() -> None:
    """Get no time from the machine until somebody lets the process go on."""
    os.kill(os.getpid(), signal.SIGSTOP)


GOES_WRONG = {"loop": loop, "sleep": sleep, "die": die, "fail": fail, "stop": stop}
