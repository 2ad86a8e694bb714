"""Reports of absence to the rules: system commands for awaited players who leave and who return.

Players in a match are awaited, players without whom the next match does not begin, and players in a room of the lobby
in which others may take a seat.

Every process that notices it reports it; a second report is rejected. A player who was never connected has not left,
but is found missing when the next match would begin.
"""

from collections.abc import Iterable

from service.domain.ids import PlayerId
from service.domain.room.model.commands import Desert, Return
from service.domain.room.model.state import Table
from service.domain.room.subjects.matches import is_willing, needs_presence
from service.rooms.commands.processor import CommandProcessor
from service.rooms.commands.requests import CommandRequest
from service.rooms.repository import LoadedRoom
from service.streams.errors import ServiceError

ALREADY_REPORTED = frozenset({"nothing_due", "room_closed"})


class AbsenceReporter:
    """Reports absent players to the rooms."""

    def __init__(self, processor: CommandProcessor) -> None:
        self._processor = processor

    async def back(self, live: LoadedRoom, here: Iterable[PlayerId]) -> None:
        """Report those of these connected players who were absent."""
        for player in live.state.table.absent.keys() & set(here):
            await self._report(live, Return(player))

    async def gone(self, live: LoadedRoom, leavers: Iterable[PlayerId]) -> None:
        """Report awaited players who have left."""
        for player in leavers:
            if is_awaited(live.state.table, player) and player not in live.state.table.absent:
                await self._report(live, Desert(player))

    async def _report(self, live: LoadedRoom, command: Desert | Return) -> None:
        try:
            await self._processor.execute(live, CommandRequest(command, None))
        except ServiceError as refused:
            if refused.problem.code not in ALREADY_REPORTED:
                raise


def is_awaited(table: Table, player: PlayerId) -> bool:
    """Return whether somebody waits for a seated player: in a match, for the next one, or in the lobby for others."""
    if table.status == "closed" or player not in table.seats or table.members[player].bot is not None:
        return False
    if table.status == "playing" or (table.settings.visibility == "public" and None in table.seats):
        return True
    return needs_presence(table) and is_willing(table, player)
