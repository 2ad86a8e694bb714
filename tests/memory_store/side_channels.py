"""The side channels in the memory of one process: the lobby's changes, chat, and presence."""

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from itertools import islice

from service.domain.ids import Millis, PlayerId, RoomKey
from service.store.side_channels import (
    AddedLine,
    Beat,
    Line,
    LineKey,
    OnLobbyChange,
    ProcessId,
    SideChannelObserver,
    Where,
    place_of_line,
)

DECLARED = Millis(0)
"""The end of the lease of a process that was declared dead."""


@dataclass(slots=True)
class SharedData:
    """The data that all clients of a store share."""

    lines: dict[Where, list[Line]] = field(default_factory=dict)
    presence: dict[RoomKey, dict[ProcessId, bytes]] = field(default_factory=dict)
    keys: dict[tuple[Where, str], tuple[Millis, AddedLine]] = field(default_factory=dict)
    """Keys of lines, each with the end of its record and the line."""
    visits: dict[tuple[RoomKey, PlayerId | None], Millis] = field(default_factory=dict)
    kept: dict[RoomKey, Millis] = field(default_factory=dict)
    progress: dict[str, tuple[Millis, int]] = field(default_factory=dict)
    leases: dict[ProcessId, Millis] = field(default_factory=dict)
    invitations: dict[str, tuple[Millis, RoomKey]] = field(default_factory=dict)
    link_codes: dict[str, tuple[Millis, bytes]] = field(default_factory=dict)
    clients: "list[MemorySideChannels]" = field(default_factory=list)


