"""An event loop in virtual time: whenever all tasks wait, the clock jumps to the next timer."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class JumpingSelector(selectors.DefaultSelector):
    """A selector that does not wait but lets the time pass."""

    passed = 0.0
    """How many seconds have passed."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return what is ready; if nothing is, let the time pass."""
        ready = super().select(0)
        if not ready and timeout is None:
            raise RuntimeError("all tasks wait for something that never happens")
        self.passed += 0 if ready else timeout or 0
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock does not follow that of the machine."""

    def __init__(self) -> None:
        """Start at zero."""
        self._jumping = JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        """Return the virtual time."""
        return self._jumping.passed


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)
