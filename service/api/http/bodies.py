"""JSON bodies that several modules use, for guests, rooms, events and commands."""

from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from service.domain.game import Move, Seat
from service.domain.ids import Player, Version
from service.rooms.views.lobby_entry import LobbyEntry
from service.rooms.views.room_view import RoomView


class NewPlayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new guest."""

    nickname: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    """1 to 24 visible characters after normalisation."""
    bot: bool = False
    """Whether a program plays for this guest. Rooms show this to everyone; the rules are the same."""


class Guest(msgspec.Struct, frozen=True):
    """A new guest and the token that authenticates them. A lost token can be replaced with a recovery code."""

    player: Player
    """The guest."""
    token: str
    """The token that authenticates the guest."""


class OpenRoomResponse(msgspec.Struct, frozen=True):
    """The room that was opened."""

    room: str
    version: Version
    view: RoomView
    """The new room as its creator may see it."""
    token: str | None = None
    """The token of the new guest, if the request had none."""


class LobbyPage(msgspec.Struct, frozen=True):
    """A page of the lobby, newest room first."""

    rooms: tuple[LobbyEntry, ...]
    """The rooms."""
    next: str | None
    """The cursor of the next page."""


class AnyEvent(msgspec.Struct, frozen=True):
    """An event; each type has further fields."""

    version: Version
    type: str
    time: str
    match: int | msgspec.UnsetType = msgspec.UNSET
    by: str | msgspec.UnsetType = msgspec.UNSET
    seat: Seat | msgspec.UnsetType = msgspec.UNSET


class NewInvitation(msgspec.Struct, frozen=True):
    """The code of an invitation that the command created; nobody else receives it."""

    invitation: int
    """Its number in the room."""
    code: str
    """`/i/{code}` is the page to send to the people whom you invite."""


class CommandResponse(msgspec.Struct, frozen=True):
    """The events of a command and the view after it; for a dry run, the foreseeable events and the current view."""

    version: Version
    """The version after the command's last event, or of the room for a dry run."""
    events: tuple[AnyEvent, ...]
    view: RoomView | UnsetType = UNSET
    """Left out with `Prefer: return=minimal`, and on a socket that follows the room unless the command asks for it."""
    invitation: NewInvitation | UnsetType = UNSET
    """After `invite`, and when that is repeated with its key."""


class EventPage(msgspec.Struct, frozen=True):
    """A page of a room's history."""

    room: str
    epoch: str
    version: Version
    """The current version of the room."""
    events: tuple[AnyEvent, ...]
    next: Version | None
    """The `since` of the next page, null at the end."""


class LegalMoves(msgspec.Struct, frozen=True):
    """Every legal move of a seat; each can be sent as the `move` of a `play` command."""

    game: str
    version: Version
    """The version of the room at which they are legal."""
    seat: Seat | None
    """The seat whose moves they are; null for a spectator, who is shown those of the seat to move."""
    to_move: tuple[Seat, ...]
    legal_moves: tuple[Move, ...]
