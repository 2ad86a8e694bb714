"""What happens around the board. Stored for ever: a changed field comes with an upcaster."""

from typing import Annotated, Any, Literal

import msgspec

from service.domain.game import Event, Hidden, Level, Outcome, Seat
from service.domain.room.model.clock import Moment
from service.domain.room.model.ids import Epoch, Millis, PlayerId, RoomName, Version
from service.domain.room.model.settings import Settings

Role = Literal["player", "spectator"]

BotKind = Level | Literal["external"]
"""What kind of bot somebody is: one of the house and its level, or a player's own program."""

OfferKind = Literal["draw", "takeback", "restart", "new", "kick"]
"""What can be offered: a draw, a takeback, the same match once more, another match, to send somebody away."""

VoidReason = Literal["closed", "restarted", "replaced", "rules_changed"]
"""Why the house ends a match that then counts for nobody."""


class Result(msgspec.Struct, frozen=True):
    """How a match ended, on the wire; lists in seat order, empty where the match counts for nobody."""

    reason: str
    places: tuple[int, ...]
    scores: tuple[int | float, ...] | None
    winners: tuple[Seat, ...]

    @classmethod
    def of(cls, outcome: Outcome) -> "Result":
        """Tell the outcome of the rules with its winners named."""
        return cls(outcome.reason, outcome.places, outcome.scores, outcome.winners)

    @classmethod
    def void(cls, reason: VoidReason) -> "Result":
        """Tell that the match was ended from outside and counts for nobody."""
        return cls(reason, (), None, ())


class RoomEvent(Event, frozen=True):
    """An event of the house, known by this base from the events of games."""


class RoomOpened(RoomEvent, frozen=True):
    """A room was opened under a free name."""

    name: RoomName
    epoch: Epoch
    title: str
    game: str
    options: dict[str, Any]
    settings: Settings
    lock: Annotated[str | msgspec.UnsetType, Hidden.FROM_ALL] = msgspec.UNSET
    """The salted scrypt hash of a private room's password."""
    next_seed_hash: str | msgspec.UnsetType = msgspec.UNSET
    """The SHA-256 of the first match's seed, in hex; absent in rooms of releases that didn't publish it."""
    next_seed: Annotated[str | msgspec.UnsetType, Hidden.FROM_ALL] = msgspec.UNSET
    """The seed of the first match in hex; its `MatchEnded` shows it."""


class PlayerJoined(RoomEvent, frozen=True):
    """Somebody came in; a seat, where there is one, is told by `SeatTaken`."""

    player: PlayerId
    nickname: str
    role: Role = msgspec.field(name="as")
    bot: BotKind | None = None
    """What kind of bot came; null for people."""
    salt: str | msgspec.UnsetType = msgspec.UNSET
    """What a room's creator adds to the chance of the first match; absent for everybody else."""


class PlayerLeft(RoomEvent, frozen=True):
    """Somebody went."""

    player: PlayerId


class PlayerKicked(RoomEvent, frozen=True):
    """The creator, or all others at the table, sent somebody away; they can't come back to this room."""

    player: PlayerId


class PlayerMuted(RoomEvent, frozen=True):
    """The creator muted somebody in the chat, or let them speak again."""

    player: PlayerId
    on: bool


class SeatDeserted(RoomEvent, frozen=True):
    """Nobody is there any more for a seat; after the room's grace the others may claim the match."""

    seat: Seat


class SeatReturned(RoomEvent, frozen=True):
    """Somebody is there again for a seat."""

    seat: Seat


class CreatorChanged(RoomEvent, frozen=True):
    """The creator's rights passed to the one who has been here longest."""

    player: PlayerId


class SeatTaken(RoomEvent, frozen=True):
    """A player sat down."""

    seat: Seat
    player: PlayerId


class SeatLeft(RoomEvent, frozen=True):
    """A player stood up; a running match waits for whoever sits down next."""

    seat: Seat
    player: PlayerId


class SeatsAssigned(RoomEvent, frozen=True):
    """The creator, or a rotation, placed the players; null is an empty seat."""

    seats: tuple[PlayerId | None, ...]


class PlayerReadied(RoomEvent, frozen=True):
    """A player is ready for the next match and those that follow it, and may add a salt to the next one's chance."""

    player: PlayerId
    salt: str | None = None
    """Replaces the salt that the player sent before for that match; null leaves it as it is."""


class PlayerUnreadied(RoomEvent, frozen=True):
    """A player is not ready for a next match."""

    player: PlayerId


class StartCalled(RoomEvent, frozen=True):
    """The creator, or all humans at the table, called for a match to begin."""

    layout_of: str | msgspec.UnsetType = msgspec.UNSET
    """The id of the match that is to be played once more; absent for one with a layout of its own."""


