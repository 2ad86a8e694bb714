"""Which rooms players are in, and whether they may enter more."""

from service.domain.room.model.commands import Join
from service.domain.room.model.ids import Millis, PlayerId, RoomKey, RoomName
from service.domain.room.model.state import Room
from service.rooms.access import policy
from service.rooms.access.policy import EntryLimits
from service.rooms.commands.requests import CommandRequest, Environment
from service.rooms.errors import ServiceError
from service.rooms.loading.repository import RoomRepository

FORGOTTEN_AFTER = Millis(24 * 3600 * 1000)
"""How long a room that a player has left stays in their list, so that a repeated `leave` finds its first result."""


class Memberships:
    """The rooms of each player, as the store lists them."""

    def __init__(self, repository: RoomRepository, environment: Environment, limits: EntryLimits) -> None:
        """Hold players to the limits."""
        self._repository = repository
        self._store = repository.store
        self._environment = environment
        self._limits = limits

    async def rooms_of(self, player: PlayerId) -> list[Room]:
        """Return the live rooms that a player is in; keys of rooms that they left long ago are forgotten."""
        found = []
        for key in await self._store.rooms_of(player):
            room = await self._find_untrimmed(key)
            if room is not None and player in room.table.members and room.table.status != "closed":
                found.append(room)
            elif room is None or room.time < self._environment.now() - FORGOTTEN_AFTER:
                await self._store.forget_room(player, key)
        return found

    async def _find_untrimmed(self, key: RoomKey) -> Room | None:
        try:
            live = await self._repository.find(key)
        except ServiceError as refused:
            if refused.problem.code != "trimmed":
                raise
            return None
        return live.room if live else None

    async def check_entry(self, name: RoomName, request: CommandRequest) -> None:
        """Refuse `too_many_rooms`, `room_crowded` to who would join a room."""
        player = request.player_id
        if type(request.command) is not Join or player is None:
            return
        try:
            table = (await self._repository.by_name(name)).room.table
        except ServiceError:  # there may be an earlier room of this name that knows the command's key
            return
        if player not in table.members:
            await self.check_room_count(player)
            policy.check_crowd(table, player, self._limits)

    async def check_room_count(self, player: PlayerId) -> None:
        """Refuse `too_many_rooms` to a player who is in as many rooms as they may be."""
        most = self._limits.rooms
        if most and len(await self._store.rooms_of(player)) >= most:
            policy.check_room_count(len(await self.rooms_of(player)), self._limits)
