"""The events of a room. They are stored forever: a change of a field needs an upcaster."""

import hashlib
from typing import Annotated, Any, Literal

import msgspec

from service.domain.game import Event, Hidden, Level, Outcome, Seat
from service.domain.ids import Epoch, Millis, NameRef, PlayerId, RoomName, Version
from service.domain.room.model.clock import EventPosition
from service.domain.room.model.settings import CopiedPosition, Settings, TournamentTable

CloseReason = Literal["by_creator", "by_operator", "deserted", "idle"]
"""Who or what closed a room."""

VoidReason = Literal["closed", "restarted", "replaced", "rules_changed"]
"""Why a match was ended without a result."""

BotKind = Level | Literal["external"]
"""The kind of a bot: the level of a bot of the service, or `external` for a player's own program."""


class RoomEvent(Event, frozen=True):
    """An event of the room; this base class distinguishes it from the events of games."""


CODE_BYTES = 16
"""The length of a code: 128 bits, which nobody can guess."""

InvitationNumber = Annotated[int, msgspec.Meta(ge=1, le=1_000_000_000)]
"""The number of an invitation in its room, from 1."""

EndReason = Literal["room_closed", "revoked", "used_up", "expired"]
"""Why an invitation admits nobody."""

MOST_OPEN = 20
"""How many invitations of a room may be open at a time."""

MOST_ENDED = 20
"""How many of a room's ended invitations are remembered."""

MOST_DECLINED = 20
"""How many players who declined an invitation are remembered; after that it cannot be declined."""


def code_hash(code: str) -> str:
    """Return the hash under which a code is stored: SHA-256, in hex. Codes are random, so they need no salt."""
    return hashlib.sha256(code.encode()).hexdigest()


class InvitationSecret(msgspec.Struct, frozen=True):
    """What is stored of a new invitation's code: its hash, and the random bytes that it was derived from with a key."""

    hash: str
    nonce: str


class Invitation(msgspec.Struct, frozen=True):
    """An invitation, open or ended."""

    number: int
    by: PlayerId
    uses: int
    """How many players it admits."""
    expires: Millis
    secret: InvitationSecret
    seat: Seat | None = None
    """The only seat that it is for; None for any seat, or none."""
    used: int = 0
    """How many players it has admitted."""
    revoked: bool = False
    """Whether it was revoked, or its creator has left the room."""
    declined: tuple[PlayerId, ...] = ()
    """Who declined it."""

    def end_reason(self, now: Millis) -> EndReason | None:
        """Return why it admits nobody at a time; None if it is open. It does not know whether its room is closed."""
        if self.revoked:
            return "revoked"
        if self.used >= self.uses:
            return "used_up"
        return "expired" if now >= self.expires else None


class InvitationMade(RoomEvent, frozen=True):
    """A member created an invitation; only they received its code."""

    invitation: int
    """The invitation's number in this room, from 1."""
    player: PlayerId
    """Who made it."""
    uses: int
    """How many players it admits."""
    expires_ms: Millis
    """After how many milliseconds it expires."""
    seat: Seat | msgspec.UnsetType = msgspec.UNSET
    """The only seat that it is for; absent for any."""
    hash: Annotated[str | msgspec.UnsetType, Hidden.FROM_ALL] = msgspec.UNSET
    """The SHA-256 of its code, in hex."""
    nonce: Annotated[str | msgspec.UnsetType, Hidden.FROM_ALL] = msgspec.UNSET
    """The random bytes from which the code is derived with a key, in hex."""


class InvitationDeclined(RoomEvent, frozen=True):
    """Somebody who is not in the room declined an invitation, which stays open."""

    invitation: int
    """The invitation's number in this room."""
    player: PlayerId
    nickname: str
    name_ref: NameRef | msgspec.UnsetType = msgspec.UNSET
    """Where the nickname is stored; absent in events of earlier releases."""
    bot: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether the player was declared a bot; absent for people, and in events of earlier releases."""


class InvitationRevoked(RoomEvent, frozen=True):
    """An invitation was revoked, by the member who created it or by the creator of the room."""

    invitation: int
    """The invitation's number in this room."""


InvitationEvent = InvitationMade | InvitationDeclined | InvitationRevoked
"""The events of an invitation; `player_joined` names the invitation that was used."""


Role = Literal["player", "spectator"]

OfferKind = Literal["draw", "takeback", "restart", "new", "kick"]
"""What can be offered: a draw, a takeback, to repeat the match, another match, to remove somebody."""


