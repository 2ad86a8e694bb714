"""Who is connected to a room, counted as they come and go: the same as by looking at everyone, at a fixed cost."""

import asyncio
import gc
import random
import time

import msgspec
import pytest
from msgspec.structs import replace

from service.domain.game import Seat
from service.domain.room.model.ids import PlayerId, Version
from service.domain.room.model.state import Member
from service.domain.room.subjects.privacy import OPERATOR
from service.rooms.access.policy import reading_refusal
from service.rooms.feeds.frames import OutgoingFrame, StateMode
from service.rooms.loading.room import LoadedRoom
from service.rooms.presence_counts import ProcessShare
from service.rooms.social.lease import Timing
from service.rooms.social.room_presence import BYTES_A_SECOND, LONGEST_PAUSE, RoomPresence
from service.rooms.views.patches import SentView
from service.store.side_channels import ProcessId
from tests.rooms.processes import ANNA, BEN, Process

CROWD = [PlayerId(f"p-{name}") for name in ("anna", "ben", "carl", "dora", "emil")]
STEPS = 300


class Anyone:
    """A watcher who keeps nothing."""

    def __init__(self, player: PlayerId | None) -> None:
        """Watch as this player."""
        self.player = player
        self.wanted: Seat | None = None
        self.state: StateMode = True
        self.view: SentView | None = None
        self.at = Version(0)

    def offer(self, frame: OutgoingFrame) -> None:
        """Drop a frame."""

    async def drained(self) -> None:
        """Wait for nothing."""


class Look:
    """The plain version: looks at everyone after each change."""

    def __init__(self, here: RoomPresence) -> None:
        """Begin with what is there."""
        self.here = here
        self.devices: dict[PlayerId, int] = {}
        self.strangers = 0
        self.gone: set[PlayerId] = set()

    def again(self) -> None:
        """Add up all shares, and note who has gone since the last look."""
        before, table = self.devices.keys(), self.here.live.room.table
        shares = [self.mine(), *(noted.share for noted in self.here.others.values())]
        self.devices, self.strangers = {}, sum(share.strangers for share in shares)
        for share in shares:
            for player, count in share.devices.items():
                self.devices[player] = self.devices.get(player, 0) + count
        self.gone = ((self.gone | before) - self.devices.keys()) & table.members.keys()

    def mine(self) -> ProcessShare:
        """Return this process's share."""
        table, players = self.here.live.room.table, list(self.here.subscribers.values())
        named = [player for player in {*players, *self.here.lingering} if player not in {None, OPERATOR}]
        devices = {
            player: players.count(player) for player in named if player and reading_refusal(table, player) is None
        }
        return ProcessShare(devices, 0 if reading_refusal(table, None) else players.count(None))


class Crowd:
    """Random things that happen to a room's presence."""

    def __init__(self, here: RoomPresence, seed: int) -> None:
        """Let them happen here."""
        self.here = here
        self.chance = random.Random(seed)  # noqa: S311 - repeatable
        self.notes: dict[ProcessId, bytes] = {}

    def step(self) -> None:
        """Let one thing happen."""
        self.chance.choice((self.arrive, self.arrive, self.depart, self.depart, self.lapse, self.note, self.admit))()

    def arrive(self) -> None:
        """Somebody comes: a player, a stranger or an operator."""
        self.here.arrive(Anyone(self.chance.choice([*CROWD, None, OPERATOR])))

    def depart(self) -> None:
        """Somebody goes."""
        if self.here.subscribers:
            player = self.here.depart(self.chance.choice(list(self.here.subscribers)))
            if player is not None:
                self.here.lingering[player] = asyncio.get_running_loop().call_later(3600, lambda: None)

    def lapse(self) -> None:
        """Somebody's grace is over."""
        if self.here.lingering:
            player = self.chance.choice(list(self.here.lingering))
            self.here.lingering[player].cancel()
            self.here.lapse(player)

    def note(self) -> None:
        """Another process notes its share, or goes."""
        process = ProcessId(f"process-{self.chance.randrange(3)}")
        named = self.chance.sample(CROWD, self.chance.randrange(len(CROWD)))
        share = ProcessShare({player: self.chance.randrange(3) for player in named}, self.chance.randrange(3))
        self.notes[process] = msgspec.json.encode(share)
        if self.chance.random() < 0.2:
            del self.notes[process]
        self.here.read(dict(self.notes))

    def admit(self) -> None:
        """Somebody joins or leaves the room, or spectators are shown out or let in."""
        room = self.here.live.room
        members, player = dict(room.table.members), self.chance.choice(CROWD)
        if members.pop(player, None) is None:
            members[player] = Member(player, "player")
        settings = replace(room.table.settings, spectators=self.chance.random() < 0.5)
        self.here.live.room = replace(room, table=replace(room.table, members=members, settings=settings))
        self.here.recount()


