"""Computes pairings in a child process, which is killed if it takes too long.

Only the child imports what computes them, because networkx takes 11 MB and a tenth of a second.
"""

import asyncio
import sys
from asyncio.subprocess import Process
from collections.abc import Sequence
from contextlib import suppress

import structlog

from service.contests.pairing.messages import Answer, Task, decode_answer, encode
from service.domain.tournaments.pairings import Pairing, PairingRequest
from service.runtime.child_process import Child, NotBegun, start

log = structlog.get_logger()

LIMIT = 30.0
"""How many seconds the child has for one task."""

IDLE = 60.0
"""How many seconds without a request it takes until the child is ended."""

NARROWEST = 8
"""The narrowest window; within it a round that may have repeats always exists."""

WINDOW = 20
"""About how many opponents each player is matched from at first."""

STARTS = 2
"""How often a task is started if the child dies on its own."""


class PairingFailed(Exception):  # noqa: N818 - a state, not an error
    """No pairing was found: the child failed, died again and again, or was too slow for the narrowest window."""


class TooSlow(Exception):  # noqa: N818 - what was found
    """The child did not finish a task in time, and was killed."""


class PairingProcess:
    """Computes pairings one after the other, in a child that is started when needed and ended when idle."""

    def __init__(self, limit: float = LIMIT, idle: float = IDLE, program: Sequence[str] | None = None) -> None:
        self._limit, self._idle = limit, idle
        module = ("-P", "-m", "service.contests.pairing.child", str(2 * limit + 1))
        self._program = (sys.executable, *module) if program is None else tuple(program)
        self._running: tuple[Child, Process] | None = None
        self._turn = asyncio.Lock()
        self._end: asyncio.TimerHandle | None = None
        self._ending: asyncio.Task[None] | None = None

    @property
    def process_id(self) -> int | None:
        """The process id of the child, None while there is none."""
        return None if self._running is None else self._running[0].pid

    async def pair(self, request: PairingRequest) -> Pairing:
        """Return the pairing of a request. Raises `PairingFailed`.

        The same request has the same pairing, unless a computation was too slow: then narrower windows are used.
        """
        async with self._turn:
            self._keep()
            try:
                return await self._widening(request)
            finally:
                self._end = asyncio.get_running_loop().call_later(self._idle, self._end_idle)

    async def close(self) -> None:
        """End the child; requests that wait for it fail."""
        self._keep()
        await self._kill()

    async def _widening(self, request: PairingRequest) -> Pairing:
        """Look for a pairing without exceptions in ever wider windows, then for one with as few as possible."""
        finished = [NARROWEST]
        try:
            for window in windows(request):
                pairing = await self._ask(Task(request, window, strict=True))
                if pairing is not None:
                    return pairing
                finished.append(window)
        except TooSlow:
            log.warning("pairing_too_slow", players=len(request.entrants), finished=finished[-1])
        for window in reversed(finished):
            with suppress(TooSlow):
                pairing = await self._ask(Task(request, window, strict=False))
                if pairing is not None:
                    return pairing
        raise PairingFailed(f"{len(request.entrants)} players could not be paired in time")

    async def _ask(self, task: Task) -> Pairing | None:
        """Return the answer of the child. Raises `TooSlow` or `PairingFailed`."""
        for _ in range(STARTS):
            answer = await self._answer(task)
            if answer is None:
                continue
            if answer.failure:
                raise PairingFailed(answer.failure)
            return answer.pairing
        raise PairingFailed("the pairing process died")

    async def _answer(self, task: Task) -> Answer | None:
        """Return the answer of the child, None if it died. Raises `TooSlow`."""
        try:
            if self._running is None:
                self._running = await start(self._program)
            child, _ = self._running
            return decode_answer(await child.ask(encode(task), begin_within=self._limit, within=self._limit))
        except (TimeoutError, NotBegun):
            await self._kill()
            raise TooSlow from None
        except (OSError, EOFError):
            log.exception("pairing_process_died")
            await self._kill()
            return None
        except BaseException:
            await self._kill()
            raise

    async def _kill(self) -> None:
        """Kill the child if there is one, and wait until it is gone."""
        running, self._running = self._running, None
        if running is not None:
            child, process = running
            child.kill()
            await process.wait()

    def _keep(self) -> None:
        """Do not end the child."""
        if self._end is not None:
            self._end.cancel()
            self._end = None

    def _end_idle(self) -> None:
        """Start to end an idle child."""
        self._ending = asyncio.get_running_loop().create_task(self._end_in_turn())

    async def _end_in_turn(self) -> None:
        """End the child when it has no task."""
        async with self._turn:
            await self._kill()


def windows(request: PairingRequest) -> list[int]:
    """Return the windows in which opponents are searched, one after the other; the last one has everybody."""
    found, everybody = [WINDOW], len(request.entrants)
    while found[-1] < everybody:
        found.append(min(everybody, 2 * found[-1]))
    return found
