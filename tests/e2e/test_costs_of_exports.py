"""What it costs to export a long match over HTTP: the same per event as a short one, in memory that does not grow."""

import asyncio
import os
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Self

import httpx
import pytest

from service.derived_keys import signer_of
from service.domain.game import Event, Seat
from service.domain.games.morris.model import Placed
from service.domain.room.model.events import Recorded, TakenBack
from service.domain.room.model.ids import RoomKey, RoomName, Version
from service.settings import Settings
from service.store.codec import decode, encoded
from service.store.contract import Batch, Entry, Head
from service.store.redis.store import RedisStore
from tests.e2e import results
from tests.e2e.client import Door, door_to
from tests.e2e.processes import SECRET, ApiProcess, SwitchedApi, started
from tests.e2e.tables import seated
from tests.e2e.turn_recorder import Turn
from tests.store_server import StoreServer

SHORT, LONG = 1000, 100_000
REPEATS = 5
ROUNDS = 4
"""How many rounds are written at once, with one MAC behind them."""
EXPORTS = {"events": "application/x-ndjson", "text": "text/plain"}
MEGABYTE = 1024 * 1024
LONGEST_TURN = 0.05
"""Seconds of CPU for which nobody else is served, at most."""
WHITE, BLACK = Seat(0), Seat(1)


class Cost(NamedTuple):
    """What an export took."""

    first_byte: float
    """Seconds from the request to the first byte of the body, at the median."""
    cpu: float
    """Seconds of CPU of the API process per export."""
    size: int
    """Bytes of the body."""
    grown: float
    """By how many megabytes the process's peak exceeded what it held before."""
    turns: tuple[Turn, Turn]
    """The turns of the event loop that took the most CPU time, and the longest by the clock."""
    stall: float
    """The longest wait of a request for something small meanwhile, in seconds."""


async def grown(url: str, room: str, to: int) -> None:
    """Add moves that are taken back to a running match of Morris until its room has this many events."""
    store = RedisStore(url, signer=signer_of(Settings(secret=SECRET)))
    epoch = await store.live(RoomName(room))
    assert epoch is not None
    key = RoomKey(RoomName(room), epoch)
    entries = await store.read(key, Version(0))
    latest, head = decode("morris", entries[-1]).recorded, Head(entries[-1].version, entries[-1].digest)
    while head.version < to:
        added: list[Entry] = []
        at = head
        for _ in range(ROUNDS):
            more = round_of(latest, at)
            added += more
            at = Head(more[-1].version, more[-1].digest)
        await store.append(key, head, Batch(tuple(added)))
        head = at
    await store.close()


def round_of(latest: Recorded, head: Head) -> list[Entry]:
    """Return two moves and the takeback of both, each a command of its own."""
    events: Sequence[Event] = (
        Placed(WHITE, "a1", (), 0),
        Placed(BLACK, "d1", (), 0),
        TakenBack(head.version, WHITE),
    )
    entries: list[Entry] = []
    for event in events:
        version = Version(head.version + 1)
        recorded = Recorded(version, latest.time, version, 1, None, event)
        stored, [entry] = encoded(head, [recorded], None)
        entries.append(entry)
        head = Head(version, stored[-1].digest)
    return entries


def cpu_of(process: ApiProcess) -> float:
    """Return how many seconds of CPU a process has used."""
    fields = Path(f"/proc/{process.id}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_of(process: ApiProcess, name: str) -> float:
    """Return a figure of a process's memory in megabytes: `VmRSS` now, `VmHWM` at most."""
    lines = Path(f"/proc/{process.id}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:")) / 1024


class Pings:
    """Asks for something small again and again, and notes the longest wait."""

    def __init__(self, url: str) -> None:
        """Ask the process at this address."""
        self.longest = 0.0
        self._url = url
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_rest: object) -> None:
        self._end.set()
        self._thread.join()

    def _run(self) -> None:
        with httpx.Client(base_url=self._url) as client:
            while not self._end.wait(0.002):
                began = time.monotonic()
                assert client.get("/health/live").status_code == 200
                self.longest = max(self.longest, time.monotonic() - began)


