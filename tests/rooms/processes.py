"""Processes that serve rooms over one store in memory, whose replies can be delayed."""

import asyncio
import itertools
import random
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any

import msgspec

from service.contests.notable import NotableService
from service.contests.rating_service import RatingService
from service.contests.tournament_service import TournamentService
from service.domain.game import Seat
from service.domain.ids import Epoch, Millis, Outage, Player, PlayerId, RoomKey, RoomName, Version
from service.domain.room.evolve import evolve
from service.domain.room.model import commands
from service.domain.room.model.commands import AnyCommand
from service.domain.room.model.settings import OpenRoom, RequestedSettings
from service.domain.room.model.state import Room
from service.domain.streams import IdempotencyKey
from service.people.account_service import AccountService
from service.people.erasure import ErasureService, NicknameEraser, PlayerServices
from service.people.matchmaking.blocks import Asking
from service.people.matchmaking.service import Matchmaking
from service.people.player_matches.service import PlayerMatchService
from service.people.player_service import PlayerService
from service.people.webhooks.messages import SecretKeys
from service.people.webhooks.service import WebhookService
from service.rooms.access.audit_log import Moderation, ModerationFollower
from service.rooms.commands.requests import CommandRequest, CommandResult, with_fingerprint
from service.rooms.feeds.frames import OutgoingFrame, StateMode, Update
from service.rooms.kind import ROOMS, game_of
from service.rooms.repository import LoadedRoom, RoomNames
from service.rooms.service import RoomCore, RoomService
from service.rooms.social.feeds import TIMING, Blocks, SocialFeeds
from service.rooms.social.lease import Timing
from service.rooms.views.match_view import Omitted
from service.rooms.views.room_view import SentView
from service.runtime.environment import HashedNames
from service.store.codec import decode
from service.store.contract import Batch, Entry, Head, Snapshot
from service.store.player_names import PlayerNames
from service.store.side_channels import ProcessId
from service.store.signing import Signer
from service.store.stream_keys import NOTABLE, PLAYED, PLAYER, RATINGS, DueKey, OutboxKey, StreamKey
from service.streams.outboxes import Outboxes
from tests.contests.tournaments.simple_pairing import pair_simply
from tests.memory_store.side_channels import MemorySideChannels
from tests.memory_store.store import MemoryStore

ANNA, BEN, CLARA, DORA = (Player(PlayerId(f"p-{name}"), name) for name in ("anna", "ben", "clara", "dora"))
NOON = Millis(1_700_000_000_000)
FRIDAY = RoomName("friday-night")
MARK_KEY = b"the key of all marks"
IDS = itertools.count(1)
"""Ids of seeks and pairings, which are never used twice."""


class Clock:
    """A clock that a test sets, with seeds that are the same in every run."""

    def __init__(self) -> None:
        """Start at noon."""
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
    """Set by a test whose process is late itself."""

    def is_stale(self) -> bool:
        """Return whether the process is late, as the test has set it."""
        return self.late

    async def refreshed(self) -> None:
        """Return at once."""

    def seed(self) -> bytes:
        """Return a seed that no match has used."""
        self._seeds += 1
        return self._seeds.to_bytes(32, "big")


class HeldReply:
    """A reply of the store that is delayed until a test releases it."""

    def __init__(self) -> None:
        """Wait for the reply."""
        self.reached = asyncio.Event()
        self.released = asyncio.Event()

    async def pause(self) -> None:
        """Wait with the reply until it is released."""
        self.reached.set()
        await self.released.wait()

    def release(self) -> None:
        """Release the reply."""
        self.released.set()


class NoBlocks:
    """Nobody has blocked anybody."""

    async def prepare(self, players: Collection[PlayerId]) -> None:
        """Do nothing."""

    def is_ready(self, players: Collection[PlayerId]) -> bool:  # noqa: ARG002 - nothing is needed
        """Return true."""
        return True

    def hides(self, one: PlayerId, other: PlayerId) -> bool:  # noqa: ARG002 - none
        """Return false."""
        return False


