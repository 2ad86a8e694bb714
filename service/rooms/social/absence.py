"""What the rules need of presence: who left during a match and who came back, as system commands.

Any process that notices reports it; the second report is refused. A player who was never connected has not left.
"""

from collections.abc import Iterable

from service.domain.room.model.commands import Desert, Return
from service.domain.room.model.ids import PlayerId
from service.domain.room.model.state import Table
from service.rooms.commands.processor import CommandProcessor
from service.rooms.commands.requests import CommandRequest
from service.rooms.errors import ServiceError
from service.rooms.loading.room import LoadedRoom

ALREADY_REPORTED = frozenset({"nothing_due", "room_closed"})


class AbsenceReporter:
    """Reports to the rooms who is absent."""

    def __init__(self, processor: CommandProcessor) -> None:
        """Report through this processor."""
        self._processor = processor

    async def back(self, live: LoadedRoom, here: Iterable[PlayerId]) -> None:
        """Report who is back, among players who are connected for certain."""
        for player in live.room.table.absent.keys() & set(here):
            await self._report(live, Return(player))

    async def gone(self, live: LoadedRoom, leavers: Iterable[PlayerId]) -> None:
        """Report who has left a match."""
        for player in leavers:
            if is_playing(live.room.table, player) and player not in live.room.table.absent:
                await self._report(live, Desert(player))

    async def _report(self, live: LoadedRoom, command: Desert | Return) -> None:
        try:
            await self._processor.execute(live, CommandRequest(command, None))
        except ServiceError as refused:
            if refused.problem.code not in ALREADY_REPORTED:
                raise


def is_playing(table: Table, player: PlayerId) -> bool:
    """Tell whether somebody holds a seat in a running match."""
    return table.status == "playing" and player in table.seats and table.members[player].bot is None
