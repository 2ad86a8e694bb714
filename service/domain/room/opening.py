"""How a room begins: what may be asked for, and the events that it leads to."""

from typing import Annotated, Any, Literal

import msgspec

from service.domain.catalog import GAMES
from service.domain.fit import Unfit, fit
from service.domain.game import Event, Seat
from service.domain.room import events as happened
from service.domain.room import names
from service.domain.room.commands import Nickname
from service.domain.room.context import Context
from service.domain.room.settings import Settings
from service.domain.room.values import Epoch, RoomName


class OpenRoom(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new room, as it is asked for on the wire."""

    game: str
    """The game's slug."""
    name: Annotated[str, msgspec.Meta(max_length=200)] | None = None
    """Case and spaces are folded for the name and kept for the title; made up where absent."""
    options: dict[str, Any] = {}
    """The game's own options; what is left out has its default."""
    settings: Settings = Settings()
    nickname: Nickname | None = None
    """The creator's name in this room."""
    seats: Annotated[tuple[Literal["me"] | None, ...], msgspec.Meta(max_length=16)] | None = None
    """Who sits where at once; without it the creator takes the first seat. Several "me" need `hot_seat`."""


def opening(asked: OpenRoom, name: RoomName, epoch: Epoch, context: Context) -> list[Event]:
    """Return the events that open a room. Raises `Unfit` for options, seats or a game that don't fit."""
    creator = context.by
    assert creator is not None  # noqa: S101 - the house opens no rooms
    game = GAMES.get(asked.game)
    if game is None:
        raise Unfit(f"no such game; the catalogue has {', '.join(GAMES)}", "/game")
    options: msgspec.Struct = fit(asked.options, game.options, at="/options")
    opened = happened.RoomOpened(
        name=name,
        epoch=epoch,
        title=names.title(asked.name or name),
        game=game.slug,
        options=msgspec.to_builtins(options),
        settings=asked.settings,
    )
    joined = happened.PlayerJoined(creator, names.nickname(asked.nickname or context.nickname), "player")
    seats = len(game.seats(options))
    own = seats_of_creator(asked, seats)
    taken: list[Event] = [happened.SeatTaken(seat, creator) for seat in own]
    alone: list[Event] = [happened.StartCalled()] if len(own) == seats else []
    return [opened, joined, *taken, *alone]


def seats_of_creator(asked: OpenRoom, seats: int) -> list[Seat]:
    """Return the seats that the creator takes at once."""
    if asked.seats is None:
        return [Seat(0)]
    if len(asked.seats) != seats:
        raise Unfit(f"this game has {seats} seats", "/seats")
    own = [Seat(seat) for seat, holder in enumerate(asked.seats) if holder == "me"]
    if len(own) > 1 and not asked.settings.hot_seat:
        raise Unfit("several seats for one player need the setting hot_seat", "/seats")
    return own
