"""What long histories cost: no more than short ones, and nobody else waits while one is read."""

import asyncio
import random

import pytest

from service.domain.room.evolve import evolve
from service.domain.room.model import commands
from service.domain.room.model.events import PlayerJoined, PlayerLeft, Recorded
from service.domain.room.model.ids import PlayerId, RoomKey, Version
from service.domain.room.model.state import Room
from service.rooms.loading import loader
from service.rooms.loading.loader import SNAPSHOT_EVERY
from service.rooms.loading.reader import PAGE, SLICE
from service.store.codec import encode_command
from service.store.contract import Batch, Head
from service.store.memory.store import MemoryStore
from tests.rooms.processes import ANNA, BEN, Clock, Process, folds
from tests.rooms.test_loading import plays_through


class Counted:
    """Counts the events that are folded while rooms are loaded, and how many at most between two turns of the loop."""

    def __init__(self) -> None:
        """Begin at 0."""
        self.folded = 0
        self.at_once = 0
        self._turn = 0

    def evolve(self, room: Room | None, recorded: Recorded) -> Room:
        """Fold an event."""
        self.folded += 1
        self.at_once = max(self.at_once, self.folded - self._turn)
        return evolve(room, recorded)

    async def turns(self) -> None:
        """Note each turn of the loop."""
        while True:
            self._turn = self.folded
            await asyncio.sleep(0)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    """Return the count of what is folded from now on."""
    counted = Counted()
    monkeypatch.setattr(loader, "evolve", counted.evolve)
    return counted


async def grown(process: Process, to: int) -> RoomKey:
    """Return a room in a running match to which spectators came, and left, until it had this many events."""
    live = await process.match(ANNA, BEN)
    await process.moves(ANNA, "a1")
    head = live.head
    while head.version < to:
        version, come = Version(head.version + 1), head.version % 2 == 0
        player = PlayerId(f"p-{head.version // 2 % 9}")
        event = PlayerJoined(player, "Guest", "spectator") if come else PlayerLeft(player)
        history, entries = encode_command(head, [Recorded(version, live.room.time, version, 1, player, event)], None)
        await MemoryStore.append(process.line, live.key, head, Batch(entries))
        head = Head(version, history[-1].digest)
    return live.key


async def costs(process: Process, key: RoomKey, counted: Counted, version: Version | None) -> int:
    """Return how many events a process that has never seen a room folds to serve it, now or as it was."""
    before, rooms = counted.folded, process.another().rooms
    if version is None:
        await rooms.loaded(key)
    else:
        live = await rooms.loaded(key)
        before = counted.folded
        await rooms.at(live, version)
    return counted.folded - before


async def most(length: int, counted: Counted) -> tuple[int, int]:
    """Return how many events at most are folded for a load of a room of this length, and for one of its versions."""
    process = Process(Clock())
    key = await grown(process, length)
    await process.another().core.repository.by_key(key)  # whoever reads it first leaves snapshots behind
    dice = random.Random(length)  # noqa: S311 - which versions
    versions = [Version(dice.randrange(1, length)) for _ in range(40)] + [Version(length - 1)]
    return await costs(process, key, counted, None), max([await costs(process, key, counted, at) for at in versions])


@pytest.mark.timeout(300)
async def test_a_long_history_costs_no_more_than_twice_a_short_one(counted: Counted) -> None:
    """A load and a look back, by the events that have to be read and folded."""
    short, long = await most(1000, counted), await most(100_000, counted)
    assert long[0] <= 2 * max(short[0], 1)
    assert long[1] <= 2 * short[1]
    assert max(short) <= SNAPSHOT_EVERY


async def test_a_load_gives_everybody_else_a_turn(counted: Counted) -> None:
    """After so many events, also where no snapshot helps."""
    process = Process(Clock())
    key = await grown(process, 5 * PAGE)
    process.line._streams[key].snapshots.clear()
    turning = asyncio.create_task(counted.turns())
    other = process.another()
    live = await other.core.repository.by_key(key)
    process.line._streams[key].snapshots.clear()
    await other.rooms.at(live, Version(5 * PAGE - 1))
    turning.cancel()
    assert counted.folded > 9 * PAGE
    assert counted.at_once <= SLICE


async def test_a_position_asked_for_again_is_not_folded_again(process: Process, counted: Counted) -> None:
    """As by everyone who steps through the same match; one of a history that was replaced is."""
    key = await plays_through(process, "morris", 1)
    await process.rooms.close()
    live = await process.core.repository.by_key(key)
    for _ in range(2):
        await process.rooms.at(live, Version(20))
        assert 0 < counted.folded <= 20
    live.generation += 1
    before = counted.folded
    await process.rooms.at(live, Version(20))
    assert counted.folded > before


@pytest.mark.parametrize("seed", range(6))
async def test_the_state_is_the_same_whichever_snapshots_there_are(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One is made at every few versions; any of them may be missing, and takebacks lie between them."""
    monkeypatch.setattr(loader, "SNAPSHOT_EVERY", 7)
    dice = random.Random(seed)  # noqa: S311 - which are missing
    process = Process(Clock())
    key = await plays_through(process, dice.choice(["morris", "ternio", "turncoat", "rainbow"]), 2)
    await process.rooms.close()
    stream, truth = process.line._streams[key], await folds(process.line, key)
    kept = dict(stream.snapshots)
    for _ in range(25):
        stream.snapshots = {version: each for version, each in kept.items() if dice.random() < 0.5}
        rooms = process.another().rooms
        live = await rooms.loaded(key)
        assert live.room == truth[-1]
        version = dice.randrange(1, len(truth) + 1)
        assert await rooms.at(live, Version(version)) == truth[version - 1]


async def test_a_takeback_behind_a_snapshot_is_the_same(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """To a turn that began before it, on a process that has loaded the match from it."""
    monkeypatch.setattr(loader, "SNAPSHOT_EVERY", 2)
    await process.match(ANNA, BEN)
    for by, at in ((ANNA, "a1"), (BEN, "d1"), (ANNA, "g1"), (BEN, "a4")):
        await process.moves(by, at)
    await process.rooms.close()
    other = process.another()
    live = await other.friday()
    for _ in range(2):
        await other.does(ANNA, commands.RequestTakeback())
        await other.does(BEN, commands.Answer(live.room.table.offers[0].id, accept=True))
    assert live.room == (await folds(process.line, live.key))[-1]
    assert await process.fresh() == live.room
