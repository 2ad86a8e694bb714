"""Positions at which bots fail: valid in the process that creates them, failing in every other process."""

import os
import signal
import time
from pathlib import Path
from typing import Any


class FailingPosition:
    """A position that fails in some way when another process reads it.

    With `once`, a file that does not exist yet, only the first process that reads it fails, and creates that file.
    """

    def __init__(self, position: Any, how: str, home: int | None = None, once: Path | None = None) -> None:
        """Be this position in the process that creates it."""
        self.__dict__.update(position=position, how=how, home=home or os.getpid(), once=once)

    def __reduce__(self) -> tuple[Any, ...]:
        own = self.__dict__
        if own["once"] and own["once"].exists() and os.getpid() == own["home"]:
            return identity, (own["position"],)
        return FailingPosition, (own["position"], own["how"], own["home"], own["once"])

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the position, or fail."""
        once = self.__dict__["once"]
        if os.getpid() != self.__dict__["home"] and not (once and once.exists()):
            if once:
                once.touch()
            FAILURES[self.__dict__["how"]]()
        return getattr(self.__dict__["position"], name)


def identity(position: Any) -> Any:
    """Return the position itself."""
    return position


def loop() -> None:
    """Run for ever."""
    while True:
        pass


def sleep() -> None:
    """Take longer than any requester waits."""
    time.sleep(60)


def die() -> None:
    """End the process."""
    os._exit(1)


def fail() -> None:
    """Raise an exception, as a bug does."""
    raise ZeroDivisionError("a bug")


def stop() -> None:
    """Stop the process until it is resumed, like a machine without free CPU time."""
    os.kill(os.getpid(), signal.SIGSTOP)


FAILURES = {"loop": loop, "sleep": sleep, "die": die, "fail": fail, "stop": stop}
