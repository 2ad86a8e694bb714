"""What a room delivers to the streams of its players. They are stored: a change of a field needs an upcaster."""

from service.domain.game import Event, Seat
from service.domain.ids import Epoch, PlayerId, RoomName
from service.domain.room.model.events import CloseReason, OfferKind, Result
from service.domain.room.model.settings import Visibility


class PlayerEvent(Event, frozen=True):
    """An event of a player's own stream; this base class distinguishes it from the events of rooms and games."""


class RoomNotice(PlayerEvent, frozen=True):
    """The base of the events that come from a room."""

    room: RoomName
    """The name of the room."""
    epoch: Epoch
    game: str


class TurnBegan(RoomNotice, frozen=True):
    """It is the player's turn. It is not sent in a room whose other seats are all held by bots of the service."""

    match: int
    """The number of the match in its room."""
    seats: tuple[Seat, ...]
    """The player's seats that are to move."""


class MatchBegan(RoomNotice, frozen=True):
    """A match began in which the player has a seat."""

    match: int
    """The number of the match in its room."""
    match_id: str
    """The id of the match."""
    seats: tuple[Seat, ...]
    """The player's seats."""


class MatchFinished(RoomNotice, frozen=True):
    """A match ended in which the player had a seat, even if the player left it before the end."""

    match: int
    """The number of the match in its room."""
    match_id: str
    """The id of the match."""
    result: Result
    """How the match ended."""


class OfferReceived(RoomNotice, frozen=True):
    """Another player made an offer that waits for the player's answer."""

    offer: int
    """The number of the offer in its room."""
    kind: OfferKind
    """What is offered."""
    by: PlayerId
    """Who made the offer."""


class RemovedFromRoom(RoomNotice, frozen=True):
    """The player was removed from a room, and cannot join it again."""


class InvitationNotice(RoomNotice, frozen=True):
    """The base of what happens to an invitation; who made it gets these events."""

    invitation: int
    """The number of the invitation in its room."""


class OwnInvitationMade(InvitationNotice, frozen=True, tag="invitation_made"):
    """The player made an invitation, perhaps on another device."""


class OwnInvitationAccepted(InvitationNotice, frozen=True, tag="invitation_accepted"):
    """Somebody joined the room by an invitation that the player made."""

    by: PlayerId
    """Who joined."""


class OwnInvitationDeclined(InvitationNotice, frozen=True, tag="invitation_declined"):
    """Somebody declined an invitation that the player made; it stays open."""

    by: PlayerId
    """Who declined it."""


Notice = (
    TurnBegan
    | MatchBegan
    | MatchFinished
    | OfferReceived
    | RemovedFromRoom
    | OwnInvitationMade
    | OwnInvitationAccepted
    | OwnInvitationDeclined
)
"""What rooms deliver to players."""


class OpenedRoom(RoomNotice, frozen=True, tag="room_opened"):
    """A room was opened. Only the operator gets this event."""

    by: PlayerId | None
    """Who opened it."""
    visibility: Visibility
    """Whether the lobby lists it, and whether it can be joined without a password."""


class ClosedRoom(RoomNotice, frozen=True, tag="room_closed"):
    """A room was closed. Only the operator gets this event."""

    reason: CloseReason
    """Who or what closed the room."""


OperatorNotice = OpenedRoom | ClosedRoom
"""What rooms deliver to the operator besides what players get."""
