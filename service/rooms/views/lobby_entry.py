"""Rooms in lists, in their wire form: entries of the lobby, as they are also stored, and the rooms of a player."""

from typing import Any, NamedTuple

import msgspec
import structlog

from service.domain.ids import Epoch, Millis, Player, PlayerId, RoomKey, rfc3339
from service.domain.room.model.clock import Clock, NoClock
from service.domain.room.model.state import Room, Status
from service.domain.structs import copied

log = structlog.get_logger()

LISTED_FOR = Millis(60_000)
"""How long a room in which nobody waits is still listed among those with a free seat."""


class LobbyRecord(msgspec.Struct, frozen=True):
    """A room in the lobby, as it is stored."""

    room: str
    title: str
    epoch: str
    game: str
    options: dict[str, Any]
    status: Status
    seats: int
    seats_taken: int
    players: int
    opened: Millis
    clock: Clock = NoClock()
    rated: bool = False
    spectators: bool = True
    abandoned: Millis | None = None
    """Since when no seated player has been present; None while one is."""
    match: int | None = None
    """The number of the running match; None without one."""


RECORD = msgspec.json.Decoder(LobbyRecord)


class LobbyEntry(msgspec.Struct, frozen=True):
    """A room in the lobby."""

    room: str
    title: str
    epoch: Epoch
    game: str
    options: dict[str, Any]
    status: str
    seats: int
    """How many seats the game has."""
    seats_taken: int
    """How many seats are taken."""
    players: int
    """How many members the room has."""
    opened: str
    """When the room was opened."""
    clock: Clock
    """How much time the players have."""
    rated: bool
    """Whether the matches count for a rating."""
    spectators: bool
    """Whether everybody can watch."""
    abandoned_at: str | None
    """Since when no seated player has been present; null while one is."""
    match: int | None
    """The number of the running match; null without one."""

    def is_joinable(self, now: Millis) -> bool:
        """Return whether others may take a free seat, and somebody has waited for them within the last minute."""
        if self.seats_taken >= self.seats or (self.rated and self.status == "playing"):
            return False
        return self.abandoned_at is None or self.abandoned_at > rfc3339(Millis(now - LISTED_FOR))

    @property
    def is_live(self) -> bool:
        """Whether a match can be watched."""
        return self.status == "playing" and self.spectators


class DatedEntry(NamedTuple):
    """A room in the lobby, and when it was opened."""

    opened: Millis
    entry: LobbyEntry


def lobby_entry(data: bytes) -> LobbyEntry:
    """Return a lobby entry from its stored form. Raises `ValueError` and `OverflowError` for a damaged one."""
    return wire_form(RECORD.decode(data))


def readable_entry(key: RoomKey, data: bytes) -> DatedEntry | None:
    """Return a lobby entry from its stored form, None for a damaged one, which is logged.

    Lobby entries are not part of the chain of digests. The next change of the room's entry replaces a damaged one.
    """
    try:
        entry = RECORD.decode(data)
        return DatedEntry(entry.opened, wire_form(entry))
    except (ValueError, OverflowError) as failure:
        log.warning("lobby_entry_damaged", room=key.name, epoch=key.epoch, error=str(failure))
        return None


def wire_form(entry: LobbyRecord) -> LobbyEntry:
    """Return a stored entry in its wire form."""
    abandoned_at = None if entry.abandoned is None else rfc3339(entry.abandoned)
    return copied(LobbyEntry, entry, opened=rfc3339(entry.opened), abandoned_at=abandoned_at)


class JoinedRoom(msgspec.Struct, frozen=True):
    """A room that the caller is a member of."""

    room: str
    title: str
    game: str
    status: str
    my_turn: bool
    """Whether a seat of the caller is to move."""
    seated: tuple[Player, ...]
    """Who holds its seats, in their order, and each player once."""


def joined_room(room: Room, player: PlayerId) -> JoinedRoom:
    """Return a room for the list of its player's rooms."""
    table = room.table
    awaited = room.playing.to_move if room.playing else ()
    my_turn = any(seat in awaited for seat in table.seats_of[player])
    holders = {holder: table.members[holder] for holder in table.seats if holder and holder in table.members}
    seated = tuple(Player(holder, member.nickname, member.kind is not None) for holder, member in holders.items())
    return JoinedRoom(table.key.name, table.title, table.game, table.status, my_turn, seated)