class MemorySideChannels:
    """The contract `SideChannels`. No method awaits anything between reading and writing."""

    def __init__(self, clock: Callable[[], Millis], shared: SharedData | None = None) -> None:
        """Take the clock, and the data that is shared with other clients; without it, start empty."""
        self._clock = clock
        self.shared = shared or SharedData()
        self.shared.clients.append(self)
        self._lobby: OnLobbyChange | None = None
        self._observers: dict[Where, SideChannelObserver] = {}

    async def subscribe_to_lobby(self, on_change: OnLobbyChange) -> None:
        """Call `on_change` with every change of the lobby until `unsubscribe_from_lobby`."""
        self._lobby = on_change

    async def unsubscribe_from_lobby(self) -> None:
        """End the subscription to the lobby's changes."""
        self._lobby = None

    def lobby_changed(self, key: RoomKey, card: bytes | None) -> None:
        """Notify all clients of a room's new lobby entry."""
        loop = asyncio.get_running_loop()
        for client in self.shared.clients:
            if client._lobby is not None:
                loop.call_soon(client._lobby, key, card)

    async def subscribe(self, where: Where, observer: SideChannelObserver) -> None:
        """Call `observer` for changes in a room's side channels, or in the lobby's chat, until `unsubscribe`."""
        self._observers[where] = observer

    async def unsubscribe(self, where: Where) -> None:
        """End the subscription to a room or the lobby."""
        self._observers.pop(where, None)

    def _observers_at(self, where: Where) -> list[SideChannelObserver]:
        return [client._observers[where] for client in self.shared.clients if where in client._observers]

    async def add_line(
        self, where: Where, data: bytes, keep: int, age: Millis, once: LineKey | None = None
    ) -> AddedLine:
        """Add a line to a chat, unless its key was used before.

        At most `keep` lines are shared, none older than `age`.
        """
        earlier = None if once is None else self.shared.keys.get((where, once.key))
        if earlier is not None and self._clock() < earlier[0]:
            return earlier[1]
        lines, now = self.shared.lines.setdefault(where, []), self._clock()
        line = Line(next_id(lines, now), data)
        lines.append(line)
        self.shared.lines[where] = [each for each in lines if place_of_line(each.id)[0] >= now - age][-keep:]
        for observer in self._observers_at(where):
            asyncio.get_running_loop().call_soon(observer.line_added, where, line)
        if once is not None:
            self.shared.keys[where, once.key] = Millis(now + once.lasts), AddedLine(line, once.fingerprint)
        return AddedLine(line)

    async def read_lines(
        self, where: Where, limit: int, *, before: str | None = None, after: str | None = None
    ) -> list[Line]:
        """Return up to `limit` lines in order: the first after a line, or the last, or the last before a line."""
        lines = self.shared.lines.get(where, [])
        if after is not None:
            return list(islice((line for line in lines if place_of_line(line.id) > place_of_line(after)), limit))
        earlier = (
            lines if before is None else [line for line in lines if place_of_line(line.id) < place_of_line(before)]
        )
        return earlier[-limit:]

    async def replace_lines(self, where: Where, changed: Mapping[str, bytes]) -> None:
        """Replace the contents of lines of a chat by their ids; those that do not exist are left out."""
        if where in self.shared.lines:
            lines = self.shared.lines[where]
            self.shared.lines[where] = [Line(line.id, changed.get(line.id, line.data)) for line in lines]

    async def beat(self, process: ProcessId, lease: Millis) -> Beat:
        """Renew a process's lease, even if it has ended, unless the process was declared dead."""
        now, leases = self._clock(), self.shared.leases
        known, declared = process in leases, process in leases and leases[process] == DECLARED
        if not declared:
            leases[process] = Millis(now + lease)
        return Beat(known and not declared, tuple(each for each, ends in leases.items() if ends < now))

    async def declare_dead(self, process: ProcessId, doubt: Millis) -> bool:
        """Declare a process dead if its lease ended at least `doubt` ago. Return whether it is declared dead now."""
        ends = self.shared.leases.get(process)
        if ends is None or ends + doubt >= self._clock():
            return False
        self.shared.leases[process] = DECLARED
        return True

    async def retire(self, process: ProcessId) -> None:
        """Delete a process that was declared dead, after its players have left its rooms."""
        self.shared.leases.pop(process, None)

    async def store_presence(
        self, key: RoomKey, process: ProcessId, data: bytes | None, instead_of: ProcessId | None = None
    ) -> dict[ProcessId, bytes]:
        """Store who is in a room through a process (None: no one), publish it, and return what all processes stored."""
        here = self.shared.presence.setdefault(key, {})
        here.pop(process, None)
        if instead_of is not None:
            here.pop(instead_of, None)
        if data is not None:
            here[process] = data
        for observer in self._observers_at(key):
            asyncio.get_running_loop().call_soon(observer.presence_changed, key, process)
        return dict(here)

    async def read_presence(self, key: RoomKey) -> dict[ProcessId, bytes]:
        """Return what each process stored about who is in a room."""
        return dict(self.shared.presence.get(key, {}))

    async def record_visit(self, key: RoomKey, lasts: Millis, player: PlayerId | None = None) -> None:
        """Record that someone is in a room now, or that this player is. The record expires after `lasts`."""
        self.shared.visits[key, player] = Millis(self._clock() + lasts)

    async def was_visited(self, key: RoomKey) -> bool:
        """Return whether that record still exists."""
        return self._clock() < self.shared.visits.get((key, None), 0)

    async def who_visited(self, key: RoomKey, players: Collection[PlayerId]) -> Collection[PlayerId]:
        """Return those of these players of whom such a record still exists."""
        return [player for player in players if self._clock() < self.shared.visits.get((key, player), 0)]

    async def forget_visits(self, key: RoomKey, players: Collection[PlayerId]) -> None:
        """Delete the records of these players, who have left."""
        for player in players:
            self.shared.visits.pop((key, player), None)

    async def keep_open(self, key: RoomKey, lasts: Millis) -> None:
        """Record that a room is kept open for the next `lasts` milliseconds."""
        self.shared.kept[key] = Millis(self._clock() + lasts)

    async def kept_open_for(self, key: RoomKey) -> Millis:
        """Return for how many more milliseconds a room is kept open; 0 if it is not."""
        return Millis(max(0, self.shared.kept.get(key, 0) - self._clock()))

    async def record_progress(self, match_id: str, plies: int, lasts: Millis) -> None:
        """Record how many plies of a match's review are done. The record expires after `lasts`."""
        self.shared.progress[match_id] = Millis(self._clock() + lasts), plies

    async def find_progress(self, match_id: str) -> int:
        """Return how many plies of a match's review are done, 0 if that is not known."""
        expires, plies = self.shared.progress.get(match_id, (0, 0))
        return plies if self._clock() < expires else 0

    async def record_invitation(self, code_hash: str, key: RoomKey, lasts: Millis) -> None:
        """Record which room the code with this hash leads to. The record expires after `lasts`."""
        self.shared.invitations[code_hash] = Millis(self._clock() + lasts), key

    async def find_invitation(self, code_hash: str) -> RoomKey | None:
        """Return the room that the code with this hash leads to, None if it is not known."""
        expires, key = self.shared.invitations.get(code_hash, (0, None))
        return key if self._clock() < expires else None

    async def record_link_code(self, code_hash: str, data: bytes, lasts: Millis) -> None:
        """Record what the code with this hash links to. The record expires after `lasts`."""
        self.shared.link_codes[code_hash] = Millis(self._clock() + lasts), data

    async def take_link_code(self, code_hash: str) -> bytes | None:
        """Delete the record of the code with this hash and return it; None if it has expired or was taken before."""
        expires, data = self.shared.link_codes.pop(code_hash, (Millis(0), b""))
        return data if self._clock() < expires else None

    async def rooms_of_process(self, process: ProcessId) -> list[RoomKey]:
        """Return the rooms in which a process has stored players."""
        return [key for key, here in self.shared.presence.items() if process in here]


def next_id(lines: list[Line], now: Millis) -> str:
    """Return the id of a new line, greater than all others."""
    moment, number = place_of_line(lines[-1].id) if lines else (0, 0)
    return f"{now}-0" if now > moment else f"{moment}-{number + 1}"
