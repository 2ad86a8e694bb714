"""How rooms open and close."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from service.domain.catalog import game_named
from service.domain.chance import match_seed, seed_hash
from service.domain.game import Event, Seat
from service.domain.ids import Epoch, Millis, PlayerId, RoomName
from service.domain.room.model import events, names
from service.domain.room.model.commands import CommandContext
from service.domain.room.model.events import BotKind
from service.domain.room.model.settings import BotSeat, OpenAtPosition, OpenRoom, OpenTable, SeatChoice, SeatedEntrant
from service.domain.room.model.state import Member, Room
from service.domain.room.subjects.configuration import check_rated, check_turn_limits
from service.domain.room.subjects.outcomes import void_match
from service.domain.room.subjects.privacy import lock_for
from service.domain.room.subjects.seats import refuse_in_rated_match, require_creator, seat_bot
from service.domain.validation import Invalid, convert

NOT_KEPT = Millis(0)
"""The time until which the requests of its creator keep a room open, if they do not."""

MINUTE = 60_000
HOUR = 60 * MINUTE
IDLE = Millis(24 * HOUR)
"""For how long a room stays open between matches if nothing happens in it."""

IDLE_AFTER_TABLE = Millis(10 * 60_000)
"""For how long the room of a tournament's table stays open after its match."""

IDLE_PLAYING = Millis(35 * 24 * HOUR)
"""For how long a match waits for a move; longer than any clock allows."""


def open_room(request: OpenRoom, name: RoomName, epoch: Epoch, context: CommandContext) -> list[Event]:
    """Return the events that open a room. Raises `Invalid` for an unknown game, and for invalid options or seats."""
    game = game_named(request.game, "/game")
    options: msgspec.Struct = convert(request.options, game.options, at="/options")
    check_turn_limits(request.options)
    check_rated(request.settings)
    copied: list[Event] = [events.PositionCopied(request.position)] if isinstance(request, OpenAtPosition) else []
    if copied and request.settings.rated:
        raise Invalid("Matches that begin at a position are not rated", "/settings/rated")
    seed = match_seed(context.seed, 1)
    opened = events.RoomOpened(
        name=name,
        epoch=epoch,
        title=names.room_title(request.name or name),
        game=game.slug,
        options=msgspec.to_builtins(options),
        settings=request.settings.stored(),
        lock=lock_for(request.settings, context.lock) or msgspec.UNSET,
        next_seed_hash=seed_hash(seed),
        next_seed=seed.hex(),
    )
    if isinstance(request, OpenTable):
        return [replace(opened, tournament=request.table), *seat_entrants(request.entrants), events.StartCalled()]
    return [opened, *copied, *enter_creator(request, len(game.seats(options)), context)]


def seat_entrants(entrants: Sequence[SeatedEntrant]) -> list[Event]:
    """Return the events by which the players of a tournament's table join and are seated."""
    history: list[Event] = []
    for seat, each in enumerate(entrants):
        kind: BotKind | None = "external" if each.bot else None
        history.append(events.PlayerJoined(each.player, each.nickname, "player", kind, name_ref=each.name_ref))
        history.append(events.SeatTaken(Seat(seat), each.player))
    return history


def enter_creator(request: OpenRoom, seat_count: int, context: CommandContext) -> list[Event]:
    """Return the events by which the creator of a new room and the bots in it join and are seated. Raises `Invalid`."""
    creator = context.by
    assert creator is not None  # noqa: S101 - rooms are opened by players only
    nickname = names.choose_nickname(request.nickname, context.nickname)
    seats = requested_seats(request, seat_count)
    own = creator_seats(request, seats)
    role: events.Role = "player" if own or None in seats else "spectator"
    salt = msgspec.UNSET if request.salt is None else request.salt
    if role == "spectator" and salt is not msgspec.UNSET:
        raise Invalid("A creator without a seat cannot send a salt", "/salt")
    kind: BotKind | None = "external" if context.program else None
    joined = events.PlayerJoined(creator, nickname, role, kind, salt, name_ref=context.name_ref)
    taken: list[Event] = [events.SeatTaken(seat, creator) for seat in own]
    bots = seat_bots(request.game, {creator: Member(nickname, role)}, seats)
    started: list[Event] = [] if None in seats else [events.StartCalled()]
    return [joined, *taken, *bots, *started]


