"""Presence with many connections: incremental counts equal a full count, at a constant cost per change."""

import asyncio
import gc
import random
import time

import msgspec
import pytest
from msgspec.structs import replace

from service.domain.game import Seat
from service.domain.ids import PlayerId, Version
from service.domain.room.model.state import Member
from service.domain.room.subjects.privacy import OPERATOR
from service.rooms.access.policy import reading_refusal
from service.rooms.feeds.frames import OutgoingFrame, StateMode
from service.rooms.presence_counts import ProcessShare
from service.rooms.repository import LoadedRoom
from service.rooms.social.lease import Timing
from service.rooms.social.room_presence import BYTES_PER_SECOND, LONGEST_PAUSE, RoomPresence
from service.rooms.views.match_view import Omitted
from service.rooms.views.room_view import SentView
from service.store.side_channels import ProcessId
from tests.rooms.processes import ANNA, BEN, Process

CROWD = [PlayerId(f"p-{name}") for name in ("anna", "ben", "carl", "dora", "emil")]
STEPS = 300


class IdleSubscriber:
    """A subscriber that drops its frames."""

    def __init__(self, player: PlayerId | None) -> None:
        """Subscribe as this player."""
        self.player = player
        self.wanted: Seat | None = None
        self.state: StateMode = True
        self.omitted: Omitted = frozenset()
        self.view: SentView | None = None
        self.at = Version(0)
        self.on_own_feed = True

    def offer(self, frame: OutgoingFrame) -> None:
        """Drop a frame."""

    async def drained(self) -> None:
        """Return at once."""


class FullCount:
    """The reference: counts everyone after each change."""

    def __init__(self, here: RoomPresence) -> None:
        """Start with the current presence."""
        self.here = here
        self.devices: dict[PlayerId, int] = {}
        self.strangers = 0
        self.gone: set[PlayerId] = set()

    def recount(self) -> None:
        """Add up all shares, and record who has gone since the last count."""
        before, table = self.devices.keys(), self.here.live.state.table
        shares = [self.own_share(), *(noted.share for noted in self.here.others.values())]
        self.devices, self.strangers = {}, sum(share.strangers for share in shares)
        for share in shares:
            for player, count in share.devices.items():
                self.devices[player] = self.devices.get(player, 0) + count
        self.gone = ((self.gone | before) - self.devices.keys()) & table.members.keys()

    def own_share(self) -> ProcessShare:
        """Return this process's share."""
        table, players = self.here.live.state.table, list(self.here.subscribers.values())
        named = [player for player in {*players, *self.here.lingering} if player not in {None, OPERATOR}]
        devices = {
            player: players.count(player) for player in named if player and reading_refusal(table, player) is None
        }
        watched = any(subscriber.player != OPERATOR for subscriber in self.here.subscribers)
        return ProcessShare(devices, 0 if reading_refusal(table, None) else players.count(None), watched)


class RandomChanges:
    """Random changes of a room's presence."""

    def __init__(self, here: RoomPresence, seed: int) -> None:
        """Apply changes to this presence."""
        self.here = here
        self.chance = random.Random(seed)  # noqa: S311 - repeatable
        self.notes: dict[ProcessId, bytes] = {}

    def step(self) -> None:
        """Apply one change."""
        self.chance.choice((self.arrive, self.arrive, self.depart, self.depart, self.lapse, self.note, self.admit))()

    def arrive(self) -> None:
        """Connect a player, somebody without a token or an operator."""
        self.here.arrive(IdleSubscriber(self.chance.choice([*CROWD, None, OPERATOR])))

    def depart(self) -> None:
        """Disconnect somebody."""
        if self.here.subscribers:
            player = self.here.depart(self.chance.choice(list(self.here.subscribers)))
            if player is not None:
                self.here.lingering[player] = asyncio.get_running_loop().call_later(3600, lambda: None)

    def lapse(self) -> None:
        """Let a grace time end."""
        if self.here.lingering:
            player = self.chance.choice(list(self.here.lingering))
            self.here.lingering[player].cancel()
            self.here.lapse(player)

    def note(self) -> None:
        """Let another process store its share, or end."""
        process = ProcessId(f"process-{self.chance.randrange(3)}")
        named = self.chance.sample(CROWD, self.chance.randrange(len(CROWD)))
        share = ProcessShare({player: self.chance.randrange(3) for player in named}, self.chance.randrange(3))
        self.notes[process] = msgspec.json.encode(share)
        if self.chance.random() < 0.2:
            del self.notes[process]
        self.here.read(dict(self.notes))

    def admit(self) -> None:
        """Let a player join or leave the room, or exclude or admit spectators."""
        room = self.here.live.state
        members, player = dict(room.table.members), self.chance.choice(CROWD)
        if members.pop(player, None) is None:
            members[player] = Member(player, "player")
        settings = replace(room.table.settings, spectators=self.chance.random() < 0.5)
        self.here.live.state = replace(room, table=replace(room.table, members=members, settings=settings))
        self.here.recount()


