"""Processes that serve rooms over one store in memory, whose answers can be held up on their way."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec

from service.domain.game import Seat
from service.domain.room.evolve import evolve
from service.domain.room.model import commands
from service.domain.room.model.clock import Outage
from service.domain.room.model.commands import AnyCommand, OpenRoom
from service.domain.room.model.ids import Epoch, Millis, PlayerId, RoomKey, RoomName, Version
from service.domain.room.model.settings import RequestedSettings
from service.domain.room.model.state import Room
from service.environment import HashedNames
from service.rooms.commands.requests import CommandRequest, CommandResult
from service.rooms.feeds.frames import OutgoingFrame, StateMode
from service.rooms.loading.idempotency import idempotency_stamp
from service.rooms.loading.room import LoadedRoom
from service.rooms.player import Player
from service.rooms.service import RoomCore, RoomService
from service.rooms.social.feeds import TIMING, SocialFeeds
from service.rooms.social.lease import Timing
from service.rooms.views.patches import SentView
from service.store.codec import decode, game_of
from service.store.contract import Batch, Entry, Head, Snapshot
from service.store.memory.side_channels import MemorySideChannels
from service.store.memory.store import MemoryStore
from service.store.side_channels import ProcessId
from service.store.signing import Signer

ANNA, BEN, CLARA, DORA = (Player(PlayerId(f"p-{name}"), name) for name in ("anna", "ben", "clara", "dora"))
NOON = Millis(1_700_000_000_000)
FRIDAY = RoomName("friday-night")
MARK_KEY = b"the key of all marks"


class Clock:
    """A time that a test sets, and chance that is the same in every run."""

    def __init__(self) -> None:
        """Begin at noon."""
        self.time = NOON
        self.down: tuple[Outage, ...] = ()
        self._seeds = 0

    def now(self) -> Millis:
        """Return the time."""
        return self.time

    def outages(self, now: Millis) -> tuple[Outage, ...]:  # noqa: ARG002 - known whenever it is asked for
        """Return the times in which the service was down."""
        return self.down

    late = False
    """Set by a test whose process was late itself."""

    def is_stale(self) -> bool:
        """Return what the test has set."""
        return self.late

    async def refreshed(self) -> None:
        """Return at once."""

    def seed(self) -> bytes:
        """Return a seed that no match has had."""
        self._seeds += 1
        return self._seeds.to_bytes(32, "big")


class Hold:
    """An answer of the store that is held up on its way, until a test lets it go."""

    def __init__(self) -> None:
        """Wait for the answer."""
        self.reached = asyncio.Event()
        self.released = asyncio.Event()

    async def pause(self) -> None:
        """Stand still with the answer in hand."""
        self.reached.set()
        await self.released.wait()

    def release(self) -> None:
        """Let the answer go on."""
        self.released.set()


class Line(MemoryStore):
    """One process's line to a store in memory that several share. Questions are judged when asked, answers travel."""

    def __init__(self, clock: Clock, first: "Line | None" = None) -> None:
        """Share what the first line keeps."""
        super().__init__(clock.now, Signer((MARK_KEY,)))
        self.lines: list[Line] = [] if first is None else first.lines
        self.lines.append(self)
        self.questions: list[str] = []
        self.failing: dict[str, Exception] = {}
        """What the next answer to a question is replaced by; what was asked for is done all the same."""
        self.faster: list[Callable[[], Awaitable[object]]] = []
        """What others do, one after another, each just before an append of this process."""
        self.dice: random.Random | None = None
        """Where set, every answer takes a few turns of the loop, at random."""
        self._holds: dict[str, Hold] = {}
        if first is not None:
            self._streams, self._names, self._due = first._streams, first._names, first._due
            self.worker_store.noted = first.worker_store.noted
            self._lobby, self._rooms_of = first._lobby, first._rooms_of
            self.side_channels = MemorySideChannels(clock.now, first.side_channels.shared)

    def hold(self, question: str) -> Hold:
        """Hold up the answer to the next such question."""
        self._holds[question] = Hold()
        return self._holds[question]

    async def travel(self, question: str) -> None:
        """Be an answer on its way."""
        self.questions.append(question)
        if question in self.failing:
            raise self.failing.pop(question)
        if question in self._holds:
            await self._holds.pop(question).pause()
        for _ in range(self.dice.randrange(4) if self.dice else 0):
            await asyncio.sleep(0)

    def _write(self, key: RoomKey, after: Head, batch: Batch) -> None:
        super()._write(key, after, batch)
        version = self._streams[key].head.version
        for line in self.lines:
            if line is not self and batch.entries and key in line._subscriptions:
                asyncio.get_running_loop().call_soon(line._notify, key, version, line._subscriptions[key])

    async def open(self, key: RoomKey, batch: Batch) -> None:
        """Begin a stream."""
        await super().open(key, batch)
        await self.travel("open")

    async def append(self, key: RoomKey, after: Head, batch: Batch) -> None:
        """Append to a stream."""
        if self.faster:
            await self.faster.pop(0)()
        await super().append(key, after, batch)
        await self.travel("append")

    async def open_epoch(self, name: RoomName) -> Epoch | None:
        """Return a name's epoch."""
        epoch = await super().open_epoch(name)
        await self.travel("live")
        return epoch

    async def heads(self, keys: Sequence[RoomKey]) -> list[Head | None]:
        """Return where streams end."""
        heads = await super().heads(keys)
        await self.travel("heads")
        return heads

    async def read(self, key: RoomKey, after: Version, limit: int | None = None) -> list[Entry]:
        """Return entries."""
        entries = await super().read(key, after, limit)
        await self.travel("read")
        return entries

    async def snapshot(self, key: RoomKey, at: Version | None = None) -> Snapshot | None:
        """Return a snapshot."""
        snapshot = await super().snapshot(key, at)
        await self.travel("snapshot")
        return snapshot

    async def claim_due(self, now: Millis, lease: Millis, limit: int) -> list[RoomKey]:
        """Claim due rooms."""
        await self.travel("claim_due")
        return await super().claim_due(now, lease, limit)

    async def rooms_of(self, player: PlayerId) -> list[RoomKey]:
        """Return a player's rooms."""
        rooms = await super().rooms_of(player)
        await self.travel("rooms_of")
        return rooms


