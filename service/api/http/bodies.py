"""The JSON bodies that several modules know: of guests, rooms, events and commands."""

from typing import Annotated, Any

import msgspec

from service.domain.game import Seat
from service.domain.room.model.ids import Version
from service.rooms.requests import Player
from service.rooms.views.lobby_entry import LobbyCard
from service.rooms.views.room_view import RoomView


class NewPlayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A guest who wants to play."""

    nickname: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    """1 to 24 visible characters after normalisation."""
    bot: bool = False
    """Whether a program will play for this guest; rooms tell everyone so, and treat it like everyone."""


class Guest(msgspec.Struct, frozen=True):
    """A player and the token that speaks for them; losing the token is losing the guest."""

    player: Player
    token: str


class OpenRoomResponse(msgspec.Struct, frozen=True):
    """A room that was opened."""

    room: str
    version: Version
    view: RoomView
    token: str | None = None
    """For a caller without one: the guest that they are now."""


class LobbyPage(msgspec.Struct, frozen=True):
    """A page of the lobby, newest room first."""

    rooms: tuple[LobbyCard, ...]
    next: str | None
    """The cursor of the next page."""


class AnyEvent(msgspec.Struct, frozen=True):
    """An event; further fields are the type's own."""

    version: Version
    type: str
    time: str
    match: int | msgspec.UnsetType = msgspec.UNSET
    by: str | msgspec.UnsetType = msgspec.UNSET
    seat: Seat | msgspec.UnsetType = msgspec.UNSET


class CommandResponse(msgspec.Struct, frozen=True):
    """What a command led to; of a dry run, what it would lead to as far as the caller knows, and the present view."""

    version: Version
    events: tuple[AnyEvent, ...]
    view: RoomView


class EventPage(msgspec.Struct, frozen=True):
    """A page of a room's history."""

    room: str
    epoch: str
    version: Version
    """Where the room is now."""
    events: tuple[AnyEvent, ...]
    next: Version | None
    """The `since` of the next page, null when this one reaches the end."""


class LegalMoves(msgspec.Struct, frozen=True):
    """Every move that a seat may make, each in the form in which it is sent."""

    version: Version
    seat: Seat | None
    to_move: tuple[Seat, ...]
    legal_moves: tuple[dict[str, Any], ...]