class OfferMade(RoomEvent, frozen=True):
    """A player asked for something that the other humans at the table, and for a draw the bots too, have to accept."""

    offer: int
    """The offer's number in this room, from 1."""
    kind: OfferKind
    player: PlayerId
    to_version: Version | None = None
    """Of a takeback: the version to whose position the match would return."""
    target: PlayerId | None = None
    """Of a kick: who would be sent away."""
    abandoned: Seat | None = None
    """Of a draw claimed because of an absent player: their seat, whose holder isn't asked."""


class OfferAccepted(RoomEvent, frozen=True):
    """A player accepted an offer."""

    offer: int
    player: PlayerId


class OfferClosed(RoomEvent, frozen=True):
    """An offer is open no more; what an agreement leads to follows at once."""

    offer: int
    reason: Literal["agreed", "declined", "withdrawn", "lapsed"]
    player: PlayerId | None = None
    """Who declined or withdrew it."""


class TakenBack(RoomEvent, frozen=True):
    """The match returned to the position before a seat's turn; no event is deleted, no draw comes again."""

    to_version: Version
    """The version at which the position stood that stands again."""
    seat: Seat
    """Whose turn it is again."""


class NextVetoed(RoomEvent, frozen=True):
    """A player wants no next match to begin by itself; they are not ready any more."""

    player: PlayerId


class NextConfigured(RoomEvent, frozen=True):
    """Other options and settings will hold when the running match is over."""

    options: dict[str, Any]
    settings: Settings
    lock: Annotated[str | msgspec.UnsetType, Hidden.FROM_ALL] = msgspec.UNSET
    """The salted scrypt hash of a private room's password."""


class RoomConfigured(RoomEvent, frozen=True):
    """Other options and settings hold from now on."""

    options: dict[str, Any]
    settings: Settings
    seats: tuple[PlayerId | None, ...]
    """Who sits where under these options; who lost a seat stays in the room."""
    lock: Annotated[str | msgspec.UnsetType, Hidden.FROM_ALL] = msgspec.UNSET
    """The salted scrypt hash of a private room's password."""


class MatchStarted(RoomEvent, frozen=True):
    """A match began: whose seat is whose, its options in full, and the hash of its seed, published before."""

    id: str
    game: str
    rules_version: int
    options: dict[str, Any]
    seats: tuple[PlayerId | None, ...]
    salts: tuple[str, ...]
    seed_hash: str
    """The SHA-256 of the seed's 32 bytes, in hex."""
    seed: Annotated[str | msgspec.UnsetType, Hidden.FROM_ALL] = msgspec.UNSET
    """The seed in hex; `MatchEnded` shows it."""
    layout_of: str | None = None
    """The id of the match whose layout and first player are played once more, null for a match with its own."""
    layout_seed: str | None = None
    """The seed of that match, in the open since its end."""
    layout_salts: tuple[str, ...] = ()
    """The salts of that match by seat, empty without one."""
    next_seed: Annotated[str | msgspec.UnsetType, Hidden.FROM_ALL] = msgspec.UNSET
    """The seed of the match after this one in hex; this one's `MatchEnded` publishes its hash."""


class MatchEnded(RoomEvent, frozen=True):
    """A match ended; its seed lies open, and the seed of the next match is committed to."""

    result: Result
    seed: str
    next_seed_hash: str | msgspec.UnsetType = msgspec.UNSET
    """The SHA-256 of the next match's seed, in hex; absent in matches that an earlier release began."""


class TimeRanOut(RoomEvent, frozen=True):
    """A seat's time is over; the setting `on_timeout` says what follows."""

    seat: Seat


class ClocksExtended(RoomEvent, frozen=True):
    """The service was down, and the seats to move get the time back that they lost."""

    by_seat: tuple[Millis, ...]
    """Milliseconds by seat, 0 for one that was not to move."""


class RoomClosed(RoomEvent, frozen=True):
    """The room is over and its name is free."""

    reason: Literal["by_creator", "by_operator", "deserted", "idle"]


# fmt: off
AnyRoomEvent = (
    RoomOpened | PlayerJoined | PlayerLeft | PlayerKicked | PlayerMuted | SeatDeserted | SeatReturned
    | CreatorChanged | SeatTaken | SeatLeft | SeatsAssigned | PlayerReadied | PlayerUnreadied | StartCalled
    | OfferMade | OfferAccepted | OfferClosed | TakenBack | NextVetoed | NextConfigured | RoomConfigured
    | MatchStarted | MatchEnded | TimeRanOut | ClocksExtended | RoomClosed
)
# fmt: on


class Recorded(Moment, frozen=True):
    """An event as it stands in its room's stream."""

    match: int | None
    by: PlayerId | None
    """Who commanded it; None is the house."""
    event: Event
