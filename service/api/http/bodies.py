"""JSON bodies that several modules use, for guests, rooms, events, commands and matches."""

from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from service.domain.game import Move, Seat
from service.domain.ids import Player, RoomKey, Version, rfc3339
from service.domain.room.model.events import Result
from service.domain.structs import copied
from service.rooms.match_index import MatchEntry
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


class MatchPlayer(msgspec.Struct, frozen=True):
    """The player of a seat when the match began."""

    seat: Seat
    player: str | None
    """The id of the player; null for an empty seat."""
    nickname: str | None
    """The nickname that the player had then; null for an empty seat, and if it can no longer be read."""
    bot: bool
    """Whether it is a bot of the service, or was declared a bot."""


class VersionRange(msgspec.Struct, frozen=True):
    """The versions of a match's events, from `match_started` to `match_ended`; `last` is null while it is played."""

    first: Version
    """The version of `match_started`."""
    last: Version | None
    """The version of `match_ended`; null while the match is played."""


class MatchSummary(msgspec.Struct, frozen=True):
    """A match in the list of its room."""

    id: str
    """The match's id, as in its address."""
    number: int
    room: str
    epoch: str
    game: str
    status: str
    """Whether the match is played (`playing`), or has ended (`finished`)."""
    started: str
    ended: str | None
    players: tuple[MatchPlayer, ...]
    """The players of the seats when the match began."""
    versions: VersionRange
    result: Result | None
    counts: bool | None
    """Whether the match counts for its players; null while it is played.

    One in which fewer than two players had moved does not, except at a tournament's table.
    """


def match_summary(key: RoomKey, entry: MatchEntry) -> MatchSummary:
    """Return an entry of the index of matches in JSON form."""
    return copied(
        MatchSummary,
        entry,
        room=key.name,
        epoch=key.epoch,
        status="playing" if entry.last is None else "finished",
        started=rfc3339(entry.started),
        ended=None if entry.ended is None else rfc3339(entry.ended),
        players=tuple(
            MatchPlayer(Seat(seat), player, nickname, bot=entry.has_bot(seat))
            for seat, (player, nickname) in enumerate(zip(entry.players, entry.nicknames, strict=True))
        ),
        versions=VersionRange(entry.first, entry.last),
    )
