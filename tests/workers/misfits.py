"""Positions at which a bot goes wrong: fine where they were made, and a trap in any other process."""

import os
import time
from typing import Any


class Misfit:
    """A position that does something else than telling about itself when another process looks at it."""

    def __init__(self, position: Any, how: str, home: int | None = None) -> None:
        """Stand for this position in the process that makes it."""
        self.__dict__.update(position=position, how=how, home=home or os.getpid())

    def __reduce__(self) -> tuple[Any, ...]:
        return Misfit, (self.__dict__["position"], self.__dict__["how"], self.__dict__["home"])

    def __getattr__(self, name: str) -> Any:
        """Return what the position says, or go wrong."""
        if os.getpid() != self.__dict__["home"]:
            GOES_WRONG[self.__dict__["how"]]()
        return getattr(self.__dict__["position"], name)


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


GOES_WRONG = {"loop": loop, "sleep": sleep, "die": die, "fail": fail}
