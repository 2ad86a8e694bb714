"""Players' reports about others, a queue for operators: lines at a place of their own, which are kept like chat."""

from collections.abc import AsyncIterator
from contextlib import suppress

import msgspec

from service.domain.ids import DAY, SECOND, Epoch, Millis, PlayerId, RoomKey, RoomName
from service.domain.structs import copied
from service.rooms.access.audit_log import time_of
from service.store.contract import Store
from service.store.side_channels import LineKey, place_before_line

PLACE = RoomKey(RoomName("@reports"), Epoch("0"))
"""No room can have this name."""

KEPT, KEPT_FOR, PAGE = 1000, Millis(180 * DAY), 200
"""About how many reports are kept, for how long, and how many are read at a time."""

AGAIN_AFTER = Millis(3600 * SECOND)
"""After how long a player can report the same one again; until then, another report changes nothing."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A report by a player about another one."""

    by: PlayerId
    """The player who reports."""
    player: PlayerId
    """The player who is reported."""
    reason: str
    """What happened, in the words of the player who reports."""
    room: RoomName | None = None
    """The name of the room where it happened; null if none was given."""
    closed: bool = False
    """Whether an operator has closed the report."""


class FiledReport(Report, frozen=True, kw_only=True):
    """A report in the queue."""

    id: str
    """The id of the report."""
    time: str


REPORT = msgspec.json.Decoder(Report)


class Reports:
    """The reports of a store. Every method may raise `StoreUnavailable`."""

    def __init__(self, store: Store) -> None:
        self._lines = store.side_channels

    async def add(self, report: Report) -> None:
        """Add a report, unless there is one by and about the same players of the last hour."""
        once = LineKey(f"{report.by}:{report.player}", "", AGAIN_AFTER)
        await self._lines.add_line(PLACE, msgspec.json.encode(report), KEPT, KEPT_FOR, once)

    async def all(self, after: str = "0-0") -> AsyncIterator[FiledReport]:
        """Yield the reports after an id, the oldest first, without those by and about erased players."""
        while lines := await self._lines.read_lines(PLACE, PAGE, after=after):
            for line in lines:
                with suppress(ValueError):
                    yield copied(FiledReport, REPORT.decode(line.data), id=line.id, time=time_of(line.id))
            after = lines[-1].id

    async def close(self, report_id: str) -> FiledReport | None:
        """Take a report out of the queue and return it, None for an unknown one; it can be read until it is too old."""
        found = await anext(self.all(place_before_line(report_id)), None)
        if found is None or found.id != report_id:
            return None
        closed = msgspec.json.encode(copied(Report, found, closed=True))
        await self._lines.replace_lines(PLACE, {report_id: closed})
        return found

    async def erase(self, player: PlayerId) -> None:
        """Delete the reports by and about a player."""
        erased = [found.id async for found in self.all() if player in {found.by, found.player}]
        if erased:
            await self._lines.replace_lines(PLACE, dict.fromkeys(erased, b"{}"))
