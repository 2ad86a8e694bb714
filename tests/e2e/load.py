"""Many clients at once: players and spectators of many rooms, with what they recorded together."""

import asyncio
import itertools
import time
from collections.abc import Iterable, Sequence

from tests.e2e.history import Recording
from tests.e2e.recording_clients import IDLE, PAUSE, PlayedRoom, PlayerClient, SubscriberClient
from tests.waiting import PATIENCE

OPENING = {"turncoat": 2, "morris": 2, "ternio": 3, "triboard": 3, "rainbow": 2}
"""The games that are played, and their seats."""


IN_TRANSIT = 0.3
"""Seconds within which clients receive the responses that were sent before the store was killed."""


class Load:
    """Players and spectators of a number of rooms, all of which record."""

    def __init__(self, urls: Sequence[str], rooms: Iterable[PlayedRoom], spectators: int) -> None:
        """Create the clients; `spectators` is their number in all rooms together."""
        self.recording = Recording()
        self.rooms = list(rooms)
        self.players = [
            PlayerClient(urls, room, seat, self.recording, by_post=(number + seat) % 3 == 0)
            for number, room in enumerate(self.rooms)
            for seat in range(len(room.players))
        ]
        spectated = itertools.islice(itertools.cycle(self.rooms), spectators)
        self.spectators = [
            SubscriberClient(urls, room.room, None, state=n % 2 == 0) for n, room in enumerate(spectated)
        ]
        self.recording.subscribers = [each.recorded for each in self._clients]
        self._tasks: list[asyncio.Task[None]] = []

    def slow_down(self, pause: float) -> None:
        """Let players wait for so many seconds on average before a move, and record no deliveries: for long runs."""
        for player in self.players:
            player.pause = pause
        for each in self._clients:
            each.keeps_all = False

    @property
    def _clients(self) -> list[SubscriberClient]:
        return [*self.players, *self.spectators]

    @property
    def acknowledged(self) -> int:
        """How many commands have been acknowledged."""
        return sum(bool(command.attempts) and command.attempts[-1].status == 200 for command in self.recording.commands)

    def start(self) -> None:
        """Start all clients."""
        self._tasks = [asyncio.create_task(each.follow()) for each in self._clients]

    async def wait_for_acknowledged(self, count: int) -> None:
        """Wait until so many commands have been acknowledged. Raises `TimeoutError`, and what a client raised."""
        async with asyncio.timeout(PATIENCE):
            while self.acknowledged < count:
                self._raise_failures()
                await asyncio.sleep(PAUSE)

    async def record_loss(self) -> None:
        """Record that the store has lost its last entries; it must not serve requests before this returns."""
        await asyncio.sleep(IN_TRANSIT)
        self.recording.losses.append(time.monotonic())

    async def play_for(self, seconds: float) -> None:
        """Let the clients play for so many seconds. Raises what a client raised."""
        until = asyncio.get_running_loop().time() + seconds
        while asyncio.get_running_loop().time() < until:
            self._raise_failures()
            await asyncio.sleep(PAUSE)

    async def settle(self) -> None:
        """Stop moving, and wait until every outcome is known and all subscribers of a room are at the same version."""
        for player in self.players:
            player.is_playing = False
        async with asyncio.timeout(PATIENCE):
            quiet_since = asyncio.get_running_loop().time()
            before: list[int] = []
            while asyncio.get_running_loop().time() - quiet_since < 2 * IDLE:
                self._raise_failures()
                versions = [each.version for each in self._clients]
                if versions != before or any(player.is_waiting for player in self.players) or not self._is_synced():
                    quiet_since, before = asyncio.get_running_loop().time(), versions
                await asyncio.sleep(PAUSE)

    def _is_synced(self) -> bool:
        """Return whether all subscribers of each room are at the same version."""
        found: dict[str, set[int]] = {}
        for each in self._clients:
            found.setdefault(each.recorded.room, set()).add(each.version)
        return all(len(versions) == 1 for versions in found.values())

    async def seconds_to_next_event(self) -> list[float]:
        """Return after how many seconds each room had its next event. Raises `TimeoutError`."""
        began = asyncio.get_running_loop().time()
        before = {player.recorded.room: player.version for player in self.players}
        seconds: dict[str, float] = {}
        async with asyncio.timeout(PATIENCE):
            while len(seconds) < len(before):
                self._raise_failures()
                for player in self.players:
                    if player.version != before[player.recorded.room]:
                        seconds.setdefault(player.recorded.room, asyncio.get_running_loop().time() - began)
                await asyncio.sleep(PAUSE / 2)
        return list(seconds.values())

    def describe_lag(self) -> str:
        """Return a message: subscribers at different versions of a room, and players with an open command."""
        found: dict[str, dict[int, int]] = {}
        for each in self._clients:
            room = found.setdefault(each.recorded.room, {})
            room[each.version] = room.get(each.version, 0) + 1
        apart = {room: counts for room, counts in found.items() if len(counts) > 1}
        waiting = [player.recorded.player for player in self.players if player.is_waiting]
        return f"subscribers by version: {apart}; outcome not known yet: {waiting}"

    async def stop(self) -> None:
        """Close all connections. Raises what a client raised."""
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
