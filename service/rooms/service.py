"""The application's only entry to rooms: opening, commanding, reading and following them."""

from msgspec.structs import replace

from service.domain.ids import Millis, Player, PlayerId, RoomKey, RoomName
from service.domain.room.model.commands import Configure, DeclineInvitation, Invite, Join, Proceed, Ready, Shut
from service.domain.room.model.settings import OpenRoom, OpenTable
from service.domain.room.model.state import Table
from service.domain.room.subjects.lifecycle import NOT_KEPT
from service.domain.streams import IdempotencyKey
from service.rooms.access.audit_log import AuditLog, LogEntry, RoomShut
from service.rooms.access.passwords import has_password, hash_for
from service.rooms.access.policy import EntryLimits, check_reading
from service.rooms.commands.absence import AbsenceReporter
from service.rooms.commands.activity import ActivityTracker
from service.rooms.commands.invitations import InvitationCodes, Invitations
from service.rooms.commands.memberships import Memberships
from service.rooms.commands.opening import Count, RoomOpener
from service.rooms.commands.processor import CommandProcessor, dry_run
from service.rooms.commands.requests import CommandRequest, CommandResult, Environment, NameGenerator
from service.rooms.feeds.frames import ALL, THE_LOBBY
from service.rooms.feeds.hub import FeedHub
from service.rooms.feeds.room_frames import RoomFrames
from service.rooms.feeds.subscriptions import NullObserver, RoomObserver, Subscriptions
from service.rooms.match_entries import MatchEntries
from service.rooms.repository import LoadedRoom, RoomRepository
from service.store.contract import Store
from service.streams.errors import ServiceError
from service.streams.heartbeat import Heartbeat
from service.streams.history import StreamHistory

COMPLETED = frozenset({Join, Configure, Invite, DeclineInvitation, Ready})
"""The commands for which something is read or stored before they are executed."""


class RoomCore:
    """The parts of which the rooms of one process consist, from the store to the write path."""

    def __init__(
        self, store: Store, environment: Environment, mark_key: bytes, size: int = 10_000, heartbeat: float = 15.0
    ) -> None:
        """Keep `size` rooms in memory; all processes of the store have the same `mark_key`.

        `heartbeat` is the interval in seconds in which all that is followed is compared with the store.
        """
        self.heartbeat = Heartbeat(store, heartbeat)
        self.frames = RoomFrames(mark_key, environment.now)
        self.hub = FeedHub(self.frames)
        self.repository = RoomRepository(store, size, self.heartbeat)
        self.repository.on_change = self.hub.broadcast  # type: ignore[assignment]  # all its streams are `LoadedRoom`s
        self.repository.on_failure = self.hub.close_room  # type: ignore[assignment]  # likewise
        self.past = StreamHistory(self.repository)
        self.matches = MatchEntries(self.repository, self.past)
        self.processor = CommandProcessor(self.repository, environment, self.past)


