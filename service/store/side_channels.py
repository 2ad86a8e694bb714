"""The contract of a store's side channels: the lobby's changes, chat, and presence. They are not in rooms' streams."""

from collections.abc import Callable
from typing import NewType, Protocol

import msgspec

from service.domain.room.model.ids import Millis, RoomKey

Where = RoomKey | None
"""A room, or None for the lobby."""

OnLobbyChange = Callable[[RoomKey | None, bytes | None], None]
"""Takes a room and its new lobby entry, None if it left the lobby. Without a room, changes may have been missed."""

ProcessId = NewType("ProcessId", str)
"""The id of one run of a process that serves rooms; a new one at every start."""


class Line(msgspec.Struct, frozen=True):
    """A stored line of chat (encoded). Its id `<milliseconds>-<number>` is its time and its place among others."""

    id: str
    data: bytes


def place_of_line(line_id: str) -> tuple[Millis, int]:
    """Return a line's time and its number within that millisecond. Lines are sorted by both."""
    moment, _, number = line_id.partition("-")
    return Millis(int(moment)), int(number)


class Beat(msgspec.Struct, frozen=True):
    """The result of renewing a lease. `alive`: the process was known and not declared dead.

    `dead` are the processes that were declared dead, and those whose lease has ended, which may still renew it.
    """

    alive: bool
    dead: tuple[ProcessId, ...]


class SideChannelObserver(Protocol):
    """Receives the changes in a room's side channels, or in the lobby's chat. It is never called reentrantly."""

    def said(self, where: Where, line: Line) -> None:
        """Receive a line of the chat."""

    def attended(self, where: Where, process: ProcessId) -> None:
        """Learn that a process changed its list of the players who are present through it."""

    def missed(self, where: Where) -> None:
        """Learn that any of these changes may have been missed."""


class SideChannels(Protocol):
    """Messages and shared state that are not in rooms' streams. Every method may raise `StoreUnavailable`."""

    async def hear_lobby(self, heard: OnLobbyChange) -> None:
        """Call `heard` with every change of the lobby by any process until `unhear_lobby`."""

    async def unhear_lobby(self) -> None:
        """End `hear_lobby`."""

    async def hear(self, where: Where, ear: SideChannelObserver) -> None:
        """Pass changes in a room's side channels, or in the lobby's chat, to `ear`, until `unhear`."""

    async def unhear(self, where: Where) -> None:
        """End `hear` for a room or the lobby."""

    async def say(self, where: Where, data: bytes, keep: int, age: Millis) -> Line:
        """Add a line to a chat. About `keep` lines are kept, none much older than `age`."""

    async def said(
        self, where: Where, limit: int, *, before: str | None = None, after: str | None = None
    ) -> list[Line]:
        """Return up to `limit` lines in order: the first after a line, or the last, or the last before a line."""

    async def beat(self, process: ProcessId, lease: Millis) -> Beat:
        """Renew a process's lease, even if it has ended, unless the process was declared dead."""

    async def declare_dead(self, process: ProcessId, doubt: Millis) -> bool:
        """Declare a process dead if its lease ended at least `doubt` ago. Return whether it is declared dead now."""

    async def retire(self, process: ProcessId) -> None:
        """Delete a process that was declared dead, after its players have left its rooms."""

    async def attend(
        self, key: RoomKey, process: ProcessId, data: bytes | None, instead_of: ProcessId | None = None
    ) -> dict[ProcessId, bytes]:
        """Store who is in a room through a process (None: nobody), publish it, and return what all processes stored.

        What was stored under `instead_of`, an earlier id of the process, is deleted in the same step.
        """

    async def attendance(self, key: RoomKey) -> dict[ProcessId, bytes]:
        """Return what each process stored about who is in a room."""

    async def note_visit(self, key: RoomKey, lasts: Millis) -> None:
        """Record that somebody was in a room just now. The record expires after `lasts`."""

    async def was_visited(self, key: RoomKey) -> bool:
        """Return whether that record still exists."""

    async def attended_by(self, process: ProcessId) -> list[RoomKey]:
        """Return the rooms for which a process has stored somebody."""
