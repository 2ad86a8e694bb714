"""The side channels in the memory of one process: the lobby's changes, chat, and presence."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice

from service.domain.room.model.ids import Millis, RoomKey
from service.store.side_channels import Beat, Line, OnLobbyChange, ProcessId, SideChannelObserver, Where, place_of_line

DECLARED = Millis(0)
"""The end of the lease of a process that was declared dead."""


@dataclass(slots=True)
class Kept:
    """The data that all clients of a store share."""

    lines: dict[Where, list[Line]] = field(default_factory=dict)
    attendance: dict[RoomKey, dict[ProcessId, bytes]] = field(default_factory=dict)
    visits: dict[RoomKey, Millis] = field(default_factory=dict)
    leases: dict[ProcessId, Millis] = field(default_factory=dict)
    clients: "list[MemorySideChannels]" = field(default_factory=list)


class MemorySideChannels:
    """The contract `SideChannels`. No method awaits anything between reading and writing."""

    def __init__(self, clock: Callable[[], Millis], kept: Kept | None = None) -> None:
        """Become another client of `kept`, or the first one."""
        self._clock = clock
        self.kept = kept or Kept()
        self.kept.clients.append(self)
        self._lobby: OnLobbyChange | None = None
        self._ears: dict[Where, SideChannelObserver] = {}

    async def hear_lobby(self, heard: OnLobbyChange) -> None:
        """Call `heard` with every change of the lobby until `unhear_lobby`."""
        self._lobby = heard

    async def unhear_lobby(self) -> None:
        """End `hear_lobby`."""
        self._lobby = None

    def lobby_changed(self, key: RoomKey, card: bytes | None) -> None:
        """Notify all clients of a room's new lobby entry."""
        loop = asyncio.get_running_loop()
        for client in self.kept.clients:
            if client._lobby is not None:  # noqa: SLF001 - another of the same kind
                loop.call_soon(client._lobby, key, card)  # noqa: SLF001 - as above

    async def hear(self, where: Where, ear: SideChannelObserver) -> None:
        """Pass changes in a room's side channels, or in the lobby's chat, to `ear`, until `unhear`."""
        self._ears[where] = ear

    async def unhear(self, where: Where) -> None:
        """End `hear` for a room or the lobby."""
        self._ears.pop(where, None)

    def _ears_at(self, where: Where) -> list[SideChannelObserver]:
        return [client._ears[where] for client in self.kept.clients if where in client._ears]  # noqa: SLF001 - as above

    async def say(self, where: Where, data: bytes, keep: int, age: Millis) -> Line:
        """Add a line to a chat. At most `keep` lines are kept, none older than `age`."""
        lines, now = self.kept.lines.setdefault(where, []), self._clock()
        line = Line(next_id(lines, now), data)
        lines.append(line)
        self.kept.lines[where] = [each for each in lines if place_of_line(each.id)[0] >= now - age][-keep:]
        for ear in self._ears_at(where):
            asyncio.get_running_loop().call_soon(ear.said, where, line)
        return line

    async def said(
        self, where: Where, limit: int, *, before: str | None = None, after: str | None = None
    ) -> list[Line]:
        """Return up to `limit` lines in order: the first after a line, or the last, or the last before a line."""
        lines = self.kept.lines.get(where, [])
        if after is not None:
            return list(islice((line for line in lines if place_of_line(line.id) > place_of_line(after)), limit))
        earlier = (
            lines if before is None else [line for line in lines if place_of_line(line.id) < place_of_line(before)]
        )
        return earlier[-limit:]

    async def beat(self, process: ProcessId, lease: Millis) -> Beat:
        """Renew a process's lease, even if it has ended, unless the process was declared dead."""
        now, leases = self._clock(), self.kept.leases
        known, declared = process in leases, process in leases and leases[process] == DECLARED
        if not declared:
            leases[process] = Millis(now + lease)
        return Beat(known and not declared, tuple(each for each, ends in leases.items() if ends < now))

    async def declare_dead(self, process: ProcessId, doubt: Millis) -> bool:
        """Declare a process dead if its lease ended at least `doubt` ago. Return whether it is declared dead now."""
        ends = self.kept.leases.get(process)
        if ends is None or ends + doubt >= self._clock():
            return False
        self.kept.leases[process] = DECLARED
        return True

    async def retire(self, process: ProcessId) -> None:
        """Delete a process that was declared dead, after its players have left its rooms."""
        self.kept.leases.pop(process, None)

    async def attend(
        self, key: RoomKey, process: ProcessId, data: bytes | None, instead_of: ProcessId | None = None
    ) -> dict[ProcessId, bytes]:
        """Store who is in a room through a process (None: nobody), publish it, and return what all processes stored."""
        here = self.kept.attendance.setdefault(key, {})
        here.pop(process, None)
        if instead_of is not None:
            here.pop(instead_of, None)
        if data is not None:
            here[process] = data
        for ear in self._ears_at(key):
            asyncio.get_running_loop().call_soon(ear.attended, key, process)
        return dict(here)

    async def attendance(self, key: RoomKey) -> dict[ProcessId, bytes]:
        """Return what each process stored about who is in a room."""
        return dict(self.kept.attendance.get(key, {}))

    async def note_visit(self, key: RoomKey, lasts: Millis) -> None:
        """Record that somebody was in a room just now. The record expires after `lasts`."""
        self.kept.visits[key] = Millis(self._clock() + lasts)

    async def was_visited(self, key: RoomKey) -> bool:
        """Return whether that record still exists."""
        return self._clock() < self.kept.visits.get(key, 0)

    async def attended_by(self, process: ProcessId) -> list[RoomKey]:
        """Return the rooms for which a process has stored somebody."""
        return [key for key, here in self.kept.attendance.items() if process in here]


def next_id(lines: list[Line], now: Millis) -> str:
    """Return the id of a new line, greater than all others."""
    moment, number = place_of_line(lines[-1].id) if lines else (0, 0)
    return f"{now}-0" if now > moment else f"{moment}-{number + 1}"