class SharedStore(MemoryStore):
    """One process's client of a store in memory that several share. Requests take effect at once, replies take time."""

    def __init__(self, clock: Clock, first: "SharedStore | None" = None) -> None:
        """Share the data of the first client."""
        super().__init__(clock.now, Signer((MARK_KEY,)))
        self.clients: list[SharedStore] = [] if first is None else first.clients
        self.clients.append(self)
        self.requests: list[str] = []
        self.failing: dict[str, Exception] = {}
        """The exception that replaces the next reply to a request; the request still takes effect."""
        self.before_append: list[Callable[[], Awaitable[object]]] = []
        """What others do just before an append of this process, one of these before each append."""
        self.dice: random.Random | None = None
        """Where set, every reply takes a random number of turns of the loop."""
        self._holds: dict[str, HeldReply] = {}
        if first is not None:
            self._streams, self._names, self._due = first._streams, first._names, first._due
            self._read = first._read
            self.worker_store.noted = first.worker_store.noted
            self._lobby, self._rooms_of, self.outbox = first._lobby, first._rooms_of, first.outbox
            self.admin_store, self.leaderboards = first.admin_store, first.leaderboards
            self.player_matches, self.notable_matches = first.player_matches, first.notable_matches
            self.name_table = first.name_table
            self.player_names = PlayerNames(first.name_table)
            self.side_channels = MemorySideChannels(clock.now, first.side_channels.shared)

    def hold(self, request: str) -> HeldReply:
        """Delay the reply to the next such request."""
        self._holds[request] = HeldReply()
        return self._holds[request]

    async def reply(self, request: str) -> None:
        """Delay a reply, or replace it by an exception, as the test has set."""
        self.requests.append(request)
        if request in self.failing:
            raise self.failing.pop(request)
        if request in self._holds:
            await self._holds.pop(request).pause()
        for _ in range(self.dice.randrange(4) if self.dice else 0):
            await asyncio.sleep(0)

    def _write(self, key: StreamKey, after: Head, batch: Batch) -> None:
        super()._write(key, after, batch)
        version = self._streams[key].head.version
        for client in self.clients:
            if client is not self and batch.entries and key in client._subscriptions:
                asyncio.get_running_loop().call_soon(client._notify, key, version, client._subscriptions[key])

    async def append(self, key: StreamKey, after: Head, batch: Batch) -> None:
        """Append to a stream."""
        if self.before_append:
            await self.before_append.pop(0)()
        await super().append(key, after, batch)
        await self.reply("append")

    async def open_epoch(self, name: RoomName) -> Epoch | None:
        """Return a name's epoch."""
        epoch = await super().open_epoch(name)
        await self.reply("live")
        return epoch

    async def heads(self, keys: Sequence[StreamKey]) -> list[Head | None]:
        """Return where streams end."""
        heads = await super().heads(keys)
        await self.reply("heads")
        return heads

    async def read(self, key: StreamKey, after: Version, limit: int | None = None) -> list[Entry]:
        """Return entries."""
        entries = await super().read(key, after, limit)
        await self.reply("read")
        return entries

    async def snapshot(self, key: StreamKey, at: Version | None = None) -> Snapshot | None:
        """Return a snapshot."""
        snapshot = await super().snapshot(key, at)
        await self.reply("snapshot")
        return snapshot

    async def claim_due(self, now: Millis, lease: Millis, limit: int, *, webhooks: bool = False) -> list[DueKey]:
        """Claim what is due."""
        await self.reply("claim_due")
        return await super().claim_due(now, lease, limit, webhooks=webhooks)

    async def rooms_of(self, player: PlayerId) -> list[RoomKey]:
        """Return a player's rooms."""
        rooms = await super().rooms_of(player)
        await self.reply("rooms_of")
        return rooms


