"""The room's rules: what a command leads to, and what then follows by itself."""

from typing import assert_never

import msgspec

from service.domain.chance import Chance, DrawNumber
from service.domain.fit import fit
from service.domain.game import Event, Rejected, Seat
from service.domain.room import commands as asked
from service.domain.room import events as happened
from service.domain.room import names
from service.domain.room.commands import AnyCommand
from service.domain.room.evolve import seed_hash
from service.domain.room.state import (
    Match,
    Member,
    Room,
    Table,
    all_ready,
    all_seated,
    own_seats,
)
from service.domain.room.values import Millis, PlayerId


class Context(msgspec.Struct, frozen=True):
    """What a command brings along that the room can't know: who asks, when, and fresh chance."""

    by: PlayerId | None
    """None is the house."""
    nickname: str
    """The name the player goes by outside the room."""
    now: Millis
    seed: bytes
    """32 fresh random bytes, used if a match starts."""


def decide(room: Room, command: AnyCommand, context: Context) -> list[Event]:  # noqa: C901, PLR0911, PLR0912 - one arm a command
    """Return what a command leads to at once. Raises `Rejected`, or `Unfit` for a move that is none of this game."""
    if room.table.status == "closed":
        raise Rejected("room_closed")
    if isinstance(command, asked.Proceed):
        return proceed(room, context)
    if isinstance(command, asked.Join):
        return join(room, command, context)
    player, member = member_of(room.table, context.by)
    match command:
        case asked.Play():
            return play(room, command, player)
        case asked.Resign():
            return resign(room, command, player)
        case asked.Leave():
            return leave(room.table, room.playing, player)
        case asked.TakeSeat():
            return take_seat(room, command, player)
        case asked.LeaveSeat():
            seat = own_seat(room, player, command.seat)
            return [happened.SeatLeft(seat, player)]
        case asked.Ready():
            return ready(room.table, command, player, member)
        case asked.Unready():
            return unready(player, member)
        case asked.AssignSeats():
            return assign_seats(room, command, player)
        case asked.Start():
            return start(room, player)
        case asked.Close():
            created_by(room.table, player)
            return [*voided(room.playing), happened.RoomClosed("by_creator")]
        case _:
            assert_never(command)


def member_of(table: Table, player: PlayerId | None) -> tuple[PlayerId, Member]:
    """Return the commanding player as a member of the room."""
    if player is None or (member := table.members.get(player)) is None:
        raise Rejected("not_a_member")
    return player, member


def created_by(table: Table, player: PlayerId) -> None:
    """Refuse anyone but the creator."""
    if player != table.creator:
        raise Rejected("not_the_creator")


def own_seat(room: Room, player: PlayerId, wanted: int | None) -> Seat:
    """Return the seat a command speaks for: the one named, the only own one, or the only own one that is to move."""
    own = own_seats(room.table, player)
    if wanted is not None:
        if wanted not in own:
            raise Rejected("not_your_seat", seat=wanted)
        return Seat(wanted)
    if not own:
        raise Rejected("not_seated")
    if len(own) > 1 and (match := room.playing):
        awaited = room.game.to_move(match.state)
        own = tuple(seat for seat in own if seat in awaited)
    if len(own) != 1:
        raise Rejected("seat_required")
    return own[0]


def play(room: Room, command: asked.Play, player: PlayerId) -> list[Event]:
    """Ask the game about a move."""
    match = room.playing
    if match is None:
        raise Rejected("not_playing")
    seat = own_seat(room, player, command.seat)
    move = fit(command.move, room.game.move, at="/move")
    return list(room.game.decide(match.state, seat, move))


def resign(room: Room, command: asked.Resign, player: PlayerId) -> list[Event]:
    """Drop an own seat out of the match."""
    match = room.playing
    if match is None:
        raise Rejected("not_playing")
    seat = own_seat(room, player, command.seat)
    if seat in match.dropped:
        raise Rejected("already_dropped", seat=seat)
    return list(room.game.drop(match.state, seat, "resigned"))


def join(room: Room, command: asked.Join, context: Context) -> list[Event]:
    """Let somebody in, and onto a seat if they came to play."""
    table, player = room.table, context.by
    if player is None or player in table.members:
        raise Rejected("already_joined")
    nickname = names.nickname(command.nickname or context.nickname)
    known = {names.skeleton(member.nickname) for member in table.members.values()}
    if names.skeleton(nickname) in known:
        raise Rejected("nickname_taken", nickname=nickname)
    joined = happened.PlayerJoined(player, nickname, command.role)
    if command.role == "spectator":
        return [joined]
    return [joined, happened.SeatTaken(free_seat(table, command.seat), player)]


def free_seat(table: Table, wanted: int | None) -> Seat:
    """Return the seat asked for or the lowest free one."""
    if wanted is None:
        if None not in table.seats:
            raise Rejected("room_full")
        return Seat(table.seats.index(None))
    if wanted >= len(table.seats):
        raise Rejected("no_such_seat", seat=wanted, seats=len(table.seats))
    if table.seats[wanted] is not None:
        raise Rejected("seat_taken", seat=wanted)
    return Seat(wanted)


def take_seat(room: Room, command: asked.TakeSeat, player: PlayerId) -> list[Event]:
    """Seat a member; outside a hot seat this moves one who sits already, which only waits for the match to end."""
    seat = free_seat(room.table, command.seat)
    own = own_seats(room.table, player)
    if not own or room.table.settings.hot_seat:
        return [happened.SeatTaken(seat, player)]
    if room.playing:
        raise Rejected("already_seated", seat=own[0])
    return [happened.SeatLeft(own[0], player), happened.SeatTaken(seat, player)]


