"""The rooms of which players are members, and the limits on entering more."""

from msgspec.structs import replace

from service.domain.game import Rejected
from service.domain.ids import DAY, Millis, PlayerId, RoomName
from service.domain.room.model.commands import DeclineInvitation, Join
from service.domain.room.model.names import choose_nickname
from service.domain.room.model.state import Room
from service.rooms.access import policy
from service.rooms.access.policy import EntryLimits
from service.rooms.commands.requests import CommandRequest, Environment
from service.rooms.repository import RoomRepository
from service.streams.errors import ServiceError

FORGOTTEN_AFTER = Millis(DAY)
"""How long a room remains in the list of a player who left it, so that a repeated `leave` finds its first result."""


class Memberships:
    """The rooms of each player, from the lists in the store."""

    def __init__(self, repository: RoomRepository, environment: Environment, limits: EntryLimits) -> None:
        self._repository = repository
        self._store = repository.store
        self._environment = environment
        self._limits = limits

    async def rooms_of(self, player: PlayerId) -> list[Room]:
        """Return the open rooms of which a player is a member; delete keys of rooms that they left long ago.

        A damaged room is left out, and its key is kept.
        """
        found = []
        for key in await self._store.rooms_of(player):
            try:
                live = await self._repository.find(key)
            except ServiceError as refused:
                if refused.problem.code == "history_damaged":
                    continue
                if refused.problem.code != "trimmed":
                    raise
                live = None
            room = live.state if live else None
            if room is not None and player in room.table.members and room.table.status != "closed":
                found.append(room)
            elif room is None or room.time < self._environment.now() - FORGOTTEN_AFTER:
                await self._store.forget_room(player, key)
        return found

    async def check_entry(self, name: RoomName, request: CommandRequest) -> None:
        """Check the limits for a command to join. Raises `ServiceError` (`too_many_rooms`, `room_crowded`)."""
        player = request.player_id
        if type(request.command) is not Join or player is None:
            return
        try:
            table = (await self._repository.by_name(name)).state.table
        except ServiceError:  # an earlier room of this name may have a record of the command's key
            return
        if player not in table.members:
            await self.check_room_count(player)
            policy.check_crowd(table, player, self._limits)

    async def refer_to_name(self, request: CommandRequest, command: Join | DeclineInvitation) -> CommandRequest:
        """Return a command that chooses a nickname with the reference to it; the decision rejects an invalid one.

        Raises `ServiceError` (`too_many_nicknames`).
        """
        by = request.by
        if by is None:
            return request
        try:
            nickname = choose_nickname(command.nickname, by.nickname)
        except Rejected:
            return request
        try:
            return replace(request, name_ref=await self._store.player_names.refer(by.id, nickname))
        except Rejected as rejected:
            raise ServiceError(rejected.code, params=dict(rejected.params)) from None

    async def check_room_count(self, player: PlayerId) -> None:
        """Raise `ServiceError` (`too_many_rooms`) if a player is a member of the maximum number of rooms."""
        limit = self._limits.rooms
        if limit and len(await self._store.rooms_of(player)) >= limit:
            policy.check_room_count(len(await self.rooms_of(player)), self._limits)