class Process:
    """One process that serves rooms."""

    def __init__(self, clock: Clock, first: "Process | None" = None, size: int = 100) -> None:
        """Serve the same store as the first process."""
        self.clock = clock
        self.store: SharedStore = SharedStore(clock, first.store if first else None)
        self.core = RoomCore(self.store, clock, MARK_KEY, size)
        self.rooms = RoomService(self.core, HashedNames())
        self.social: SocialFeeds | None = None
        self.heartbeat = self.core.heartbeat
        self.players = PlayerService(self.heartbeat, clock.now, MARK_KEY, self.rooms)
        self.ratings = RatingService(self.store, clock.now)
        self.changed_accounts: list[PlayerId] = []
        self.accounts = AccountService(
            self.heartbeat, clock, lambda: f"id{next(IDS)}", [MARK_KEY], self.changed_accounts.append
        )
        self.matches = PlayerMatchService(self.store, self.rooms, self.accounts.is_erased, self.ratings.state_in)
        asking = Asking(self.players.can_be_asked, self.accounts, self.matches.have_met)
        self.matchmaking = Matchmaking(
            self.store, clock, self.rooms, asking, self.ratings.points, lambda: f"id{next(IDS)}"
        )
        self.seeks, self.challenges = self.matchmaking.seeks, self.matchmaking.challenges
        webhooks = WebhookService(self.store, clock, self.players, SecretKeys([MARK_KEY]), lambda: f"id{next(IDS)}")
        self.moderation = Moderation(on_erasure=NicknameEraser(self.core.repository).erase)
        self.notable = NotableService(self.store, self.rooms, clock.now)
        self.tournaments = TournamentService(
            self.heartbeat, clock, self.rooms, self.ratings.points, pair_simply, lambda: f"id{next(IDS)}"
        )
        self.services = PlayerServices(
            self.accounts, self.players, self.matchmaking, webhooks, self.matches, self.tournaments
        )
        self.moderation_log = ModerationFollower(self.store, self.moderation)
        self.erasure = ErasureService(self.store, self.rooms, self.services, self.moderation_log)

    @property
    def outboxes(self) -> Outboxes:
        """What delivers to players, rating lists, projections and tournaments."""
        receivers = {PLAYER: self.players.receive, RATINGS: self.ratings.receive, PLAYED: self.matches.receive}
        receivers[NOTABLE] = self.notable.receive
        return Outboxes(self.store, {**receivers, **self.tournaments.receivers})

    @property
    def rooms_due(self) -> dict[RoomKey, Millis]:
        """When each room is due."""
        return {key: moment for key, moment in self.store._due.items() if isinstance(key, RoomKey)}

    async def deliver(self) -> None:
        """Deliver what is in the outbox, as a worker does."""
        await self.outboxes.drain(OutboxKey(0))

    def with_social(
        self, process: ProcessId, timing: Timing = TIMING, blocks: Blocks | None = None, **more: Any
    ) -> SocialFeeds:
        """Serve chat, presence and the lobby as well, and return them."""
        self.social = SocialFeeds(self.core.processor, self.core.hub, process, blocks or NoBlocks(), timing, **more)
        self.rooms = RoomService(self.core, HashedNames(), self.social)
        return self.social

    def start_another(self, size: int = 100) -> "Process":
        """Return another process over the same store."""
        return Process(self.clock, self, size)

    async def open(
        self, game: str = "morris", by: Player = ANNA, key: str | None = None, **settings: Any
    ) -> LoadedRoom:
        """Open a room called friday-night and return it as cached in this process."""
        opening = OpenRoom(game, "Friday Night", settings=RequestedSettings(**settings))
        await self.rooms.open(opening, by, keyed(key, opening))
        return await self.cached_room()

    async def cached_room(self) -> LoadedRoom:
        """Return the room as cached in this process, perhaps behind the store."""
        return await self.core.repository.by_name(FRIDAY)

    async def stored_room(self) -> Room:
        """Return the room as it is in the store."""
        return (await self.rooms.read(FRIDAY, None)).state

    async def execute(
        self, by: Player | None, command: AnyCommand, key: str | None = None, **more: Any
    ) -> CommandResult:
        """Send a command to the room."""
        return await self.rooms.execute(
            await self.cached_room(), CommandRequest(command, by, keyed(key, command), **more)
        )

    async def start_match(self, *players: Player, game: str = "morris", **settings: Any) -> LoadedRoom:
        """Open a room and start a match between these players."""
        await self.open(game, players[0], **{"start": "full", **settings})
        for player in players[1:]:
            await self.execute(player, commands.Join())
        return await self.cached_room()

    async def place_man(self, by: Player, at: str, key: str | None = None, **more: Any) -> CommandResult:
        """Place a man."""
        return await self.execute(by, place(at), key, **more)

    async def move_each(self, *players: Player, room: RoomName = FRIDAY) -> None:
        """Let these players, by seat, move once in the match of a room, so that it counts."""
        while True:
            match = (await self.core.repository.by_name(room)).state.playing
            if match is None or len(match.moved_seats) == len(players):
                return
            seat = match.game.to_move(match.state)[0]
            moves = [msgspec.to_builtins(move) for move in match.game.legal_moves(match.state, seat)]
            move = next((move for move in moves if move["type"] == "commit"), moves[0])
            await self.rooms.command(room, CommandRequest(commands.Play(move), players[seat]))


