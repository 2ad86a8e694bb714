"""Kills of processes at random moments, which are started again."""

import random
import time
from collections.abc import Iterator, Sequence
from typing import Protocol


class Victim(Protocol):
    """A process of the service, or the store."""

    def kill(self) -> None:
        """End it by SIGKILL."""

    def start(self) -> None:
        """Start it again."""


def kills(processes: Sequence[Victim], count: int) -> Iterator[None]:
    """Kill a process at random and start it again, once per step, each time after a short time."""
    dice = random.Random(11)  # noqa: S311 - which process, and when
    for _ in range(count):
        began, pause = time.monotonic(), dice.uniform(0.1, 0.6)
        while time.monotonic() - began < pause:
            yield
        victim = dice.choice(processes)
        victim.kill()
        victim.start()