class Result(msgspec.Struct, frozen=True):
    """How a match ended; lists are in seat order, and empty if the match was ended without a result."""

    reason: str
    """Why the match ended: `resigned`, `timed_out`, `forfeited`, or one of the game's `endings`."""
    places: tuple[int, ...]
    """The place of each seat, 1 for a winner; tied seats share a place."""
    scores: tuple[int | float, ...] | None
    """The score of each seat, if the game has scores."""
    winners: tuple[Seat, ...]
    """All seats with place 1."""

    @classmethod
    def of(cls, outcome: Outcome) -> "Result":
        """Return the result for an outcome by the rules of the game."""
        return cls(outcome.reason, outcome.places, outcome.scores, outcome.winners)

    @classmethod
    def void(cls, reason: VoidReason) -> "Result":
        """Return the result of a match that was ended from outside and does not count."""
        return cls(reason, (), None, ())


class PositionCopied(RoomEvent, frozen=True):
    """The room was opened from a position of a match: its matches with the same options begin there, unless rated."""

    position: CopiedPosition
    """The position."""


class RoomOpened(RoomEvent, frozen=True):
    """A room was opened."""

    name: RoomName
    """The name of the room, in its address."""
    epoch: Epoch
    title: str
    game: str
    options: dict[str, Any]
    settings: Settings
    lock: Annotated[str | msgspec.UnsetType, Hidden.FROM_ALL] = msgspec.UNSET
    """The salted scrypt hash of a private room's password."""
    next_seed_hash: str | msgspec.UnsetType = msgspec.UNSET
    """The SHA-256 of the first match's seed, in hex; absent in rooms of releases that did not publish it."""
    next_seed: Annotated[str | msgspec.UnsetType, Hidden.FROM_ALL] = msgspec.UNSET
    """The seed of the first match, in hex; its `MatchEnded` reveals it."""
    tournament: TournamentTable | msgspec.UnsetType = msgspec.UNSET
    """The table of a tournament that the room is for; absent for other rooms."""


class PlayerJoined(RoomEvent, frozen=True):
    """A player or a bot joined the room; `SeatTaken` follows if they took a seat."""

    player: PlayerId
    nickname: str
    role: Role = msgspec.field(name="as")
    bot: BotKind | None = None
    """The kind of bot that joined; null for people."""
    salt: str | msgspec.UnsetType = msgspec.UNSET
    """The creator's contribution to the chance of the first match; absent for everybody else."""
    invitation: int | msgspec.UnsetType = msgspec.UNSET
    """The number of the invitation by which they joined; absent without one."""
    name_ref: NameRef | msgspec.UnsetType = msgspec.UNSET
    """Where the nickname is stored; absent for bots of the service and in what earlier releases stored."""


class PlayerLeft(RoomEvent, frozen=True):
    """A player or a bot left the room."""

    player: PlayerId


class PlayerKicked(RoomEvent, frozen=True):
    """A player was removed, by the creator or by all other players, and cannot join this room again."""

    player: PlayerId


class PlayerMuted(RoomEvent, frozen=True):
    """The creator muted somebody in the chat, or let them write again."""

    player: PlayerId
    on: bool
    """Whether the player is muted from now on."""


class SeatDeserted(RoomEvent, frozen=True):
    """The player of a seat is absent: the others may claim against it after `grace_ms`, and the next match waits."""

    seat: Seat


class SeatReturned(RoomEvent, frozen=True):
    """The player of a seat is present again."""

    seat: Seat


class CreatorChanged(RoomEvent, frozen=True):
    """The creator left, and the player who has been in the room longest is now the creator."""

    player: PlayerId


class SeatTaken(RoomEvent, frozen=True):
    """A player took a seat."""

    seat: Seat
    player: PlayerId


class SeatLeft(RoomEvent, frozen=True):
    """A player left a seat; a running match waits for the next player who takes it."""

    seat: Seat
    player: PlayerId


class SeatsAssigned(RoomEvent, frozen=True):
    """The seats were assigned, by the creator or by a rotation; null is an empty seat."""

    seats: tuple[PlayerId | None, ...]
    """The id of the player on each seat, in turn order; null for an empty seat."""


class PlayerReadied(RoomEvent, frozen=True):
    """A player is ready for the next match and those after it, and may add a salt to the next one's chance."""

    player: PlayerId
    salt: str | None = None
    """Replaces the salt that the player sent before for that match; null keeps it."""


class PlayerUnreadied(RoomEvent, frozen=True):
    """A player is no longer ready for the next match; after `match_ended`, because they have to be ready again."""

    player: PlayerId


class StartCalled(RoomEvent, frozen=True):
    """The creator, or all human players together, called for the next match to start."""

    layout_of: str | msgspec.UnsetType = msgspec.UNSET
    """The id of the match to repeat; absent for a match with its own layout."""


class OfferMade(RoomEvent, frozen=True):
    """A player made an offer that the other human players, and for a draw the bots too, have to accept."""

    offer: int
    """The offer's number in this room, from 1."""
    kind: OfferKind
    """What is offered."""
    player: PlayerId
    to_version: Version | None = None
    """For a takeback: the version to whose position the match would return."""
    target: PlayerId | None = None
    """For a kick: who would be removed."""
    abandoned: Seat | None = None
    """For a draw claimed against an absent player: their seat, whose holder is asked only when present again."""


