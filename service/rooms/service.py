"""The application's only entry to rooms: opening, commanding, reading and following them."""

from collections.abc import AsyncIterator, Sequence

from msgspec.structs import replace

from service.domain.room.model.commands import Configure, DeclineInvitation, Invite, Join, Proceed, Shut
from service.domain.room.model.events import Recorded
from service.domain.room.model.ids import Millis, PlayerId, RoomKey, RoomName, Version
from service.domain.room.model.opening import OpenRoom, OpenTable
from service.domain.room.model.state import Room, Table
from service.rooms.access.audit_log import AuditEntry, AuditLog, RoomShut
from service.rooms.access.passwords import has_password, hash_for
from service.rooms.access.policy import EntryLimits, check_reading
from service.rooms.commands.activity import ActivityTracker
from service.rooms.commands.invitations import InvitationCodes, Invitations
from service.rooms.commands.memberships import Memberships
from service.rooms.commands.opening import RoomOpener
from service.rooms.commands.processor import CommandProcessor, dry_run
from service.rooms.commands.requests import CommandRequest, CommandResult, Environment, NameGenerator
from service.rooms.errors import ServiceError
from service.rooms.feeds.audiences import Subscriber
from service.rooms.feeds.frames import SnapshotReason
from service.rooms.feeds.hub import FeedHub
from service.rooms.feeds.room_frames import RoomFrames
from service.rooms.feeds.subscriptions import NullObserver, RoomObserver, Subscriptions
from service.rooms.loading.past import RoomHistory
from service.rooms.loading.reader import HistoryReader
from service.rooms.loading.repository import RoomRepository
from service.rooms.loading.room import LoadedRoom
from service.rooms.match_index import MatchEntry
from service.rooms.player import Player
from service.store.admin_types import RoomsPage
from service.store.codec import IdempotencyKey
from service.store.contract import Store
from service.store.stream_keys import DueKey

NO_LIMITS = EntryLimits()
NO_CODES = InvitationCodes((b"",))
"""Creates codes with an empty key, for processes that never show a code."""


class RoomCore:
    """The parts of which the rooms of one process consist, from the store to the write path."""

    def __init__(self, store: Store, environment: Environment, mark_key: bytes, size: int = 10_000) -> None:
        """Take how many rooms are kept in memory; all processes of the store have the same `mark_key`."""
        self.frames = RoomFrames(mark_key, environment.now)
        self.hub = FeedHub(self.frames)
        self.repository = RoomRepository(store, self.hub, size)
        self.reader = HistoryReader(store)
        self.past = RoomHistory(self.reader, self.repository.current)
        self.processor = CommandProcessor(self.repository, environment, self.past)