def keyed(key: str | None, body: object) -> IdempotencyKey | None:
    """Return the idempotency key of a request with this body, if it has one."""
    return None if key is None else with_fingerprint(key, body)


def place(at: str) -> commands.Play:
    """Return the command that places something."""
    return commands.Play({"type": "place", "at": at})


async def fold_versions(client: SharedStore, key: RoomKey) -> list[Room]:
    """Return the room at every version, folded from the first event on without any snapshot."""
    entries = await MemoryStore.read(client, key, Version(0))
    room: Room | None = None
    rooms = []
    for entry in entries:
        stored = await RoomNames(client.player_names).in_event(decode(ROOMS, game_of(room), entry))
        room = evolve(room, stored.recorded)
        rooms.append(room)
    return rooms


async def fold_stored(client: SharedStore, key: RoomKey) -> Room:
    """Return the room folded from all of its stream."""
    return (await fold_versions(client, key))[-1]


def lose_tail(client: SharedStore, key: RoomKey, versions: int) -> None:
    """Remove the last entries of a stream, as a truncated append-only file does, and the snapshots made of them."""
    stream = client._streams[key]
    del stream.entries[-versions:]
    last = stream.entries[-1]
    stream.head = Head(last.version, last.digest)
    stream.snapshots = {at: kept for at, kept in stream.snapshots.items() if at <= last.version}


class RecordingSubscriber:
    """A subscriber that records its frames and checks that it may receive them."""

    def __init__(
        self,
        player: Player | None = None,
        seat: int | None = None,
        *,
        state: StateMode = True,
        omitted: Omitted = frozenset(),
        on_own_feed: bool = True,
    ) -> None:
        """Subscribe as this player."""
        self.on_own_feed = on_own_feed
        self.player = player.id if player else None
        self.wanted = None if seat is None else Seat(seat)
        self.state: StateMode = state
        self.omitted = omitted
        self.view: SentView | None = None
        self.at = Version(0)
        self.frames: list[dict[str, Any]] = []

    def offer(self, frame: OutgoingFrame) -> None:
        """Record a frame; an update, which is made without its struct, is compared with that."""
        self.frames.append(msgspec.json.decode(frame.json))
        if self.frames[-1]["type"] == "update":
            assert msgspec.json.encode(msgspec.json.decode(frame.json, type=Update)) == frame.json

    async def drained(self) -> None:
        """Wait for one turn of the loop."""
        await asyncio.sleep(0)

    @property
    def types(self) -> list[str]:
        """The types of the frames."""
        return [frame["type"] for frame in self.frames]

    @property
    def versions(self) -> list[int]:
        """The versions of all events in the order in which they were received."""
        return [event["version"] for frame in self.frames if frame["type"] == "update" for event in frame["events"]]

    def check_versions(self, since: int) -> int:
        """Check that each event after `since` came once and in order, or in a snapshot; return the last version."""
        for frame in self.frames:
            if frame["type"] == "snapshot":
                since = frame["version"]
            if frame["type"] == "update":
                versions = [event["version"] for event in frame["events"]]
                assert versions == list(range(since + 1, since + 1 + len(versions))), (since, self.frames)
                since = versions[-1]
                assert frame["version"] == since
        return since


async def subscribe(
    process: Process, subscriber: RecordingSubscriber, since: int | None = None, mark: str | None = None
) -> RecordingSubscriber:
    """Subscribe to the room in a process."""
    live = await process.cached_room()
    await process.rooms.subscribe(live, subscriber, None if since is None else Version(since), mark)
    return subscriber


async def run_pending() -> None:
    """Let everything run that waits for nothing but the event loop."""
    for _ in range(50):
        await asyncio.sleep(0)
