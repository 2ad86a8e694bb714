"""The contract of a store's side channels: the lobby's changes, chat, and presence. They are not in rooms' streams."""

from collections.abc import Callable, Collection, Mapping
from typing import NewType, Protocol

import msgspec

from service.domain.ids import Millis, PlayerId, RoomKey

Where = RoomKey | None
"""A room, or None for the lobby."""

OnLobbyChange = Callable[[RoomKey | None, bytes | None], None]
"""Takes a room and its new lobby entry, None if it left the lobby. Without a room, changes may have been missed."""

ProcessId = NewType("ProcessId", str)
"""The id of one run of a process that serves rooms; a new one at every start."""


class Line(msgspec.Struct, frozen=True):
    """A stored line of chat (encoded). Its id `<milliseconds>-<number>` is its time and its position among others."""

    id: str
    data: bytes


class LineKey(msgspec.Struct, frozen=True):
    """The idempotency key of a line: unique for its sender, and remembered for some time."""

    key: str
    fingerprint: str
    """A short hash of the request."""
    lasts: Millis


class AddedLine(msgspec.Struct, frozen=True):
    """A line that was added to a chat, now or earlier under the same key."""

    line: Line
    fingerprint: str | None = None
    """For an earlier line: the fingerprint of its request."""


def place_of_line(line_id: str) -> tuple[Millis, int]:
    """Return a line's time and its number within that millisecond. Lines are sorted by both."""
    moment, _, number = line_id.partition("-")
    return Millis(int(moment)), int(number)


def place_before_line(line_id: str) -> str:
    """Return the id of a place right before a line, after all earlier lines."""
    moment, number = place_of_line(line_id)
    return f"{moment}-{number - 1}" if number else f"{moment - 1}-{LAST_NUMBER}"


LAST_NUMBER = 2**64 - 1
"""The greatest number of a line within a millisecond."""


class Beat(msgspec.Struct, frozen=True):
    """The result of renewing a lease. `alive`: the process was known and not declared dead.

    `dead` are the processes that were declared dead, and those whose lease has ended, which may still renew it.
    """

    alive: bool
    dead: tuple[ProcessId, ...]


class SideChannelObserver(Protocol):
    """Receives the changes in a room's side channels, or in the lobby's chat. It is never called reentrantly."""

    def line_added(self, where: Where, line: Line) -> None:
        """Handle a new line of the chat."""

    def presence_changed(self, where: Where, process: ProcessId) -> None:
        """Handle a change of the players who are present through a process."""

    def changes_missed(self, where: Where) -> None:
        """Handle that any of these changes may have been missed."""


class SideChannels(Protocol):
    """Messages and shared state that are not in rooms' streams. Every method may raise `StoreUnavailable`."""

    async def subscribe_to_lobby(self, on_change: OnLobbyChange) -> None:
        """Call `on_change` with every change of the lobby by any process until `unsubscribe_from_lobby`."""

    async def unsubscribe_from_lobby(self) -> None:
        """End the subscription to the lobby's changes."""

    async def subscribe(self, where: Where, observer: SideChannelObserver) -> None:
        """Call `observer` for changes in a room's side channels, or in the lobby's chat, until `unsubscribe`."""

    async def unsubscribe(self, where: Where) -> None:
        """End the subscription to a room or the lobby."""

    async def add_line(
        self, where: Where, data: bytes, keep: int, age: Millis, once: LineKey | None = None
    ) -> AddedLine:
        """Add a line to a chat. About `keep` lines are kept, none much older than `age`.

        With a key that was used before, nothing is added, and the line that was added then is returned.
        """

    async def read_lines(
        self, where: Where, limit: int, *, before: str | None = None, after: str | None = None
    ) -> list[Line]:
        """Return up to `limit` lines in order: the first after a line, or the last, or the last before a line."""

    async def replace_lines(self, where: Where, changed: Mapping[str, bytes]) -> None:
        """Replace the contents of lines of a chat by their ids; those that do not exist are left out."""

    async def beat(self, process: ProcessId, lease: Millis) -> Beat:
        """Renew a process's lease, even if it has ended, unless the process was declared dead."""

    async def declare_dead(self, process: ProcessId, doubt: Millis) -> bool:
        """Declare a process dead if its lease ended at least `doubt` ago. Return whether it is declared dead now."""

    async def retire(self, process: ProcessId) -> None:
        """Delete a process that was declared dead, after its players have left its rooms."""

    async def store_presence(
        self, key: RoomKey, process: ProcessId, data: bytes | None, instead_of: ProcessId | None = None
    ) -> dict[ProcessId, bytes]:
        """Store who is in a room through a process (None: no one), publish it, and return what all processes stored.

        What was stored under `instead_of`, an earlier id of the process, is deleted in the same step.
        """

    async def read_presence(self, key: RoomKey) -> dict[ProcessId, bytes]:
        """Return what each process stored about who is in a room."""

    async def record_visit(self, key: RoomKey, lasts: Millis, player: PlayerId | None = None) -> None:
        """Record that someone is in a room now, or that this player is. The record expires after `lasts`."""

    async def was_visited(self, key: RoomKey) -> bool:
        """Return whether that record still exists."""

    async def who_visited(self, key: RoomKey, players: Collection[PlayerId]) -> Collection[PlayerId]:
        """Return those of these players of whom such a record still exists."""

    async def forget_visits(self, key: RoomKey, players: Collection[PlayerId]) -> None:
        """Delete the records of these players, who have left."""

    async def keep_open(self, key: RoomKey, lasts: Millis) -> None:
        """Record that a room is kept open for the next `lasts` milliseconds."""

    async def kept_open_for(self, key: RoomKey) -> Millis:
        """Return for how many more milliseconds a room is kept open; 0 if it is not."""

    async def record_progress(self, match_id: str, plies: int, lasts: Millis) -> None:
        """Record how many plies of a match's review are done. The record expires after `lasts`."""

    async def find_progress(self, match_id: str) -> int:
        """Return how many plies of a match's review are done, 0 if that is not known."""

    async def record_invitation(self, code_hash: str, key: RoomKey, lasts: Millis) -> None:
        """Record which room the code with this hash leads to. The record expires after `lasts`."""

    async def find_invitation(self, code_hash: str) -> RoomKey | None:
        """Return the room that the code with this hash leads to, None if it is not known."""

    async def record_link_code(self, code_hash: str, data: bytes, lasts: Millis) -> None:
        """Record what the code with this hash links to. The record expires after `lasts`."""

    async def take_link_code(self, code_hash: str) -> bytes | None:
        """Delete the record of the code with this hash and return it; None if it has expired or was taken before.

        Of several processes that take the same code at the same time, one receives the record.
        """

    async def rooms_of_process(self, process: ProcessId) -> list[RoomKey]:
        """Return the rooms in which a process has stored players."""
