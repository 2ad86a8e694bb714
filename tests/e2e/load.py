"""Many clients at once: players at tables and spectators beside them, with what they recorded together."""

import asyncio
import itertools
import time
from collections.abc import Iterable, Sequence

from tests.e2e.clients import IDLE, PAUSE, Follower, SeatedPlayer, Table
from tests.e2e.history import Recording

OPENING = {"turncoat": 2, "morris": 2, "ternio": 3, "triboard": 3, "rainbow": 2}
"""The games that are played, and their seats."""


UNDER_WAY = 0.3
"""Seconds in which a client gets what was answered before the store died."""


class Load:
    """Players at tables and spectators beside them, all recording."""

    def __init__(self, urls: Sequence[str], tables: Iterable[Table], spectators: int) -> None:
        """Seat everyone; `spectators` is how many follow in all."""
        self.recording = Recording()
        self.tables = list(tables)
        self.players = [
            SeatedPlayer(urls, table, seat, self.recording, by_post=(number + seat) % 3 == 0)
            for number, table in enumerate(self.tables)
            for seat in range(len(table.players))
        ]
        rooms = itertools.islice(itertools.cycle(self.tables), spectators)
        self.spectators = [Follower(urls, table.room, None, state=n % 2 == 0) for n, table in enumerate(rooms)]
        self.recording.subscribers = [each.recorded for each in self._everyone]
        self._tasks: list[asyncio.Task[None]] = []

    def slow_down(self, pause: float) -> None:
        """Let players think for so many seconds on the average, and record no deliveries: for long runs."""
        for player in self.players:
            player.pause = pause
        for each in self._everyone:
            each.keeps_all = False

    @property
    def _everyone(self) -> list[Follower]:
        return [*self.players, *self.spectators]

    @property
    def answered(self) -> int:
        """How many commands were acknowledged so far."""
        return sum(bool(command.attempts) and command.attempts[-1].status == 200 for command in self.recording.commands)

    def start(self) -> None:
        """Let everyone play and follow."""
        self._tasks = [asyncio.create_task(each.follow()) for each in self._everyone]

    async def reach(self, answered: int, within: float) -> None:
        """Wait until so many commands were acknowledged. Raises `TimeoutError`, and what a client raised."""
        async with asyncio.timeout(within):
            while self.answered < answered:
                self._raise_failures()
                await asyncio.sleep(PAUSE)

    async def note_loss(self) -> None:
        """Record that the store has lost its last entries; it must not answer before this returns."""
        await asyncio.sleep(UNDER_WAY)
        self.recording.losses.append(time.monotonic())

    async def go_on(self, seconds: float) -> None:
        """Let everyone play for so long. Raises what a client raised."""
        until = asyncio.get_running_loop().time() + seconds
        while asyncio.get_running_loop().time() < until:
            self._raise_failures()
            await asyncio.sleep(PAUSE)

    async def settle(self, within: float) -> None:
        """Stop moving, and wait until every command has its answer and every follower is at its room's version."""
        for player in self.players:
            player.playing = False
        async with asyncio.timeout(within):
            quiet_since = asyncio.get_running_loop().time()
            before: list[int] = []
            while asyncio.get_running_loop().time() - quiet_since < 2 * IDLE:
                self._raise_failures()
                versions = [each.version for each in self._everyone]
                if versions != before or any(player.is_waiting for player in self.players) or not self._is_level():
                    quiet_since, before = asyncio.get_running_loop().time(), versions
                await asyncio.sleep(PAUSE)

    def _is_level(self) -> bool:
        """Tell whether all followers of each room are at the same version."""
        found: dict[str, set[int]] = {}
        for each in self._everyone:
            found.setdefault(each.recorded.room, set()).add(each.version)
        return all(len(versions) == 1 for versions in found.values())

    async def all_go_on(self, within: float) -> list[float]:
        """Return after how many seconds each room had its next event. Raises `TimeoutError`."""
        began = asyncio.get_running_loop().time()
        before = {player.recorded.room: player.version for player in self.players}
        took: dict[str, float] = {}
        async with asyncio.timeout(within):
            while len(took) < len(before):
                self._raise_failures()
                for player in self.players:
                    if player.version != before[player.recorded.room]:
                        took.setdefault(player.recorded.room, asyncio.get_running_loop().time() - began)
                await asyncio.sleep(PAUSE / 2)
        return list(took.values())

    def lagging(self) -> str:
        """Return who is not where the others of the room are, and whose command has no answer, for a message."""
        found: dict[str, dict[int, int]] = {}
        for each in self._everyone:
            room = found.setdefault(each.recorded.room, {})
            room[each.version] = room.get(each.version, 0) + 1
        apart = {room: counts for room, counts in found.items() if len(counts) > 1}
        waiting = [player.recorded.player for player in self.players if player.is_waiting]
        return f"followers by version: {apart}; no answer yet: {waiting}"

    async def stop(self) -> None:
        """Hang up. Raises what a client raised."""
        for task in self._tasks:
            task.cancel()
        ended = await asyncio.gather(*self._tasks, return_exceptions=True)
        for outcome in ended:
            if isinstance(outcome, Exception):
                raise outcome

    def _raise_failures(self) -> None:
        for task in self._tasks:
            if task.done() and not task.cancelled():
                task.result()