@pytest.mark.parametrize("seed", range(20))
async def test_incremental_counts_equal_a_full_count(process: Process, seed: int) -> None:
    """The changes are random, in this process, in others and in the room."""
    here = RoomPresence(await process.open())
    here.recount()
    full_count, changes = FullCount(here), RandomChanges(here, seed)
    for _ in range(STEPS):
        changes.step()
        full_count.recount()
        assert (here.counts.devices, here.counts.strangers) == (full_count.devices, full_count.strangers)
        assert here.gone == full_count.gone
        assert here.share == full_count.own_share()
    for timer in here.lingering.values():
        timer.cancel()


async def test_large_frames_to_many_subscribers_are_sent_rarely(process: Process) -> None:
    """Where an operator allows thousands of members, all frames together stay below a number of bytes per second."""
    here = RoomPresence(await process.open())
    for _ in range(5000):
        here.arrive(IdleSubscriber(None))
    assert here.pause == LONGEST_PAUSE
    here.last_sent = bytes(400_000)
    assert len(here.last_sent) * 5000 / here.pause <= BYTES_PER_SECOND


class CountingId(str):
    """A player's id that counts how often it is compared."""

    __slots__ = ()
    lookups = 0

    def __hash__(self) -> int:
        """Count a lookup."""
        CountingId.lookups += 1
        return super().__hash__()

    def __eq__(self, other: object) -> bool:
        """Count a comparison."""
        CountingId.lookups += 1
        return super().__eq__(other)


async def lookups_per_change(process: Process, size: int) -> tuple[float, float]:
    """Return how often ids are looked up for each subscriber that connects, and for each that disconnects."""
    live = await process.start_match(ANNA, BEN)
    subscribers = [IdleSubscriber(PlayerId(CountingId(f"p-subscriber-{number}"))) for number in range(size)]
    CountingId.lookups = 0
    for subscriber in subscribers:
        await process.rooms.subscribe(live, subscriber, None, None)
    connected, CountingId.lookups = CountingId.lookups / size, 0
    for subscriber in subscribers:
        process.rooms.unsubscribe(live, subscriber)
    return connected, CountingId.lookups / size


async def test_connecting_costs_the_same_with_many_connections(process: Process) -> None:
    """The other connections are not examined."""
    social = process.with_social(ProcessId("here"), Timing(grace=3600.0))
    connected, disconnected = await lookups_per_change(process, 400)
    assert connected < 40
    assert disconnected < 40
    live = await process.cached_room()
    assert sum((await social.presence.of(live)).devices.values()) == 0


async def connect_and_disconnect(live: LoadedRoom, process: Process, subscribers: list[IdleSubscriber]) -> float:
    """Connect and disconnect all subscribers, and return the longest time in seconds without a turn of the loop."""
    longest, portion = 0.0, 50
    for start in range(0, len(subscribers), portion):
        began = time.thread_time()
        for subscriber in subscribers[start : start + portion]:
            await process.rooms.subscribe(live, subscriber, None, None)
        await asyncio.sleep(0)
        longest = max(longest, time.thread_time() - began)
    for start in range(0, len(subscribers), portion):
        began = time.thread_time()
        for subscriber in subscribers[start : start + portion]:
            process.rooms.unsubscribe(live, subscriber)
        await asyncio.sleep(0)
        longest = max(longest, time.thread_time() - began)
    return longest


@pytest.mark.soak
async def test_five_thousand_connect_and_disconnect_within_a_second_without_a_stall(process: Process) -> None:
    """In CPU time of this thread, so that a busy machine does not matter; without garbage collection."""
    process.with_social(ProcessId("here"), Timing(grace=3600.0))
    live = await process.start_match(ANNA, BEN)
    subscribers = [IdleSubscriber(PlayerId(f"p-subscriber-{number}")) for number in range(5000)]
    gc.disable()
    try:
        began = time.thread_time()
        longest = await connect_and_disconnect(live, process, subscribers)
        assert time.thread_time() - began < 1
    finally:
        gc.enable()
    assert longest < 0.05
