"""The costs of exporting a long match over HTTP: per event the same as for a short one, with constant memory."""

import asyncio
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from service.domain.game import Event, Seat
from service.domain.games.morris.model import Placed
from service.domain.ids import RoomKey, RoomName, Version
from service.domain.room.model.events import Recorded, TakenBack
from service.programs.store_setup import signer_of
from service.rooms.kind import ROOMS
from service.runtime.settings import Settings
from service.store.codec import decode, encode_command
from service.store.contract import Batch, Entry, Head
from service.store.redis.store import RedisStore
from tests.e2e import results
from tests.e2e.client import ApiClient, connect_to
from tests.e2e.processes import SECRET, ApiProcess, SignalledApi, run_processes
from tests.e2e.seated_rooms import seat_players
from tests.e2e.turn_recorder import Turn
from tests.store_server import StoreServer
from tests.waiting import PATIENCE

SHORT, LONG = 1000, 100_000
REPEATS = 5
ROUNDS = 4
"""How many rounds are written at once, with one MAC after them."""
EXPORTS = {"events": "application/x-ndjson", "text": "text/plain"}
MEGABYTE = 1024 * 1024
LONGEST_TURN = 0.05
"""Seconds of CPU for which no other request is served, at most."""
WHITE, BLACK = Seat(0), Seat(1)


class Cost(NamedTuple):
    """The costs of an export."""

    first_byte: float
    """Seconds from the request to the first byte of the body, at the median."""
    cpu: float
    """Seconds of CPU of the API process per export."""
    size: int
    """Bytes of the body."""
    growth: float
    """By how many megabytes the process's peak memory exceeded its memory before."""
    turns: tuple[Turn, Turn]
    """The turn of the event loop with the most CPU time, and the longest turn, for which other requests wait."""


async def add_moves(url: str, room: str, to: int) -> None:
    """Add moves that are taken back to a running match of Morris until its room has this many events."""
    store = RedisStore(url, signer=signer_of(Settings(secret=SECRET)))
    epoch = await store.open_epoch(RoomName(room))
    assert epoch is not None
    key = RoomKey(RoomName(room), epoch)
    entries = await store.read(key, Version(0))
    latest, head = decode(ROOMS, "morris", entries[-1]).recorded, Head(entries[-1].version, entries[-1].digest)
    while head.version < to:
        added: list[Entry] = []
        batch_head = head
        for _ in range(ROUNDS):
            more = round_of(latest, batch_head)
            added += more
            batch_head = Head(more[-1].version, more[-1].digest)
        await store.append(key, head, Batch(tuple(added)))
        head = batch_head
    await store.close()


def round_of(latest: Recorded, head: Head) -> list[Entry]:
    """Return two moves and the takeback of both, each as a command of its own."""
    events: Sequence[Event] = (
        Placed(WHITE, "a1", (), 0),
        Placed(BLACK, "d1", (), 0),
        TakenBack(head.version, WHITE),
    )
    entries: list[Entry] = []
    for event in events:
        version = Version(head.version + 1)
        recorded = Recorded(version, latest.time, version, 1, None, event)
        stored, [entry] = encode_command(ROOMS, head, [recorded], None)
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


def download(client: httpx.Client, match: str, accept: str) -> tuple[float, int]:
    """Return after how many seconds an export's body began, and its size in bytes."""
    began = time.monotonic()
    with client.stream("GET", f"/v1/matches/{match}/export", headers={"accept": accept}) as response:
        assert response.status_code == 200
        pieces = response.iter_raw()
        size = len(next(pieces))
        delay = time.monotonic() - began
        return delay, size + sum(len(piece) for piece in pieces)


def measure_cost(api: SignalledApi, client: httpx.Client, match: str, accept: str) -> Cost:
    """Export a match several times and return the costs."""
    download(client, match, accept)  # the first export loads the room
    Path(f"/proc/{api.id}/clear_refs").write_text("5")  # resets the peak
    memory_before, cpu_before = memory_of(api, "VmRSS"), cpu_of(api)
    downloads = sorted(download(client, match, accept) for _ in range(REPEATS))
    used = (cpu_of(api) - cpu_before) / REPEATS
    growth = memory_of(api, "VmHWM") - memory_before

    def repeat() -> None:
        for _ in range(REPEATS):
            download(client, match, accept)

    most_cpu, longest = (Turn(*map(float, line.split())) for line in api.record_lines(repeat))
    return Cost(downloads[REPEATS // 2][0], used, downloads[0][1], growth, (most_cpu, longest))


def format_costs(costs: dict[int, Cost]) -> str:
    """Return the figures of one kind of export."""
    each = [
        f"{events} events: {cost.size / MEGABYTE:.1f} MB, first byte after {1000 * cost.first_byte:.0f} ms, "
        f"{1e6 * cost.cpu / events:.1f} us of CPU per event, memory {cost.growth:+.1f} MB, "
        f"a turn of the loop at most {1000 * cost.turns[0].cpu:.1f} ms of CPU and {1000 * cost.turns[1].wall:.1f} ms "
        f"by the clock ({1000 * cost.turns[1].cpu:.1f} ms of CPU)"
        for events, cost in costs.items()
    ]
    ratio = (costs[LONG].cpu / LONG) / (costs[SHORT].cpu / SHORT)
    return "; ".join([*each, f"CPU per event {ratio:.2f} times"])


def finished_match(client: ApiClient, url: str, events: int) -> str:
    """Return the id of a match that has ended, in a room with this many events."""
    seated = seat_players(client, "morris", 2, {"restart": None})
    asyncio.run(add_moves(url, seated.room, events))
    assert seated.red.read_room(seated.room).status == 200
    assert seated.red.command(seated.room, "resign").status == 200
    return str(seated.red.read_room(seated.room).body["match"]["id"])


@pytest.mark.soak
def test_an_export_costs_the_same_per_event_for_a_long_match(own_server: StoreServer, tmp_path: Path) -> None:
    """Both kinds, for 1,000 and for 100,000 events."""
    if sys.platform != "linux":
        pytest.skip("the process's figures are read from /proc")
    api = SignalledApi(own_server.url, tmp_path, "tests.e2e.turn_recorder")
    with run_processes(api), connect_to(api.url) as client, httpx.Client(base_url=api.url, timeout=PATIENCE) as http:
        matches = {events: finished_match(client, own_server.url, events) for events in (SHORT, LONG)}
        for kind, accept in EXPORTS.items():
            costs = {events: measure_cost(api, http, match, accept) for events, match in matches.items()}
            results.record_result(f"exports: {kind} of a match", format_costs(costs))
            sys.stdout.write(f"{kind}: {format_costs(costs)}\n")
            assert costs[LONG].first_byte < 0.2
            assert costs[LONG].cpu / LONG < 1.2 * costs[SHORT].cpu / SHORT
            assert costs[LONG].growth < 10
            assert costs[LONG].turns[0].cpu < LONGEST_TURN
