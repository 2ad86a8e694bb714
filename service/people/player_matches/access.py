"""Who may know of which match of a player: matches for members only are shown to the members of their rooms."""

from service.domain.room.model.ids import PlayerId, RoomKey
from service.rooms.access.policy import is_member, knows_all_matches
from service.rooms.match_index import PlayedMatch, room_of_match
from service.rooms.service import RoomService
from service.streams.errors import ServiceError

WORK_PER_ROOM = 20
"""How many rows a room counts as that is loaded to find out whether the caller is a member."""


class MatchAccess:
    """Decides which matches of a player a caller may know of, and counts the work for that."""

    def __init__(self, rooms: RoomService, player: PlayerId, caller: PlayerId | None) -> None:
        self._rooms = rooms
        self._caller = caller
        self._knows_all = knows_all_matches(caller, player)
        self._is_member: dict[RoomKey, bool] = {}
        self.work = 0
        """How many matches were checked; a room that was loaded counts as several."""

    async def admits(self, played: PlayedMatch) -> bool:
        """Return whether the caller may know of a match."""
        self.work += 1
        if self._knows_all or not played.kind.members_only:
            return True
        if self._caller is None:
            return False
        key, _ = room_of_match(played.id)
        if key not in self._is_member:
            self.work += WORK_PER_ROOM
            self._is_member = {key: await self._belongs_to(key)}  # matches of a room often follow each other
        return self._is_member[key]

    async def _belongs_to(self, key: RoomKey) -> bool:
        try:
            live = await self._rooms.find(key)
        except ServiceError:  # its events are damaged, or no longer stored
            return False
        return live is not None and is_member(live.state.table, self._caller)