class Process:
    """One process that serves rooms."""

    def __init__(self, clock: Clock, first: "Process | None" = None, size: int = 100) -> None:
        """Serve the same store as the first process."""
        self.clock = clock
        self.line: Line = Line(clock, first.line if first else None)
        self.core = RoomCore(self.line, clock, MARK_KEY, size)
        self.rooms = RoomService(self.core, HashedNames())

    def with_social(self, process: ProcessId, timing: Timing = TIMING, **more: Any) -> SocialFeeds:
        """Serve chat, presence and the lobby, too, and return them."""
        social = SocialFeeds(self.core.processor, self.core.hub, process, timing, **more)
        self.rooms = RoomService(self.core, HashedNames(), social)
        return social

    def another(self, size: int = 100) -> "Process":
        """Return another process over the same store."""
        return Process(self.clock, self, size)

    async def open(
        self, game: str = "morris", by: Player = ANNA, key: str | None = None, **settings: Any
    ) -> LoadedRoom:
        """Open a room called friday-night and return it as this process holds it."""
        asked = OpenRoom(game, "Friday Night", settings=RequestedSettings(**settings))
        await self.rooms.open(asked, by, idempotency_stamp(key, asked))
        return await self.friday()

    async def friday(self) -> LoadedRoom:
        """Return the room as this process holds it, perhaps behind the store."""
        return await self.core.repository.by_name(FRIDAY)

    async def fresh(self) -> Room:
        """Return the room as it stands in the store."""
        return (await self.rooms.read(FRIDAY, None)).room

    async def does(self, by: Player | None, command: AnyCommand, key: str | None = None, **more: Any) -> CommandResult:
        """Put a command to the room."""
        return await self.rooms.execute(
            await self.friday(), CommandRequest(command, by, idempotency_stamp(key, command), **more)
        )

    async def match(self, *players: Player, game: str = "morris", **settings: Any) -> LoadedRoom:
        """Open a room in which these players have begun to play."""
        await self.open(game, players[0], **{"start": "full", **settings})
        for player in players[1:]:
            await self.does(player, commands.Join())
        return await self.friday()

    async def moves(self, by: Player, at: str, key: str | None = None, **more: Any) -> CommandResult:
        """Place a man."""
        return await self.does(by, place(at), key, **more)