def requested_seats(request: OpenRoom, seats: int) -> tuple[SeatChoice, ...]:
    """Return who takes which seat when the room opens. Raises `Invalid`."""
    if request.seats is None:
        return ("me", *(None,) * (seats - 1))
    if len(request.seats) != seats:
        raise Invalid(f"Expected one entry for each of the {seats} seats of this game", "/seats")
    if request.settings.rated and any(isinstance(choice, BotSeat) for choice in request.seats):
        raise Invalid("A rated room has no bots of the service", "/seats")
    return request.seats


def creator_seats(request: OpenRoom, seats: Sequence[SeatChoice]) -> list[Seat]:
    """Return the seats that the creator takes when the room opens. Raises `Invalid`."""
    own = [Seat(seat) for seat, holder in enumerate(seats) if holder == "me"]
    if len(own) > 1 and not request.settings.hot_seat:
        raise Invalid("One player can hold several seats only with the setting `hot_seat`", "/seats")
    return own


def seat_bots(game: str, members: Mapping[PlayerId, Member], seats: Sequence[SeatChoice]) -> list[Event]:
    """Return the events by which bots join a new room."""
    history: list[Event] = []
    for seat, holder in enumerate(seats):
        if isinstance(holder, BotSeat):
            joined, taken = seat_bot(game, members, Seat(seat), holder.bot)
            members = {**members, joined.player: Member(joined.nickname, "player", bot=holder.bot)}
            history += [joined, taken]
    return history


def close(room: Room, player: PlayerId) -> list[Event]:
    """Close the room on its creator's command."""
    require_creator(room.table, player)
    refuse_in_rated_match(room)
    return [*void_match(room.playing), events.RoomClosed("by_creator")]


def shut(room: Room) -> list[Event]:
    """Close the room on an operator's command."""
    return [*void_match(room.playing), events.RoomClosed("by_operator")]


def idle_deadline(room: Room, kept_until: Millis = NOT_KEPT) -> Millis:
    """Return when an open room closes if nothing happens in it, rounded up to a full hour.

    The room of a tournament's table, which has only one match, closes soon after it. A room that only its creator has
    entered closes sooner, unless the creator's requests keep it open, or an invitation does.
    """
    table = room.table
    if table.tournament is not None and table.status == "finished":
        return Millis(room.time + IDLE_AFTER_TABLE)
    latest = Millis(((room.time + (IDLE_PLAYING if table.status == "playing" else IDLE)) // HOUR + 1) * HOUR)
    if table.others_entered:
        return latest
    invited = (each.expires for each in table.invitations if each.end_reason(room.time) is None)
    return min(latest, max(attended_until(room.time), kept_until, *invited))


def attended_until(time: Millis) -> Millis:
    """Return until when a request of the creator at a time keeps a room open, rounded up to a full minute."""
    return Millis((time // MINUTE + 1) * MINUTE + HOUR)


def expires_at(room: Room, kept_until: Millis = NOT_KEPT) -> Millis | None:
    """Return when a room closes that only its creator has entered, and whose requests keep it open; None for others."""
    is_lone = not room.table.others_entered and room.table.status != "closed"
    return idle_deadline(room, kept_until) if is_lone else None


def close_if_idle(room: Room, now: Millis, kept_until: Millis) -> list[Event]:
    """Close a room that has been idle for too long; do nothing in any other."""
    if now < idle_deadline(room, kept_until):
        return []
    return [*void_match(room.playing), events.RoomClosed("idle")]