def first_byte(client: httpx.Client, match: str, accept: str) -> tuple[float, int]:
    """Return after how many seconds an export's body began, and how many bytes it had."""
    began = time.monotonic()
    with client.stream("GET", f"/v1/matches/{match}/export", headers={"accept": accept}) as answer:
        assert answer.status_code == 200
        pieces = answer.iter_raw()
        size = len(next(pieces))
        there = time.monotonic() - began
        return there, size + sum(len(piece) for piece in pieces)


def cost_of(api: SwitchedApi, client: httpx.Client, match: str, accept: str) -> Cost:
    """Export a match a few times."""
    first_byte(client, match, accept)  # whoever is first loads the room
    Path(f"/proc/{api.id}/clear_refs").write_text("5")  # the peak is counted from here
    held, before = memory_of(api, "VmRSS"), cpu_of(api)
    taken = sorted(first_byte(client, match, accept) for _ in range(REPEATS))
    used = (cpu_of(api) - before) / REPEATS
    grown = memory_of(api, "VmHWM") - held

    def repeat() -> None:
        for _ in range(REPEATS):
            first_byte(client, match, accept)

    most_work, longest = (Turn(*map(float, line.split())) for line in api.recorded(repeat))
    with Pings(api.url) as pings:
        repeat()
    return Cost(taken[REPEATS // 2][0], used, taken[0][1], grown, (most_work, longest), pings.longest)


def line(costs: dict[int, Cost]) -> str:
    """Return the figures of one kind of export."""
    each = [
        f"{events} events: {cost.size / MEGABYTE:.1f} MB, first byte after {1000 * cost.first_byte:.0f} ms, "
        f"{1e6 * cost.cpu / events:.1f} us of CPU per event, memory {cost.grown:+.1f} MB, "
        f"a turn of the loop at most {1000 * cost.turns[0].cpu:.1f} ms of CPU and {1000 * cost.turns[1].wall:.1f} ms "
        f"by the clock ({1000 * cost.turns[1].cpu:.1f} ms of CPU), "
        f"longest wait of another request {1000 * cost.stall:.0f} ms"
        for events, cost in costs.items()
    ]
    ratio = (costs[LONG].cpu / LONG) / (costs[SHORT].cpu / SHORT)
    return "; ".join([*each, f"CPU per event {ratio:.2f} times"])


def finished(door: Door, url: str, events: int) -> str:
    """Return the id of a match that has ended, in a room with this many events."""
    table = seated(door, "morris", 2, {"restart": None})
    asyncio.run(grown(url, table.room, events))
    assert table.red.sees(table.room).status == 200
    assert table.red.asks(table.room, "resign").status == 200
    return str(table.red.sees(table.room).body["match"]["id"])


@pytest.mark.soak
def test_an_export_of_a_long_match_costs_per_event_what_a_short_one_does(
    own_server: StoreServer, tmp_path: Path
) -> None:
    """Both kinds, for 1,000 and for 100,000 events."""
    if sys.platform != "linux":
        pytest.skip("the process's figures are read from /proc")
    api = SwitchedApi(own_server.url, tmp_path, "tests.e2e.turn_recorder")
    with started(api), door_to(api.url) as door, httpx.Client(base_url=api.url, timeout=60) as client:
        matches = {events: finished(door, own_server.url, events) for events in (SHORT, LONG)}
        for kind, accept in EXPORTS.items():
            costs = {events: cost_of(api, client, match, accept) for events, match in matches.items()}
            results.note(f"exports: {kind} of a match", line(costs))
            sys.stdout.write(f"{kind}: {line(costs)}\n")
            assert costs[LONG].first_byte < 0.2
            assert costs[LONG].cpu / LONG < 1.2 * costs[SHORT].cpu / SHORT
            assert costs[LONG].grown < 10
            assert costs[LONG].turns[0].cpu < LONGEST_TURN