def place(at: str) -> commands.Play:
    """Return the command that places something."""
    return commands.Play({"type": "place", "at": at})


async def folds(line: Line, key: RoomKey) -> list[Room]:
    """Return the room at every version as the stream tells it from its first event on, without any snapshot."""
    entries = await MemoryStore.read(line, key, Version(0))
    room: Room | None = None
    rooms = []
    for entry in entries:
        room = evolve(room, decode(game_of(entries[0]), entry).recorded)
        rooms.append(room)
    return rooms


async def stored(line: Line, key: RoomKey) -> Room:
    """Return the room as all of its stream tells it."""
    return (await folds(line, key))[-1]


def lose_tail(line: Line, key: RoomKey, versions: int) -> None:
    """Cut the last entries off a stream, as a torn append-only file does, and the snapshots made of them."""
    stream = line._streams[key]
    del stream.entries[-versions:]
    last = stream.entries[-1]
    stream.head = Head(last.version, last.digest)
    stream.snapshots = {at: kept for at, kept in stream.snapshots.items() if at <= last.version}


class Screen:
    """A watcher that keeps what it is shown, and holds it against what may be shown."""

    def __init__(self, player: Player | None = None, seat: int | None = None, *, state: StateMode = True) -> None:
        """Watch as this player."""
        self.player = player.id if player else None
        self.wanted = None if seat is None else Seat(seat)
        self.state: StateMode = state
        self.view: SentView | None = None
        self.at = Version(0)
        self.frames: list[dict[str, Any]] = []

    def offer(self, frame: OutgoingFrame) -> None:
        """Take a frame."""
        self.frames.append(msgspec.json.decode(frame.json))

    async def drained(self) -> None:
        """Take a turn of the loop to show what came."""
        await asyncio.sleep(0)

    @property
    def kinds(self) -> list[str]:
        """The types of the frames."""
        return [frame["type"] for frame in self.frames]

    @property
    def told(self) -> list[int]:
        """The versions of all events, in the order in which they were told."""
        return [event["version"] for frame in self.frames if frame["type"] == "update" for event in frame["events"]]

    def without_gap_or_double(self, since: int) -> int:
        """Judge that each event after `since` was told once and in order, or covered by a snapshot; return the last."""
        for frame in self.frames:
            if frame["type"] == "snapshot":
                since = frame["version"]
            if frame["type"] == "update":
                versions = [event["version"] for event in frame["events"]]
                assert versions == list(range(since + 1, since + 1 + len(versions))), (since, self.frames)
                since = versions[-1]
                assert frame["version"] == since
        return since


async def watches(process: Process, screen: Screen, since: int | None = None, mark: str | None = None) -> Screen:
    """Have a screen follow the room in a process."""
    live = await process.friday()
    await process.rooms.subscribe(live, screen, None if since is None else Version(since), mark)
    return screen


async def settle() -> None:
    """Give everything that waits for nothing but the loop its turn."""
    for _ in range(50):
        await asyncio.sleep(0)


async def until(holds: Callable[[], Awaitable[bool] | bool]) -> None:
    """Give everything else its turns until something is so."""
    while not (await met if isinstance(met := holds(), Awaitable) else met):  # noqa: ASYNC110 - no event is set for it
        await asyncio.sleep(0)
