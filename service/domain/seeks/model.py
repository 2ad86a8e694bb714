"""Seeks, pairings, the events of the stream of seeks, and its state."""

from typing import Annotated, Literal

import msgspec

from service.domain.game import Event
from service.domain.ids import Epoch, Millis, NameRef, PlayerId, RoomName
from service.domain.room.model.clock import Clock
from service.domain.room.model.commands import SeatNumber
from service.domain.streams import Summary

SeekId = Annotated[str, msgspec.Meta(max_length=40)]
PairingId = str

GivenOptions = dict[str, bool | int | str]
"""Some options of a game, by name."""


class Seek(msgspec.Struct, frozen=True):
    """A player's wish to play a game with anyone whose wish is compatible."""

    id: SeekId
    player: PlayerId
    nickname: str
    game: str
    made: Millis
    expires: Millis
    """When it ends unless it is renewed."""
    options: GivenOptions = {}
    """The options that the player insists on; all others are open."""
    clock: Clock | None = None
    """The clock that the player insists on; with None any clock, and none if the others have no wish either."""
    seat: SeatNumber | None = None
    """The seat that the player insists on; with None any seat."""
    rated: bool = False
    bot: bool = False
    """Whether the player declared that a program plays for them."""
    rating: int | None = None
    """The player's rating with this clock when the seek was made, in points; None with an open clock."""
    rating_range: int | None = None
    """By how many points the ratings of others may differ at first; with None by any number."""
    name_ref: NameRef | msgspec.UnsetType = msgspec.UNSET
    """Where the nickname is stored, which then is empty; unset in seeks of earlier releases."""
    bots: bool = False
    """Whether the player also wants to play with programs."""


class Pairing(msgspec.Struct, frozen=True):
    """Players who were found for each other, until all of them have appeared."""

    id: PairingId
    game: str
    at: Millis
    options: GivenOptions
    clock: Clock | None
    rated: bool
    seats: tuple[Seek, ...]
    """The seek of the player of each seat."""
    others: tuple[Seek, ...] = ()
    """Further seeks of these players, which were withdrawn together."""
    room: RoomName | None = None
    """The room, once it was opened."""
    epoch: Epoch | None = None
    deadline: Millis | None = None
    """Until when the players have to appear in the room."""

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """The players by seat."""
        return tuple(seek.player for seek in self.seats)

    @property
    def seeks(self) -> tuple[Seek, ...]:
        """All seeks that this pairing ended."""
        return (*self.seats, *self.others)


class Misses(msgspec.Struct, frozen=True):
    """How often in a row a player did not appear, and until when they cannot seek."""

    count: int
    paused_until: Millis = Millis(0)


class FoundMatches(msgspec.Struct, frozen=True):
    """The latest matches that were found for a player."""

    at: Millis
    """When it was known that the latest one had begun."""
    matches: tuple[str, ...]
    """Their ids, the latest one last."""


class SeekMade(Event, frozen=True):
    """A player seeks a match, or has renewed or changed a seek."""

    seek: Seek


class SeekExpiryChanged(Event, frozen=True):
    """Seeks that sockets hold last longer, or end soon because their sockets have closed."""

    seeks: tuple[SeekId, ...]
    expires: Millis


class RangesWidened(Event, frozen=True):
    """The ranges of ratings have widened with waiting, and seeks that are now compatible are paired."""

    until: Millis
    """When the ranges were compared."""


class SeekWithdrawn(Event, frozen=True):
    """A player withdrew a seek."""

    seek: SeekId


class SeeksExpired(Event, frozen=True):
    """Seeks ended because they were not renewed."""

    seeks: tuple[SeekId, ...]


class PlayersPaired(Event, frozen=True):
    """Compatible seeks were paired: a room will be opened for their players."""

    pairing: Pairing


class PairingOpened(Event, frozen=True):
    """The room of a pairing was opened."""

    pairing: PairingId
    room: RoomName
    epoch: Epoch
    deadline: Millis


class PairingKept(Event, frozen=True):
    """All players of a pairing appeared."""

    pairing: PairingId


class PairingFailed(Event, frozen=True):
    """A pairing ended without a match. The seeks of the players who are not absent continue."""

    pairing: PairingId
    absent: tuple[PlayerId, ...]
    """The players who did not appear, or could not enter the room."""
    reason: Literal["absent", "refused"]


class SeeksSummarised(Summary, frozen=True):
    """The state of the stream at this point, so that everything before can be deleted."""

    seeks: tuple[Seek, ...]
    pairings: tuple[Pairing, ...]
    misses: dict[PlayerId, Misses]
    widened: Millis = Millis(0)
    """When the ranges of ratings were compared last."""
    found: dict[PlayerId, FoundMatches] = msgspec.field(default_factory=dict)
    """The latest matches that were found for players."""


SeekEvent = (
    SeekMade
    | RangesWidened
    | SeekExpiryChanged
    | SeekWithdrawn
    | SeeksExpired
    | PlayersPaired
    | PairingOpened
    | PairingKept
    | PairingFailed
    | SeeksSummarised
)
"""Every event of the stream of seeks."""
