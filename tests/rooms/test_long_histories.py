"""The costs of long histories: the same as for short ones, and other tasks run while one is read."""

import asyncio
import random

import pytest

from service.domain.ids import PlayerId, RoomKey, Version
from service.domain.room.evolve import evolve
from service.domain.room.model import commands
from service.domain.room.model.events import PlayerJoined, PlayerLeft, Recorded
from service.domain.room.model.state import Room
from service.rooms.kind import ROOMS, SNAPSHOT_EVERY
from service.store.codec import encode_command
from service.store.contract import Batch, Head
from service.streams.reader import PAGE
from tests.memory_store.store import MemoryStore
from tests.rooms.processes import ANNA, BEN, Clock, Process, fold_versions
from tests.rooms.test_loading import play_matches

LARGEST_SLICE = 128
"""How many events may be folded before other tasks have a turn: about a millisecond's work."""


class FoldCounter:
    """Counts the events that are folded while rooms are loaded, and the maximum between two turns of the loop."""

    def __init__(self) -> None:
        """Start at 0."""
        self.folded = 0
        self.at_once = 0
        self._turn = 0

    def evolve(self, room: Room | None, recorded: Recorded) -> Room:
        """Fold and count an event."""
        self.folded += 1
        self.at_once = max(self.at_once, self.folded - self._turn)
        return evolve(room, recorded)

    async def turns(self) -> None:
        """Record each turn of the loop."""
        while True:
            self._turn = self.folded
            await asyncio.sleep(0)


@pytest.fixture
def fold_counter(monkeypatch: pytest.MonkeyPatch) -> FoldCounter:
    """Return a counter of the events that are folded from now on."""
    fold_counter = FoldCounter()
    monkeypatch.setitem(vars(ROOMS), "evolve", fold_counter.evolve)
    return fold_counter


async def grow_room(process: Process, to: int) -> RoomKey:
    """Return a room in a running match that spectators joined and left until it had this many events."""
    live = await process.start_match(ANNA, BEN)
    await process.place_man(ANNA, "a1")
    head = live.head
    while head.version < to:
        version, is_join = Version(head.version + 1), head.version % 2 == 0
        player = PlayerId(f"p-{head.version // 2 % 9}")
        event = PlayerJoined(player, "Guest", "spectator") if is_join else PlayerLeft(player)
        history, entries = encode_command(
            ROOMS, head, [Recorded(version, live.state.time, version, 1, player, event)], None
        )
        await MemoryStore.append(process.store, live.key, head, Batch(entries))
        head = Head(version, history[-1].digest)
    return live.key


async def count_folds(process: Process, key: RoomKey, fold_counter: FoldCounter, version: Version | None) -> int:
    """Return how many events a new process folds to serve a room, now or at a version."""
    before, rooms = fold_counter.folded, process.start_another().rooms
    if version is None:
        await rooms.loaded(key)
    else:
        live = await rooms.loaded(key)
        before = fold_counter.folded
        await rooms.at(live, version)
    return fold_counter.folded - before


async def max_folds(length: int, fold_counter: FoldCounter) -> tuple[int, int]:
    """Return the maximum of folded events for a load of a room of this length, and for one of its versions."""
    process = Process(Clock())
    key = await grow_room(process, length)
    await process.start_another().core.repository.by_key(key)  # the first read stores snapshots
    dice = random.Random(length)  # noqa: S311 - which versions
    versions = [Version(dice.randrange(1, length)) for _ in range(40)] + [Version(length - 1)]
    return await count_folds(process, key, fold_counter, None), max(
        [await count_folds(process, key, fold_counter, at) for at in versions]
    )


async def test_a_long_history_costs_no_more_than_twice_a_short_one(fold_counter: FoldCounter) -> None:
    """A load and an earlier version, by the events that have to be read and folded."""
    short, long = await max_folds(1000, fold_counter), await max_folds(100_000, fold_counter)
    assert long[0] <= 2 * max(short[0], 1)
    assert long[1] <= 2 * short[1]
    assert max(short) <= SNAPSHOT_EVERY


async def test_a_load_lets_other_tasks_run(fold_counter: FoldCounter) -> None:
    """After a number of events, also where there is no snapshot."""
    process = Process(Clock())
    key = await grow_room(process, 5 * PAGE)
    process.store._streams[key].snapshots.clear()
    turning = asyncio.create_task(fold_counter.turns())
    other = process.start_another()
    live = await other.core.repository.by_key(key)
    process.store._streams[key].snapshots.clear()
    await other.rooms.at(live, Version(5 * PAGE - 1))
    turning.cancel()
    assert fold_counter.folded > 9 * PAGE
    assert fold_counter.at_once <= LARGEST_SLICE


async def test_a_version_that_is_read_again_is_not_folded_again(process: Process, fold_counter: FoldCounter) -> None:
    """As by viewers who step through the same match; one of a replaced history is."""
    key = await play_matches(process, "morris", 1)
    await process.rooms.close()
    live = await process.core.repository.by_key(key)
    for _ in range(2):
        await process.rooms.at(live, Version(20))
        assert 0 < fold_counter.folded <= 20
    live.generation += 1
    before = fold_counter.folded
    await process.rooms.at(live, Version(20))
    assert fold_counter.folded > before


@pytest.mark.parametrize("seed", range(6))
async def test_the_state_does_not_depend_on_the_snapshots(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is one every few versions; any of them may be missing, and takebacks are between them."""
    monkeypatch.setitem(vars(ROOMS.snapshots), "least", 7)
    dice = random.Random(seed)  # noqa: S311 - which are missing
    process = Process(Clock())
    key = await play_matches(process, dice.choice(["morris", "ternio", "turncoat", "rainbow"]), 2)
    await process.rooms.close()
    stream, truth = process.store._streams[key], await fold_versions(process.store, key)
    all_snapshots = dict(stream.snapshots)
    for _ in range(25):
        stream.snapshots = {version: each for version, each in all_snapshots.items() if dice.random() < 0.5}
        rooms = process.start_another().rooms
        live = await rooms.loaded(key)
        assert live.state == truth[-1]
        version = dice.randrange(1, len(truth) + 1)
        assert await rooms.at(live, Version(version)) == truth[version - 1]


async def test_a_takeback_to_before_a_snapshot_is_the_same(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """To a turn that began before it, in a process that has loaded the match from it."""
    monkeypatch.setitem(vars(ROOMS.snapshots), "least", 2)
    await process.start_match(ANNA, BEN)
    for by, at in ((ANNA, "a1"), (BEN, "d1"), (ANNA, "g1"), (BEN, "a4")):
        await process.place_man(by, at)
    await process.rooms.close()
    other = process.start_another()
    live = await other.cached_room()
    for _ in range(2):
        await other.execute(ANNA, commands.RequestTakeback())
        await other.execute(BEN, commands.Answer(live.state.table.offers[0].id, accept=True))
    assert live.state == (await fold_versions(process.store, live.key))[-1]
    assert await process.stored_room() == live.state