class RoomService:
    """All rooms of a store, as one process serves them. Callers must not change the rooms that it returns."""

    def __init__(
        self,
        core: RoomCore,
        names: NameGenerator,
        observer: RoomObserver | None = None,
        limits: EntryLimits = NO_LIMITS,
        codes: InvitationCodes = NO_CODES,
    ) -> None:
        """Take the generator of names, the observer of subscriptions, the limits on entering, and what makes codes."""
        self._core = core
        self._environment = core.processor.environment
        self._repository, self._processor, self._hub = core.repository, core.processor, core.hub
        self._store = core.repository.store
        self._memberships = Memberships(core.repository, self._environment, limits)
        self.invitations = Invitations(core.repository, self._environment, codes)
        self._activity = ActivityTracker(self._store.side_channels, self._environment, core.processor.due_set.wake)
        self._opener = RoomOpener(core.processor, names, self._activity)
        self._subscriptions = Subscriptions(
            core.repository, core.hub, core.frames, core.reader, observer or NullObserver()
        )

    def now(self) -> Millis:
        """Return the service's time."""
        return self._environment.now()

    # Open and command

    async def open(self, request: OpenRoom, by: Player, idempotency_key: IdempotencyKey | None = None) -> CommandResult:
        """Open a room. Raises `ServiceError` (`too_many_rooms`, `name_taken`, `key_reused`).

        Raises `Rejected` or `Invalid` for a room that is not possible.
        """
        await self._memberships.check_room_count(by.id)
        return await self._opener.open(request, by, idempotency_key)

    async def open_table(self, request: OpenTable, by: Player, idempotency_key: IdempotencyKey | None) -> CommandResult:
        """Open the room of a tournament's table. Raises `Rejected`, `Invalid` and `ServiceError` (`name_taken`)."""
        return await self._opener.open(request, by, idempotency_key)

    async def command(self, name: RoomName, request: CommandRequest) -> CommandResult:
        """Execute a player's command in the open room of a name; a repetition finds its result in a closed one, too."""
        self._store.identity.admit_writes()
        if request.idempotency_key is not None and (earlier := await self._answered_before(name, request)):
            return await self._processor.execute(earlier, request)
        if isinstance(request.command, Join | Configure | Invite):
            request = await self._admitted(name, request)
        if isinstance(request.command, Join | DeclineInvitation):
            request = await self._memberships.refer_to_name(request, request.command)
        live = self._repository.cached_by_name(name) or await self._repository.by_name(name)
        self._activity.note(live, request.by.id if request.by else None)
        try:
            return await self._processor.execute(live, request)
        except ServiceError as refused:
            if refused.problem.code != "room_closed":
                raise
            return await self._processor.execute(await self._repository.by_name(name), request)

    async def dry_run(self, name: RoomName, request: CommandRequest) -> CommandResult:
        """Return what a command would lead to, as far as its sender may know. Raises what `command` raises."""
        request = await self._admitted(name, request)
        live = await self._current(name)
        self._activity.note(live, request.player_id)
        return dry_run(live.room, request, self._environment)

    async def execute(self, live: LoadedRoom, request: CommandRequest) -> CommandResult:
        """Execute a command, once per idempotency key; the commands of a room are executed one after another.

        Raises `ServiceError`, and `Invalid` for a malformed move.
        """
        return await self._processor.execute(live, request)

    async def close_room(self, key: RoomKey, reason: str) -> AuditEntry:
        """Close a room for an operator; a running match does not count. Raises `Rejected` with `room_closed`."""
        await self.execute(await self._repository.by_key(key), CommandRequest(Shut(), None))
        return await AuditLog(self._store).record(RoomShut(reason, key.name, key.epoch))

    async def _admitted(self, name: RoomName, request: CommandRequest) -> CommandRequest:
        """Return a request with its password hashed, or with the code of its invitation.

        Raises `ServiceError` (`too_many_rooms`, `room_crowded`, `passwords_busy`).
        """
        await self._memberships.check_entry(name, request)
        if isinstance(request.command, Invite):
            return replace(request, invitation=self.invitations.new_secret())
        if not has_password(request.command):
            return request

        async def table() -> Table:
            return (await self._current(name)).room.table

        return replace(request, password_hash=await hash_for(request.command, self._environment.seed(), table))

    async def _answered_before(self, name: RoomName, request: CommandRequest) -> LoadedRoom | None:
        """Return the earlier room of this name that has a record of the command's key, None if there is none."""
        if request.by is None or request.idempotency_key is None:
            return None
        for key in await self._predecessors(name, request.by.id):
            try:
                live = await self._repository.by_key(key)
            except ServiceError:  # it was never opened, or its history is lost: it has no records
                continue
            if live.idempotency.get(request.by.id, request.idempotency_key.value):
                return live
        return None

    async def _predecessors(self, name: RoomName, player: PlayerId) -> list[RoomKey]:
        """Return the known rooms that had this name before the open one and of which the player was a member."""
        try:
            live = await self._repository.by_name(name)
        except ServiceError:
            return [key for key in await self._store.rooms_of(player) if key.name == name]
        if player not in live.predecessors:
            entered = await self._store.rooms_of(player)
            live.predecessors[player] = [key for key in entered if key.name == name and key != live.key]
        return live.predecessors[player]

    # Read

    async def read(self, name: RoomName, by: PlayerId | None) -> LoadedRoom:
        """Return the open room of a name, up to date. Raises `ServiceError` (`no_such_room`, `members_only`)."""
        live = await self._current(name)
        check_reading(live.room.table, by)
        self._activity.note(live, by)
        return live

    async def named(self, name: RoomName) -> LoadedRoom:
        """Return the open room of a name, up to date, for any caller. Raises `ServiceError` (`no_such_room`)."""
        return await self._repository.current(await self._repository.by_name(name))

    async def _current(self, name: RoomName) -> LoadedRoom:
        live = await self.named(name)
        return live if live.room.table.status != "closed" else await self._repository.by_name(name)

    async def by_key(self, key: RoomKey) -> LoadedRoom:
        """Return a room by its key, open or closed, up to date. Raises `ServiceError` (`no_such_room`)."""
        return await self._repository.current(await self._repository.by_key(key))

    async def loaded(self, key: RoomKey) -> LoadedRoom:
        """Return a room as this process has it, which may be out of date. Raises `ServiceError` (`no_such_room`)."""
        return await self._repository.by_key(key)

    async def find(self, key: RoomKey) -> LoadedRoom | None:
        """Return a room by its key, up to date; None if there is none, or if it was lost."""
        return await self._repository.find(key)

    async def rooms_of(self, player: PlayerId) -> list[Room]:
        """Return the open rooms of which a player is a member; records of rooms that they left long ago are deleted."""
        return await self._memberships.rooms_of(player)

    async def all_rooms(self, cursor: str | None, *, live: bool) -> RoomsPage:
        """Return a page of all rooms, or of the open ones, in no order. Raises `ValueError` for an invalid cursor."""
        return await self._store.admin_store.rooms(cursor, live=live)

    async def at(self, live: LoadedRoom, version: Version) -> Room:
        """Return a room at a version. Raises `ServiceError` (`no_such_version`, `trimmed`, `history_damaged`)."""
        return await self._core.past.at(live, version)

    async def history(self, live: LoadedRoom, after: Version, limit: int | None = None) -> list[Recorded]:
        """Return up to `limit` events after a version. Raises `ServiceError` (`trimmed`, `history_damaged`)."""
        return await self._core.past.history(live, after, limit)

    def pages(self, live: LoadedRoom, after: Version, last: Version) -> AsyncIterator[list[Recorded]]:
        """Yield the events after a version up to another one. Raises `ServiceError` (`trimmed`, `history_damaged`)."""
        return self._core.past.pages(live, after, last)

    async def matches(self, live: LoadedRoom, numbers: Sequence[int]) -> list[MatchEntry]:
        """Return the index entries of a room's matches by number. Raises `ServiceError` (`history_damaged`)."""
        return await self._core.past.matches(live, numbers)

    async def check_store(self) -> None:
        """Raise `StoreUnavailable` unless the store answers."""
        await self._store.time()

    # Follow

    async def subscribe(
        self, live: LoadedRoom, subscriber: Subscriber, since: Version | None, mark: str | None
    ) -> None:
        """Bring a subscriber up to date with a room, and keep it up to date. Ends with `caught_up`.

        With `since` it gets the events after that version, if `mark`, if given, matches the history there; otherwise
        a snapshot. Raises `ServiceError` with `not_your_seat` for a `wanted` seat that the player does not hold.
        """
        await self._subscriptions.subscribe(live, subscriber, since, mark)

    def unsubscribe(self, live: LoadedRoom, subscriber: Subscriber) -> None:
        """End a subscription."""
        self._subscriptions.unsubscribe(live, subscriber)

    def resync(self, live: LoadedRoom, subscriber: Subscriber, reason: SnapshotReason) -> None:
        """Send a subscriber a snapshot instead of the frames that it has not received yet."""
        self._hub.resync(live, subscriber, reason)

    def subscriber_count(self, live: LoadedRoom) -> int:
        """Return the number of a room's subscribers in this process."""
        return len(self._hub.subscribers(live.key))

    async def run_heartbeats(self, interval: float) -> None:
        """Send heartbeats every `interval` seconds, and read events whose notifications were lost, until cancelled."""
        await self._subscriptions.run_heartbeats(interval)

    # Serve as a worker

    async def claim_due(self, now: Millis, lease: Millis, limit: int) -> list[DueKey]:
        """Claim and return what is due, which is hidden from other workers for the time of the lease."""
        return await self._store.claim_due(now, lease, limit)

    async def extend_claim(self, key: DueKey, held: Millis, until: Millis) -> bool:
        """Change the end of a claim from `held` to `until`; return False if the claim was lost."""
        return await self._store.worker_store.extend_claim(key, held, until)

    async def proceed(self, key: RoomKey, *, human_present: bool = True) -> bool:
        """Do what is due in a room, with a human present or not, and return whether anything was."""
        live = await self._repository.by_key(key)
        try:
            await self.execute(live, CommandRequest(Proceed(human_present), None))
        except ServiceError as refused:
            if refused.problem.code not in {"nothing_due", "room_closed"}:
                raise
            await self.repair_due(live)
            return False
        return True

    async def repair_due(self, live: LoadedRoom) -> None:
        """Write a room's due time to the store. Raises `ServiceError` (`busy`)."""
        await self._processor.due_set.repair(live)

    async def is_someone_present(self, key: RoomKey) -> bool:
        """Return whether a human is present in a room."""
        return await self._activity.is_present(key)

    # Run

    def count(self) -> int:
        """Return how many rooms are in memory."""
        return self._repository.count()

    async def close(self) -> None:
        """Finish all background work."""
        await self._activity.close()
        await self._processor.close()
