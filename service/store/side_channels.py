"""What a store of rooms owes beside the rooms' streams: the lobby's changes, chat, and who is connected."""

from collections.abc import Callable
from typing import NewType, Protocol

import msgspec

from service.domain.room.model.ids import Millis, RoomKey

Where = RoomKey | None
"""A room, or None for the lobby."""

OnLobbyChange = Callable[[RoomKey | None, bytes | None], None]
"""Takes a room's new card, None when the lobby shows it no more; without a room, some changes may have been missed."""

ProcessId = NewType("ProcessId", str)
"""One run of a program that serves rooms; another one after every start."""


class Line(msgspec.Struct, frozen=True):
    """A line of a chat as it is kept (encoded). Its id `<milliseconds>-<number>` is its moment and its place."""

    id: str
    data: bytes


def place_of_line(line_id: str) -> tuple[Millis, int]:
    """Return a line's moment and its number in that, which tell where it stands among others."""
    moment, _, number = line_id.partition("-")
    return Millis(int(moment)), int(number)


class Beat(msgspec.Struct, frozen=True):
    """What a process learns when it renews its lease: whether it was known and not declared dead, and whose has ended.

    `dead` are the processes whose lease has ended, which may still renew it, and those that were declared dead.
    """

    alive: bool
    dead: tuple[ProcessId, ...]


class SideChannelObserver(Protocol):
    """Whoever hears what happens beside a room, or in the lobby's chat; never called from within its own call."""

    def said(self, where: Where, line: Line) -> None:
        """Take a line of the chat."""

    def attended(self, where: Where, process: ProcessId) -> None:
        """Take note that a process noted who is there through it."""

    def missed(self, where: Where) -> None:
        """Take note that any of this may have been missed."""


class SideChannels(Protocol):
    """What processes tell each other beside the rooms' streams. Every method may raise `StoreUnavailable`."""

    async def hear_lobby(self, heard: OnLobbyChange) -> None:
        """Call `heard` with every change of the lobby by any process until `unhear_lobby`."""

    async def unhear_lobby(self) -> None:
        """Stop listening to the lobby."""

    async def hear(self, where: Where, ear: SideChannelObserver) -> None:
        """Tell `ear` what happens beside a room, or in the lobby's chat, until `unhear`."""

    async def unhear(self, where: Where) -> None:
        """Stop listening beside a room."""

    async def say(self, where: Where, data: bytes, keep: int, age: Millis) -> Line:
        """Add a line to a chat, of which about `keep` lines are kept that are not much older than `age`."""

    async def said(
        self, where: Where, limit: int, *, before: str | None = None, after: str | None = None
    ) -> list[Line]:
        """Return up to `limit` lines in order: the first after one, or the last, or the last before one."""

    async def beat(self, process: ProcessId, lease: Millis) -> Beat:
        """Renew a process's lease, also one that has ended; that of a process declared dead stays ended."""

    async def declare_dead(self, process: ProcessId, doubt: Millis) -> bool:
        """Declare a process dead if its lease ended at least `doubt` ago, and return whether it is declared dead."""

    async def retire(self, process: ProcessId) -> None:
        """Forget a process that was declared dead and whose rooms were left."""

    async def attend(
        self, key: RoomKey, process: ProcessId, data: bytes | None, instead_of: ProcessId | None = None
    ) -> dict[ProcessId, bytes]:
        """Note who is in a room through a process, None for nobody any more, tell everyone, return what all noted.

        What `instead_of` noted, an earlier id of the process, goes in the same act.
        """

    async def attendance(self, key: RoomKey) -> dict[ProcessId, bytes]:
        """Return who is in a room, by process."""

    async def note_visit(self, key: RoomKey, lasts: Millis) -> None:
        """Note that somebody was in a room just now; the note lasts so long."""

    async def was_visited(self, key: RoomKey) -> bool:
        """Return whether such a note still lasts."""

    async def attended_by(self, process: ProcessId) -> list[RoomKey]:
        """Return the rooms in which a process has noted somebody."""