def leave(table: Table, playing: Match | None, player: PlayerId) -> list[Event]:
    """Let somebody go; the longest-present player inherits the room, and an empty room closes."""
    left: list[Event] = [happened.SeatLeft(seat, player) for seat in own_seats(table, player)]
    left.append(happened.PlayerLeft(player))
    others = {other: member for other, member in table.members.items() if other != player}
    if not others:
        return [*left, *voided(playing), happened.RoomClosed("deserted")]
    if player == table.creator:
        heirs = [other for other, member in others.items() if member.role == "player"] or list(others)
        left.append(happened.CreatorChanged(heirs[0]))
    return left


def voided(playing: Match | None) -> list[Event]:
    """End a running match that counts for nobody."""
    return [] if playing is None else [happened.MatchEnded(happened.Result.void("closed"), playing.seed.hex())]


def ready(table: Table, command: asked.Ready, player: PlayerId, member: Member) -> list[Event]:
    """Note that a seated player is ready."""
    if not own_seats(table, player):
        raise Rejected("not_seated")
    if member.ready:
        raise Rejected("already_ready")
    return [happened.PlayerReadied(player, command.salt)]


def unready(player: PlayerId, member: Member) -> list[Event]:
    """Note that a player is not ready any more."""
    if not member.ready:
        raise Rejected("not_ready")
    return [happened.PlayerUnreadied(player)]


def assign_seats(room: Room, command: asked.AssignSeats, player: PlayerId) -> list[Event]:
    """Place the players as the creator wishes."""
    table = room.table
    created_by(table, player)
    if room.playing:
        raise Rejected("match_running")
    if len(command.seats) != len(table.seats):
        raise Rejected("seats_count", seats=len(table.seats))
    placed = [holder for holder in command.seats if holder is not None]
    for holder in placed:
        if holder not in table.members:
            raise Rejected("no_such_player", player=holder)
        if table.members[holder].role == "spectator":
            raise Rejected("is_spectator", player=holder)
        if placed.count(holder) > 1 and not table.settings.hot_seat:
            raise Rejected("already_seated", player=holder)
    return [happened.SeatsAssigned(command.seats)]


def start(room: Room, player: PlayerId) -> list[Event]:
    """Let the creator call for the match where the room is set so."""
    created_by(room.table, player)
    if room.playing:
        raise Rejected("match_running")
    if room.table.settings.start != "creator":
        raise Rejected("starts_by_itself", start=room.table.settings.start)
    if not all_seated(room.table):
        raise Rejected("seats_empty")
    return [happened.StartCalled()]


def proceed(room: Room, context: Context) -> list[Event]:
    """Let the house do what is due: here only what follows by itself at this moment."""
    if not follow(room, context):
        raise Rejected("nothing_due")
    return []


def follow(room: Room, context: Context) -> list[Event]:
    """Return what happens next by itself, because of chance, uncovered secrets or the clock; empty when nothing does.

    The writer calls it after every command, again until it is empty. A dry run never tells what it returns.
    """
    if (match := room.playing) is not None:
        return after_play(room, match)
    return new_match(room, context) if starts_now(room, context.now) else []


def after_play(room: Room, match: Match) -> list[Event]:
    """End the match if the rules say so, else let chance and uncovered secrets have their say."""
    outcome = room.game.outcome(match.state)
    if outcome is not None:
        return [happened.MatchEnded(happened.Result.of(outcome), match.seed.hex())]
    return list(room.game.follow(match.state, match.chance))


def starts_now(room: Room, now: Millis) -> bool:
    """Tell whether the next match begins at this moment."""
    table = room.table
    if table.status == "closed" or not all_seated(table):
        return False
    if table.start_called:
        return True
    if (moment := restart_at(room)) is not None:
        return now >= moment
    match table.settings.start:
        case "creator":
            return False
        case "full" if table.status == "open":
            return True
    return all_ready(table)


def restart_at(room: Room) -> Millis | None:
    """Return when the next match begins by itself, None where nothing will."""
    match, restart = room.match, room.table.settings.restart
    if room.table.status != "finished" or match is None or match.ended is None or restart is None:
        return None
    return Millis(match.ended + restart) if all_ready(room.table) else None


def new_match(room: Room, context: Context) -> list[Event]:
    """Begin the next match under a fresh seed, the seats rotated where the room is set so."""
    table = room.table
    rotates = table.settings.seats_next == "rotate" and table.matches > 0
    seats = (*table.seats[-1:], *table.seats[:-1]) if rotates else table.seats
    options: msgspec.Struct = fit(table.options, room.game.options)
    salts = tuple(table.members[holder].salt if holder in table.members else "" for holder in seats)
    started = happened.MatchStarted(
        id=f"{table.key.name}.{table.key.epoch}.{table.matches + 1}",
        game=table.game,
        rules_version=room.game.rules_version,
        options=table.options,
        seats=seats,
        salts=salts,
        seed_hash=seed_hash(context.seed),
        seed=context.seed.hex(),
    )
    laid: list[Event] = room.game.setup(options, Chance(context.seed, salts, DrawNumber(0)))
    placed: list[Event] = [happened.SeatsAssigned(seats)] if rotates else []
    return [*placed, started, *laid]