class RoomService:
    """All rooms of a store, as one process serves them. Callers must not change the rooms that it returns."""

    def __init__(
        self,
        core: RoomCore,
        names: NameGenerator,
        observer: RoomObserver | None = None,
        limits: EntryLimits | None = None,
        codes: InvitationCodes | None = None,
    ) -> None:
        self._environment, self._store = core.processor.environment, core.repository.store
        self._repository, self._processor, self._hub = core.repository, core.processor, core.hub
        codes = codes or InvitationCodes((b"",))  # with an empty key, in processes that never show a code
        self.invitations = Invitations(core.repository, self._environment, codes)
        self._memberships = Memberships(core.repository, self._environment, limits or EntryLimits())
        absence, wake = AbsenceReporter(core.processor), core.processor.wake
        self._activity = ActivityTracker(self._store.side_channels, self._environment, wake, absence.back, absence.gone)
        self._opener = RoomOpener(core.processor, names, self._activity)
        self._subscriptions = Subscriptions(
            core.repository, core.hub, core.frames, observer or NullObserver(), self._activity.note_feed
        )
        # What one part does alone is described there: time, whether the store answers, and the write path,
        self.now = self._environment.now
        self.check_store = self._store.time
        self.execute = core.processor.execute
        # rooms as they are, those of a player and all of them, and how many are in memory,
        self.by_key = core.repository.current_room
        self.loaded = core.repository.by_key
        self.find = core.repository.find
        self.rooms_of = self._memberships.rooms_of
        self.all_rooms = self._store.admin_store.rooms
        self.count = core.repository.count
        # rooms as they were, and their matches,
        self.at = core.past.at
        self.history = core.past.history
        self.pages = core.past.pages
        self.matches = core.matches.of
        self.completed_match = core.matches.completed
        self.named_match = core.matches.named
        self.position = core.matches.position
        # their feeds,
        self.subscribe = self._subscriptions.subscribe
        self.unsubscribe = self._subscriptions.unsubscribe
        self.run_heartbeats = self._subscriptions.run_heartbeats
        self.resync = core.hub.resync
        self.read_turns = core.processor.read_turns
        # and what only workers need.
        self.claim_due = self._store.claim_due
        self.extend_claim = self._store.worker_store.extend_claim
        self.repair_due = core.processor.repair_due
        self.are_present = self._activity.are_present
        self.kept_until = self._activity.kept_until

    # Open and command

    async def open(
        self, request: OpenRoom, by: Player, key: IdempotencyKey | None = None, count_new: Count = lambda: None
    ) -> CommandResult:
        """Open a room; see `RoomOpener.open`. Raises `ServiceError` (`too_many_rooms`, `key_reused`) as well."""
        if not isinstance(request, OpenTable):
            await self._memberships.check_room_count(by.id)
        return await self._opener.open(request, by, key, count_new)

    async def command(self, name: RoomName, request: CommandRequest) -> CommandResult:
        """Execute a player's command in the open room of a name; a repetition finds its result in a closed one, too."""
        self._store.identity.admit_writes()
        live, player = self._repository.cached_by_name(name), request.by.id if request.by else None
        if request.idempotency_key is not None and (live is None or live.predecessors.get(player) != []):
            if earlier := await self._answered_before(name, request):
                return await self._processor.execute(earlier, request)
            live = None
        if type(request.command) in COMPLETED:
            request, live = await self._completed(name, request), None
        if live is None:
            live = await self._repository.by_name(name)
        had_seat = player in live.state.table.seats
        self._activity.note(live, player)
        try:
            answer = await self._processor.execute(live, request)
        except ServiceError as refused:
            if refused.problem.code != "room_closed":
                raise
            return await self._processor.execute(await self._repository.by_name(name), request)
        if not had_seat:  # perhaps the command took one
            self._activity.note(live, player)
        return answer

    async def dry_run(self, name: RoomName, request: CommandRequest) -> CommandResult:
        """Return what a command would lead to, as far as its sender may know. Raises what `command` raises."""
        request = await self._admitted(name, request)
        live = await self._current(name)
        self._activity.note(live, request.player_id)
        return dry_run(live.state, request, self._environment)

    async def close_room(self, key: RoomKey, reason: str, by: str = "") -> LogEntry:
        """Close a room for an operator of this name; a running match does not count.

        Raises `Rejected` with `room_closed`.
        """
        await self.execute(await self._repository.by_key(key), CommandRequest(Shut(), None))
        return await AuditLog(self._store).record(RoomShut(reason, key.name, key.epoch, by=by))

    async def _completed(self, name: RoomName, request: CommandRequest) -> CommandRequest:
        """Return a request with what has to be read or stored before it is executed. Raises as `_admitted`."""
        request = await self._admitted(name, request)
        if isinstance(request.command, Join | DeclineInvitation):
            request = await self._memberships.refer_to_name(request, request.command)
        return request

    async def _admitted(self, name: RoomName, request: CommandRequest) -> CommandRequest:
        """Return a request with its password hashed, with the code of its invitation, or with who is present.

        Raises `ServiceError` (`too_many_rooms`, `room_crowded`, `passwords_busy`).
        """
        if isinstance(request.command, Ready):
            live = await self._current(name)
            after_match = live.state.table.matches > 0
            missing = await self._activity.missing(live) if after_match else ()
            return replace(request, all_present={*missing} <= {request.player_id})
        await self._memberships.check_entry(name, request)
        if isinstance(request.command, Invite):
            return replace(request, invitation=self.invitations.new_secret())
        if not has_password(request.command):
            return request

        async def table() -> Table:
            return (await self._current(name)).state.table

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
            if live.idempotency and live.idempotency.get(request.by.id, request.idempotency_key.value):
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
        check_reading(live.state.table, by)
        self._activity.note(live, by)
        return live

    async def of_view(self, view: RoomName, by: PlayerId | None) -> LoadedRoom | None:
        """Return the room of a view of the chat, None for `all` and `lobby`.

        Raises `ServiceError` (`no_such_room`), also for a room that the reader may not read.
        """
        if view in {ALL, THE_LOBBY}:
            return None
        try:
            return await self.read(view, by)
        except ServiceError as refused:
            raise (ServiceError("no_such_room") if refused.problem.code == "members_only" else refused) from None

    async def named(self, name: RoomName) -> LoadedRoom:
        """Return the open room of a name, up to date, for any caller. Raises `ServiceError` (`no_such_room`)."""
        live = await self._repository.by_name(name)
        await self._repository.refresh(live)
        return live

    async def _current(self, name: RoomName) -> LoadedRoom:
        live = await self.named(name)
        return live if live.state.table.status != "closed" else await self._repository.by_name(name)

    # Follow

    def subscriber_count(self, live: LoadedRoom) -> int:
        """Return the number of a room's subscribers in this process."""
        return len(self._hub.subscribers(live.key))

    # Serve as a worker

    async def proceed(self, key: RoomKey, *, all_present: bool = True, kept_until: Millis = NOT_KEPT) -> bool:
        """Do what is due in a room, which `Proceed` describes, and return whether anything was."""
        live = await self._repository.by_key(key)
        try:
            await self.execute(live, CommandRequest(Proceed(all_present, kept_until), None))
        except ServiceError as refused:
            if refused.problem.code not in {"nothing_due", "room_closed"}:
                raise
            await self.repair_due(live)
            return False
        return True

    # Run

    async def close(self) -> None:
        """Finish all background work."""
        await self._activity.close()
        await self._processor.close()