@pytest.mark.parametrize("seed", range(20))
async def test_counting_gives_what_looking_at_everyone_gives(process: Process, seed: int) -> None:
    """After whatever happens here, in other processes and at the table."""
    here = RoomPresence(await process.open())
    here.recount()
    look, crowd = Look(here), Crowd(here, seed)
    for _ in range(STEPS):
        crowd.step()
        look.again()
        assert (here.counts.devices, here.counts.strangers) == (look.devices, look.strangers)
        assert here.gone == look.gone
        assert here.share == look.mine()
    for timer in here.lingering.values():
        timer.cancel()


async def test_a_large_frame_to_many_is_sent_seldom(process: Process) -> None:
    """Where an operator allows thousands of members, all frames together stay below so many bytes a second."""
    here = RoomPresence(await process.open())
    for _ in range(5000):
        here.arrive(Anyone(None))
    assert here.pause == LONGEST_PAUSE
    here.last_sent = bytes(400_000)
    assert len(here.last_sent) * 5000 / here.pause <= BYTES_A_SECOND


class Counted(str):
    """A player's id that counts how often it is looked at."""

    __slots__ = ()
    looks = 0

    def __hash__(self) -> int:
        """Count a look."""
        Counted.looks += 1
        return super().__hash__()

    def __eq__(self, other: object) -> bool:
        """Count a look."""
        Counted.looks += 1
        return super().__eq__(other)


async def looks_for_each(process: Process, size: int) -> tuple[float, float]:
    """Return how often ids are looked at for each who comes, and for each who goes."""
    live = await process.match(ANNA, BEN)
    crowd = [Anyone(PlayerId(Counted(f"p-watcher-{number}"))) for number in range(size)]
    Counted.looks = 0
    for watcher in crowd:
        await process.rooms.subscribe(live, watcher, None, None)
    came, Counted.looks = Counted.looks / size, 0
    for watcher in crowd:
        process.rooms.unsubscribe(live, watcher)
    return came, Counted.looks / size


async def test_who_comes_or_goes_costs_the_same_in_a_crowd(process: Process) -> None:
    """No look at those who are there."""
    company = process.with_social(ProcessId("here"), Timing(grace=3600.0))
    came, went = await looks_for_each(process, 400)
    assert came < 40
    assert went < 40
    live = await process.friday()
    assert sum((await company.presence.of(live)).devices.values()) == 0


async def come_and_go(live: LoadedRoom, process: Process, crowd: list[Anyone]) -> float:
    """Let all of a crowd come and go, and return the longest time in seconds for which the loop computed in one go."""
    longest, portion = 0.0, 50
    for start in range(0, len(crowd), portion):
        began = time.thread_time()
        for watcher in crowd[start : start + portion]:
            await process.rooms.subscribe(live, watcher, None, None)
        await asyncio.sleep(0)
        longest = max(longest, time.thread_time() - began)
    for start in range(0, len(crowd), portion):
        began = time.thread_time()
        for watcher in crowd[start : start + portion]:
            process.rooms.unsubscribe(live, watcher)
        await asyncio.sleep(0)
        longest = max(longest, time.thread_time() - began)
    return longest


@pytest.mark.soak
async def test_five_thousand_come_and_go_within_a_second_without_a_stall(process: Process) -> None:
    """In CPU time of this thread, so that a busy machine counts for nothing; without collecting the tests' garbage."""
    process.with_social(ProcessId("here"), Timing(grace=3600.0))
    live = await process.match(ANNA, BEN)
    crowd = [Anyone(PlayerId(f"p-watcher-{number}")) for number in range(5000)]
    gc.disable()
    try:
        began = time.thread_time()
        longest = await come_and_go(live, process, crowd)
        assert time.thread_time() - began < 1
    finally:
        gc.enable()
    assert longest < 0.05
