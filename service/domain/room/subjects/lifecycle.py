"""How a room begins: what may be asked for, and the events that it leads to."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec

from service.domain.catalog import GAMES
from service.domain.chance import match_seed, seed_hash
from service.domain.game import Event, Level, Seat
from service.domain.room.model import events as happened
from service.domain.room.model.command_context import Context
from service.domain.room.model.commands import Nickname, Salt
from service.domain.room.model.ids import Epoch, PlayerId, RoomName
from service.domain.room.model.settings import SettingsAsked
from service.domain.room.model.state import Member
from service.domain.room.names import names
from service.domain.room.subjects.bots import seated_bot
from service.domain.room.subjects.privacy import lock_for
from service.domain.validation import Unfit, fit


class BotSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat for a bot of the house."""

    bot: Level
    """How well it plays; `bots` at GET /v1/games/{game} names the levels."""


class OpenRoom(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new room, as it is asked for on the wire."""

    game: str
    """The game's slug."""
    name: Annotated[str, msgspec.Meta(max_length=200)] | None = None
    """Case and spaces are folded for the name and kept for the title; made up where absent.

    A private room's name gets eight random letters and digits behind it: use the `room` of the answer.
    """
    options: dict[str, Any] = {}
    """The game's own options; what is left out has its default."""
    settings: SettingsAsked = SettingsAsked()
    nickname: Nickname | None = None
    """The creator's name in this room."""
    seats: Annotated[tuple[Literal["me"] | BotSeat | None, ...], msgspec.Meta(max_length=16)] | None = None
    """Who sits where at once; without it the creator takes the first seat. Several "me" need `hot_seat`.

    Where none is null the match begins at once; where none is "me" the creator looks on.
    """
    salt: Salt | msgspec.UnsetType | None = msgspec.UNSET
    """What the creator adds to the chance of the first match, as with `ready`; not for one who looks on."""


def opening(asked: OpenRoom, name: RoomName, epoch: Epoch, context: Context) -> list[Event]:
    """Return the events that open a room. Raises `Unfit` for options, seats or a game that don't fit."""
    creator = context.by
    assert creator is not None  # noqa: S101 - the house opens no rooms
    game = GAMES.get(asked.game)
    if game is None:
        raise Unfit(f"no such game; the catalogue has {', '.join(GAMES)}", "/game")
    options: msgspec.Struct = fit(asked.options, game.options, at="/options")
    seed = match_seed(context.seed, 1)
    opened = happened.RoomOpened(
        name=name,
        epoch=epoch,
        title=names.title(asked.name or name),
        game=game.slug,
        options=msgspec.to_builtins(options),
        settings=asked.settings.kept,
        lock=lock_for(asked.settings, context.lock) or msgspec.UNSET,
        next_seed_hash=seed_hash(seed),
        next_seed=seed.hex(),
    )
    nickname = names.asked_for(asked.nickname, context.nickname)
    seats = wished_seats(asked, len(game.seats(options)))
    own = own_seats(asked, seats)
    role: happened.Role = "player" if own or None in seats else "spectator"
    salt = msgspec.UNSET if asked.salt is None else asked.salt
    if role == "spectator" and salt is not msgspec.UNSET:
        raise Unfit("expected no salt from a creator who takes no seat", "/salt")
    joined = happened.PlayerJoined(creator, nickname, role, "external" if context.program else None, salt)
    taken: list[Event] = [happened.SeatTaken(seat, creator) for seat in own]
    bots = opening_bots(asked.game, {creator: Member(nickname, role)}, seats)
    complete: list[Event] = [] if None in seats else [happened.StartCalled()]
    return [opened, joined, *taken, *bots, *complete]


def wished_seats(asked: OpenRoom, seats: int) -> tuple[Literal["me"] | BotSeat | None, ...]:
    """Return who is to sit where at once."""
    if asked.seats is None:
        return ("me", *(None,) * (seats - 1))
    if len(asked.seats) != seats:
        raise Unfit(f"this game has {seats} seats", "/seats")
    return asked.seats


def own_seats(asked: OpenRoom, seats: Sequence[Literal["me"] | BotSeat | None]) -> list[Seat]:
    """Return the seats that the creator takes at once."""
    own = [Seat(seat) for seat, holder in enumerate(seats) if holder == "me"]
    if len(own) > 1 and not asked.settings.hot_seat:
        raise Unfit("several seats for one player need the setting hot_seat", "/seats")
    return own


def opening_bots(
    game: str, members: dict[PlayerId, Member], seats: Sequence[Literal["me"] | BotSeat | None]
) -> list[Event]:
    """Return the coming of the bots."""
    came: list[Event] = []
    for seat, holder in enumerate(seats):
        if isinstance(holder, BotSeat):
            joined, taken = seated_bot(game, members, Seat(seat), holder.bot)
            members = {**members, joined.player: Member(joined.nickname, "player", bot=holder.bot)}
            came += [joined, taken]
    return came
