"""The request for a new room, in the form in which clients send it."""

from typing import Annotated, Any, Literal

import msgspec

from service.domain.game import Level
from service.domain.ids import NameRef, PlayerId
from service.domain.room.model.settings import RequestedSettings, TournamentTable

Nickname = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
"""Checked after normalisation by `names.new_nickname`; the length here only limits the work."""

Salt = Annotated[str, msgspec.Meta(max_length=128)]
"""A player's contribution to the chance of the next match: any text."""


class BotSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat for a bot of the service."""

    bot: Level
    """The bot's level; `bots` at GET /v1/games/{game} lists the levels."""


SeatChoice = Literal["me"] | BotSeat | None


class OpenRoom(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a new room."""

    game: str
    """The game's slug."""
    name: Annotated[str, msgspec.Meta(max_length=200)] | None = None
    """The room's name; case and spaces do not matter. The title shows it as sent. Generated if left out.

    Eight random letters and digits are appended to a private room's name: use `room` from the response.
    """
    options: dict[str, Any] = {}
    """The game's options; those left out have their defaults."""
    settings: RequestedSettings = RequestedSettings()
    nickname: Nickname | None = None
    """The creator's nickname in this room."""
    seats: Annotated[tuple[SeatChoice, ...], msgspec.Meta(max_length=16)] | None = None
    """Who takes which seat immediately; by default the creator takes the first one. Several "me" need `hot_seat`.

    If no seat is null, the match starts immediately. If no seat is "me", the creator is a spectator.
    """
    salt: Salt | msgspec.UnsetType | None = msgspec.UNSET
    """The creator's contribution to the chance of the first match, as in `ready`; not for a creator without a seat."""


class SeatedEntrant(msgspec.Struct, frozen=True):
    """A player of a tournament who gets a seat."""

    player: PlayerId
    nickname: str
    name_ref: NameRef
    """Where the nickname is stored."""
    bot: bool = False
    """Whether a program plays for the player."""


class OpenTable(OpenRoom, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A request for the room of a tournament's table, with all players seated; its match starts at once."""

    table: TournamentTable
    entrants: tuple[SeatedEntrant, ...]
    """By seat."""