class OfferAccepted(RoomEvent, frozen=True):
    """A player accepted an offer."""

    offer: int
    player: PlayerId


class OfferClosed(RoomEvent, frozen=True):
    """An offer was closed; if all agreed, the events that it leads to follow at once."""

    offer: int
    reason: Literal["agreed", "declined", "withdrawn", "lapsed"]
    """How the offer ended."""
    player: PlayerId | None = None
    """Who declined or withdrew it."""


class TakenBack(RoomEvent, frozen=True):
    """The match returned to the position before a seat's turn; no event is deleted, and no draw is reused."""

    to_version: Version
    """The version at which the match had this position before."""
    seat: Seat
    """Whose turn it is again."""


class NextVetoed(RoomEvent, frozen=True):
    """A player vetoed the automatic start of the next match, and is no longer ready."""

    player: PlayerId


class NextConfigured(RoomEvent, frozen=True):
    """Other options and settings will apply after the running match."""

    options: dict[str, Any]
    settings: Settings
    lock: Annotated[str | msgspec.UnsetType, Hidden.FROM_ALL] = msgspec.UNSET
    """The salted scrypt hash of a private room's password."""


class RoomConfigured(RoomEvent, frozen=True):
    """Other options and settings apply from now on."""

    options: dict[str, Any]
    settings: Settings
    seats: tuple[PlayerId | None, ...]
    """Who holds which seat under these options; players who lost a seat stay in the room."""
    lock: Annotated[str | msgspec.UnsetType, Hidden.FROM_ALL] = msgspec.UNSET
    """The salted scrypt hash of a private room's password."""


class MatchStarted(RoomEvent, frozen=True):
    """A match started, with its players, all its options, and the hash of its seed, which was published before."""

    id: str
    """The id of the match."""
    game: str
    rules_version: int
    options: dict[str, Any]
    seats: tuple[PlayerId | None, ...]
    """The id of the player on each seat, in turn order; null for an empty seat."""
    salts: tuple[str, ...]
    """The contributions to chance, by seat."""
    seed_hash: str
    """The SHA-256 of the seed's 32 bytes, in hex."""
    seed: Annotated[str | msgspec.UnsetType, Hidden.FROM_ALL] = msgspec.UNSET
    """The seed, in hex; `MatchEnded` reveals it."""
    layout_of: str | None = None
    """The id of the match whose layout and first player are repeated; null for a match with its own."""
    layout_seed: str | None = None
    """The seed of that match, which was revealed at its end."""
    layout_salts: tuple[str, ...] = ()
    """The salts of that match by seat; empty without such a match."""
    next_seed: Annotated[str | msgspec.UnsetType, Hidden.FROM_ALL] = msgspec.UNSET
    """The seed of the match after this one, in hex; this one's `MatchEnded` publishes its hash."""
    rated: bool = False
    position: CopiedPosition | msgspec.UnsetType = msgspec.UNSET
    """The position at which it begins, in place of a setup; absent for matches from the beginning."""


class MatchEnded(RoomEvent, frozen=True):
    """A match ended; its seed is revealed, and the hash of the next match's seed is published."""

    result: Result
    """How the match ended."""
    seed: str
    """The seed of the match, in hex."""
    next_seed_hash: str | msgspec.UnsetType = msgspec.UNSET
    """The SHA-256 of the next match's seed, in hex; absent in matches that an earlier release started."""


class TimeRanOut(RoomEvent, frozen=True):
    """A seat's time ran out; the setting `on_timeout` says what follows."""

    seat: Seat


class ClocksExtended(RoomEvent, frozen=True):
    """The service was down, and the seats to move got back the time that they lost."""

    by_seat: tuple[Millis, ...]
    """Milliseconds by seat; 0 for a seat that was not to move."""


class RoomClosed(RoomEvent, frozen=True):
    """The room was closed, and its name is free."""

    reason: CloseReason
    """Who or what closed the room."""


# fmt: off
AnyRoomEvent = (
    RoomOpened | PlayerJoined | PlayerLeft | PlayerKicked | PlayerMuted | SeatDeserted | SeatReturned | CreatorChanged
    | SeatTaken | SeatLeft | SeatsAssigned | PlayerReadied | PlayerUnreadied | StartCalled | OfferMade | OfferAccepted
    | OfferClosed | TakenBack | NextVetoed | NextConfigured | RoomConfigured | MatchStarted | MatchEnded | TimeRanOut
    | ClocksExtended | RoomClosed | PositionCopied | InvitationEvent
)
# fmt: on


class Recorded(EventPosition, frozen=True):
    """An event in its room's stream."""

    match: int | None
    by: PlayerId | None
    """The player whose command led to it; None for a system command."""
    event: Event
