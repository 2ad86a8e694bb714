"""What the rules need of presence: who went during a match and who came back, told as commands of the house.

Whoever notices says so; said twice it is refused the second time. A player who was never connected has not gone.
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
    """Says to the rooms who is away."""

    def __init__(self, processor: CommandProcessor) -> None:
        """Report through this processor."""
        self._processor = processor

    async def back(self, live: LoadedRoom, here: Iterable[PlayerId]) -> None:
        """Say who is back, among those who are connected for certain."""
        for player in live.room.table.absent.keys() & set(here):
            await self._say(live, Return(player))

    async def gone(self, live: LoadedRoom, leavers: Iterable[PlayerId]) -> None:
        """Say who has left a match."""
        for player in leavers:
            if is_playing(live.room.table, player) and player not in live.room.table.absent:
                await self._say(live, Desert(player))

    async def _say(self, live: LoadedRoom, command: Desert | Return) -> None:
        try:
            await self._processor.execute(live, CommandRequest(command, None))
        except ServiceError as refused:
            if refused.problem.code not in ALREADY_REPORTED:
                raise


def is_playing(table: Table, player: PlayerId) -> bool:
    """Tell whether somebody holds a seat in a running match."""
    return table.status == "playing" and player in table.seats and table.members[player].bot is None
